"""Measuring a tracked clip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.motion.clip import Clip
from poise.motion.contacts import ContactReport, ContactRule, measure
from poise.motion.feet import foot_points, up_axis
from poise.motion.locking import feet_of, sampled_contacts
from poise.motion.smoothing import jitter
from poise.motion.track_report import OFF, TrackReport
from poise.motion.world import site_positions

if TYPE_CHECKING:
    from poise.motion.track import Tracked

Array = NDArray[np.float64]


def track_report(tracked: Tracked) -> TrackReport:
    """See `Tracked.report`."""
    errors, clip, markers = tracked.errors, tracked.clip, tracked.markers
    seen = np.nan_to_num(errors, nan=0.0)
    frame, goal = divmod(int(np.argmax(seen)), seen.shape[1]) if seen.size else (0, 0)
    before, after = slips(tracked)
    source, moved, ours = tracked.followed, tracked.answers.restarts, _points(clip)
    same = source is not None and source.figure.effector_names == clip.figure.effector_names
    return TrackReport(
        frames=len(clip),
        goals=len(markers.names),
        missing=int(np.isnan(markers.points).any(2).sum()),
        worst_error=float(seen[frame, goal]) if seen.size else 0.0,
        mean_error=float(np.nanmean(errors)) if np.isfinite(errors).any() else 0.0,
        frames_off=int((seen > OFF).any(1).sum()),
        worst_frame=frame,
        worst_goal=markers.names[goal],
        at_limit=frames_at_limits(clip),
        restarts=tuple(map(int, np.flatnonzero(moved))),
        jitter=jitter(ours) if same else jitter(_held_points(tracked)),
        source_jitter=jitter(_points(source)) if same else _gappy_jitter(markers.points),
        angle_jitter=jitter(clip.angles),
        source_angle_jitter=jitter(source.unwrapped().angles) if same else None,  # type: ignore[union-attr]
        slip_before=before,
        slip_after=after,
    )


def frames_at_limits(clip: Clip) -> dict[str, int]:
    """How many frames each DOF spends exactly at a limit, the most first."""
    counts = _at_limits(clip).sum(0)
    order = np.argsort(-counts, kind="stable")
    return {clip.figure.dof_names[d]: int(counts[d]) for d in order if counts[d]}


def frames_at_a_limit(clip: Clip) -> int:
    """In how many frames any DOF is exactly at a limit."""
    return int(_at_limits(clip).any(1).sum())


def _at_limits(clip: Clip) -> NDArray[np.bool_]:
    """(frames, dofs)"""
    lower, upper = clip.figure.lower, clip.figure.upper
    return ((clip.angles == lower) | (clip.angles == upper)) & (lower < upper)


def slips(tracked: Tracked) -> tuple[ContactReport | None, ContactReport | None]:
    """How still the feet stand in the source and in the tracked clip; none where there are none."""
    source, clip = tracked.source, tracked.clip
    if source is None or tracked.followed is None:
        return None, None
    sites, theirs = foot_points(clip.figure), foot_points(source.figure)
    if not sites or set(sites) != set(theirs):
        return None, None
    contacts = list(tracked.contacts)
    if not contacts:
        found = feet_of(source, ContactRule()).contacts
        contacts = sampled_contacts(found, source.frame_time, tracked.followed)
    up = up_axis(clip.figure)
    sampled = tracked.followed
    seen = site_positions(sampled.figure, sampled.angles, list(theirs.values()))
    ours = site_positions(clip.figure, clip.angles, list(sites.values()))
    return (
        measure(list(theirs), seen, contacts, up),
        measure(list(sites), ours, contacts, up),
    )


def _points(clip: Clip | None) -> Array:
    return np.empty((0, 0, 3)) if clip is None else clip.positions()


def _held_points(tracked: Tracked) -> Array:
    """Where the figure's places are that follow the markers."""
    places = tracked.places
    rotations = tracked.clip.rotations([place.effector for place in places])
    origins = tracked.clip.positions([place.effector for place in places])
    offsets = np.array([place.offset for place in places]).reshape(-1, 3)
    return origins + np.einsum("fkij,kj->fki", rotations, offsets)


def _gappy_jitter(points: Array) -> float:
    """Jitter of points of which some are missing: of those differences that are all there."""
    if len(points) < 3:
        return 0.0
    second = np.diff(points, 2, axis=0)
    there = second[np.isfinite(second)]
    return float(np.sqrt(np.mean(there**2))) if there.size else 0.0
