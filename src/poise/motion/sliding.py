"""How far feet slide where they stand, of motions that come block by block."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.motion.clip import Clip
from poise.motion.contacts import ContactRule, frames_around, standing
from poise.motion.feet import foot_points, up_axis
from poise.motion.locking import hip_heights
from poise.motion.world import site_positions

Array = NDArray[np.float64]


class _Box(NamedTuple):
    """Around a path on the ground."""

    least: Array
    most: Array

    @classmethod
    def of(cls, path: Array) -> _Box:
        return cls(path.min(0, initial=np.inf), path.max(0, initial=-np.inf))

    def joined(self, other: _Box) -> _Box:
        return _Box(np.minimum(self.least, other.least), np.maximum(self.most, other.most))


class _Stand(NamedTuple):
    """A contact that goes on: its first frame, its last one so far, and its path up to there."""

    first: int
    last: int
    path: _Box
    since: _Box
    """The path after `last`: of the contact if it holds a frame in which one could begin."""


NOWHERE = _Box.of(np.empty((0, 2)))


class Sliding:
    """What `measuring.slips` says of the slip of a whole motion, added up block by block."""

    def __init__(self, source: Figure, figure: Figure) -> None:
        self._theirs, self._ours = foot_points(source), foot_points(figure)
        self.measured = bool(self._ours) and set(self._ours) == set(self._theirs)
        self._rule, self._up = ContactRule(), up_axis(source)
        count = len(self._theirs)
        self._seen, self._hips = np.empty((0, count, 3)), np.empty(0)
        self._paths = np.empty((0, count, 3))
        self._begin = self._done = 0
        """The frames of the first row that is kept, and of the first that is not judged yet."""
        self._stands: list[_Stand | None] = [None] * count
        self._slip = 0.0
        self._frame_time = 1.0

    def add(self, source: Clip, clip: Clip) -> None:
        """The frames after those before: of the source, which tells where feet stand, and ours."""
        if not self.measured:
            return
        seen = site_positions(source.figure, source.angles, list(self._theirs.values()))
        own = [self._ours[name] for name in self._theirs]
        paths = site_positions(clip.figure, clip.angles, own)
        self._frame_time = source.frame_time
        self._seen = np.concatenate([self._seen, seen])
        self._hips = np.concatenate([self._hips, hip_heights(source)])
        self._paths = np.concatenate([self._paths, paths])
        around = frames_around(self._rule, self._frame_time)
        self._judge(self._begin + len(self._seen) - around)
        self._drop(self._done - around)

    def slip(self) -> float | None:
        """The farthest that a foot slides in one contact [m], once all is added; None without
        feet."""
        if not self.measured:
            return None
        end = self._begin + len(self._seen)
        self._judge(end)
        for k, stand in enumerate(self._stands):
            self._close(k, stand)
        return self._slip

    def _judge(self, end: int) -> None:
        """Follow contacts up to a frame."""
        if end <= self._done or len(self._seen) < 2:
            return
        begins, stays = standing(self._seen, self._frame_time, self._up, self._rule, self._hips)
        rows = slice(self._done - self._begin, end - self._begin)
        flat = [axis for axis in range(3) if axis != self._up]
        for k in range(len(self._stands)):
            paths = self._paths[rows, k][:, flat]
            self._follow(k, begins[rows, k], stays[rows, k], paths)
        self._done = end

    def _follow(
        self, k: int, begins: NDArray[np.bool_], stays: NDArray[np.bool_], paths: Array
    ) -> None:
        at = 0
        while True:
            stand = self._stands[k]
            if stand is None:
                ahead = np.flatnonzero(begins[at:])
                if not len(ahead):
                    return
                at += int(ahead[0])
                first = self._done + at
                stand = _Stand(first, first, _Box.of(paths[at : at + 1]), NOWHERE)
            ends = np.flatnonzero(~stays[at:])
            stop = at + int(ends[0]) if len(ends) else len(stays)
            inside = np.flatnonzero(begins[at:stop])
            if len(inside):
                last = at + int(inside[-1])
                path = stand.path.joined(stand.since).joined(_Box.of(paths[at : last + 1]))
                since = _Box.of(paths[last + 1 : stop])
                stand = _Stand(stand.first, self._done + last, path, since)
            else:
                stand = stand._replace(since=stand.since.joined(_Box.of(paths[at:stop])))
            self._stands[k] = stand
            if not len(ends):
                return
            self._close(k, stand)
            at = stop

    def _close(self, k: int, stand: _Stand | None) -> None:
        """A contact is over."""
        self._stands[k] = None
        if stand is None or (stand.last - stand.first) * self._frame_time < self._rule.least:
            return
        # The diagonal of the box around the path, as `contacts.measure` has it.
        self._slip = max(self._slip, float(np.linalg.norm(stand.path.most - stand.path.least)))

    def _drop(self, first: int) -> None:
        """Forget the frames before one."""
        if first > self._begin:
            gone = first - self._begin
            self._seen, self._paths = self._seen[gone:].copy(), self._paths[gone:].copy()
            self._hips = self._hips[gone:].copy()
            self._begin = first
