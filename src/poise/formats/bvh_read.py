"""BVH files to clips."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileError
from poise.figure.figure import Figure, Up
from poise.figure.joint import Joint, channels
from poise.figure.segment import Segment, Site
from poise.formats.bvh_syntax import BvhFile, BvhJoint, parse
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


def read(
    path: Path,
    *,
    unit: float | None = None,
    up: Up | None = None,
    fps: float | None = None,
    incomplete: bool = False,
) -> Loaded:
    """The clip of a BVH file; see `poise.formats.bvh` for what is taken how."""
    checked_unit(unit)
    checked_up(up)
    checked_fps(fps)
    file = parse(path, incomplete)
    _check_numbers(path, file)
    frame_time = 1.0 / fps if fps else _frame_time(path, file)
    skeleton = _Skeleton(file)
    notes = [*file.notes, *skeleton.notes]
    # First in units of the file: what there is to guess is guessed from that figure.
    figure = skeleton.figure(path.stem, 1.0, "Y")
    angles = skeleton.angles(1.0)
    at_zero = _points(figure, np.array([figure.rest_angles * skeleton.is_translation]))[0]
    if up is None:
        looked_at = angles[:: max(1, len(angles) // MOST_LOOKED_AT)]
        up, doubt = guess_up(at_zero, _points(figure, looked_at))
        notes += [doubt] if doubt else []
    if unit is None:
        unit, doubt = guess_unit(float(np.ptp(at_zero[:, "XYZ".index(up)])))
        notes.append(doubt)
    source = Source(
        str(path), "bvh", unit, "" if fps else file.frame_time, tuple(notes), skeleton.details()
    )
    figure = skeleton.figure(path.stem, unit, up)
    return Loaded(Clip(figure, skeleton.angles(unit), frame_time, path.stem, source), source)


def _points(figure: Figure, angles: Array) -> Array:
    """(frames, points, 3) the joints and the ends."""
    _, origins = segment_frames(figure, angles)
    return np.concatenate([origins, site_positions(figure, angles, figure.sites)], 1)


def _frame_time(path: Path, file: BvhFile) -> float:
    seconds = float(file.frame_time)
    if not seconds > 0.0:
        raise FileError(
            f"{path}: found a Frame Time of {file.frame_time}, expected seconds above 0; give fps="
        )
    return seconds


def _check_numbers(path: Path, file: BvhFile) -> None:
    """Numbers so large that they are none mean a broken file."""
    names = [(joint.name, channel) for joint in file.joints for channel in joint.channels or ()]
    most = [LARGEST_ANGLE if c.endswith("rotation") else LARGEST_LENGTH for _, c in names]
    bad = np.argwhere(np.abs(file.rows) > most)
    if len(bad):
        frame, column = bad[0]
        name, channel = names[column]
        raise FileError(
            f"{path}: found {file.rows[frame, column]:g} in {channel} of joint {name!r}, frame"
            f" {frame}, expected a value below {most[column]:g}"
        )


@dataclass
class _Skeleton:
    """The joints of a file, with names of their own, as a figure in any unit."""

    file: BvhFile

    def __post_init__(self) -> None:
        self.notes: list[str] = []
        self.names = self._distinct_names()
        self.columns = np.cumsum([0] + [len(j.channels or ()) for j in self.file.joints])
        self.adds = self._positions_add()
        order, translations = [], []
        for j, joint in enumerate(self.file.joints):
            slides, turns = _split(joint)
            order += [self.columns[j] + c for c in (*slides, *turns)]
            translations += [True] * len(slides) + [False] * len(turns)
        self.order = np.array(order, int)
        self.is_translation = np.array(translations, bool)

    def angles(self, unit: float) -> Array:
        """(frames, dofs) [rad, and metres if the unit is given in them]."""
        return self.file.rows[:, self.order] * np.where(self.is_translation, unit, math.pi / 180.0)

    def figure(self, name: str, unit: float, up: Up) -> Figure:
        segments, sites = [], []
        wanted = [f"{name}_End" for name, j in self._named() for _ in j.ends]
        ends = iter(distinct(wanted, self.names))
        for j, joint in enumerate(self.file.joints):
            parent = None if joint.parent < 0 else self.names[joint.parent]
            offset, made = self._joint(j, unit)
            segments.append(Segment(self.names[j], parent, made, offset))
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
        return list(zip(self.names, self.file.joints, strict=True))

    def _joint(self, j: int, unit: float) -> tuple[Array, Joint]:
        """The offset [m] and the joint: positions, then rotations in their order."""
        joint = self.file.joints[j]
        offset = unit * np.array(joint.offset)
        slides, turns = _split(joint)
        listed = joint.channels or ()
        axes = ["XYZ".index(listed[c][0]) for c in slides]
        rest = [0.0] * (len(slides) + len(turns))
        if not (self.adds and joint.parent >= 0):
            rest[: len(axes)] = offset[axes].tolist()
            offset[axes] = 0.0
        letters = [listed[c][0] for c in (*slides, *turns)]
        kinds = "t" * len(slides) + "r" * len(turns)
        made = channels(
            "".join(listed[c][0] for c in turns),
            "".join(listed[c][0] for c in slides),
            names=distinct(
                kind + letter.lower() for kind, letter in zip(kinds, letters, strict=True)
            ),
            rest=rest,
        )
        return offset, made

    def _positions_add(self) -> bool:
        """Whether position channels below the root must add to the OFFSETs they stand for."""
        columns = [
            self.columns[j] + c
            for j, joint in enumerate(self.file.joints)
            if joint.parent >= 0 and any(joint.offset or ())
            for c in _split(joint)[0]
        ]
        adds = bool(columns) and len(self.file.rows) > 0 and not self.file.rows[:, columns].any()
        if adds:
            self.notes.append(
                "position channels below the root are 0 throughout: taken as added to the OFFSETs"
            )
        return adds

    def _distinct_names(self) -> list[str]:
        names = distinct(joint.name for joint in self.file.joints)
        renamed = [n for n, joint in zip(names, self.file.joints, strict=True) if n != joint.name]
        if renamed:
            self.notes.append(
                f"joint names are used twice; {len(renamed)} got a number, such as {renamed[0]!r}"
            )
        return names


def _split(joint: BvhJoint) -> tuple[list[int], list[int]]:
    """Which of a joint's channels are positions, and which are rotations."""
    listed = list(enumerate(joint.channels or ()))
    slides = [c for c, channel in listed if channel.endswith("position")]
    return slides, [c for c, channel in listed if channel.endswith("rotation")]
