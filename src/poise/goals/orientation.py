"""Orientation: two directions of the effector point where they should (ZB §5.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import GoalError
from poise.figure.arrays import float_array
from poise.goals.goal import Array, SiteGoal, padded
from poise.kernels import potentials


@dataclass(frozen=True, eq=False)
class Orientation(SiteGoal):
    """The effector's x and y axes should point along `x` and `y` in the world.

    P = c²‖x_g - x̂‖² + c²‖y_g - ŷ‖². Leave `x` or `y` out to leave that direction free, or give a
    whole `rotation` (3x3; or quat_wxyz=, quat_xyzw=, euler=). `degrees_per_metre` says how many
    degrees matter as much as one metre (ZB's d); the default 573 makes 1 rad as bad as 0.1 m.
    """

    kind: ClassVar[int] = potentials.ORIENTATION
    row_count: ClassVar[int] = 6

    rotation: ArrayLike | None = None
    x: ArrayLike | None = field(default=None, kw_only=True)
    y: ArrayLike | None = field(default=None, kw_only=True)
    quat_wxyz: ArrayLike | None = field(default=None, kw_only=True)
    quat_xyzw: ArrayLike | None = field(default=None, kw_only=True)
    euler: tuple[str, Sequence[float]] | None = field(default=None, kw_only=True)
    degrees_per_metre: float = field(default=573.0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        matrix = self._take_rotation()
        if (matrix is None) == (self.x is None and self.y is None):
            raise GoalError(
                f"{self._title()} needs either a whole rotation or one or both of x= and y="
            )
        if matrix is not None:
            self._set("x", matrix[:, 0])
            self._set("y", matrix[:, 1])
            self._set("rotation", None)
        for axis in ("x", "y"):
            if getattr(self, axis) is not None:
                self._set(axis, self._direction(getattr(self, axis), axis))
        if self.x is not None and self.y is not None and abs(np.dot(self.x, self.y)) > 1e-6:
            raise GoalError(
                f"x and y of {self._title()} are not at right angles;"
                " give perpendicular directions, or leave one of them free"
            )
        self._degrees_factor(self.degrees_per_metre)

    def target_row(self) -> Array:
        free = np.zeros(3)
        return padded(free if self.x is None else self.x, free if self.y is None else self.y)

    def weight_row(self) -> Array:
        scale = math.sqrt(self.weight) * self._degrees_factor(self.degrees_per_metre)
        return padded(0.0 if self.x is None else scale, 0.0 if self.y is None else scale, size=4)

    def moved(self, target: Any) -> Orientation:
        """`target` is a rotation, or a direction where only one is given; the other stays free."""
        free = {axis: None for axis in ("x", "y") if getattr(self, axis) is None}
        if free and float_array(target).shape == (3,):
            return replace(self, **{"y" if "x" in free else "x": target})
        return replace(replace(self, rotation=target, x=None, y=None), **free)
