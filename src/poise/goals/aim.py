"""Aim: the effector looks at a point (ZB §5.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar

from numpy.typing import ArrayLike

from poise.goals.goal import Array, SiteGoal, padded
from poise.kernels import potentials


@dataclass(frozen=True, eq=False)
class Aim(SiteGoal):
    """The effector's +Z axis should point at `at` [m].

    P = c²‖(p - r)/‖p - r‖ - ẑ‖². With the target at the eye every direction counts as met.
    `degrees_per_metre` says how many degrees matter as much as one metre.
    """

    kind: ClassVar[int] = potentials.AIM
    row_count: ClassVar[int] = 3

    at: ArrayLike
    degrees_per_metre: float = field(default=573.0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("at", self._vector(self.at, "at"))
        self._degrees_factor(self.degrees_per_metre)

    def target_row(self) -> Array:
        return padded(self.at)

    def weight_row(self) -> Array:
        scale = self._degrees_factor(self.degrees_per_metre)
        return padded(math.sqrt(self.weight) * scale, size=4)

    def moved(self, target: ArrayLike) -> Aim:
        return replace(self, at=target)
