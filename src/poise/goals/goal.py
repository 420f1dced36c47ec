"""What all goals share: an effector, a weight, a chain, and a row in the tables of the kernels."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import GoalError
from poise.kernels.layout import TARGET_SIZE

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Goal(ABC):
    """Something that an effector, a site or segment of the figure, should do.

    The potential is P = Σ e² over the rows that the kernel of `kind` writes (kernels/rows.py).
    """

    kind: ClassVar[int]
    """The number of the kind in kernels/rows.py."""
    row_count: ClassVar[int]
    """How many residual rows the kind has."""

    effector: str
    weight: float = field(default=1.0, kw_only=True)
    """How much the goal's potential counts against the others."""
    offset: ArrayLike = field(default=(0.0, 0.0, 0.0), kw_only=True)
    """The point of the effector that counts, in its own frame [m]."""
    chain: str | Sequence[str] | None = field(default=None, kw_only=True)
    """Names or shell patterns of the DOFs that may move for this goal; None: all."""
    name: str = field(default="", kw_only=True)
    """What `Solver.solve` and `Solution.errors` call the goal; the effector's name when empty."""

    def __post_init__(self) -> None:
        if not isinstance(self.effector, str):
            raise GoalError(f"effector of a goal is {self.effector!r}; give the name of a site or segment")
        if not (np.isscalar(self.weight) and math.isfinite(self.weight) and self.weight > 0):
            raise GoalError(
                f"weight of the goal on {self.effector!r} is {self.weight!r}; give a number above 0,"
                " or leave the goal out"
            )
        self._set("offset", self._vector(self.offset, "offset"))
        if not self.name:
            self._set("name", self.effector)

    @abstractmethod
    def target_row(self) -> Array:
        """The goal's row of the target table, `TARGET_SIZE` floats."""

    @abstractmethod
    def weight_row(self) -> Array:
        """Square roots of the weights of the goal's parts, four floats."""

    @abstractmethod
    def moved(self, target: object) -> Goal:
        """The same goal with another target, as `Solver.solve({name: target})` gives it."""

    def _set(self, attribute: str, value: object) -> None:
        object.__setattr__(self, attribute, value)

    def _vector(self, values: ArrayLike, what: str) -> Array:
        """Three finite numbers as a read-only array, or an error that names the goal."""
        try:
            vector = np.array(values, float)
        except (TypeError, ValueError):
            vector = np.empty(0)
        if vector.shape != (3,) or not np.isfinite(vector).all():
            raise GoalError(
                f"{what} of the goal on {self.effector!r} needs three finite numbers, not {values!r}"
            )
        vector.flags.writeable = False
        return vector

    def _direction(self, values: ArrayLike, what: str) -> Array:
        """A unit vector, or an error."""
        vector = self._vector(values, what)
        length = float(np.linalg.norm(vector))
        if length < 1e-9:
            raise GoalError(f"{what} of the goal on {self.effector!r} needs a vector that is not zero")
        unit = vector / length
        unit.flags.writeable = False
        return unit

    def _degrees_factor(self, degrees_per_metre: float) -> float:
        """ZB's c_d = 360 / (2 pi d): one metre matters as much as d degrees."""
        if not (np.isscalar(degrees_per_metre) and math.isfinite(degrees_per_metre) and degrees_per_metre > 0):
            raise GoalError(
                f"degrees_per_metre of the goal on {self.effector!r} is {degrees_per_metre!r};"
                " give a number above 0: so many degrees matter as much as one metre"
            )
        return 360.0 / (2.0 * math.pi * degrees_per_metre)


def padded(*parts: ArrayLike, size: int = TARGET_SIZE) -> Array:
    """The parts one after the other, filled up with zeros to a row of a table."""
    row = np.zeros(size)
    flat = np.concatenate([np.atleast_1d(np.asarray(part, float)).reshape(-1) for part in parts])
    row[: flat.size] = flat
    return row
