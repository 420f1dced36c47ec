"""Plane and HalfSpace: the effector's point is on a plane, or on one side of it (ZB §5.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from numpy.typing import ArrayLike

from poise.goals.goal import Array, SiteGoal, padded
from poise.kernels import potentials


@dataclass(frozen=True, eq=False)
class Plane(SiteGoal):
    """The effector should be on the plane through `point` [m] with `normal`. P = ((r - p)·ν)²."""

    kind: ClassVar[int] = potentials.PLANE
    row_count: ClassVar[int] = 1

    point: ArrayLike
    normal: ArrayLike

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("point", self._vector(self.point, "point"))
        self._set("normal", self._direction(self.normal, "normal"))

    def target_row(self) -> Array:
        return padded(self.point, self.normal)

    def moved(self, target: object) -> Self:
        """`target` is a (point, normal) pair, or a point that keeps the normal."""
        if isinstance(target, tuple | list) and len(target) == 2:
            return replace(self, point=target[0], normal=target[1])
        return replace(self, point=target)


@dataclass(frozen=True, eq=False)
class HalfSpace(Plane):
    """The effector should be on the side of the plane that `normal` points to.

    P = 0 there, else ((r - p)·ν)².
    """

    kind: ClassVar[int] = potentials.HALF_SPACE
