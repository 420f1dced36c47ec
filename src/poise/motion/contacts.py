"""Contacts: when a heel or a ball stands still on something, and locking it there.

A point comes into contact when it is both slow and low. The contact lasts while the point is not
clearly faster or higher (hysteresis), and ends with the last frame in which it could have begun: a
heel that begins to rise has left the ground. Low is meant against its own lowest height just before
or just after, so that stairs and uneven ground count as ground too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import MotionError

Array = NDArray[np.float64]
SMOOTH = 0.025
"""Speeds are of a moving average over so long before and after [s]."""


@dataclass(frozen=True)
class ContactRule:
    """When a point is in contact. Speeds are in m/s, heights in m, times in s."""

    slow: float = 0.2
    """A contact begins below this speed,"""
    fast: float = 0.4
    """and ends above this one."""
    low: float = 0.02
    """It begins below this height above the lowest just before or after,"""
    high: float = 0.05
    """and ends above this one."""
    around: float = 0.5
    """How long "just before or after" is."""
    least: float = 0.1
    """Shorter contacts do not count."""
    blend: float = 0.15
    """How long a point takes between its own path and where it is locked."""
    step: float = 0.4
    """A point so much higher than the lowest of all points stands on nothing."""
    level: float = 0.04
    """Contacts that differ less than this in height stand on the same ground."""

    def __post_init__(self) -> None:
        values = vars(self)
        bad = next((name for name, v in values.items() if not (np.isfinite(v) and v >= 0)), None)
        if bad is not None:
            raise MotionError(f"{bad}={values[bad]!r} of a ContactRule must be 0 or more")
        if self.slow > self.fast or self.low > self.high:
            raise MotionError("a ContactRule needs slow <= fast and low <= high")


@dataclass(frozen=True, eq=False)
class Contact:
    """A point that stands still from frame `first` to frame `last`, both counted."""

    point: str
    first: int
    last: int
    place: Array
    """(3,) where it stands [m]."""

    @property
    def frames(self) -> slice:
        return slice(self.first, self.last + 1)


def find_contacts(
    names: Sequence[str],
    positions: Array,
    frame_time: float,
    up: int,
    rule: ContactRule | None = None,
    ceiling: Array | None = None,
) -> list[Contact]:
    """The contacts of points (frames, names, 3), in the order of their first frames.

    A point higher than `ceiling` (frames,), e.g. that of the hips, stands on nothing.
    """
    rule = rule or ContactRule()
    if len(positions) < 2 or not len(names):
        return []
    begins, stays = standing(positions, frame_time, up, rule, ceiling)
    found = []
    for k, name in enumerate(names):
        for first, last in _held(begins[:, k], stays[:, k]):
            if (last - first) * frame_time >= rule.least:
                place = np.median(positions[first : last + 1, k], axis=0)
                found.append(Contact(name, first, last, place))
    return sorted(found, key=lambda contact: (contact.first, contact.point))


def frames_around(rule: ContactRule, frame_time: float) -> int:
    """How many frames before and after one tell whether a point stands in it."""
    return max(round(rule.around / frame_time), round(SMOOTH / frame_time) + 1)


def standing(
    positions: Array, frame_time: float, up: int, rule: ContactRule, ceiling: Array | None
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(frames, names) whether a contact begins in a frame if there is none, and whether one that
    there is goes on; the first only where the second."""
    heights = positions[:, :, up]
    speeds = np.linalg.norm(
        np.gradient(_smoothed(positions, frame_time), frame_time, axis=0), axis=2
    )
    ground = _lowest_around(heights, round(rule.around / frame_time))
    supported = heights - heights.min(1, keepdims=True) <= rule.step
    if ceiling is not None:
        supported &= heights <= ceiling[:, None]
    begins = (speeds < rule.slow) & (heights - ground < rule.low) & supported
    stays = (speeds < rule.fast) & (heights - ground < rule.high) & supported
    return begins, stays


def _smoothed(positions: Array, frame_time: float) -> Array:
    """A moving average over about 50 ms: captured points tremble."""
    half = round(SMOOTH / frame_time)
    if half == 0:
        return positions
    padded = np.concatenate(
        [positions[:1].repeat(half, 0), positions, positions[-1:].repeat(half, 0)]
    )
    sums = np.cumsum(np.concatenate([np.zeros_like(padded[:1]), padded]), axis=0)
    width = 2 * half + 1
    return (sums[width:] - sums[:-width]) / width


def _lowest_around(heights: Array, span: int) -> Array:
    """(frames, points) the least over `span` frames before, or after if that is higher: who steps
    up a stair stands on the higher one."""
    padded = np.pad(heights, ((span, span), (0, 0)), mode="edge")
    least = np.lib.stride_tricks.sliding_window_view(padded, span + 1, axis=0).min(-1)
    return np.maximum(least[: len(heights)], least[span:])


def _held(begins: NDArray[np.bool_], stays: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The runs of `stays`, each from its first frame of `begins` to its last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], stays, [False]]).astype(int)))
    runs = []
    for start, stop in edges.reshape(-1, 2):
        inside = np.flatnonzero(begins[start:stop])
        if len(inside):
            runs.append((int(start + inside[0]), int(start + inside[-1])))
    return runs


def on_levels(
    contacts: Sequence[Contact], up: int, rule: ContactRule | None = None
) -> list[Contact]:
    """Contacts of nearly the same height put at one height: the ground, and every stair.

    Heights are taken against the lowest contact of the same point, since a ball may lie higher in
    its foot than a heel. The lowest level is 0 afterwards.
    """
    rule = rule or ContactRule()
    base = base_heights(contacts, up)
    heights = [float(c.place[up] - base[c.point]) for c in contacts]
    levels: list[list[float]] = []
    for height in sorted(heights):
        if levels and height - levels[-1][0] < rule.level:
            levels[-1].append(height)
        else:
            levels.append([height])
    put = []
    for contact, height in zip(contacts, heights, strict=True):
        level = next(group for group in levels if group[0] <= height <= group[-1])
        place = contact.place.copy()
        place[up] = 0.0 if level is levels[0] else float(np.median(level))
        put.append(Contact(contact.point, contact.first, contact.last, place))
    return put


def base_heights(contacts: Sequence[Contact], up: int) -> dict[str, float]:
    """The lowest contact of every point [m]."""
    base: dict[str, float] = {}
    for contact in contacts:
        height = float(contact.place[up])
        base[contact.point] = min(height, base.get(contact.point, height))
    return base


def spaced(contacts: Sequence[Contact], lengths: dict[str, float], up: int) -> list[Contact]:
    """Places moved along the ground so that heel and ball of a foot are as far apart as they are.

    `lengths` gives that distance [m] by side. Of two contacts at the same time the later one moves.
    """
    done: list[Contact] = []
    for contact in contacts:
        side, _, part = contact.point.partition("_")
        other = f"{side}_{'ball' if part == 'heel' else 'heel'}"
        rival = next(
            (c for c in reversed(done) if c.point == other and c.last >= contact.first), None
        )
        place = contact.place.copy()
        if rival is not None and side in lengths:
            way = place - rival.place
            rise, way[up] = way[up], 0.0
            reach = np.sqrt(max(lengths[side] ** 2 - rise**2, 0.0))
            flat = float(np.linalg.norm(way))
            if flat > 1e-9:
                place = rival.place + way * (reach / flat)
                place[up] = rival.place[up] + rise
        done.append(Contact(contact.point, contact.first, contact.last, place))
    return done


def locked(
    names: Sequence[str],
    positions: Array,
    contacts: Sequence[Contact],
    frame_time: float,
    rule: ContactRule | None = None,
) -> tuple[Array, Array]:
    """(frames, names, 3) the points' paths led through the places of their contacts, and
    (frames, names) how firmly each is held: 1 in contact, less before and after, then 0.

    Before and after a contact the path is shifted, ever less the farther away in time.
    """
    rule = rule or ContactRule()
    shifts = np.zeros_like(positions)
    grip = np.zeros(positions.shape[:2])
    most = max(1, round(rule.blend / frame_time))
    for k, name in enumerate(names):
        own = [contact for contact in contacts if contact.point == name]
        for contact in own:
            shifts[contact.frames, k] = contact.place - positions[contact.frames, k]
            grip[contact.frames, k] = 1.0
        ends = [-1, *(c.last for c in own)], [*(c.first for c in own), len(positions)]
        for before, after in zip(*ends, strict=True):
            gap = np.arange(before + 1, after)
            width = min(most, after - before)
            for end, away in ((before, gap - before), (after, after - gap)):
                if 0 <= end < len(positions):
                    ease = _ease(away, width)
                    shifts[gap, k] += ease[:, None] * shifts[end, k]
                    grip[gap, k] = np.maximum(grip[gap, k], ease)
    return positions + shifts, grip


def rigid(
    names: Sequence[str],
    paths: Array,
    grip: Array,
    lengths: dict[str, float],
) -> Array:
    """The paths with heel and ball of a foot as far apart as they are, in every frame.

    They move along the line through both: the one that is held more firmly moves less, and one
    that stands stays.
    """
    result = paths.copy()
    for side, length in lengths.items():
        heel, ball = names.index(f"{side}_heel"), names.index(f"{side}_ball")
        way = paths[:, ball] - paths[:, heel]
        apart = np.linalg.norm(way, axis=1, keepdims=True)
        stretch = way * (length / np.maximum(apart, 1e-9) - 1.0)
        loose = 1.0 - grip[:, [heel, ball]]
        total = loose.sum(1)
        # Where both stand, their places are as far apart already.
        share = np.divide(loose[:, 0], total, out=np.zeros_like(total), where=total > 0)[:, None]
        result[:, heel] -= share * stretch
        result[:, ball] += np.where(total[:, None] > 0, 1.0 - share, 0.0) * stretch
    return result


def _ease(frames: NDArray[np.int64], width: int) -> Array:
    """From 1 at frame 0 to 0 at frame `width`, level at both ends."""
    x = np.clip(1.0 - frames / width, 0.0, 1.0)
    return x * x * (3.0 - 2.0 * x)


@dataclass(frozen=True)
class ContactReport:
    """How still points stand during their contacts."""

    count: int
    slip: float
    """The farthest that a point moves along the ground in one contact [m]."""
    mean_slip: float
    """The mean over the contacts [m]."""
    penetration: float
    """The deepest that a point is below the ground it stands on [m]."""


def measure(
    names: Sequence[str], positions: Array, contacts: Sequence[Contact], up: int
) -> ContactReport:
    """Slip and penetration of points (frames, names, 3) in contacts."""
    flat = [axis for axis in range(3) if axis != up]
    slips, depths = [0.0], [0.0]
    for contact in contacts:
        path = positions[contact.frames, list(names).index(contact.point)]
        # The diagonal of the box around the path: never less than its widest extent.
        slips.append(float(np.linalg.norm(np.ptp(path[:, flat], axis=0))))
        depths.append(float((contact.place[up] - path[:, up]).max()))
    count = max(len(contacts), 1)
    return ContactReport(len(contacts), max(slips), sum(slips) / count, max(depths))
