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
from poise.figure.figure import Figure
from poise.goals import Orientation, Position
from poise.solve import Solution, solve
from poise.study.report import Table

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
PAPER_SECONDS = 2.0
"""Of Figure 8, on a Silicon Graphics 4D-25TG."""


@dataclass(frozen=True, eq=False)
class Reach:
    """One case: a chain, a rigidity, and how it ended."""

    name: str
    solution: Solution

    @property
    def dofs(self) -> int:
        """How many DOFs the chain has."""
        return int(np.count_nonzero(self.solution.problem.mobility))

    def moved(self, patterns: str | Sequence[str]) -> np.ndarray:
        """By how much DOFs differ from the start [degrees], without sign."""
        figure = self.solution.pose.figure
        own = figure.match_dofs(patterns)
        return np.degrees(np.abs(self.solution.angles - figure.rest().angles)[own])


def reach(name: str, chain: Sequence[str], rigidity: float = 0.0, method: str = "auto") -> Reach:
    """Solve one case; `rigidity` is that of the torso's sideways motions."""
    figure = human() if rigidity == 0.0 else stiff_human(rigidity)
    goals = [
        Position("right_hand", TARGET, chain=chain, name="hand"),
        Orientation("right_hand", y=OUTWARD, chain=chain, name="palm"),
    ]
    return Reach(name, solve(figure, goals, method=method))


def stiff_human(rigidity: float) -> Figure:
    """The human with a torso that bends and twists sideways less readily."""
    return human().with_rigidity(dict.fromkeys(SIDEWAYS, rigidity))


def three_reaches() -> list[Reach]:
    """Figures 6, 7 and 8 of the paper."""
    return [
        reach("the arm alone", ARM),
        reach("the arm and the torso", ARM + TORSO),
        reach("torso with rigidity 0.5", ARM + TORSO, 0.5),
    ]


def rigidity_sweep() -> list[Reach]:
    """The same reach with ever more rigid sideways motions."""
    return [reach(f"{rigidity:g}", ARM + TORSO, rigidity) for rigidity in RIGIDITIES]


def outcome_table(reaches: Sequence[Reach]) -> Table:
    """How each case ended, and how the motion was shared."""
    columns = (
        *("case", "DOFs", "reached", "hand error [cm]", "palm error [°]"),
        *("torso forward [°]", "torso sideways [°]", "torso axial [°]", "arm [°]"),
        *("iterations", "time [ms]", "paper [s]"),
    )
    rows = []
    for case in reaches:
        solution, errors = case.solution, case.solution.errors
        shares = [case.moved(f"spine_*_{motion}").sum() for motion in MOTIONS]
        rows.append(
            (
                *(case.name, case.dofs, solution.reached),
                *(100.0 * errors["hand"].position, degrees(errors["palm"].angle)),
                *(float(share) for share in (*shares, case.moved(ARM).sum())),
                *(solution.iterations, 1e3 * solution.time, PAPER_SECONDS),
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
        *("rigidity of the torso sideways", "reached", "hand error [cm]"),
        *("torso forward [°]", "torso sideways and axial [°]", "arm [°]"),
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
