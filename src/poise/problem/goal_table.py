"""The goals of a problem as the tables that the kernels read: one row an atom."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, pairwise

import numpy as np
from numpy.typing import NDArray

from poise.errors import GoalError
from poise.figure.figure import Figure
from poise.figure.once import once_a_figure
from poise.goals import Custom
from poise.goals.goal import Atom
from poise.kernels import layout, potentials
from poise.problem.custom_terms import CustomTerms
from poise.problem.goal_rows import NONE, GoalRows
from poise.problem.paths import dof_offsets, runs_above, shared_columns
from poise.problem.reach import spans


class GoalTable:
    """The atoms of all goals, in the order of the goals; `ranges` says which belong to which."""

    def __init__(self, figure: Figure, goal_rows: Sequence[GoalRows]) -> None:
        self.figure = figure
        self.goal_rows = tuple(goal_rows)
        self.goals = tuple(rows.goal for rows in goal_rows)
        self.atoms: list[Atom] = [atom for rows in goal_rows for atom in rows.atoms]
        ends = accumulate((len(rows.atoms) for rows in goal_rows), initial=0)
        self.ranges = [slice(begin, end) for begin, end in pairwise(ends)]
        self.custom = CustomTerms(figure, [goal for goal in self.goals if isinstance(goal, Custom)])
        self.row_count = sum(atom.row_count for atom in self.atoms)

    def check_weight_matrix(self) -> None:
        """A full weight matrix makes sense only for rows that are always there."""
        for goal, atoms in zip(self.goals, self.ranges, strict=True):
            fixed = {potentials.POSITION, potentials.ORIENTATION, potentials.POSE}
            kinds = {atom.kind for atom in self.atoms[atoms]}
            if (
                not kinds
                or not kinds <= fixed
                or any(atom.alternatives is not None for atom in self.atoms[atoms])
            ):
                raise GoalError(
                    f"weight_matrix cannot be mixed with the {type(goal).__name__} goal"
                    f" {goal.name!r};"
                    " it takes Position, Orientation and Pose6D goals only"
                )

    def sections(self, weight_matrix: bool) -> dict[int, np.ndarray | int]:
        """The goals' sections of the arenas (kernels/layout.py)."""
        figure, rows = self.figure, self._joined("row_counts")
        segments, others = self._joined("segments"), self._joined("others")
        paths = self._joined("paths")
        two_ended = any(other != NONE for other in others)
        balanced = NONE in segments
        count = self.row_count
        return (
            {
                layout.GOAL_KIND: np.array(self._joined("kinds"), int),
                layout.GOAL_SEGMENT: np.array(segments, int),
                layout.GOAL_OTHER: np.array(others, int),
                layout.GOAL_GROUP: self._groups(),
                layout.GOAL_ROW: np.array([*accumulate(rows, initial=0)], int),
                layout.PATH_FIRST: np.array([*accumulate(map(len, paths), initial=0)], int),
                layout.PATH_RUNS: np.array([run for path in paths for run in path], int),
                layout.GOAL_EFFECTOR: np.array(self._joined("effectors")),
                layout.GOAL_OTHER_EFFECTOR: np.array(self._joined("other_effectors"))
                if two_ended
                else 0,
                layout.GOAL_TARGET: np.array(self._joined("targets")),
                layout.GOAL_WEIGHT: self.weights(),
                layout.GOAL_SPAN: spans(figure, self._joined("ways")),
                layout.GOAL_ERRORS: 2 * len(self.atoms),
                layout.ROW_WRENCHES: 6 * count,
                layout.OTHER_WRENCHES: 6 * count if two_ended else 0,
                layout.CENTERS: 3 * len(figure.segments) if balanced else 0,
                layout.SWEEPS: 6 * len(figure.segments) if two_ended or balanced else 0,
            }
            | self._coupling(segments, weight_matrix or two_ended or balanced)
            | self.posture_sections()
            | {layout.CUSTOM: self.custom.size}
        )

    def weights(self) -> NDArray[np.float64]:
        """(atoms, 4) square roots of the weights of the atoms' parts."""
        return np.array(self._joined("weights")).reshape(-1, 4)

    def _joined(self, what: str) -> list:
        """One attribute of all goals' rows, one after the other."""
        return [*chain.from_iterable(getattr(rows, what) for rows in self.goal_rows)]

    def _coupling(self, segments: list[int], spread: bool) -> dict[int, np.ndarray | int]:
        """Which Jacobian columns two goals share, and which DOFs the Hessian couples."""
        figure = self.figure
        if spread or self.custom.size or relations_couple_branches(figure):
            reach = np.full((len(segments),) * 2, len(figure.dofs))
            return {**_above_all(figure), layout.GOAL_REACH: reach}
        reach = shared_columns(figure, segments) if segments else 0
        return {**_above_by_path(figure), layout.GOAL_REACH: reach}

    def posture_sections(self) -> dict[int, np.ndarray | int]:
        """All posture goals as one: w = Σ wᵢ, target = Σ wᵢ tᵢ / w."""
        if all(rows.posture is None for rows in self.goal_rows):
            return {}
        weights, targets = self.posture_terms()
        return {layout.POSTURE_WEIGHT: weights, layout.POSTURE_TARGET: targets}

    def posture_terms(self, level: int | None = None) -> tuple[NDArray, NDArray]:
        """Weights and targets (dofs,) of all posture goals, or of those of one level."""
        terms = [
            rows.posture
            for rows in self.goal_rows
            if rows.posture is not None and level in (None, rows.goal.level)
        ]
        weights = np.sum([w for w, _ in terms], axis=0)
        pulled = np.sum([w * t for w, t in terms], axis=0)
        targets = np.divide(pulled, weights, out=np.zeros_like(pulled), where=weights > 0)
        return weights, targets

    def _groups(self) -> NDArray[np.int64] | int:
        """Groups of alternatives, counted over all goals."""
        numbers: list[int] = []
        for rows in self.goal_rows:
            first = 1 + max(numbers, default=NONE)
            numbers += [NONE if group == NONE else first + group for group in rows.groups]
        return np.array(numbers) if any(number != NONE for number in numbers) else 0


@once_a_figure
def relations_couple_branches(figure: Figure) -> bool:
    """Whether a joint group or a relation couples DOFs that are not all on one path."""
    tables = figure.relation_tables
    owner = np.repeat(np.arange(len(figure.segments)), np.diff(dof_offsets(figure)))
    coupled = [(f.leader, f.dof) for f in tables.followers]
    coupled += [pair for row in tables.rows for pair in pairwise(sorted(row.factors))]
    for above, below in coupled:
        at = int(owner[below])
        while at > owner[above]:
            at = figure.parents[at]
        if at != owner[above]:
            return True
    return False


@once_a_figure
def _above_by_path(figure: Figure) -> dict[int, np.ndarray | int]:
    return _above(runs_above(figure))


@once_a_figure
def _above_all(figure: Figure) -> dict[int, np.ndarray | int]:
    return _above([[(0, int(first))] if first else [] for first in dof_offsets(figure)[:-1]])


def _above(above: list) -> dict[int, np.ndarray | int]:
    return {
        layout.ABOVE_FIRST: np.cumsum([0] + [len(one) for one in above]),
        layout.ABOVE_RUNS: np.array([run for one in above for run in one], int),
    }
