"""Offsets over a pose: what fixes add to a clip. Rotation vectors turn, all else adds."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.figure.figure import Figure
from poise.motion.equivalent import groups, nearest
from poise.motion.rotations import quaternion_product, quaternion_vectors, vector_quaternions

Array = NDArray[np.float64]

_BACK = np.array([1.0, -1.0, -1.0, -1.0])


def offset_between(figure: Figure, before: Array, after: Array) -> Array:
    """(dofs,) the offset that leads from one pose's angles to another's."""
    near = nearest(figure, before[None], after[None])[0]
    offset = near - before
    for group in groups(figure):
        if group.kind == "vector":
            was, now = (vector_quaternions(row[group.dofs]) for row in (before, near))
            offset[group.dofs] = quaternion_vectors(quaternion_product(now, was * _BACK))
    return offset


def with_offset(figure: Figure, angles: Array, offset: ArrayLike, share: float) -> Array:
    """(dofs,) the angles with a share of an offset, which is the same as none at 0."""
    step = share * np.asarray(offset)
    result = angles + step
    for group in groups(figure):
        if group.kind == "vector":
            at = group.dofs
            turned = quaternion_product(
                vector_quaternions(step[at]), vector_quaternions(angles[at])
            )
            result[at] = group.nearest(angles[None, at], quaternion_vectors(turned)[None])[0]
    return result
