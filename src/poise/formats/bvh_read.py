"""BVH files to clips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileError
from poise.figure.figure import Figure, Up
from poise.figure.joint import channels
from poise.figure.segment import Segment, Site
from poise.formats.bvh_syntax import BvhFile, BvhHeader, BvhJoint, parse
from poise.formats.guesses import checked_fps, checked_unit, checked_up, guess_unit, guess_up
from poise.formats.names import distinct
from poise.formats.registry import Loaded
from poise.formats.text import LARGEST_ANGLE, LARGEST_LENGTH
from poise.motion.clip import Clip
from poise.motion.source import Source
from poise.motion.world import segment_frames, site_positions

Array = NDArray[np.float64]
MOST_LOOKED_AT = 60
"""So many frames, evenly spread, tell the up axis where the zero pose does not."""


@dataclass(frozen=True)
class Options:
    """How to read what a file does not say; see `read`."""

    unit: float | None = None
    up: Up | None = None
    fps: float | None = None

    def __post_init__(self) -> None:
        checked_unit(self.unit)
        checked_up(self.up)
        checked_fps(self.fps)


@dataclass(frozen=True)
class Survey:
    """What the rows of a file tell about all of it."""

    looked_at: Array
    """(some frames, channels) `looked_at_step` apart."""
    moves: NDArray[np.bool_]
    """(channels,) whether a channel is ever other than 0."""

    @classmethod
    def of(cls, rows: Array) -> Survey:
        return cls(rows[:: looked_at_step(len(rows))], np.any(rows, axis=0))


def looked_at_step(frames: int) -> int:
    """Every how manieth frame is looked at."""
    return max(1, frames // MOST_LOOKED_AT)


def read(
    path: Path,
    *,
    unit: float | None = None,
    up: Up | None = None,
    fps: float | None = None,
    incomplete: bool = False,
) -> Loaded:
    """The clip of a BVH file; see `poise.formats.bvh` for what is taken how."""
    options = Options(unit, up, fps)
    file = parse(path, incomplete)
    _check_numbers(path, file)
    meaning = Meaning(path, file.header, Survey.of(file.rows), file.notes, options)
    return Loaded(meaning.clip(file.rows), meaning.source)


class Meaning:
    """What a file means: its figure, and its rows as frames of that."""

    def __init__(
        self, path: Path, header: BvhHeader, survey: Survey, notes: list[str], options: Options
    ) -> None:
        unit, up, self.name = options.unit, options.up, path.stem
        self.frame_time = 1.0 / options.fps if options.fps else _frame_time(path, header)
        self._skeleton = skeleton = _Skeleton(header, survey)
        notes = [*notes, *skeleton.notes]
        # First in units of the file: what there is to guess is guessed from that figure.
        figure = skeleton.figure(1.0, "Y")
        at_zero = _points(figure, np.array([figure.rest_angles * skeleton.is_translation]))[0]
        if up is None:
            moving = _points(figure, skeleton.angles(survey.looked_at, 1.0))
            up, doubt = guess_up(at_zero, moving)
            notes += [doubt] if doubt else []
        if unit is None:
            unit, doubt = guess_unit(float(np.ptp(at_zero[:, "XYZ".index(up)])))
            notes.append(doubt)
        frame_time = "" if options.fps else header.frame_time
        details = skeleton.details()
        self.source = Source(str(path), "bvh", unit, frame_time, tuple(notes), details)
        self.figure = skeleton.figure(unit, up, self.name)

    def clip(self, rows: Array) -> Clip:
        """The frames of some rows of the file."""
        angles = self._skeleton.angles(rows, self.source.unit)
        return Clip(self.figure, angles, self.frame_time, self.name, self.source)


def _points(figure: Figure, angles: Array) -> Array:
    """(frames, points, 3) the joints and the ends."""
    _, origins = segment_frames(figure, angles)
    return np.concatenate([origins, site_positions(figure, angles, figure.sites)], 1)


def _frame_time(path: Path, header: BvhHeader) -> float:
    seconds = float(header.frame_time)
    if not seconds > 0.0:
        raise FileError(
            f"{path}: found a Frame Time of {header.frame_time}, expected seconds above 0;"
            " give fps="
        )
    return seconds


def largest(header: BvhHeader) -> Array:
    """(channels,) numbers so large that they are none: they mean a broken file."""
    listed = [channel for joint in header.joints for channel in joint.channels or ()]
    return np.array([LARGEST_ANGLE if c.endswith("rotation") else LARGEST_LENGTH for c in listed])


def _check_numbers(path: Path, file: BvhFile) -> None:
    most = largest(file.header)
    bad = np.argwhere(np.abs(file.rows) > most)
    if len(bad):
        frame, column = bad[0]
        joints = file.header.joints
        names = [(joint.name, channel) for joint in joints for channel in joint.channels or ()]
        name, channel = names[column]
        raise FileError(
            f"{path}: found {file.rows[frame, column]:g} in {channel} of joint {name!r}, frame"
            f" {frame}, expected a value below {most[column]:g}"
        )


@dataclass
class _Skeleton:
    """The joints of a file, with names of their own, as a figure in any unit."""

    header: BvhHeader
    survey: Survey

    def __post_init__(self) -> None:
        self.notes: list[str] = []
        self.joints = self.header.joints
        self.names = self._distinct_names()
        self.columns = np.cumsum([0] + [len(j.channels or ()) for j in self.joints])
        self.adds = self._positions_add()
        order, translations = [], []
        for j, joint in enumerate(self.joints):
            slides, turns = _split(joint.channels or ())
            order += [self.columns[j] + c for c in (*slides, *turns)]
            translations += [True] * len(slides) + [False] * len(turns)
        self.order = np.array(order, int)
        self.is_translation = np.array(translations, bool)

    def angles(self, rows: Array, unit: float) -> Array:
        """(frames, dofs) [rad, and metres if the unit is given in them]."""
        return rows[:, self.order] * np.where(self.is_translation, unit, math.pi / 180.0)

    def figure(self, unit: float, up: Up, name: str = "") -> Figure:
        segments, sites = [], []
        wanted = [f"{name}_End" for name, j in self._named() for _ in j.ends]
        ends = iter(distinct(wanted, self.names))
        for j, joint in enumerate(self.joints):
            parent = None if joint.parent < 0 else self.names[joint.parent]
            written = tuple(joint.offset or ()), tuple(joint.channels or ())
            segments.append(_segment(self.names[j], parent, *written, self.adds, unit))
            for end in joint.ends:
                sites.append(Site(next(ends), self.names[j], unit * np.array(end)))
        return Figure(name, segments, sites, up)

    def details(self) -> dict[str, object]:
        """What the writer needs to write the same channels again."""
        return {
            "channels": {name: tuple(joint.channels or ()) for name, joint in self._named()},
            "positions_add": self.adds,
        }

    def _named(self) -> list[tuple[str, BvhJoint]]:
        return list(zip(self.names, self.joints, strict=True))

    def _positions_add(self) -> bool:
        """Whether position channels below the root must add to the OFFSETs they stand for."""
        columns = [
            self.columns[j] + c
            for j, joint in enumerate(self.joints)
            if joint.parent >= 0 and any(joint.offset or ())
            for c in _split(joint.channels or ())[0]
        ]
        has_rows = len(self.survey.looked_at) > 0
        adds = bool(columns) and has_rows and not self.survey.moves[columns].any()
        if adds:
            self.notes.append(
                "position channels below the root are 0 throughout: taken as added to the OFFSETs"
            )
        return adds

    def _distinct_names(self) -> list[str]:
        names = distinct(joint.name for joint in self.joints)
        renamed = [n for n, joint in zip(names, self.joints, strict=True) if n != joint.name]
        if renamed:
            self.notes.append(
                f"joint names are used twice; {len(renamed)} got a number, such as {renamed[0]!r}"
            )
        return names


@lru_cache(maxsize=1024)
def _segment(
    name: str,
    parent: str | None,
    written: tuple[float, ...],
    listed: tuple[str, ...],
    adds: bool,
    unit: float,
) -> Segment:
    """A segment with its offset [m] and its joint: positions, then rotations in their order.

    Remembered, since the files of an archive are mostly of one skeleton.
    """
    offset = unit * np.array(written)
    slides, turns = _split(listed)
    axes = ["XYZ".index(listed[c][0]) for c in slides]
    rest = [0.0] * (len(slides) + len(turns))
    if not (adds and parent is not None):
        rest[: len(axes)] = offset[axes].tolist()
        offset[axes] = 0.0
    letters = [listed[c][0] for c in (*slides, *turns)]
    kinds = "t" * len(slides) + "r" * len(turns)
    made = channels(
        "".join(listed[c][0] for c in turns),
        "".join(listed[c][0] for c in slides),
        names=distinct(kind + letter.lower() for kind, letter in zip(kinds, letters, strict=True)),
        rest=rest,
    )
    return Segment(name, parent, made, offset)


def _split(listed: Sequence[str]) -> tuple[list[int], list[int]]:
    """Which of a joint's channels are positions, and which are rotations."""
    numbered = list(enumerate(listed))
    slides = [c for c, channel in numbered if channel.endswith("position")]
    return slides, [c for c, channel in numbered if channel.endswith("rotation")]
