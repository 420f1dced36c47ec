"""Joints: what moves between a segment and its parent, as a product of elementary motions.

A joint is a list of motions applied from the parent outwards. Angles are in rad, lengths in m.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from numbers import Real
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import FigureError
from poise.figure.arrays import float_array
from poise.figure.rotation import EULER_ORDERS, between, checked_rotation
from poise.kernels import forward as codes

Range = tuple[float, float]
UNLIMITED: Range = (-np.inf, np.inf)


class MotionKind(IntEnum):
    """The elementary motions that the kernels know."""

    ROTATE_X = codes.ROTATE_X
    ROTATE_Y = codes.ROTATE_Y
    ROTATE_Z = codes.ROTATE_Z
    SLIDE_X = codes.SLIDE_X
    SLIDE_Y = codes.SLIDE_Y
    SLIDE_Z = codes.SLIDE_Z
    ROTATION_VECTOR = codes.ROTATION_VECTOR
    """exp[v]: three DOFs without limits."""
    SWING = codes.SWING
    """exp[(x, y, 0)]: two DOFs, limited by a cone ‖(x, y)‖ <= radius."""

    @property
    def is_translation(self) -> bool:
        return MotionKind.SLIDE_X <= self <= MotionKind.SLIDE_Z


@dataclass(frozen=True)
class Dof:
    """One degree of freedom: its name, limits, rigidity and rest value [rad or m]."""

    name: str
    kind: Literal["rotation", "translation"]
    lower: float = -np.inf
    upper: float = np.inf
    rigidity: float = 0.0
    rest: float = 0.0

    def __post_init__(self) -> None:
        if np.isnan(self.lower) or np.isnan(self.upper) or self.lower > self.upper:
            raise FigureError(
                f"limits of DOF {self.name!r} are [{self.lower}, {self.upper}];"
                " give lower <= upper, with -inf or inf where a side is open"
            )
        if self.lower == np.inf or self.upper == -np.inf:
            raise FigureError(f"limits of DOF {self.name!r} leave no finite value")
        if not 0.0 <= self.rigidity <= 1.0:
            raise FigureError(
                f"rigidity of DOF {self.name!r} is {self.rigidity}; give 0 (free) to 1 (frozen)"
            )
        if not (self.lower <= self.rest <= self.upper and np.isfinite(self.rest)):
            wanted = self.rest if np.isfinite(self.rest) else 0.0
            inside = float(np.clip(wanted, self.lower, self.upper))
            raise FigureError(
                f"rest value {self.rest} of DOF {self.name!r} is outside its limits"
                f" [{self.lower}, {self.upper}]; the nearest valid one is {inside}"
            )


@dataclass(frozen=True)
class Motion:
    """An elementary motion; `reversed` turns or slides the other way (used by re-rooting)."""

    kind: MotionKind
    dofs: tuple[Dof, ...]
    reversed: bool = False
    cone: float | None = None
    """Half-angle [rad] of the cone of a SWING."""


@dataclass(frozen=True, eq=False)
class Joint:
    """The motions between a parent and a segment, about the axes of `frame` (3x3).

    The relative rotation at zero is the identity whatever `frame` is: frame · motions · frameᵀ.
    """

    kind: str
    motions: tuple[Motion, ...]
    frame: NDArray[np.float64] = field(default_factory=lambda: np.eye(3))

    def __post_init__(self) -> None:
        object.__setattr__(self, "frame", float_array(self.frame))

    @cached_property
    def dofs(self) -> tuple[Dof, ...]:
        return tuple(dof for motion in self.motions for dof in motion.dofs)

    def with_dofs(self, dofs: Sequence[Dof]) -> Joint:
        """The same joint with other limits, rigidities or names, given in the order of `dofs`."""
        remaining = iter(dofs)
        motions = tuple(
            replace(motion, dofs=tuple(next(remaining) for _ in motion.dofs))
            for motion in self.motions
        )
        return replace(self, motions=motions)

    def with_cone(self, half_angle: float, what: str = "a swing-twist joint") -> Joint:
        """The same swing-twist joint with another cone [rad]; boxes tighter than the cone stay.

        `what` is what an error calls it.
        """
        cone = _half_angle(half_angle, what)
        motions = tuple(
            motion
            if motion.cone is None
            else replace(
                motion, cone=cone, dofs=tuple(_opened(d, motion.cone, cone) for d in motion.dofs)
            )
            for motion in self.motions
        )
        return replace(self, motions=motions)


_AXES = "XYZ"


def fixed() -> Joint:
    """No motion at all."""
    return Joint("fixed", ())


def revolute(
    axis: str | ArrayLike, limits: Range = UNLIMITED, name: str = "", rest: float = 0.0
) -> Joint:
    """A hinge about `axis`: "X", "Y", "Z" or any vector in the segment's rest frame."""
    return _single("revolute", axis, limits, name, rest)


def prismatic(
    axis: str | ArrayLike, limits: Range = UNLIMITED, name: str = "", rest: float = 0.0
) -> Joint:
    """A slider along `axis`: "X", "Y", "Z" or any vector in the segment's rest frame."""
    return _single("prismatic", axis, limits, name, rest)


def channels(
    rotation: str = "",
    translation: str = "",
    *,
    limits: Sequence[Range] | None = None,
    names: Sequence[str] | None = None,
    rest: Sequence[float] | None = None,
    frame: ArrayLike | None = None,
    translation_first: bool = True,
    kind: str = "channels",
) -> Joint:
    """Any run of translations and rotations about the axes of `frame`, in product order.

    `rotation="ZXY"` means Rz Rx Ry; a minus before an axis turns or slides the other way, as in
    "-ZX-Y". `limits`, `names` and `rest` follow the order of the DOFs: translations first unless
    `translation_first` is False.
    """
    slides = _elementary(MotionKind.SLIDE_X, translation, "t")
    turns = _elementary(MotionKind.ROTATE_X, rotation, "r")
    order = slides + turns if translation_first else turns + slides
    count = len(order)
    used_limits = _per_dof(limits, count, UNLIMITED, "limits")
    used_names = _per_dof(names, count, None, "names")
    used_rest = _per_dof(rest, count, 0.0, "rest")
    dofs = (
        _dof(used_names[i] or suffix, motion, used_limits[i], used_rest[i])
        for i, (motion, suffix, _) in enumerate(order)
    )
    motions = tuple(
        Motion(motion, (dof,), backwards)
        for dof, (motion, _, backwards) in zip(dofs, order, strict=True)
    )
    return Joint(kind, motions, _frame(frame))


def universal(
    axes: str = "XY",
    limits: Sequence[Range] | None = None,
    names: Sequence[str] | None = None,
    rest: Sequence[float] | None = None,
    frame: ArrayLike | None = None,
) -> Joint:
    """Two hinges about two of the axes of `frame`; "-X" turns the other way."""
    letters = axes.replace("-", "")
    if len(letters) != 2 or letters[0] == letters[1]:
        raise FigureError(f"a universal joint needs two different axes such as 'XY', not {axes!r}")
    return channels(axes, limits=limits, names=names, rest=rest, frame=frame, kind="universal")


def ball(
    order: str = "ZXY",
    limits: Sequence[Range] | None = None,
    names: Sequence[str] | None = None,
    rest: Sequence[float] | None = None,
    frame: ArrayLike | None = None,
) -> Joint:
    """Three Euler angles in any of the twelve orders, each with its own box limits.

    A minus turns that angle the other way: "-XZ-Y". Orders with a repeated axis, such as the
    paper's ZYZ, are singular at zero.
    """
    letters = order.replace("-", "")
    if letters not in EULER_ORDERS:
        raise FigureError(f"Euler order {order!r} is not one of {', '.join(EULER_ORDERS)}")
    names = names or (tuple("abc") if letters[0] == letters[2] else None)
    return channels(order, limits=limits, names=names, rest=rest, frame=frame, kind="ball")


def swing_twist(
    cone: float,
    twist: Range = UNLIMITED,
    axis: str | ArrayLike = "Z",
    names: Sequence[str] = ("swing_x", "swing_y", "twist"),
) -> Joint:
    """A ball joint R = exp(x, y, 0) exp(0, 0, t) whose swing stays within a cone about `axis`.

    `cone` is its half-angle [rad], above 0 and below pi.
    """
    cone = _half_angle(cone)
    swing = Motion(
        MotionKind.SWING,
        (Dof(names[0], "rotation", -cone, cone), Dof(names[1], "rotation", -cone, cone)),
        cone=cone,
    )
    turn = Motion(MotionKind.ROTATE_Z, (_dof(names[2], MotionKind.ROTATE_Z, twist, 0.0),))
    return Joint("swing-twist", (swing, turn), between((0.0, 0.0, 1.0), _direction(axis)))


def rotation_vector(names: Sequence[str] = ("rx", "ry", "rz")) -> Joint:
    """A ball joint without limits, turned by the rotation vector exp[v]: no singular pose."""
    dofs = tuple(Dof(name, "rotation") for name in names)
    return Joint("rotation-vector", (Motion(MotionKind.ROTATION_VECTOR, dofs),))


def planar(
    normal: str | ArrayLike = "Y",
    limits: Sequence[Range] | None = None,
    names: Sequence[str] = ("slide_1", "slide_2", "turn"),
) -> Joint:
    """Two translations in a plane and a rotation about its normal."""
    joint = channels("Z", "XY", limits=limits, names=names, kind="planar")
    return replace(joint, frame=between((0.0, 0.0, 1.0), _direction(normal)))


def translation(
    axes: str = "XYZ",
    limits: Sequence[Range] | None = None,
    names: Sequence[str] | None = None,
) -> Joint:
    """One to three translations along the axes."""
    return channels("", axes, limits=limits, names=names, kind="translation")


def free(names: Sequence[str] = ("tx", "ty", "tz", "rx", "ry", "rz")) -> Joint:
    """Six DOFs without limits: a translation, then a rotation vector. For roots."""
    slides = channels("", "XYZ", names=names[:3]).motions
    return Joint("free", (*slides, *rotation_vector(names[3:]).motions))


def _half_angle(cone: float, what: str = "a swing-twist joint") -> float:
    if not (isinstance(cone, Real) and 0.0 < cone < np.pi):
        raise FigureError(
            f"cone of {what} is {cone!r}; give a half-angle above 0 and below pi [rad]."
            " For a swing that must not move give its DOFs rigidity 1, or use a hinge"
        )
    return float(cone)


def _opened(dof: Dof, old: float, new: float) -> Dof:
    """A swing DOF whose sides at the old cone move to the new one."""
    lower = -new if dof.lower <= -old else max(dof.lower, -new)
    upper = new if dof.upper >= old else min(dof.upper, new)
    return replace(dof, lower=lower, upper=upper, rest=float(np.clip(dof.rest, lower, upper)))


def _single(kind: str, axis: str | ArrayLike, limits: Range, name: str, rest: float) -> Joint:
    base = MotionKind.SLIDE_X if kind == "prismatic" else MotionKind.ROTATE_X
    direction = _direction(axis)
    k = int(np.argmax(np.abs(direction)))
    cardinal = abs(abs(direction[k]) - 1.0) < 1e-12
    frame = np.eye(3) if cardinal else between((0.0, 0.0, 1.0), direction)
    motion = MotionKind(base + (k if cardinal else 2))
    dof = _dof(name, motion, limits, rest)
    return Joint(
        kind, (Motion(motion, (dof,), reversed=bool(cardinal and direction[k] < 0)),), frame
    )


def _dof(name: str, motion: MotionKind, limits: Range, rest: float) -> Dof:
    kind = "translation" if motion.is_translation else "rotation"
    return Dof(name, kind, float(limits[0]), float(limits[1]), rest=float(rest))


def _elementary(first: MotionKind, axes: str, prefix: str) -> list[tuple[MotionKind, str, bool]]:
    """The kind, the default DOF name and the sense of each axis of a run such as "-ZX-Y"."""
    parts = re.findall("-?.", axes)
    return [
        (MotionKind(first + _axis_index(part[-1])), prefix + part[-1].lower(), part[0] == "-")
        for part in parts
    ]


def _axis_index(letter: str) -> int:
    if len(letter) != 1 or letter not in _AXES:
        raise FigureError(f"axis {letter!r} is not one of X, Y, Z")
    return _AXES.index(letter)


def _direction(axis: str | ArrayLike) -> NDArray[np.float64]:
    if isinstance(axis, str):
        sign, letter = (-1.0, axis[1:]) if axis.startswith("-") else (1.0, axis)
        return sign * np.eye(3)[_axis_index(letter)]
    vector = np.asarray(axis, float)
    length = np.linalg.norm(vector) if vector.shape == (3,) else np.nan
    if not np.isfinite(length) or length < 1e-12:
        raise FigureError(f"axis {axis!r} needs three finite numbers that are not all zero")
    return vector / length


def _frame(frame: ArrayLike | None) -> NDArray[np.float64]:
    return np.eye(3) if frame is None else checked_rotation(frame, "joint frame")


def _per_dof(values, count: int, default, what: str) -> list:  # noqa: ANN001
    if values is None:
        return [default] * count
    if len(values) != count:
        raise FigureError(f"{what}: {len(values)} given for a joint of {count} DOFs; give {count}")
    return list(values)
