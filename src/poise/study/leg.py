"""Figure 4 of PLS: a leg in its extreme positions, with its limits and without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi, radians
from typing import TYPE_CHECKING

import numpy as np

from poise.figure.builtin import human
from poise.goals import Position
from poise.solve import Solution, solve
from poise.study.page import INK, row_of_pictures
from poise.study.report import Table
from poise.view import marks as over
from poise.view.scene import Scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Page

PIXELS = 560
"""Height of a panel."""
LEG = ("right_hip_*", "right_knee_*", "right_ankle_*")
PLACES = {
    "heel to the seat": (0.0, -0.25, -0.25),
    "leg forward": (0.0, 0.10, 0.80),
    "foot far behind": (-0.05, 0.15, -0.60),
    "crossed in front": (0.50, -0.50, 0.25),
    "leg to the side": (-0.75, 0.10, 0.10),
}
"""Where the ankle should be, from the hip [m]: +X is to the left, +Z to the front."""
BALL = "#f28c1a"
SAME = 1.0
"""Legs whose ends and knees are at most this far apart are the same [cm]."""


@dataclass(frozen=True, eq=False)
class Leg:
    """One position: the answer inside the limits, and that of a leg without any."""

    name: str
    target: np.ndarray
    limited: Solution
    free: Solution

    @property
    def apart(self) -> float:
        """How far the limits move knee and foot, the farther of both [cm]."""
        ends = [
            np.linalg.norm(self.limited.pose.position(name) - self.free.pose.position(name))
            for name in ("right_knee", "right_foot")
        ]
        return 100.0 * float(max(ends))


def legs() -> list[Leg]:
    """The leg alone reaches for every place, from rest."""
    figure = human()
    free = figure.with_limits(dict.fromkeys(LEG, (-pi, pi)))
    hip = figure.rest().position("right_hip")
    found = []
    for name, offset in PLACES.items():
        target = hip + np.array(offset)
        goal = Position("right_foot", target, chain=LEG, name="foot")
        found.append(Leg(name, target, solve(figure, goal), solve(free, goal)))
    return found


def leg_table(found: Sequence[Leg]) -> Table:
    """What is missing with limits and without, and which limits hold the foot off."""
    columns = ("position", "short [cm]", "without limits [cm]", "knee or foot differ by [cm]",
               "held by")  # fmt: skip
    rows = []
    for leg in found:
        held = [f"{limit.dof.removeprefix('right_')} {limit.side}"
                for limit in leg.limited.active_limits]  # fmt: skip
        short = [100.0 * one.errors["foot"].position for one in (leg.limited, leg.free)]
        rows.append((leg.name, *short, leg.apart, ", ".join(held).replace("_", " ") or "–"))
    return Table("leg", "The leg in its extreme positions, as in Figure 4", columns, tuple(rows))


def leg_figure(found: Sequence[Leg]) -> Page:
    """The leg at each goal, an orange ball; without limits as a ghost, where it differs."""
    scenes = [
        Scene(
            leg.limited.pose,
            ghosts=[leg.free.pose] if leg.apart > SAME else [],
            also=[leg.target],
        )
        for leg in found
    ]
    together = np.concatenate([scene.points for scene in scenes])
    camera = scenes[0].camera(radians(-40.0), PIXELS, points=together)
    page, panels = row_of_pictures([camera] * len(scenes), title_room=0.5, height=3.3)
    for number, (leg, scene, axes) in enumerate(zip(found, scenes, panels, strict=True), 1):
        axes.imshow(scene.image(camera))
        short = 100.0 * leg.limited.errors["foot"].position
        color = over.REACHED if leg.limited.reached else over.MISSED
        if not leg.limited.reached:
            ends = [leg.target, leg.limited.pose.position("right_foot")]
            over.line(axes, camera, ends, color, linestyle=":")
        x, y, _ = camera.project(leg.target)
        axes.plot(x, y, "o", ms=7, color=BALL, mec="white", mew=0.9)
        end = "reached" if leg.limited.reached else f"{short:.0f} cm short"
        axes.set_title(f"{number}  {leg.name}\n{end}", fontsize=9, color=INK)
    return page
