"""One clip after another, with a fade between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from poise.errors import MotionError
from poise.motion.equivalent import unwrapped
from poise.motion.root import Ground, moved_root, root_motion
from poise.motion.sampling import mixed

if TYPE_CHECKING:
    from poise.motion.clip import Clip


def joined(clip: Clip, other: Clip, blend: float, align: bool) -> Clip:
    """See `Clip.joined`."""
    overlap = _overlap(clip, other, blend)
    following = other.on(clip.figure)
    if following.frame_time != clip.frame_time:
        following = following.resampled(clip.fps)
    angles = unwrapped(clip.figure, following.angles)
    if align and len(clip) and len(angles):
        # Where the fade starts, both roots are over the same place and face the same way.
        meeting = len(clip) - max(overlap, 1)
        step = Ground.onto(root_motion(following), 0, root_motion(clip), meeting)
        angles = moved_root(clip.figure, angles, [step] * len(angles))
    if overlap == 0:
        return clip._with(angles=np.concatenate([clip.angles, angles]))
    kept, fading = clip.angles[:-overlap], clip.angles[-overlap:]
    share = np.arange(1, overlap + 1) / (overlap + 1)
    fade = mixed(clip.figure, fading, angles[:overlap], share * share * (3.0 - 2.0 * share))
    faded = unwrapped(clip.figure, np.concatenate([fade, angles[overlap:]]))
    return clip._with(angles=np.concatenate([kept, faded]))


def _overlap(clip: Clip, other: Clip, blend: float) -> int:
    """So many frames fade."""
    if not (np.isfinite(blend) and blend >= 0.0):
        raise MotionError(f"blend={blend!r}: give seconds, 0 or more")
    frames = round(blend / clip.frame_time)
    shorter = min(clip.duration, other.duration)
    if blend > shorter + 0.5 * clip.frame_time:
        raise MotionError(
            f"a blend of {blend:g} s needs clips that last as long; the shorter one lasts"
            f" {shorter:g} s"
        )
    return min(frames, len(clip))
