"""Figure 6 of PLS: what a step that is too long does to the Jacobian transpose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import radians
from typing import TYPE_CHECKING

import numpy as np

from poise.figure.pose import Pose
from poise.goals import Position
from poise.motion.clip import Clip
from poise.solve import solve
from poise.solve.solution import TracePoint
from poise.study.following import GOALS, UNIT
from poise.study.page import BLUE, GREEN, INK, ORANGE, PURPLE, row_of_pictures
from poise.study.report import Table
from poise.view.scene import Scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Page

PIXELS = 560
"""Height of a panel."""
STEPS = (0.005, 0.01, 0.02, 0.05)
"""The paper's, and too long ones; 0.05 is that of its Figure 6."""
ITERATIONS = 400
BETWEEN = 0.25
"""From a pose of the motion to that this much later [s]."""
EVERY = 0.1
"""Between two poses that are tried as a start [s]."""
FAR = 5.0
"""The error at the start should be more than this [units²]."""
LOOKS = ((BLUE, "-"), (GREEN, "--"), (PURPLE, "-."), (ORANGE, "-"))


@dataclass(frozen=True, eq=False)
class Descent:
    """The iterates of the Jacobian transpose with one step length."""

    step: float
    desired: Pose
    iterates: Sequence[TracePoint]

    @property
    def values(self) -> np.ndarray:
        """(iterates,) the sum of squared errors [units²]."""
        return np.array([point.value for point in self.iterates]) / UNIT**2

    @property
    def left(self) -> float:
        """The error at the end, as a share of that at the start."""
        return float(self.values[-1] / self.values[0])

    def jump(self, back: int) -> float:
        """How far the effectors are from where they were `back` iterates before, the farthest
        at the end [m]."""
        one, two = self.pose(-1), self.pose(-1 - back)
        return max(float(np.linalg.norm(one.position(n) - two.position(n))) for n in GOALS)

    def pose(self, iterate: int) -> Pose:
        """The pose of an iterate."""
        return Pose(self.desired.figure, self.iterates[iterate].angles)


def descents(reference: Clip) -> list[Descent]:
    """From one pose of the reference to one a little later, with every step.

    It is the first place from which the paper's step converges, though the goals are not near.
    """
    times = np.arange(0.0, reference.duration - BETWEEN, EVERY)
    tried = {float(t): descent(reference, float(t), STEPS[0]) for t in times}
    converged = [t for t, one in tried.items() if one.left < 1e-2]
    far = [t for t in converged if tried[t].values[0] > FAR]
    best = (far or converged or list(tried))[0]
    return [tried[best], *(descent(reference, best, step) for step in STEPS[1:])]


def descent(reference: Clip, time: float, step: float) -> Descent:
    """The Jacobian transpose from the pose at a time [s] to that a little later."""
    desired = reference.at(time + BETWEEN)
    solution = solve(
        reference.figure,
        [Position(name, desired.position(name)) for name in GOALS],
        start=reference.at(time),
        method="jacobian-transpose",
        parameters={"tau": step},
        tolerance=1e-6,
        max_iterations=ITERATIONS,
        trace=True,
    )
    return Descent(step, desired, solution.trace[:-1])  # the last is the best of all


def flip_table(found: Sequence[Descent]) -> Table:
    """Where each step length ends."""
    columns = (
        *("step length", "iterations", "start [units²]", "end [units²]"),
        *("from the last iterate [cm]", "from the one before [cm]"),
    )
    rows = [
        (
            *(one.step, len(one.iterates) - 1, float(one.values[0]), float(one.values[-1])),
            *(100.0 * one.jump(1), 100.0 * one.jump(2)),
        )
        for one in found
    ]
    title = "Jacobian transpose with longer steps, as in Figure 6: how far effectors end up"
    return Table("flip", title, columns, tuple(rows))


def clearest_flip(found: Sequence[Descent]) -> Descent:
    """Of the too long steps the one that goes to and fro between two poses most exactly."""
    return min(found[1:], key=lambda one: one.jump(2) / max(one.jump(1), 1e-9))


def flip_figure(found: Sequence[Descent]) -> Page:
    """Two poses in turn over the desired one, and the error along the iterations."""
    shown = clearest_flip(found)
    scenes = [Scene(shown.pose(i), ghosts=[shown.desired]) for i in (-2, -1)]
    together = np.concatenate([scene.points for scene in scenes])
    camera = scenes[0].camera(radians(35.0), PIXELS, points=together)
    page, panels = row_of_pictures([camera] * 2, title_room=0.5, right=5.0, height=3.7)
    last = shown.iterates[-1].iterations
    for axes, scene, number in zip(panels, scenes, (last - 1, last), strict=True):
        axes.imshow(scene.image(camera))
        title = f"step length {shown.step:g}, iteration {number}\n(faint: the desired result)"
        axes.set_title(title, fontsize=9, color=INK)
    width, height = page.get_size_inches()
    axes = page.add_axes((1.0 - 4.2 / width, 0.13, 4.0 / width, 0.87 - 0.3 / height))
    for one, (color, style) in zip(found, LOOKS, strict=True):
        counts = [point.iterations for point in one.iterates]
        axes.plot(counts, one.values, style, color=color, lw=1.4, label=f"{one.step:g}")
    axes.set_yscale("log")
    axes.set_xlabel("iteration", fontsize=9)
    axes.set_ylabel("sum of squared errors [units²]", fontsize=9)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(title="step length", frameon=False, fontsize=8, title_fontsize=8)
    return page
