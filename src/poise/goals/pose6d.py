"""Pose6D: the effector is at a position and turned by a rotation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from numpy.typing import ArrayLike

from poise.errors import GoalError
from poise.goals.goal import Array, SiteGoal, is_number, padded
from poise.kernels import potentials


@dataclass(frozen=True, eq=False)
class Pose6D(SiteGoal):
    """The effector should be at `position` [m] with `rotation` (3x3) in the world.

    P = 2(1-o) ‖r - p‖² + 2o c² (2 sin φ/2)², φ the angle between the rotations: half the sum over
    three axes of ‖a - a_g‖². `orientation_share` o in (0, 1) shares the weight (ZB's w_o, with
    w_p + w_o = 1); the factor 2 makes the position of an even share count as a Position goal does.
    Give the rotation as a matrix or as quat_wxyz=, quat_xyzw= or euler=("ZXY", angles).
    """

    kind: ClassVar[int] = potentials.POSE
    row_count: ClassVar[int] = 6

    position: ArrayLike
    rotation: ArrayLike | None = None
    quat_wxyz: ArrayLike | None = field(default=None, kw_only=True)
    quat_xyzw: ArrayLike | None = field(default=None, kw_only=True)
    euler: tuple[str, Sequence[float]] | None = field(default=None, kw_only=True)
    orientation_share: float = field(default=0.5, kw_only=True)
    degrees_per_metre: float = field(default=573.0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("position", self._vector(self.position, "position"))
        matrix = self._take_rotation()
        if matrix is None:
            raise GoalError(
                f"{self._title()} needs a rotation; use Position when the rotation is free"
            )
        if not (is_number(self.orientation_share) and 0.0 < self.orientation_share < 1.0):
            raise GoalError(
                f"orientation_share of {self._title()} is {self.orientation_share!r};"
                " give a number between 0 and 1, or use Position or Orientation"
            )
        self._degrees_factor(self.degrees_per_metre)

    def target_row(self) -> Array:
        assert self.rotation is not None
        return padded(self.position, self.rotation)

    def weight_row(self) -> Array:
        share = self.orientation_share
        turn = self._degrees_factor(self.degrees_per_metre)
        return padded(
            math.sqrt(2.0 * self.weight * (1.0 - share)),
            math.sqrt(2.0 * self.weight * share) * turn,
            size=4,
        )

    def moved(self, target: object) -> Pose6D:
        """`target` is a (position, rotation) pair, or a position that keeps the rotation."""
        if isinstance(target, tuple | list) and len(target) == 2:
            return replace(self, position=target[0], rotation=target[1])
        return replace(self, position=target)
