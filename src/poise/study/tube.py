"""The tube of Zhao & Badler, Figures 3 to 5: six constraints, and joint groups along the spine.

Both hands hold a tube, palms against it, with the direction of the fingers free; the elbows are on
two planes beside it; the eyes are on its axis and look at its bottom. The figure stands still from
the hips down, and starts upright. With the vertebrae in three joint groups it has the 22 DOFs of
the paper, with independent vertebrae 70; the collars follow the shoulders in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees

import numpy as np

from poise.figure.builtin import jack, shoulder_groups, spine_groups
from poise.figure.figure import Figure
from poise.goals import Aim, Goal, Line, Orientation, Plane, Position
from poise.solve import Solution, Solver, methods
from poise.study.report import Table
from poise.study.timing import REPEATS, timed

METHODS = ("auto", "bfgs-rosen")
"""Ours, and the paper's own."""
CHAIN = ("spine_*", "neck_*", "head_*", "*_collar_*", "*_shoulder_*", "*_elbow_*", "*_wrist_*")
MOTIONS = ("flexion", "lateral_bending", "axial_rotation")
NOTHING = 0.5
"""A share of a joint's range [%] that counts as none."""
VERTEBRAE = tuple(f"t{i}" for i in range(1, 13)) + tuple(f"l{i}" for i in range(1, 6))
"""From the top, as the paper's figures have them: T1 to T12, L1 to L5."""

BOTTOM = np.array([0.25, 0.80, 0.50])
AXIS = np.array([-0.10, 1.0, -0.25]) / np.linalg.norm([-0.10, 1.0, -0.25])
"""Up along the tube."""
LENGTH, RADIUS = 0.50, 0.06
HOLDS = {"left": 0.40, "right": 0.25}
"""How far up the tube each hand is [m]."""
ELBOW_DISTANCE = 0.30
"""Of the side planes from the axis [m]."""


@dataclass(frozen=True)
class Setting:
    """A figure of the study, and what the paper says of it."""

    name: str
    dofs: int
    paper_seconds: float
    """On a Silicon Graphics 340 VGX."""

    def figure(self) -> Figure:
        groups = spine_groups() if self.dofs == 22 else ()
        return jack().with_relations(*groups, *shoulder_groups())


SETTINGS = (Setting("grouped", 22, 5.0), Setting("independent", 70, 15.0))


@dataclass(frozen=True, eq=False)
class Tube:
    """One solve of the task."""

    setting: Setting
    method: str
    solution: Solution
    seconds: float

    @property
    def dofs(self) -> int:
        """How many DOFs took part: those that move by themselves."""
        return int(np.count_nonzero(self.solution.problem.mobility))

    def spine(self, motion: str) -> np.ndarray:
        """The angles of the 17 joints of the spine from the top [degrees]."""
        return np.degrees([self.solution.pose[f"spine_{v}_{motion}"] for v in VERTEBRAE])

    def shares(self, motion: str) -> np.ndarray:
        """The angles of the spine as shares of each joint's own range [%]."""
        figure = self.solution.pose.figure
        dofs = [figure.dof_index(f"spine_{v}_{motion}") for v in VERTEBRAE]
        span = np.degrees([figure.dofs[d].upper - figure.dofs[d].lower for d in dofs])
        return 100.0 * self.spine(motion) / span

    def unevenness(self, motion: str) -> float:
        """How unlike neighbours are: the mean step of `shares` along the spine [%].

        0 where every vertebra takes the same share of its own range.
        """
        return float(np.abs(np.diff(self.shares(motion))).mean())

    def against(self, motion: str) -> int:
        """Joints that bend the other way than most of the spine."""
        signs = np.sign(self.spine(motion)[np.abs(self.shares(motion)) > NOTHING])
        return int(min((signs > 0).sum(), (signs < 0).sum()))

    def turns(self, motion: str) -> int:
        """How often `shares` goes up after down, or down after up."""
        steps = np.diff(self.shares(motion))
        signs = np.sign(steps[np.abs(steps) > NOTHING])
        return int((signs[1:] != signs[:-1]).sum())

    def at_limits(self, motion: str) -> int:
        """Joints of the spine at an end of their range."""
        figure, angles = self.solution.pose.figure, self.solution.angles
        dofs = [figure.dof_index(f"spine_{v}_{motion}") for v in VERTEBRAE]
        return sum(angles[d] in (figure.lower[d], figure.upper[d]) for d in dofs)


def goals() -> list[Goal]:
    """The six constraints of the paper: each hand's is a position and a direction here."""
    outward = np.array([1.0, 0.0, 0.0]) - AXIS[0] * AXIS
    outward /= np.linalg.norm(outward)
    found: list[Goal] = []
    for side, sign in (("left", 1.0), ("right", -1.0)):
        hold = BOTTOM + HOLDS[side] * AXIS + sign * RADIUS * outward
        plane = BOTTOM + sign * ELBOW_DISTANCE * outward
        found += [
            Position(f"{side}_hand", hold, chain=CHAIN, name=f"{side} hand"),
            Orientation(f"{side}_hand", y=sign * outward, chain=CHAIN, name=f"{side} palm"),
            Plane(f"{side}_elbow", plane, outward, chain=CHAIN, name=f"{side} elbow"),
        ]
    found.append(Line("eyes", BOTTOM, AXIS, chain=CHAIN, name="eyes on the axis"))
    found.append(Aim("eyes", BOTTOM, chain=CHAIN, name="look at the bottom"))
    return found


def tubes(repeats: int = REPEATS) -> list[Tube]:
    """The task with both figures, by every method of METHODS that there is."""
    found = []
    for method in [name for name in METHODS if name in methods()]:
        for setting in SETTINGS:
            figure = setting.figure()
            solution, seconds = timed(
                lambda figure=figure, method=method: Solver(figure, goals(), method=method).solve(),
                repeats,
            )
            found.append(Tube(setting, method, solution, seconds))
    return found


def outcome_table(found: Sequence[Tube]) -> Table:
    """How each solve ended, beside the paper."""
    columns = (
        *("spine", "method", "DOFs", "reached", "worst [cm]", "worst [°]"),
        *("limits held", "steps", "time [ms]", "paper [s]", "paper / ours"),
    )
    rows = []
    for tube in found:
        solution, paper = tube.solution, tube.setting.paper_seconds
        position, angle = np.max(list(solution.errors.values()), axis=0)
        ratio = round(paper / tube.seconds) if solution.reached else ""
        rows.append(
            (
                *(tube.setting.name, tube.method, tube.dofs, solution.reached),
                *(100.0 * float(position), degrees(angle), solution.pose.is_inside_limits),
                *(solution.iterations, 1e3 * tube.seconds, paper, ratio),
            )
        )
    return Table("tube", "The tube, as in Figure 3", columns, tuple(rows))


def goal_table(found: Sequence[Tube]) -> Table:
    """The error of every goal."""
    names = [f"{tube.setting.name}, {tube.method}" for tube in found]
    rows = []
    for goal in found[0].solution.errors:
        errors = [tube.solution.errors[goal] for tube in found]
        angular = goal.endswith("palm") or goal.startswith("look")
        shown = [degrees(e.angle) if angular else 100.0 * e.position for e in errors]
        rows.append((goal, "°" if angular else "cm", *shown))
    return Table("tube_goals", "The error of each goal", ("goal", "unit", *names), tuple(rows))


def spine_table(found: Sequence[Tube]) -> Table:
    """The angles along the spine, as in Figures 4 and 5."""
    columns = ["joint"]
    values = []
    for tube in found:
        for motion in MOTIONS:
            columns.append(f"{tube.setting.name}, {tube.method}: {motion.replace('_', ' ')} [°]")
            values.append(tube.spine(motion).tolist())
    rows = [(v.upper(), *row) for v, row in zip(VERTEBRAE, zip(*values, strict=True), strict=True)]
    title = "Joint angles along the spine, as in Figures 4 and 5"
    return Table("tube_spine", title, tuple(columns), tuple(rows))


def regularity_table(found: Sequence[Tube]) -> Table:
    """How regular the spine is, by numbers: what Figures 4 and 5 are about."""
    columns = (
        *("motion", "spine", "method", "least [°]", "most [°]", "joints against the rest"),
        *("turns of the curve", "joints at limits", "mean step, of the range [%]"),
    )
    rows = [
        (
            *(motion.replace("_", " "), tube.setting.name, tube.method),
            *(float(tube.spine(motion).min()), float(tube.spine(motion).max())),
            *(tube.against(motion), tube.turns(motion), tube.at_limits(motion)),
            tube.unevenness(motion),
        )
        for motion in MOTIONS
        for tube in found
    ]
    return Table("tube_regularity", "How regular the spine is", columns, tuple(rows))
