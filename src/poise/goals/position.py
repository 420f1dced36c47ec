"""Position: the effector's point is at p. P = ‖r - p‖² (ZB §5.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from numpy.typing import ArrayLike

from poise.goals.goal import Array, SiteGoal, padded
from poise.kernels import potentials


@dataclass(frozen=True, eq=False)
class Position(SiteGoal):
    """The effector should be at `position` [m] in the world."""

    kind: ClassVar[int] = potentials.POSITION
    row_count: ClassVar[int] = 3

    position: ArrayLike

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("position", self._vector(self.position, "position"))

    def target_row(self) -> Array:
        return padded(self.position)

    def moved(self, target: object) -> Position:
        return replace(self, position=target)
