"""Rotations as 3x3 matrices, from and to the other ways of writing them.

Quaternions are (w, x, y, z) with w >= 0. Euler orders in upper case are intrinsic: "ZXY" means
R = Rz(a) Rx(b) Ry(c).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import PoiseError
from poise.figure.arrays import float_array

Matrix = NDArray[np.float64]

EULER_ORDERS = (
    *("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"),
    *("XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ"),
)


def about(axis: str, angle: float) -> Matrix:
    """The rotation by `angle` [rad] about the axis "X", "Y" or "Z"."""
    c, s = np.cos(angle), np.sin(angle)
    if axis == "X":
        return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    if axis == "Y":
        return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def from_euler(order: str, angles: ArrayLike) -> Matrix:
    """The product of rotations about the axes of `order`, in that order; angles in rad."""
    values = float_array(angles)
    known = isinstance(order, str) and all(axis in "XYZ" for axis in order)
    if not known or values.shape != (len(order),) or not np.isfinite(values).all():
        raise PoiseError(
            f"euler=({order!r}, …) needs upper-case axes such as 'ZXY' and one finite angle [rad]"
            " for each"
        )
    result = np.eye(3)
    for axis, angle in zip(order, values, strict=True):
        result = result @ about(axis, float(angle))
    return result


def from_quaternion(wxyz: ArrayLike) -> Matrix:
    """The matrix of a quaternion (w, x, y, z), which is normalised first."""
    q = float_array(wxyz)
    length = np.linalg.norm(q) if q.shape == (4,) else 0.0
    if not np.isfinite(length) or length < 1e-12:
        raise PoiseError("a quaternion needs four finite numbers that are not all zero")
    return quaternion_matrices(q)


def quaternion_matrices(quaternions: Matrix) -> Matrix:
    """(..., 3, 3) the matrices of quaternions, which are normalised first."""
    q = quaternions / np.linalg.norm(quaternions, axis=-1, keepdims=True)
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def to_quaternion(matrix: ArrayLike) -> NDArray[np.float64]:
    """Quaternions (w, x, y, z), w >= 0, of one matrix or of a stack of them (..., 3, 3)."""
    m = np.asarray(matrix, float)
    # Each row of this symmetric matrix is a multiple of the quaternion (Bar-Itzhack); the longest
    # one loses no digits.
    t = np.trace(m, axis1=-2, axis2=-1)
    a, b, c = (m[..., 2, 1], m[..., 0, 2], m[..., 1, 0])
    d, e, f = (m[..., 1, 2], m[..., 2, 0], m[..., 0, 1])
    rows = np.stack(
        [
            np.stack([1 + t, a - d, b - e, c - f], -1),
            np.stack([a - d, 1 + 2 * m[..., 0, 0] - t, f + c, b + e], -1),
            np.stack([b - e, f + c, 1 + 2 * m[..., 1, 1] - t, a + d], -1),
            np.stack([c - f, b + e, a + d, 1 + 2 * m[..., 2, 2] - t], -1),
        ],
        -2,
    )
    best = np.argmax(np.einsum("...ii->...i", rows), -1)
    q = np.take_along_axis(rows, best[..., None, None], -2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(q[..., :1] < 0, -q, q)


def from_vector(vector: ArrayLike) -> Matrix:
    """exp[v]: the rotation by ‖v‖ [rad] about v."""
    v = np.asarray(vector, float)
    half = 0.5 * float(np.linalg.norm(v))
    return from_quaternion([np.cos(half), *(v * 0.5 * np.sinc(half / np.pi))])


def to_vector(matrix: ArrayLike) -> NDArray[np.float64]:
    """The rotation vector of a matrix, of length at most pi."""
    q = to_quaternion(matrix)
    sine = float(np.linalg.norm(q[1:]))
    if sine < 1e-15:
        return 2.0 * q[1:]
    return q[1:] * (2.0 * np.arctan2(sine, q[0]) / sine)


def between(start: ArrayLike, end: ArrayLike) -> Matrix:
    """The shortest rotation that turns the unit vector `start` onto `end`."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    axis = np.cross(a, b)
    sine, cosine = float(np.linalg.norm(axis)), float(a @ b)
    if sine < 1e-12:
        if cosine > 0:
            return np.eye(3)
        helper = np.eye(3)[int(np.argmin(np.abs(a)))]
        axis = np.cross(a, helper)
        return from_vector(np.pi * axis / np.linalg.norm(axis))
    return from_vector(axis / sine * np.arctan2(sine, cosine))


def checked_rotation(matrix: ArrayLike, what: str) -> Matrix:
    """A read-only copy of `matrix`, or an error that says what a rotation is."""
    m = float_array(matrix)
    if m.shape != (3, 3) or not np.isfinite(m).all():
        raise PoiseError(f"{what} needs a finite 3x3 matrix, not an array of shape {m.shape}")
    huge = np.abs(m).max() > 2.0  # its square may be no number
    if huge or np.abs(m @ m.T - np.eye(3)).max() > 1e-6 or np.linalg.det(m) < 0:
        raise PoiseError(
            f"{what} needs a rotation matrix (orthonormal, determinant +1);"
            " pass quat_wxyz=, quat_xyzw= or euler=(order, angles) for other forms"
        )
    return m


def rotation_from(
    rotation: ArrayLike | None = None,
    *,
    quat_wxyz: ArrayLike | None = None,
    quat_xyzw: ArrayLike | None = None,
    euler: tuple[str, Sequence[float]] | None = None,
    what: str = "rotation",
) -> Matrix | None:
    """The one rotation that the caller gave, in whichever form; None when none was given."""
    given = [x for x in (rotation, quat_wxyz, quat_xyzw, euler) if x is not None]
    if not given:
        return None
    if len(given) > 1:
        raise PoiseError(f"give {what} in one form only: rotation, quat_wxyz, quat_xyzw or euler")
    if rotation is not None:
        return checked_rotation(rotation, what)
    if quat_wxyz is not None:
        return from_quaternion(quat_wxyz)
    if quat_xyzw is not None:
        return from_quaternion(np.roll(float_array(quat_xyzw), 1))
    if not (isinstance(euler, Sequence) and len(euler) == 2):
        raise PoiseError(f"euler of {what} needs a pair such as ('ZXY', angles), not {euler!r}")
    return from_euler(*euler)
