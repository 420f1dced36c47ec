"""Measuring a tracked clip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.motion.clip import Clip
from poise.motion.contacts import ContactReport, ContactRule, measure
from poise.motion.equivalent import Unwrapping
from poise.motion.feet import foot_points, up_axis
from poise.motion.locking import feet_of, sampled_contacts
from poise.motion.smoothing import Jitter
from poise.motion.track_report import OFF, TrackReport
from poise.motion.world import site_positions

if TYPE_CHECKING:
    from poise.motion.track import Tracked

Array = NDArray[np.float64]


def track_report(tracked: Tracked) -> TrackReport:
    """See `Tracked.report`."""
    tally = Tally(tracked)
    tally.add(tracked)
    return tally.report(*slips(tracked))


class Tally:
    """How well a figure follows a motion, added up block by block."""

    def __init__(self, first: Tracked) -> None:
        source, figure = first.followed, first.clip.figure
        self._names, self._dof_names = first.markers.names, figure.dof_names
        self._same = source is not None and source.figure.effector_names == figure.effector_names
        self._flat = Unwrapping(source.figure) if source is not None and self._same else None
        self._frames = self._missing = self._samples = self._off = self._at_a_limit = 0
        self._sum, self._worst, self._worst_frame, self._worst_goal = 0.0, 0.0, 0, 0
        self._at_limits = np.zeros(len(self._dof_names), int)
        self._restarts: list[int] = []
        self._points, self._source_points = Jitter(), Jitter()
        self._angles, self._source_angles = Jitter(), Jitter()

    def add(self, block: Tracked) -> None:
        """A tracked block, after those before."""
        self._add_errors(block.errors)
        moved = np.flatnonzero(block.answers.restarts) + self._frames
        self._restarts += moved.tolist()
        at_limits = _at_limits(block.clip)
        self._at_limits += at_limits.sum(0)
        self._at_a_limit += int(at_limits.any(1).sum())
        self._angles.add(block.clip.angles)
        self._missing += int(np.isnan(block.markers.points).any(2).sum())
        if self._flat is not None and block.followed is not None:
            self._points.add(block.clip.positions())
            self._source_points.add(block.followed.positions())
            self._source_angles.add(self._flat.next(block.followed.angles))
        else:
            self._points.add(_held_points(block))
            self._source_points.add(block.markers.points)
        self._frames += len(block.clip)

    def _add_errors(self, errors: Array) -> None:
        seen = np.nan_to_num(errors, nan=0.0)
        there = np.isfinite(errors)
        self._samples += int(there.sum())
        self._sum += float(seen.sum())
        self._off += int((seen > OFF).any(1).sum())
        if seen.size and (seen.max() > self._worst or not self._frames):
            frame, goal = divmod(int(np.argmax(seen)), seen.shape[1])
            self._worst = float(seen[frame, goal])
            self._worst_frame, self._worst_goal = self._frames + frame, goal

    def report(
        self, slip_before: ContactReport | None = None, slip_after: ContactReport | None = None
    ) -> TrackReport:
        """Of all that was added."""
        order = np.argsort(-self._at_limits, kind="stable")
        at_limits = {self._dof_names[d]: int(self._at_limits[d]) for d in order}
        return TrackReport(
            frames=self._frames,
            goals=len(self._names),
            missing=self._missing,
            worst_error=self._worst,
            mean_error=self._sum / self._samples if self._samples else 0.0,
            frames_off=self._off,
            worst_frame=self._worst_frame,
            worst_goal=self._names[self._worst_goal],
            at_limit={name: frames for name, frames in at_limits.items() if frames},
            at_any_limit=self._at_a_limit,
            restarts=tuple(self._restarts),
            jitter=self._points.value,
            source_jitter=self._source_points.value,
            angle_jitter=self._angles.value,
            source_angle_jitter=self._source_angles.value if self._same else None,
            slip_before=slip_before,
            slip_after=slip_after,
        )


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


def _held_points(tracked: Tracked) -> Array:
    """Where the figure's places are that follow the markers."""
    places = tracked.places
    rotations = tracked.clip.rotations([place.effector for place in places])
    origins = tracked.clip.positions([place.effector for place in places])
    offsets = np.array([place.offset for place in places]).reshape(-1, 3)
    return origins + np.einsum("fkij,kj->fki", rotations, offsets)
