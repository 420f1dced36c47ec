"""Line: the effector's point is on a line. P = ‖(I - ννᵀ)(r - p)‖² (ZB §5.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from numpy.typing import ArrayLike

from poise.goals.goal import Array, SiteGoal, padded
from poise.kernels import potentials


@dataclass(frozen=True, eq=False)
class Line(SiteGoal):
    """The effector should be on the line through `point` [m] along `direction`."""

    kind: ClassVar[int] = potentials.LINE
    row_count: ClassVar[int] = 3

    point: ArrayLike
    direction: ArrayLike

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("point", self._vector(self.point, "point"))
        self._set("direction", self._direction(self.direction, "direction"))

    def target_row(self) -> Array:
        return padded(self.point, self.direction)

    def moved(self, target: object) -> Line:
        """`target` is a (point, direction) pair, or a point that keeps the direction."""
        if isinstance(target, tuple | list) and len(target) == 2:
            return replace(self, point=target[0], direction=target[1])
        return replace(self, point=target)
