"""The same motion at other times: faster here, slower there, never backwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from poise.errors import MotionError
from poise.motion.monotone import monotone_cubic

if TYPE_CHECKING:
    from poise.motion.clip import Clip

Array = NDArray[np.float64]
LEAST = 1e-6
"""Times nearer than this [s] are the same."""


def warped(clip: Clip, times: Mapping[float, float], method: Literal["linear", "cubic"]) -> Clip:
    """See `Clip.warped`."""
    if not len(clip):
        return clip
    before, after = _keys(clip, times)
    count = int(np.floor(after[-1] / clip.frame_time * (1.0 + 1e-12) + 1e-6)) + 1
    frames = clip.frame_time * np.arange(count, dtype=float)
    at = monotone_cubic(after, before[:, None], frames)[:, 0]
    return clip._with(angles=clip.angles_at(at, method=method))


def paced(clip: Clip, speeds: Mapping[float, float], method: Literal["linear", "cubic"]) -> Clip:
    """See `Clip.paced`."""
    if not len(clip):
        return clip
    at, values = _rising(speeds, "speeds").T
    if (values <= 0.0).any():
        raise MotionError("speeds of a clip must be above 0: it never stands still or runs back")
    times = np.union1d(clip.times, at[(at > 0.0) & (at < clip.duration)])
    pace = np.interp(times, at, values)
    # Between two times the speed is linear: dt / speed integrates to a logarithm.
    ratio = pace[1:] / pace[:-1] - 1.0
    small = np.abs(ratio) < 1e-6
    log = np.divide(np.log1p(ratio), ratio, out=1.0 - 0.5 * ratio, where=~small)
    passed = np.concatenate([[0.0], np.cumsum(np.diff(times) / pace[:-1] * log)])
    count = int(np.floor(passed[-1] / clip.frame_time * (1.0 + 1e-12) + 1e-6)) + 1
    frames = clip.frame_time * np.arange(count, dtype=float)
    return clip._with(angles=clip.angles_at(np.interp(frames, passed, times), method=method))


def _keys(clip: Clip, times: Mapping[float, float]) -> tuple[Array, Array]:
    """Times in the clip and in the warped one, both rising: from the beginning, which stays where
    it is, to the end, which keeps its distance from the last key."""
    before, after = _rising(times, "times").T
    if before[0] < -LEAST or before[-1] > clip.duration + LEAST:
        raise MotionError(
            f"times {before[0]:g} s to {before[-1]:g} s to be warped are not all in the clip, which"
            f" lasts {clip.duration:g} s"
        )
    if before[0] > LEAST:
        before, after = np.append(0.0, before), np.append(0.0, after)
    if before[-1] < clip.duration - LEAST:
        after = np.append(after, after[-1] + clip.duration - before[-1])
        before = np.append(before, clip.duration)
    if after[0] < 0.0 or (np.diff(after) < LEAST).any():
        raise MotionError(
            "warped times must rise with those of the clip, from 0 on: time never runs back"
        )
    return before, after


def _rising(pairs: Mapping[float, float], what: str) -> Array:
    """(keys, 2) the pairs in the order of their times."""
    if not pairs:
        raise MotionError(f"no {what} are given; write {{0.0: 0.0, 1.0: 1.5}}")
    rows = np.array(sorted((float(a), float(b)) for a, b in pairs.items()))
    if not np.isfinite(rows).all():
        raise MotionError(f"{what} must be finite numbers")
    return rows
