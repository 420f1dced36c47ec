"""Segments, the rigid parts of a figure, and sites, the named points on them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import FigureError
from poise.figure.arrays import float_array
from poise.figure.joint import Joint, fixed
from poise.figure.rotation import checked_rotation

Vector = NDArray[np.float64]


def vector3(values: ArrayLike, what: str) -> Vector:
    """Three finite numbers as a read-only array, or an error."""
    vector = float_array(values)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise FigureError(f"{what} needs three finite numbers, not {values!r}")
    return vector


def _rotation(matrix: ArrayLike | None, what: str) -> Vector:
    return float_array(np.eye(3)) if matrix is None else checked_rotation(matrix, what)


@dataclass(frozen=True, eq=False)
class Segment:
    """A rigid part and the joint that ties it to its parent.

    Its frame in the parent's is Translate(offset) · rotation · joint · after_rotation ·
    Translate(after_offset). The two last are the identity except in re-rooted figures.
    """

    name: str
    parent: str | None
    joint: Joint = field(default_factory=fixed)
    offset: ArrayLike = (0.0, 0.0, 0.0)
    """Origin of the joint in the parent's frame [m]."""
    rotation: ArrayLike | None = None
    """Rotation relative to the parent when the joint is at zero (3x3)."""
    joint_name: str = ""
    """Prefix of the joint's DOF names; the segment's name when empty."""
    mass: float = 0.0
    center: ArrayLike = (0.0, 0.0, 0.0)
    """Centre of mass in the segment's frame [m]."""
    after_rotation: ArrayLike | None = None
    after_offset: ArrayLike = (0.0, 0.0, 0.0)
    bone: str = ""
    """Which bone of a human it is where its file says so, as VRM calls them: "leftUpperArm"."""

    def __post_init__(self) -> None:
        if not self.name:
            raise FigureError("a segment needs a name")
        set_ = object.__setattr__
        for name in ("offset", "center", "after_offset"):
            set_(self, name, vector3(getattr(self, name), f"{name} of segment {self.name!r}"))
        for name in ("rotation", "after_rotation"):
            given = getattr(self, name)
            set_(self, name, _rotation(given, f"{name} of segment {self.name!r}"))
        if not (np.isfinite(self.mass) and self.mass >= 0.0):
            raise FigureError(f"mass of segment {self.name!r} is {self.mass}; give kilograms >= 0")
        if not self.joint_name:
            set_(self, "joint_name", self.name)

    @property
    def dof_names(self) -> tuple[str, ...]:
        """The names of its DOFs in the figure: the joint's name and the DOF's own."""
        return tuple(
            f"{self.joint_name}_{dof.name}" if dof.name else self.joint_name
            for dof in self.joint.dofs
        )


@dataclass(frozen=True, eq=False)
class Site:
    """A named point with an orientation on a segment: +Z forward, +Y up."""

    name: str
    segment: str
    offset: ArrayLike = (0.0, 0.0, 0.0)
    rotation: ArrayLike | None = None

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "offset", vector3(self.offset, f"offset of site {self.name!r}"))
        set_(self, "rotation", _rotation(self.rotation, f"rotation of site {self.name!r}"))
