"""Many rotations at once: Euler angles, rotation vectors, swing and twist, and between them.

Matrices are (..., 3, 3); quaternions (..., 4) as (w, x, y, z). Euler orders are those of
`poise.figure.rotation`: "ZXY" means Rz Rx Ry.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure.rotation import quaternion_matrices, to_quaternion

Array = NDArray[np.float64]

_LOCKED = 1e-12
"""The sine (of a repeated axis) or cosine of the middle angle below which it counts as locked:
there only the sum or difference of the outer angles is defined, and the last is taken as 0."""


def euler_matrices(order: str, angles: Array) -> Array:
    """(..., 3, 3) from angles (..., len(order)) [rad]: the product about the axes in order."""
    result = np.broadcast_to(np.eye(3), (*angles.shape[:-1], 3, 3))
    for k, axis in enumerate(order):
        c, s = np.cos(angles[..., k]), np.sin(angles[..., k])
        turn = np.zeros((*angles.shape[:-1], 3, 3))
        i = "XYZ".index(axis)
        j, m = (i + 1) % 3, (i + 2) % 3
        turn[..., i, i] = 1.0
        turn[..., j, j] = turn[..., m, m] = c
        turn[..., j, m], turn[..., m, j] = -s, s
        result = result @ turn
    return result


def euler_angles(order: str, matrices: Array) -> Array:
    """(..., 3) the angles [rad] of matrices in one of the twelve orders.

    The middle angle is in [-pi/2, pi/2], or in [0, pi] where the first axis is repeated.
    """
    i, j, k = ("XYZ".index(axis) for axis in order)
    if i == k:
        return _repeated_euler(i, j, matrices)
    # R = Ri Rj Rk; the sign of a permutation says which entries carry a minus.
    e = 1.0 if (j - i) % 3 == 1 else -1.0
    m = matrices
    cosine = np.hypot(m[..., i, i], m[..., i, j])
    middle = np.arctan2(e * m[..., i, k], cosine)
    locked = cosine < _LOCKED
    first = np.where(
        locked,
        np.arctan2(e * m[..., k, j], m[..., j, j]),
        np.arctan2(-e * m[..., j, k], m[..., k, k]),
    )
    last = np.where(locked, 0.0, np.arctan2(-e * m[..., i, j], m[..., i, i]))
    return np.stack([first, middle, last], -1)


def _repeated_euler(i: int, j: int, m: Array) -> Array:
    k = 3 - i - j
    e = 1.0 if (j - i) % 3 == 1 else -1.0
    sine = np.hypot(m[..., i, j], m[..., i, k])
    middle = np.arctan2(sine, m[..., i, i])
    locked = sine < _LOCKED
    first = np.where(
        locked,
        np.arctan2(e * m[..., k, j], m[..., j, j]),
        np.arctan2(m[..., j, i], -e * m[..., k, i]),
    )
    last = np.where(locked, 0.0, np.arctan2(m[..., i, j], e * m[..., i, k]))
    return np.stack([first, middle, last], -1)


def vector_quaternions(vectors: Array) -> Array:
    """(..., 4) the quaternions of rotation vectors (..., 3), of any length."""
    half = 0.5 * np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * vectors], -1)


def quaternion_vectors(quaternions: Array) -> Array:
    """(..., 3) the rotation vectors of quaternions, of length at most pi."""
    q = np.where(quaternions[..., :1] < 0.0, -quaternions, quaternions)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    return q[..., 1:] * np.divide(angle, sine, out=np.full_like(sine, 2.0), where=sine > 1e-15)


def vector_matrices(vectors: Array) -> Array:
    """(..., 3, 3) exp[v] of rotation vectors (..., 3)."""
    return quaternion_matrices(vector_quaternions(vectors))


def matrix_vectors(matrices: Array) -> Array:
    """(..., 3) the rotation vectors of matrices, of length at most pi."""
    return quaternion_vectors(to_quaternion(matrices))


def quaternion_product(a: Array, b: Array) -> Array:
    """(..., 4) a then b in a's frame, as matrices multiply."""
    w, v, x, u = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    scalar = w * x - np.sum(v * u, -1, keepdims=True)
    return np.concatenate([scalar, w * u + x * v + np.cross(v, u)], -1)


def slerp(a: Array, b: Array, share: Array) -> Array:
    """(..., 4) from quaternions a to b the short way; share (...) runs from 0 to 1."""
    step = quaternion_product(a * [1.0, -1.0, -1.0, -1.0], b)
    return quaternion_product(a, vector_quaternions(share[..., None] * quaternion_vectors(step)))


def swing_twist_angles(matrices: Array) -> Array:
    """(..., 3) x, y and t [rad] with R = exp(x, y, 0) exp(0, 0, t)."""
    q = to_quaternion(matrices)
    twist = 2.0 * np.arctan2(q[..., 3], q[..., 0])
    zero = np.zeros_like(twist)
    back = np.stack([np.cos(0.5 * twist), zero, zero, -np.sin(0.5 * twist)], -1)
    swing = quaternion_vectors(quaternion_product(q, back))
    return np.concatenate([swing[..., :2], _wrapped(twist)[..., None]], -1)


def headings(up: int, matrices: Array) -> Array:
    """(...) how far rotations turn [rad] about the world's axis `up` (0, 1 or 2): their twist.

    Not defined upside down, where it jumps by half a turn.
    """
    q = to_quaternion(matrices)
    return _wrapped(2.0 * np.arctan2(q[..., 1 + up], q[..., 0]))


def _wrapped(angles: Array) -> Array:
    return angles - 2.0 * np.pi * np.round(angles / (2.0 * np.pi))
