"""Acclaim motions (.amc): values for the bones of an ASF file, frame by frame."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileError, OptionError
from poise.figure.figure import Figure
from poise.formats.asf_read import Skeleton
from poise.formats.asf_syntax import lines_of, parse_skeleton
from poise.formats.guesses import checked_fps
from poise.formats.registry import Loaded
from poise.formats.text import LARGEST_ANGLE, Text
from poise.motion.clip import Clip
from poise.motion.source import Source

Array = NDArray[np.float64]
USUAL_FPS = 120.0
"""Of the CMU recordings; the file does not say."""
SHOWN = 6


def read(
    path: Path, *, figure: str | os.PathLike[str] | None = None, fps: float | None = None
) -> Loaded:
    """The clip of an AMC file on the skeleton of `figure`, an .asf file."""
    if isinstance(figure, Figure):
        raise OptionError(
            "figure= of an .amc file needs the name of its .asf file: units and the order of its"
            " DOFs are there"
        )
    checked_fps(fps)
    asf = _beside(path) if figure is None else Path(figure)
    if not asf.is_file():
        raise FileError(f"cannot read {asf}: there is no such file; figure= needs the .asf file")
    motion = _Motion(Text(path))
    skeleton = Skeleton(parse_skeleton(asf))
    clip_figure, angles, notes = _Fitted(motion, skeleton).result(asf.stem)
    if figure is None:
        notes.append(f"the skeleton is taken from {asf.name}, which lies beside it; give figure=")
    if fps is None:
        notes.append(f"the frame rate is not in the file: taken as {USUAL_FPS:g} fps; give fps=")
    source = Source(
        str(path), "amc", skeleton.unit, "", (*skeleton.file.notes, *motion.notes, *notes)
    )
    clip = Clip(clip_figure, angles, 1.0 / (fps or USUAL_FPS), path.stem, source)
    return Loaded(clip, source)


def _beside(path: Path) -> Path:
    found = skeleton_beside(path)
    if found is None:
        raise OptionError(f"{path} has no skeleton in it; give figure= with its .asf file")
    return found


def skeleton_beside(path: Path) -> Path | None:
    """The skeleton that the name of a motion speaks of: 87_03.amc belongs to 87.asf."""
    for stem in (path.stem, path.stem.partition("_")[0]):
        for suffix in (".asf", ".ASF"):
            if (found := path.with_name(stem + suffix)).is_file():
                return found
    return None


@dataclass
class _Frame:
    number: int
    line: int
    values: dict[str, tuple[list[float], int]] = field(default_factory=dict)
    """By bone, with the line."""


class _Motion:
    """The frames of a file as they are written."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.angle: float | None = None
        """Radians per unit, if the file says."""
        self.frames: list[_Frame] = []
        self.notes: list[str] = []
        lines = list(lines_of(text))
        for i, (number, line) in enumerate(lines):
            self._line(number, line, is_last=i == len(lines) - 1)
        if not self.frames:
            raise text.error(lines[-1][0] if lines else 1, "", "a frame, which starts with its"
                             " number")  # fmt: skip
        self._check_order()

    def _line(self, number: int, line: str, is_last: bool) -> None:
        words = line.split()
        if line.startswith(":"):
            keyword = line[1:].strip().upper()
            if keyword in ("DEGREES", "RADIANS"):
                self.angle = 1.0 if keyword == "RADIANS" else math.pi / 180.0
        elif len(words) == 1 and words[0].isascii() and words[0].isdigit() and len(words[0]) < 12:
            self.frames.append(_Frame(int(words[0]), number))
        elif not self.frames:
            raise self.text.error(number, words[0], "a keyword or the number of the first frame")
        else:
            self._bone(number, words, is_last)

    def _bone(self, number: int, words: list[str], is_last: bool) -> None:
        frame = self.frames[-1]
        if words[0] in frame.values:
            raise self.text.error(number, words[0], f"each bone once in frame {frame.number}")
        values: list[float] = []
        for word in words[1:]:
            try:
                values.append(self.text.number(word, number, "a DOF", LARGEST_ANGLE))
            except FileError:
                if is_last:  # cut within a number, such as 1.5e-
                    break
                raise
        frame.values[words[0]] = values, number

    def _check_order(self) -> None:
        numbers = np.array([frame.number for frame in self.frames])
        steps = np.diff(numbers)
        if (steps <= 0).any():
            frame = self.frames[int(np.argmax(steps <= 0)) + 1]
            raise self.text.error(frame.line, str(frame.number), "frame numbers that rise")
        if (steps > 1).any():
            missing = int((steps - 1).sum())
            self.notes.append(f"{missing} frame numbers are missing; the others follow each other")


@dataclass
class _Fitted:
    """The motion on its skeleton: which values go where."""

    motion: _Motion
    skeleton: Skeleton

    def result(self, name: str) -> tuple[Figure, Array, list[str]]:
        """The figure, which may have more DOFs than the file of it, its angles, and notes."""
        notes = self._drop_unknown() + self._widen() + self._drop_cut()
        columns = self.skeleton.columns()
        absent = [b for b in columns if columns[b] and not self._has(b)]
        if absent:
            notes.append(f"bones without values stay at zero: {_listed(absent)}")
        angle = self.motion.angle or self.skeleton.file.angle
        figure = self.skeleton.figure(name)
        angles = np.zeros((len(self.motion.frames), len(figure.dofs)))
        for bone, dofs in columns.items():
            if not dofs or bone in absent:
                continue
            values = self._values(bone, len(dofs))
            for k, dof in enumerate(dofs):
                scale = self.skeleton.unit if dof[0] == "t" else angle
                angles[:, figure.dof_index(f"{bone}_{dof}")] = values[:, k] * scale
        return figure, angles, notes

    def _has(self, bone: str) -> bool:
        return any(bone in frame.values for frame in self.motion.frames)

    def _drop_unknown(self) -> list[str]:
        known = self.skeleton.columns()
        unknown: dict[str, None] = {}
        for frame in self.motion.frames:
            for bone in [b for b in frame.values if b not in known]:
                unknown[bone] = None
                # The end of a cut file may be half a name: no bone, and no reason for a note.
                del frame.values[bone]
        if not unknown:
            return []
        return [f"bones that the skeleton lacks were left out: {_listed(list(unknown))}"]

    def _widen(self) -> list[str]:
        """The dialect with three values for every bone: such bones turn about all axes."""
        first = self.motion.frames[0].values
        columns = self.skeleton.columns()
        wide = [
            bone
            for bone, (values, _) in first.items()
            if len(values) == 3 > len(columns[bone]) and not {"tx", "ty", "tz"} & {*columns[bone]}
        ]
        if not wide:
            return []
        self.skeleton = Skeleton(self.skeleton.file, frozenset(wide))
        return [f"bones with three values, though the skeleton has fewer DOFs: {_listed(wide)}"]

    def _drop_cut(self) -> list[str]:
        """Leave out a last frame that was cut off."""
        columns = self.skeleton.columns()
        last = self.motion.frames[-1]
        whole = [b for b in columns if columns[b] and b in self.motion.frames[0].values]
        cut = [
            bone for bone in whole
            if bone not in last.values or len(last.values[bone][0]) < len(columns[bone])
        ]  # fmt: skip
        if not cut:
            return []
        if len(self.motion.frames) == 1:
            raise self.motion.text.error(
                last.line, f"a frame without {cut[0]}", "at least one whole frame"
            )
        self.motion.frames.pop()
        return [f"the file is cut off in frame {last.number}: the frames before it were read"]

    def _values(self, bone: str, count: int) -> Array:
        rows = []
        for frame in self.motion.frames:
            if bone not in frame.values:
                found = f"frame {frame.number} without bone {bone}"
                raise self.motion.text.error(frame.line, found, "the same bones in every frame")
            values, line = frame.values[bone]
            if len(values) != count:
                raise self.motion.text.error(
                    line, f"{len(values)} values", f"{count} for bone {bone}"
                )
            rows.append(values)
        return np.array(rows)


def _listed(names: list[str]) -> str:
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if names[SHOWN:] else "")
