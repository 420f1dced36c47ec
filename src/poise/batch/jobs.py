"""The jobs: what each makes of a clip, and how it is measured."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from poise.batch.result import Measures
from poise.batch.settings import Clean, Convert, Report, Retarget, Settings, Track
from poise.errors import MotionError
from poise.figure.builtin import built_in
from poise.figure.figure import Figure
from poise.formats import read, save
from poise.formats.registry import read_target
from poise.motion.cleaning import clean
from poise.motion.clip import Clip
from poise.motion.contacts import ContactRule, measure
from poise.motion.feet import up_axis
from poise.motion.limit_choice import limited
from poise.motion.locking import feet_of
from poise.motion.measuring import frames_at_a_limit
from poise.motion.rest_frame import without_rest_frame
from poise.motion.retarget import retarget
from poise.motion.skeleton_map import SkeletonMap
from poise.motion.smoothing import jitter
from poise.motion.track import Tracked, track

LEFT_OUT = "frame 0 is a rest pose that is no part of the motion: left out"


class Made(NamedTuple):
    """What a job made of a clip."""

    clip: Clip | None
    """None if there is nothing to write."""
    measures: Measures
    notes: tuple[str, ...] = ()


def do(settings: Settings, clip: Clip) -> Made:
    """Do the job on one clip."""
    if not len(clip):
        raise MotionError("the clip has no frames")
    match settings:
        case Track():
            return _track(settings, clip)
        case Retarget():
            return _retarget(settings, clip)
        case Clean():
            return _clean(settings, clip)
        case Convert():
            return _convert(settings, clip)
        case Report():
            return _report(settings, clip)


def load_clip(settings: Settings, path: Path) -> tuple[Clip, tuple[str, ...]]:
    """The clip of a file and what had to be assumed about it."""
    options = read_options(settings, path)
    if path.suffix.lower() == ".bvh":
        options["incomplete"] = settings.incomplete
    loaded = read(path, **options)
    if loaded.clip is None:
        raise MotionError(f"{path} holds no motion")
    return loaded.clip, tuple(loaded.source.notes)


def read_options(settings: Settings, path: Path) -> dict[str, Any]:
    """What the settings say about how to read a file."""
    options: dict[str, Any] = {"fps": settings.fps}
    suffix = path.suffix.lower()
    if suffix == ".bvh":
        options |= {"unit": settings.unit, "up": settings.up}
    if suffix == ".amc":
        options["figure"] = settings.figure
    return {key: value for key, value in options.items() if value is not None}


def save_clip(settings: Settings, clip: Clip, path: Path) -> None:
    """Write what a job made."""
    save(clip, path, **out_options(settings, path))


def out_options(settings: Settings, path: Path) -> dict[str, Any]:
    """What the settings say about how to write a file."""
    options: dict[str, Any] = {}
    if path.suffix == ".bvh":
        options["decimals"] = settings.decimals
        if isinstance(settings, Convert) and settings.out_unit is not None:
            options["unit"] = settings.out_unit
    return options


def _track(settings: Track, clip: Clip) -> Made:
    moving = without_rest_frame(clip)
    body = limited(moving, settings.limits)
    tracked = track(moving, figure=body, **track_options(settings, body))
    return Made(tracked.clip, _followed(tracked), _left_out(clip, moving))


def track_options(settings: Track, body: Figure) -> dict[str, Any]:
    """What the settings say about how `body` follows."""
    fastest = settings.max_velocity
    dofs = zip(body.dof_names, body.dofs, strict=True)
    turning = [name for name, dof in dofs if dof.kind == "rotation"]
    return {
        "effectors": settings.effectors,
        "interval": settings.interval,
        "contacts": settings.contacts,
        "cutoff": settings.smooth,
        "tolerance": settings.tolerance,
        "max_velocity": None if fastest is None else dict.fromkeys(turning, math.radians(fastest)),
    }


def _clean(settings: Clean, clip: Clip) -> Made:
    moving = without_rest_frame(clip)
    body = limited(moving, settings.limits)
    tracked = clean(
        moving,
        figure=body,
        cutoff=settings.cutoff,
        feet=settings.feet,
        tolerance=settings.tolerance,
    )
    return Made(tracked.clip, _followed(tracked), _left_out(clip, moving))


def _left_out(clip: Clip, moving: Clip) -> tuple[str, ...]:
    if len(clip) == len(moving):
        return ()
    return (LEFT_OUT,)


def _followed(tracked: Tracked) -> Measures:
    told = tracked.report
    return Measures.of(told, None if told.slip_after is None else told.slip_after.slip)


def _retarget(settings: Retarget, clip: Clip) -> Made:
    target = _target(settings.to, settings.to_up)
    given = None if settings.mapping is None else SkeletonMap.load(settings.mapping)
    moved = retarget(
        clip, target, given, contacts=settings.contacts, stiffness=settings.stiffness or None
    )
    measures = Measures(
        frames=len(moved.clip),
        frames_at_limits=frames_at_a_limit(moved.clip),
        slip=None if moved.feet is None else moved.feet.slip,
        jitter=jitter(moved.clip.positions()),
        source_jitter=jitter(without_rest_frame(clip).positions()),
    )
    return Made(moved.clip, measures, moved.notes)


@lru_cache(maxsize=1)
def _target(name: str, up: str | None) -> Figure:
    if not Path(name).suffix:
        return built_in(name)
    found = read_target(name, up).figure
    if found is None:
        raise MotionError(f"{name} holds no figure; give a file with a skeleton")
    return found


def _convert(settings: Convert, clip: Clip) -> Made:
    made = clip if settings.resample is None else clip.resampled(settings.resample)
    return Made(made, Measures(frames=len(made)))


def _report(settings: Report, clip: Clip) -> Made:
    """The motion as it is: nothing is written."""
    moving = without_rest_frame(clip)
    moving = moving.on(limited(moving, settings.limits))
    feet = feet_of(moving, ContactRule())
    slip = None
    if feet.sites:
        slip = measure(list(feet.sites), feet.points, feet.contacts, up_axis(clip.figure)).slip
    outside = (moving.clamped().angles != moving.angles).any(1)
    measures = Measures(
        frames=len(moving),
        frames_at_limits=int(outside.sum()),
        slip=slip,
        jitter=jitter(moving.positions()),
    )
    return Made(None, measures, _left_out(clip, moving))
