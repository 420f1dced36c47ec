"""The reach of Zhao & Badler, Figures 6 to 8: chains and rigidities.

The right hand should touch the right face of a box, palm towards it. With the joints from the
shoulder to the hand it cannot; from the waist it can, but bends and twists the torso as readily as
anything else; with rigidities of 0.5 in its lateral bending and axial rotation it does so less.
Their figure had five segments in the torso, as `human` has, and 22 DOFs in this chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees

import numpy as np

from poise.figure.builtin import human
from poise.goals import Orientation, Position
from poise.solve import Solution, solve
from poise.study.report import Table
from poise.study.timing import REPEATS, timed

ARM = ("right_shoulder_*", "right_elbow_*", "right_wrist_*")
TORSO = ("spine_*",)
SIDEWAYS = ("spine_*_lateral_bending", "spine_*_axial_rotation")
"""What the paper makes rigid."""
MOTIONS = ("flexion", "lateral_bending", "axial_rotation")
RIGIDITIES = (0.0, 0.25, 0.5, 0.75, 0.9)

TARGET = (-0.30, 0.90, 0.75)
"""Where the palm should be: the middle of the box's right face [m]."""
OUTWARD = (-1.0, 0.0, 0.0)
"""The normal of that face, and where the back of the hand should point."""
PAPER_TIMES = ("", "", "2 s")
"""What the paper tells of Figure 8, on a Silicon Graphics 4D-25TG."""


@dataclass(frozen=True, eq=False)
class Reach:
    """One case: a chain, a rigidity, and how it ended."""

    name: str
    solution: Solution
    seconds: float

    @property
    def dofs(self) -> int:
        """How many DOFs the chain has."""
        return int(np.count_nonzero(self.solution.problem.mobility))

    def moved(self, patterns: str | Sequence[str]) -> np.ndarray:
        """By how much DOFs differ from the start [degrees], without sign."""
        figure = self.solution.pose.figure
        own = figure.match_dofs(patterns)
        return np.degrees(np.abs(self.solution.angles - figure.rest().angles)[own])


def reach(name: str, chain: Sequence[str], rigidity: float, repeats: int) -> Reach:
    """Solve one case; `rigidity` is that of the torso's sideways motions."""
    figure = human().with_rigidity(dict.fromkeys(SIDEWAYS, rigidity))
    goals = [
        Position("right_hand", TARGET, chain=chain, name="hand"),
        Orientation("right_hand", y=OUTWARD, chain=chain, name="palm"),
    ]
    return Reach(name, *timed(lambda: solve(figure, goals), repeats))


def three_reaches(repeats: int = REPEATS) -> list[Reach]:
    """Figures 6, 7 and 8 of the paper."""
    return [
        reach("arm alone", ARM, 0.0, repeats),
        reach("arm and torso", ARM + TORSO, 0.0, repeats),
        reach("torso rigidity 0.5", ARM + TORSO, 0.5, repeats),
    ]


def rigidity_sweep() -> list[Reach]:
    """The same reach with ever more rigid sideways motions."""
    return [reach(f"{rigidity:g}", ARM + TORSO, rigidity, 1) for rigidity in RIGIDITIES]


def outcome_table(reaches: Sequence[Reach]) -> Table:
    """How each case ended, and how the motion was shared."""
    columns = (
        *("case", "DOFs", "reached", "hand [cm]", "palm [°]"),
        *("forward [°]", "sideways [°]", "axial [°]", "arm [°]"),
        *("steps", "time [ms]", "paper"),
    )
    rows = []
    for case, paper in zip(reaches, PAPER_TIMES, strict=True):
        solution, errors = case.solution, case.solution.errors
        shares = [case.moved(f"spine_*_{motion}").sum() for motion in MOTIONS]
        rows.append(
            (
                *(case.name, case.dofs, solution.reached),
                *(100.0 * errors["hand"].position, degrees(errors["palm"].angle)),
                *(float(share) for share in (*shares, case.moved(ARM).sum())),
                *(solution.iterations, 1e3 * case.seconds, paper),
            )
        )
    return Table("reach", "The reach, as in Figures 6 to 8", columns, tuple(rows))


def joint_table(reaches: Sequence[Reach]) -> Table:
    """How far every DOF of the chain went from the start."""
    figure = human()
    dofs = figure.match_dofs([*TORSO, *ARM])
    rest = figure.rest().angles
    columns = ("DOF", *(f"{case.name} [°]" for case in reaches))
    rows = []
    for dof in dofs:
        turned = (degrees(case.solution.angles[dof] - rest[dof]) for case in reaches)
        rows.append((figure.dof_names[dof], *turned))
    return Table("reach_joints", "How far each DOF turned", columns, tuple(rows))


def sweep_table(reaches: Sequence[Reach]) -> Table:
    """Rigidity changes how the motion is shared, not what is reached."""
    columns = (
        *("rigidity", "reached", "hand [cm]"),
        *("forward [°]", "sideways and axial [°]", "arm [°]"),
    )
    rows = [
        (
            *(float(case.name), case.solution.reached),
            100.0 * case.solution.errors["hand"].position,
            *(float(case.moved(p).sum()) for p in ("spine_*_flexion", SIDEWAYS, ARM)),
        )
        for case in reaches
    ]
    return Table("rigidity", "What the rigidity changes", columns, tuple(rows))
