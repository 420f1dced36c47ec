"""Goals between two effectors of the figure: Distance and Relative."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import GoalError
from poise.goals.goal import Array, Atom, SiteGoal, padded
from poise.kernels import potentials


@dataclass(frozen=True, eq=False)
class _Between(SiteGoal):
    other: str
    other_offset: ArrayLike = field(default=(0.0, 0.0, 0.0), kw_only=True)
    """The point of the other effector that counts, in its own frame [m]."""

    def __post_init__(self) -> None:
        if not isinstance(self.other, str):
            raise GoalError(f"other of a {type(self).__name__} goal is {self.other!r}; give a name")
        if not self.name:
            self._set("name", f"{self.effector} to {self.other}")
        super().__post_init__()
        self._set("other_offset", self._vector(self.other_offset, "other_offset"))

    def atoms(self) -> list[Atom]:
        atom = super().atoms()[0]
        return [replace(atom, other=self.other, other_offset=np.asarray(self.other_offset))]


@dataclass(frozen=True, eq=False)
class Distance(_Between):
    """The points of two effectors should be a given distance apart [m].

    Give `exactly`, or one or both of `at_least` and `at_most`.
    """

    kind: ClassVar[int] = potentials.DISTANCE
    row_count: ClassVar[int] = 1

    exactly: float | None = field(default=None, kw_only=True)
    at_least: float | None = field(default=None, kw_only=True)
    at_most: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        bounded = self.at_least is not None or self.at_most is not None
        if (self.exactly is not None) == bounded:
            raise GoalError(f"{self._title()} needs either exactly= or at_least= and/or at_most=")
        low, high = self._bounds()
        if low > high:
            raise GoalError(f"at_least of {self._title()} is {low}, above at_most {high}")

    def _bounds(self) -> tuple[float, float]:
        if self.exactly is not None:
            value = self._number(self.exactly, "exactly")
            return value, value
        low = 0.0 if self.at_least is None else self._number(self.at_least, "at_least")
        high = math.inf if self.at_most is None else self._number(self.at_most, "at_most")
        return low, high

    def target_row(self) -> Array:
        return padded(*self._bounds())

    def moved(self, target: float) -> Distance:
        """The same with another distance; only for `exactly`."""
        if self.exactly is None:
            raise GoalError(f"{self._title()} has bounds; make a new goal to change them")
        return replace(self, exactly=target)


@dataclass(frozen=True, eq=False)
class Relative(_Between):
    """The effector should be at `position` [m], and turned by `rotation`, in the other's frame.

    Two hands hold one bar: `Relative("left_hand", "right_hand", position=..., rotation=...)`.
    Leave the rotation out to leave it free.
    """

    kind: ClassVar[int] = potentials.RELATIVE
    row_count: ClassVar[int] = 6

    position: ArrayLike = (0.0, 0.0, 0.0)
    rotation: ArrayLike | None = None
    quat_wxyz: ArrayLike | None = field(default=None, kw_only=True)
    quat_xyzw: ArrayLike | None = field(default=None, kw_only=True)
    euler: tuple[str, Sequence[float]] | None = field(default=None, kw_only=True)
    degrees_per_metre: float = field(default=573.0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("position", self._vector(self.position, "position"))
        self._take_rotation()
        self._degrees_factor(self.degrees_per_metre)

    def target_row(self) -> Array:
        return padded(self.position, np.eye(3) if self.rotation is None else self.rotation)

    def weight_row(self) -> Array:
        turn = 0.0 if self.rotation is None else self._degrees_factor(self.degrees_per_metre)
        return math.sqrt(self.weight) * padded(1.0, turn, size=4)

    def moved(self, target: Any) -> Relative:
        """`target` is a position, or a (position, rotation) pair."""
        if isinstance(target, tuple | list) and len(target) == 2:
            return replace(self, position=target[0], rotation=target[1])
        return replace(self, position=target)
