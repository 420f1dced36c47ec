"""Two motions at once: each frame lies between those of two clips, by a weight over time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import MotionError
from poise.motion.equivalent import unwrapped
from poise.motion.monotone import monotone_cubic
from poise.motion.root import Ground, moved_root, root_motion
from poise.motion.sampling import mixed

if TYPE_CHECKING:
    from poise.motion.clip import Clip

Array = NDArray[np.float64]
Weight = float | ArrayLike | Mapping[float, float] | Callable[[float], float]


def blended(clip: Clip, other: Clip, weight: Weight, align: bool) -> Clip:
    """See `Clip.blended`."""
    following = other.on(clip.figure)
    shares = _shares(weight, clip.times)
    if not len(clip):
        return clip
    angles = following.angles_at(clip.times)
    if align:
        step = Ground.onto(root_motion(following), 0, root_motion(clip), 0)
        angles = moved_root(clip.figure, angles, [step] * len(angles))
    own = unwrapped(clip.figure, clip.angles)
    result = mixed(clip.figure, own, unwrapped(clip.figure, angles), shares)
    return clip._with(angles=unwrapped(clip.figure, result))


def _shares(weight: Weight, times: Array) -> Array:
    """(frames,) how much of the other clip counts, from 0 to 1."""
    if callable(weight):
        shares = np.array([weight(time) for time in times.tolist()], float)
    elif isinstance(weight, Mapping):
        keys = sorted((float(time), float(share)) for time, share in weight.items())
        if not keys:
            raise MotionError("a weight by time needs at least one time: {0.0: 0.5}")
        at, values = np.array(keys).T
        shares = monotone_cubic(at, values[:, None], times)[:, 0]
    else:
        given = np.asarray(weight, float)
        if given.shape not in ((), times.shape):
            raise MotionError(
                f"a weight of shape {given.shape} does not fit {len(times)} frames; give one"
                " number, one a frame, {time: weight} or a function of time"
            )
        shares = np.broadcast_to(given, times.shape)
    if not ((shares >= 0.0) & (shares <= 1.0)).all():
        raise MotionError("a weight must be from 0 (this clip) to 1 (the other) at all times")
    return np.array(shares, float)
