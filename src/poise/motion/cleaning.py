"""Clean: a captured motion without its jitter, with feet that stand still where they stood."""

from __future__ import annotations

from typing import Unpack

from poise.errors import MotionError
from poise.figure.figure import Figure
from poise.motion.clip import Clip
from poise.motion.smoothing import smoothed, strength_of
from poise.motion.track import Tracked, track
from poise.solve.sequence import Report
from poise.solve.solver import Options

CUTOFF = 8.0
"""People move slower than this [Hz]; what is faster is mostly noise."""


def clean(
    clip: Clip,
    *,
    figure: Figure | None = None,
    cutoff: float = CUTOFF,
    feet: bool = True,
    report: Report | None = None,
    **options: Unpack[Options],
) -> Tracked:
    """The motion of `clip` without what swings faster than `cutoff` [Hz], inside the limits.

    Every DOF is smoothed over the whole clip, forwards and backwards alike, so that nothing lags.
    Hands, feet, head and pelvis then follow the smooth motion near its own poses; with `feet`,
    heels and balls are locked where they stand still.

    figure: the clip's own with the limits that count.
    """
    if not cutoff > 0:
        raise MotionError(f"cutoff={cutoff!r} must be a frequency above 0 [Hz]")
    flat = clip.unwrapped()
    strength = strength_of(cutoff, clip.frame_time)
    still = Clip(
        clip.figure, smoothed(flat.angles, strength), clip.frame_time, clip.name, clip.source
    )
    body = clip.figure if figure is None else figure
    return track(
        still, figure=body, reference=still.on(body), contacts=feet, report=report, **options
    )
