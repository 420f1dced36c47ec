"""The goals of a problem as the tables that the kernels read: one row an atom."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from poise.errors import GoalError
from poise.figure.figure import Figure
from poise.goals import Custom, Goal, Posture
from poise.goals.goal import CENTER_OF_MASS, Atom
from poise.kernels import layout, potentials
from poise.problem.custom_terms import CustomTerms
from poise.problem.paths import dof_offsets, runs_above, runs_to, shared_columns
from poise.problem.reach import goal_spans

_NONE = -1


class GoalTable:
    """The atoms of all goals, in the order of the goals; `ranges` says which belong to which."""

    def __init__(self, figure: Figure, goals: Sequence[Goal]) -> None:
        self.figure = figure
        self.goals = goals
        self.atoms: list[Atom] = []
        self.ranges: list[slice] = []
        for goal in goals:
            begin = len(self.atoms)
            self.atoms.extend(goal.atoms())
            self.ranges.append(slice(begin, len(self.atoms)))
        self.custom = CustomTerms(figure, [g for g in goals if isinstance(g, Custom)])
        self.row_count = sum(atom.row_count for atom in self.atoms)
        if any(atom.effector == CENTER_OF_MASS for atom in self.atoms):
            _check_masses(figure)

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
        figure, atoms, n = self.figure, self.atoms, len(self.figure.dofs)
        segments = [self._segment(atom.effector) for atom in atoms]
        others = [_NONE if atom.other is None else self._segment(atom.other) for atom in atoms]
        whole = [(0, n)]
        runs = [
            whole if s == _NONE else runs_to(figure, s) + (runs_to(figure, o) if o != _NONE else [])
            for s, o in zip(segments, others, strict=True)
        ]
        two_ended = any(o != _NONE for o in others)
        balanced = any(s == _NONE for s in segments)
        count = self.row_count
        return (
            {
                layout.GOAL_KIND: np.array([atom.kind for atom in atoms], int),
                layout.GOAL_SEGMENT: np.array(segments, int),
                layout.GOAL_OTHER: np.array(others, int),
                layout.GOAL_GROUP: self._groups(),
                layout.GOAL_ROW: np.cumsum([0] + [atom.row_count for atom in atoms]),
                layout.PATH_FIRST: np.cumsum([0] + [len(path) for path in runs]),
                layout.PATH_RUNS: np.array([run for path in runs for run in path], int),
                layout.GOAL_EFFECTOR: self._effectors([(a.effector, a.offset) for a in atoms]),
                layout.GOAL_OTHER_EFFECTOR: self._effectors(
                    [(a.other, a.other_offset) for a in atoms]
                )
                if two_ended
                else 0,
                layout.GOAL_TARGET: np.array([atom.target for atom in atoms]),
                layout.GOAL_WEIGHT: np.array([atom.weights for atom in atoms]),
                layout.GOAL_SPAN: goal_spans(figure, atoms),
                layout.GOAL_ERRORS: 2 * len(atoms),
                layout.ROW_WRENCHES: 6 * count,
                layout.OTHER_WRENCHES: 6 * count if two_ended else 0,
                layout.CENTERS: 3 * len(figure.segments) if balanced else 0,
                layout.SWEEPS: 6 * len(figure.segments) if two_ended or balanced else 0,
            }
            | self._coupling(runs, weight_matrix or two_ended or balanced or self._is_spread())
            | self.posture_sections()
            | {layout.CUSTOM: self.custom.size}
        )

    def _coupling(self, runs: list, spread: bool) -> dict[int, np.ndarray | int]:
        """Which Jacobian columns two goals share, and which DOFs the Hessian couples."""
        figure, n = self.figure, len(self.figure.dofs)
        if spread:
            reach = np.full((len(self.atoms), len(self.atoms)), n)
            above = [[(0, int(first))] if first else [] for first in dof_offsets(figure)[:-1]]
        else:
            reach, above = shared_columns(runs, n), runs_above(figure)
        return {
            layout.GOAL_REACH: reach,
            layout.ABOVE_FIRST: np.cumsum([0] + [len(one) for one in above]),
            layout.ABOVE_RUNS: np.array([run for one in above for run in one], int),
        }

    def _is_spread(self) -> bool:
        """Whether a user's goal, a joint group or a relation couples DOFs not all on one path."""
        if self.custom.size:
            return True
        figure, tables = self.figure, self.figure.relation_tables
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

    def posture_sections(self) -> dict[int, np.ndarray | int]:
        """All posture goals as one: w = Σ wᵢ, target = Σ wᵢ tᵢ / w."""
        if not any(isinstance(goal, Posture) for goal in self.goals):
            return {}
        weights, targets = self.posture_terms()
        return {layout.POSTURE_WEIGHT: weights, layout.POSTURE_TARGET: targets}

    def posture_terms(self, level: int | None = None) -> tuple[NDArray, NDArray]:
        """Weights and targets (dofs,) of all posture goals, or of those of one level."""
        terms = [
            goal.dof_terms(self.figure)
            for goal in self.goals
            if isinstance(goal, Posture) and level in (None, goal.level)
        ]
        weights = np.sum([w for w, _ in terms], axis=0)
        pulled = np.sum([w * t for w, t in terms], axis=0)
        targets = np.divide(pulled, weights, out=np.zeros_like(pulled), where=weights > 0)
        return weights, targets

    def _groups(self) -> NDArray[np.int64] | int:
        if all(atom.alternatives is None for atom in self.atoms):
            return 0
        known: dict[int, int] = {}
        return np.array(
            [
                _NONE
                if atom.alternatives is None
                else known.setdefault(id(atom.alternatives), len(known))
                for atom in self.atoms
            ]
        )

    def _segment(self, effector: str) -> int:
        if effector == CENTER_OF_MASS:
            return _NONE
        return self.figure.segment_index(self.figure.effector(effector).segment)

    def _effectors(self, places: list) -> NDArray[np.float64]:
        """(atoms, 12) rotation and point of effectors in their segments."""
        rows = np.zeros((len(places), 12))
        for row, (name, offset) in zip(rows, places, strict=True):
            if name is not None and name != CENTER_OF_MASS:
                site = self.figure.effector(name)
                rotation = np.asarray(site.rotation)
                row[:9] = rotation.reshape(-1)
                row[9:] = site.offset + rotation @ offset
        return rows


def _check_masses(figure: Figure) -> None:
    if not any(segment.mass > 0 for segment in figure.segments):
        raise GoalError(
            f"a CenterOfMass goal needs masses, and no segment of {figure.name!r} has one;"
            " give Segment(mass=, center=)"
        )
