"""Relations among the DOFs of a figure: joint groups, linear limits and polygons.

They are limits, not goals: every pose that leaves a solver holds them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import FigureError
from poise.figure.arrays import float_array
from poise.figure.hull import convex_hull


@dataclass(frozen=True)
class JointGroup:
    """DOFs driven by one parameter q: each is share · q + offset (ZB §7).

    `shares` and `offsets` name DOFs or shell patterns, e.g. {"spine_*_flexion": 1.0}. Boxes stay
    as they are: q goes as far as the first member's limit.
    """

    name: str
    shares: Mapping[str, float]
    offsets: Mapping[str, float] = field(default_factory=dict)
    """[rad or m]; 0 where not given."""

    def __post_init__(self) -> None:
        title = f"shares of joint group {self.name!r}"
        _check_numbers(title, self.shares)
        _check_numbers(f"offsets of joint group {self.name!r}", self.offsets)
        if any(share == 0 for share in self.shares.values()):
            raise FigureError(f"{title} must not be 0; leave the DOF out of the group")


@dataclass(frozen=True)
class LinearLimit:
    """lower <= Σ coefficient · DOF <= upper; an equality where both are the same.

    >>> LinearLimit("arm overhead", {"left_shoulder_elevation": 1.0, "spine_*_flexion": -0.5},
    ...             upper=2.0)
    """

    name: str
    coefficients: Mapping[str, float]
    """By DOF or shell pattern."""
    lower: float = -math.inf
    upper: float = math.inf

    def __post_init__(self) -> None:
        _check_numbers(f"coefficients of linear limit {self.name!r}", self.coefficients)
        sides = (self.lower, self.upper)
        if not all(isinstance(side, Real) and not math.isnan(side) for side in sides) or not (
            self.lower <= self.upper and self.lower < math.inf and self.upper > -math.inf
        ):
            raise FigureError(
                f"linear limit {self.name!r} is [{self.lower}, {self.upper}];"
                " give lower <= upper, with -inf or inf where a side is open"
            )
        if self.lower == -math.inf and self.upper == math.inf:
            raise FigureError(
                f"linear limit {self.name!r} is open on both sides; give lower= or upper="
            )

    @property
    def is_equality(self) -> bool:
        return self.lower == self.upper


@dataclass(frozen=True, eq=False)
class PolygonLimit:
    """Two DOFs stay inside the convex hull of `corners` (n, 2) [rad or m], e.g. a shoulder."""

    name: str
    dofs: tuple[str, str]
    corners: ArrayLike

    def __post_init__(self) -> None:
        if isinstance(self.dofs, str) or len(self.dofs) != 2 or self.dofs[0] == self.dofs[1]:
            raise FigureError(f"polygon {self.name!r} needs two different DOFs, not {self.dofs!r}")
        corners = float_array(self.corners)
        if corners.ndim != 2 or corners.shape[1] != 2 or len(corners) < 3:
            raise FigureError(f"polygon {self.name!r} needs at least three corners (n, 2)")
        if not np.isfinite(corners).all():
            raise FigureError(f"polygon {self.name!r} has a corner that is not finite")
        object.__setattr__(self, "corners", corners)
        self.edges()

    def edges(self) -> list[LinearLimit]:
        """One linear limit an edge of the hull, with a normal of length 1."""
        corners = np.asarray(self.corners)
        hull = corners[convex_hull(corners)]
        after = np.roll(hull, -1, axis=0)
        along = after - hull
        area = 0.5 * float(np.sum(hull[:, 0] * after[:, 1] - hull[:, 1] * after[:, 0]))
        size = float(np.abs(hull - hull.mean(0)).max())
        if len(hull) < 3 or not area > 1e-9 * size**2:
            raise FigureError(
                f"polygon {self.name!r} has no interior: its corners are in line;"
                " give corners around an area"
            )
        normals = np.column_stack([along[:, 1], -along[:, 0]])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        return [
            LinearLimit(
                f"{self.name} edge {i}",
                dict(zip(self.dofs, map(float, normal), strict=True)),
                upper=float(normal @ corner),
            )
            for i, (normal, corner) in enumerate(zip(normals, hull, strict=True))
        ]


Relation = JointGroup | LinearLimit | PolygonLimit


def _check_numbers(what: str, values: Mapping[str, float]) -> None:
    if not isinstance(values, Mapping):
        raise FigureError(f"{what} need names of DOFs and a number for each, not {values!r}")
    if not values and what.startswith(("shares", "coefficients")):
        raise FigureError(f"{what} are empty; name at least one DOF")
    for name, value in values.items():
        if not (isinstance(value, Real) and math.isfinite(value)):
            raise FigureError(f"{what}: {name!r} has {value!r}; give a finite number")
