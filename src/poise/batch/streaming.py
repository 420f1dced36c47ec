"""Jobs on long BVH clips, a block of frames at a time: memory does not grow with their length.

What is written has the same bytes as of the whole clip at once. Jobs that look at a motion as a
whole cannot go so: smoothing, locking feet, sampling at other times, retargeting.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.batch.jobs import LEFT_OUT, Made, out_options, read_options, track_options
from poise.batch.result import Measures
from poise.batch.settings import Convert, Report, Settings, Track
from poise.figure.figure import Figure
from poise.formats.bvh_blocks import BLOCK, BvhBlocks
from poise.formats.bvh_read import Options
from poise.formats.bvh_write import write_blocks
from poise.motion.clip import Clip
from poise.motion.equivalent import Unwrapping
from poise.motion.limit_choice import extremes, limited_by
from poise.motion.measuring import Tally
from poise.motion.rest_frame import has_rest_frame
from poise.motion.sliding import Sliding
from poise.motion.smoothing import Jitter
from poise.motion.track import Tracked, track

Array = NDArray[np.float64]


def open_blocks(settings: Settings, path: Path, size: int = BLOCK) -> BvhBlocks | None:
    """The clip of a file in blocks; None where it is short, or the job or the file is not for
    blocks."""
    match settings:
        case Track():
            whole = settings.contacts or settings.smooth or settings.interval
        case Convert():
            whole = settings.resample
        case Report():
            whole = False
        case _:
            whole = True
    bvh = path.suffix.lower() == ".bvh" and (settings.format == ".bvh" or not settings.writes)
    if whole or not bvh or settings.incomplete:
        return None
    return BvhBlocks.open(path, Options(**read_options(settings, path)), size, size)


def do_in_blocks(settings: Settings, blocks: BvhBlocks, part: Path | None) -> Made:
    """Do the job, writing to `part` if it writes; the clip is made and gone."""
    if isinstance(settings, Report):
        return _report(settings, blocks)
    assert part is not None
    if isinstance(settings, Track):
        return _track(settings, blocks, part)
    write_blocks(blocks, len(blocks), part, **out_options(settings, part))
    return Made(None, Measures(frames=len(blocks)), blocks.source.notes)


def _track(settings: Track, blocks: BvhBlocks, part: Path) -> Made:
    moving, notes = _without_rest_frame(blocks)
    body = _limited(moving, settings.limits)
    sliding, tallies = Sliding(blocks.figure, body), list[Tally]()

    def clips() -> Iterator[Clip]:
        for block in _tracked(settings, moving, body):
            if not tallies:
                tallies.append(Tally(block))
            tallies[0].add(block)
            assert block.followed is not None
            sliding.add(block.followed, block.clip)
            yield block.clip

    write_blocks(clips(), len(moving), part, **out_options(settings, part))
    return Made(None, Measures.of(tallies[0].report(), sliding.slip()), notes)


def _tracked(settings: Track, moving: BvhBlocks, body: Figure) -> Iterator[Tracked]:
    flat, start = Unwrapping(body), None
    for block in moving:
        tracked = track(block, figure=body, start=start, **track_options(settings, body))
        start = tracked.answers.angles[-1]
        angles = flat.next(tracked.answers.angles)
        clip = Clip(body, angles, block.frame_time, block.name, tracked.clip.source)
        yield replace(tracked, clip=clip)


def _report(settings: Report, blocks: BvhBlocks) -> Made:
    moving, notes = _without_rest_frame(blocks)
    body = _limited(moving, settings.limits)
    sliding, jitter, outside = Sliding(body, body), Jitter(), 0
    for block in moving:
        clip = block.on(body)
        sliding.add(clip, clip)
        jitter.add(clip.positions())
        outside += int((clip.clamped().angles != clip.angles).any(1).sum())
    measures = Measures(
        frames=len(moving), frames_at_limits=outside, slip=sliding.slip(), jitter=jitter.value
    )
    return Made(None, measures, notes)


def _without_rest_frame(blocks: BvhBlocks) -> tuple[BvhBlocks, tuple[str, ...]]:
    if not has_rest_frame(next(iter(blocks))):
        return blocks, blocks.source.notes
    return blocks.from_frame(1), (*blocks.source.notes, LEFT_OUT)


def _limited(moving: BvhBlocks, choice: str) -> Figure:
    return limited_by(moving.figure, choice, lambda: extremes(moving.figure, moving))
