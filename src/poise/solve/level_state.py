"""How far the levels of one solve have come: what each reached, and how firmly it is held."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.solve.level_arena import LevelArena

Array = NDArray[np.float64]

SLACK = 0.01
"""By how much of its tolerance lower levels may worsen a goal that its own level did not meet."""

# Tuned by studies/levels.py and on random goals of the human and the arm.
LEAST_HOLD, MOST_HOLD = 1e4, 1e8  # the scale of a level that was met,
FORCE = 10.0  # such that a residual of the figure's size moves it by a tenth of its tolerance
ABOVE = 1e2  # how much firmer the levels above a met one are held than itself
UNMET, MOST_UNMET = 1e5, 1e6  # the scale of the Lagrangian of a level that was not met,
BARELY = 500.0  # over how far it was missed: its curvature is small where that is small
STIFFEST = 1e10  # beyond which the rounding of rows shows in the gradient
RAISE = 1e2  # where the guarantee fails


class LevelState:
    """What the levels solved so far leave to the next one."""

    def __init__(self, arena: LevelArena, warm: bool) -> None:
        self._arena = arena
        rows = arena.rows.size
        self.warm = warm
        """Whether the solve starts from the last answer."""
        self.level = 0
        self.scale = np.ones(arena.count + 1)
        """(levels + 1,) of the sub-problem being solved; entry 0 is not used."""
        self.shift = np.zeros(rows)
        """(rows,) of the sub-problem being solved, before they are scaled."""
        self.solved = self.scale, self.shift
        """Scale and shift of the last sub-problem that was solved."""
        self.rows = np.zeros(rows)
        """(rows,) at the answer of the last level, without scale and shift."""
        self.unmet: list[int] = []
        self.is_multiplied = np.zeros(rows, bool)
        """(rows,) which rows are held by multipliers: the smooth ones of levels that were met."""
        self.reached = np.zeros_like(arena.tolerances)
        """(atoms, 2) the errors of every goal at the answer of its own level."""
        self.allowed = arena.tolerances
        """(atoms, 2) the errors that the guarantee allows at the level being solved."""

    def allow(self, level: int) -> None:
        """Set what is allowed at a level: the slack is shared by the levels below a goal."""
        tolerances = self._arena.tolerances
        missed = self.reached + SLACK * self._arena.slack_share[level] * tolerances
        self.allowed = np.where(self.reached > tolerances, missed, tolerances)

    def holds(self, level: int) -> bool:
        """Whether the guarantee holds at the pose in the arenas, for all goals above `level`."""
        above = self._arena.atoms_above[level]
        return bool((self._arena.goal_errors()[above] <= self.allowed[above]).all())

    def record(self, level: int) -> bool:
        """Take the pose in the arenas as a level's answer. Returns whether its goals are met."""
        arena, own = self._arena, self._arena.own_atoms[level]
        errors = arena.goal_errors()[own]
        self.level = level
        self.reached[own] = errors
        self.rows = arena.natural_rows(level, self.scale, self.shift)
        self.solved = self.scale.copy(), self.shift
        met = bool((errors <= arena.tolerances[own]).all())
        if not met:
            self.unmet.append(level)
        self._stiffen(level, met)
        return met

    def _stiffen(self, level: int, met: bool) -> None:
        """The scales with which the next level holds those above it."""
        arena, own = self._arena, self._arena.own_rows[level]
        if met:
            firm = FORCE * arena.length / arena.least_tolerance[level]
            self.scale[1:level] *= ABOVE
            self.scale[level] = min(max(firm, LEAST_HOLD), MOST_HOLD)
            self.is_multiplied |= own & arena.is_smooth
        else:
            missed = max(float(np.linalg.norm(self.rows[own])), 1e-300)
            factor = min(max(UNMET, BARELY / missed), MOST_UNMET)
            stiffest = float(self.scale[: level + 1].max())
            self.scale[1 : level + 1] *= max(min(factor, STIFFEST / stiffest), ABOVE)

    def harden(self, level: int) -> None:
        """Hold the levels above firmer, with the same multipliers."""
        self.scale[1:level] *= RAISE
        self.shift = self.shift / RAISE

    def bounded(self, shift: Array) -> Array:
        """Shifts of the rows that have multipliers, none beyond its tolerance: targets that are
        out of reach together would drive them up without end."""
        limit = np.where(self.is_multiplied, self._arena.row_tolerance, 0.0)
        return np.minimum(np.maximum(shift, -limit), limit)

    def unit_of_gradient(self) -> float:
        """Brings the last gradient into the units of the first level that is not met, or of the
        last one: what its own value would have."""
        level = self.unmet[0] if self.unmet else self.level
        return float(self._arena.unit[level] / self.solved[0][level])
