"""Clips between their frames: interpolation, resampling, cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import MotionError, unknown_name
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.motion.equivalent import groups, nearest, unwrapped
from poise.motion.monotone import between, monotone_cubic
from poise.motion.rotations import quaternion_vectors, slerp, vector_quaternions

if TYPE_CHECKING:
    from poise.motion.clip import Clip

Array = NDArray[np.float64]
METHODS = ("linear", "cubic")


def mixed(figure: Figure, a: Array, b: Array, share: Array) -> Array:
    """(rows, dofs) from `a` to `b` by share (rows,): linear, rotation vectors by slerp.

    `b` is taken at its equivalents nearest to `a`. Boxes and cones that hold in both hold between.
    """
    near = nearest(figure, a, b)
    result = _lerp(a, near, share)
    _slerp_vectors(figure, result, a, near, share)
    return result


def angles_at(
    clip: Clip, times: ArrayLike, cyclic: bool, method: Literal["linear", "cubic"]
) -> Array:
    """See `Clip.angles_at`."""
    if method not in METHODS:
        raise MotionError(unknown_name("interpolation", method, METHODS))
    wanted = float_array(times)
    if wanted.ndim != 1 or not np.isfinite(wanted).all():
        raise MotionError("times of a clip must be finite numbers [s] in one row")
    if len(clip) == 0:
        raise MotionError("a clip without frames has no pose at any time")
    if cyclic and len(clip) < 2:
        raise MotionError("a clip needs at least two frames to be cyclic")
    if not cyclic:
        return _sampled(clip, np.clip(wanted, 0.0, clip.duration), False, method)
    cycles = np.floor(wanted / clip.duration)
    angles = _sampled(clip, wanted - cycles * clip.duration, True, method)
    return _carried_on(clip, angles, cycles)


def resampled(clip: Clip, fps: float, method: Literal["linear", "cubic"]) -> Clip:
    """See `Clip.resampled`."""
    if not (np.isfinite(fps) and fps > 0.0):
        raise MotionError(f"fps={fps!r}: give frames a second above 0")
    # One more frame if the last one is missed by no more than rounding.
    count = int(np.floor(clip.duration * fps * (1.0 + 1e-12) + 1e-6)) + 1 if len(clip) else 0
    times = np.arange(count) / fps
    angles = angles_at(clip, times, False, method) if count else clip.angles
    return clip._with(angles=angles, frame_time=1.0 / fps)


def _sampled(clip: Clip, times: Array, cyclic: bool, method: str) -> Array:
    """Inside the clip, from its unwrapped frames."""
    angles = unwrapped(clip.figure, clip.angles)
    if len(clip) == 1:
        return np.repeat(angles, len(times), 0)
    place = times / clip.frame_time
    # A time that is a frame's but for rounding is that frame's, so that frames come out as they
    # are.
    whole = np.round(place)
    place = np.where(np.abs(place - whole) < 1e-9 * np.maximum(1.0, whole), whole, place)
    before = np.minimum(place.astype(int), len(clip) - 2)
    share = np.minimum(place - before, 1.0)
    a, b = angles[before], angles[before + 1]
    if method == "linear":
        result = _lerp(a, b, share)
    else:
        result = monotone_cubic(np.arange(len(clip), dtype=float), angles, place, cyclic)
    _slerp_vectors(clip.figure, result, a, b, share)
    return result


def _lerp(a: Array, b: Array, share: Array) -> Array:
    """Exact at both ends, and never past them."""
    return between((1.0 - share)[:, None] * a + share[:, None] * b, a, b)


def _slerp_vectors(figure: Figure, result: Array, a: Array, b: Array, share: Array) -> None:
    for group in groups(figure):
        if group.kind == "vector":
            at = group.dofs
            turned = slerp(vector_quaternions(a[:, at]), vector_quaternions(b[:, at]), share)
            result[:, at] = group.nearest(a[:, at], quaternion_vectors(turned))
            exact = (share == 0.0) | (share == 1.0)
            result[exact, at] = np.where(share[exact, None] == 0.0, a[exact, at], b[exact, at])


def _carried_on(clip: Clip, angles: Array, cycles: Array) -> Array:
    """The root of every row moved on by as many cycles."""
    from poise.motion.root import Ground, moved_root, root_motion

    if not cycles.any():
        return angles
    root = root_motion(clip)
    once = Ground.between(root, 0, len(clip) - 1)
    return moved_root(clip.figure, angles, [once.repeated(int(k)) for k in cycles])
