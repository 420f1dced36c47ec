"""The sub-problem of one level, written into a workspace's arenas.

In the sub-problem of level k the goals of level k have their own weights, those of lower levels
none, and those of higher levels are held: their rows weigh `scale` times as much and are shifted.
Every level's rows are taken in units of its heaviest weight, so that weights of different levels
never meet.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from poise.goals import Posture
from poise.goals.goal import Atom
from poise.kernels import layout, potentials
from poise.problem import Problem
from poise.problem.goal_table import GoalTable
from poise.solve.workspace import Workspace

Array = NDArray[np.float64]

_SMOOTH = {
    potentials.POSITION,
    potentials.ORIENTATION,
    potentials.POSE,
    potentials.AIM,
    potentials.LINE,
    potentials.PLANE,
    potentials.RELATIVE,
}
_IN_TWO_PARTS = {potentials.ORIENTATION, potentials.POSE, potentials.RELATIVE}
_POSTURE = (layout.POSTURE_WEIGHT, layout.POSTURE_TARGET)
_LIMBS = (layout.MOBILITY, layout.HALF_RANGE, layout.SPREAD)  # zero where a DOF is frozen
_ANGULAR = {potentials.ORIENTATION, potentials.AIM}


class LevelArena:
    """Writes levels into the arenas of a workspace, and reads what came of them.

    Lists that are indexed by level have an unused entry 0.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.problem = workspace.problem
        self.count = self.problem.level_count
        self.length = self.problem.characteristic_length
        self._ints, self._floats = workspace.ints, workspace.floats
        self.rows, self._shift = self._section(layout.ROWS), self._section(layout.ROW_SHIFT)
        self._weights = self._section(layout.GOAL_WEIGHT).reshape(-1, 4)
        self._tolerances = self._section(layout.GOAL_TOLERANCE).reshape(-1, 2)
        self._errors = self._section(layout.GOAL_ERRORS).reshape(-1, 2)
        self._span = self._section(layout.GOAL_SPAN)
        self._posture = [self._section(section) for section in _POSTURE]
        self._limbs = [self._section(section) for section in _LIMBS]
        self._scalars = self._section(layout.SCALARS)
        self._place_rows(self.problem.table)
        self._place_postures()
        self._spans = self._spans_by_level()
        self._known: bytes | None = None

    def _place_rows(self, table: GoalTable) -> None:
        """Which atoms and rows belong to which level and goal."""
        sizes = [atoms.stop - atoms.start for atoms in table.ranges]
        counts = [atom.row_count for atom in table.atoms]
        self.atom_level = np.repeat(self.problem.levels, sizes)
        self.row_level = np.repeat(self.atom_level, counts)
        levels = range(self.count + 1)
        self.own_atoms = [self.atom_level == level for level in levels]
        self.own_rows = [self.row_level == level for level in levels]
        self.atoms_above = [self.atom_level < level for level in levels]
        self.is_smooth = np.repeat([_is_smooth(atom) for atom in table.atoms], counts).astype(bool)
        self._row_weight, self._row_tolerance = _parts_of_rows(table.atoms)
        with_atoms = [size for size in sizes if size]
        self._goal_begin = np.cumsum([0, *with_atoms])[:-1]
        self._goal_of_atom = np.repeat(np.arange(len(with_atoms)), with_atoms)
        # How much of its slack a goal may have used up after each level.
        below = np.maximum(self.count - self.atom_level, 1)
        self.slack_share = [
            np.clip((level - self.atom_level) / below, 0.0, 1.0)[:, None] for level in levels
        ]

    def _place_postures(self) -> None:
        """The postures of each level, and the DOFs that those of higher levels hold."""
        self._all_postures = [part.copy() for part in self._posture]
        given = {goal.level for goal in self.problem.goals if isinstance(goal, Posture)}
        self.postures = {level: self.problem.table.posture_terms(level) for level in given}
        self._frozen = {
            level: np.any([self.postures[k][0] > 0 for k in given if k < level], axis=0)
            for level in range(1, self.count + 1)
            if any(k < level for k in given)
        }

    def replace(self, problem: Problem) -> None:
        """Go on with a problem that differs in weights and in the poses of its postures."""
        self.problem = problem
        self._place_postures()
        self._known = None

    def begin(self) -> None:
        """Read what the arenas hold before levels are written over it: `end` puts it back."""
        self._own_limbs = [part.copy() for part in self._limbs] if self._frozen else []
        self._own_length = self._scalars[layout.LENGTH]
        read = self._weights.tobytes() + self._tolerances.tobytes()
        if read == self._known:
            return
        self._known = read
        self._own_weights, self.tolerances = self._weights.copy(), self._tolerances.copy()
        heaviest = np.ones(self.count + 1)
        for level in range(1, self.count + 1):
            most = self._own_weights[self.own_atoms[level]].max(initial=0.0)
            if most == 0.0 and level in self.postures:
                most = math.sqrt(self.postures[level][0].max())
            heaviest[level] = most or 1.0
        self.unit = heaviest**2
        self._unit_weights = self._own_weights / heaviest[self.atom_level, None]
        self.row_tolerance = (
            self._unit_weights.reshape(-1)[self._row_weight]
            * self.tolerances.reshape(-1)[self._row_tolerance]
        )
        weighted = self.row_tolerance > 0
        self.least_tolerance = [
            float(self.row_tolerance[own & weighted].min(initial=math.inf)) for own in self.own_rows
        ]

    def write(self, level: int, scale: Array, shift: Array, allowed: Array) -> None:
        """The sub-problem of a level, with the rows of level j `scale[j]` times as heavy.

        `shift` (rows,) is added to the rows, before they are scaled; `allowed` (atoms, 2) are the
        tolerances.
        """
        factor = np.sqrt(scale)
        factor[level + 1 :] = 0.0
        np.multiply(self._unit_weights, factor[self.atom_level, None], out=self._weights)
        np.multiply(factor[self.row_level], shift, out=self._shift)
        self._tolerances[:] = allowed
        self._span[:] = self._spans[level]
        self._switch(layout.ROW_SHIFT, self._shift.size if level > 1 else 0)
        posture = self.postures.get(level)
        for section, part in zip(_POSTURE, self._posture, strict=True):
            self._switch(section, 0 if posture is None else part.size)
        if posture is not None:
            np.divide(posture[0], self.unit[level], out=self._posture[0])
            self._posture[1][:] = posture[1]
        if level in self._frozen:
            for part in self._limbs:
                part[self._frozen[level]] = 0.0
        self._scalars[layout.LENGTH] = self.length
        self._scalars[layout.STIFFNESS] = scale[: level + 1].max()

    def end(self) -> None:
        """Put everything back: all goals with their own weights."""
        self._weights[:] = self._own_weights
        self._tolerances[:] = self.tolerances
        self._span[:] = self._spans[self.count]
        self._switch(layout.ROW_SHIFT, 0)
        for section, part, own in zip(_POSTURE, self._posture, self._all_postures, strict=True):
            self._switch(section, part.size)
            part[:] = own
        for part, own in zip(self._limbs, self._own_limbs, strict=False):
            part[:] = own
        self._scalars[layout.LENGTH] = self._own_length
        self._scalars[layout.STIFFNESS] = 1.0

    def natural_rows(self, level: int, scale: Array, shift: Array) -> Array:
        """(rows,) as they are without scale and shift; of lower levels zero."""
        factor = np.sqrt(scale)
        factor[level + 1 :] = math.inf
        return self.rows / factor[self.row_level] - shift

    def goal_errors(self) -> Array:
        """(atoms, 2) for every atom the errors of its whole goal."""
        if self._goal_begin.size == self.atom_level.size:
            return self._errors.copy()
        return np.maximum.reduceat(self._errors, self._goal_begin)[self._goal_of_atom]

    def _spans_by_level(self) -> list[Array]:
        """GOAL_SPAN as each level may see it: goals of lower levels prove nothing."""
        size = self.atom_level.size
        spans = []
        for level in range(self.count + 1):
            seen = self._span.reshape(size, size).copy()
            seen[self.atom_level > level] = math.inf
            seen[:, self.atom_level > level] = math.inf
            spans.append(seen.reshape(-1))
        return spans

    def _switch(self, section: int, size: int) -> None:
        """Give a section `size` entries: a section that is empty costs the kernels nothing."""
        self._ints[2 * section + 1] = self._ints[2 * section] + size

    def _section(self, section: int) -> Array:
        return layout.floats_at(self._floats, self._ints, section)


def _is_smooth(atom: Atom) -> bool:
    """Whether the atom's rows are smooth where they are zero, so that they can have multipliers."""
    if atom.kind == potentials.DISTANCE:
        return atom.alternatives is None and atom.target[0] == atom.target[1]
    return atom.alternatives is None and atom.kind in _SMOOTH


def _parts_of_rows(atoms: list[Atom]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(rows,) which entry of the flat GOAL_WEIGHT and GOAL_TOLERANCE belongs to a row."""
    weights, tolerances = [], []
    for k, atom in enumerate(atoms):
        for row in range(atom.row_count):
            part = row // 3 if atom.kind in _IN_TWO_PARTS else 0
            weights.append(4 * k + part)
            tolerances.append(2 * k + int(atom.kind in _ANGULAR or part == 1))
    return np.array(weights, np.int64), np.array(tolerances, np.int64)
