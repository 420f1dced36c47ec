"""One goal on a figure, as rows of the tables. Made once: problems that share a goal share them."""

from __future__ import annotations

import copy

import numpy as np
from numpy.typing import NDArray

from poise.errors import GoalError
from poise.figure.figure import Figure
from poise.goals import Goal, Posture
from poise.goals.goal import CENTER_OF_MASS, Atom
from poise.kernels.layout import TARGET_SIZE
from poise.problem.metric import allowed_dofs
from poise.problem.paths import Runs, runs_to
from poise.problem.reach import way_to

Array = NDArray[np.float64]

NONE = -1
"""In the place of a segment: the centre of mass, or no second effector."""


class GoalRows:
    """A goal with the rows of its atoms; whatever is wrong with it on this figure is said here."""

    def __init__(self, figure: Figure, goal: Goal) -> None:
        self._fill(figure, goal)
        atoms = self.atoms
        if any(atom.effector == CENTER_OF_MASS for atom in atoms):
            _check_masses(figure)
        self.segments = [_segment(figure, atom.effector) for atom in atoms]
        self.others = [NONE if a.other is None else _segment(figure, a.other) for a in atoms]
        self.kinds = [atom.kind for atom in atoms]
        self.row_counts = [atom.row_count for atom in atoms]
        self.groups = _groups(atoms)
        self.paths = [_path(figure, *ends) for ends in zip(self.segments, self.others, strict=True)]
        """For each atom the runs of DOFs that move it."""
        self.effectors = [_effector(figure, atom.effector, atom.offset) for atom in atoms]
        self.other_effectors = [_effector(figure, atom.other, atom.other_offset) for atom in atoms]
        self.ways = [
            way_to(figure, atom, segment, effector[9:])
            for atom, segment, effector in zip(atoms, self.segments, self.effectors, strict=True)
        ]
        self.allowed = allowed_dofs(figure, goal, self.paths)
        """(dofs,) which DOFs may move for the goal."""

    def changed(self, figure: Figure, goal: Goal) -> GoalRows:
        """The rows of the same goal with another target, weight, level, name or chain."""
        made = copy.copy(self)
        made._fill(figure, goal)
        if goal.chain is not self.goal.chain:
            made.allowed = allowed_dofs(figure, goal, self.paths)
        return made

    def _fill(self, figure: Figure, goal: Goal) -> None:
        """What a target and a weight make."""
        self.goal = goal
        self.atoms = goal.atoms()
        self.targets = np.array([a.target for a in self.atoms]).reshape(-1, TARGET_SIZE)
        self.weights = np.array([a.weights for a in self.atoms]).reshape(-1, 4)
        self.posture = goal.dof_terms(figure) if isinstance(goal, Posture) else None


def _segment(figure: Figure, effector: str) -> int:
    if effector == CENTER_OF_MASS:
        return NONE
    return figure.segment_index(figure.effector(effector).segment)


def _path(figure: Figure, segment: int, other: int) -> Runs:
    if segment == NONE:
        return [(0, len(figure.dofs))]
    return runs_to(figure, segment) + (runs_to(figure, other) if other != NONE else [])


def _effector(figure: Figure, name: str | None, offset: Array) -> Array:
    """(12,) rotation and point of an effector in its segment."""
    row = np.zeros(12)
    if name is not None and name != CENTER_OF_MASS:
        site = figure.effector(name)
        rotation = np.asarray(site.rotation)
        row[:9] = rotation.reshape(-1)
        row[9:] = np.asarray(site.offset) + rotation @ offset
    return row


def _groups(atoms: list[Atom]) -> list[int]:
    """Atoms with the same number are alternatives; -1: none."""
    known: dict[int, int] = {}
    return [
        NONE if a.alternatives is None else known.setdefault(id(a.alternatives), len(known))
        for a in atoms
    ]


def _check_masses(figure: Figure) -> None:
    if not any(segment.mass > 0 for segment in figure.segments):
        raise GoalError(
            f"a CenterOfMass goal needs masses, and no segment of {figure.name!r} has one;"
            " give Segment(mass=, center=)"
        )
