"""Long BVH files, a block of frames at a time: memory does not grow with their length.

The file is read once to see that it is whole and what it means, and again for every pass over its
frames. Whatever is unusual about it, an encoding or a fault, is left to the reader of whole files,
whose errors say where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileError
from poise.formats.bvh_read import Meaning, Options, Survey, largest, looked_at_step
from poise.formats.bvh_syntax import BvhHeader, parse_header
from poise.formats.numbers import numbers_of
from poise.formats.text import Text
from poise.motion.clip import Clip

Array = NDArray[np.float64]

BLOCK = 4096
"""Frames at a time: as many whole calls of the solver as there are, so that nothing differs."""
BYTES = 1 << 20
"""Of the file, at a time."""
LONGEST_HEADER = 16 * BYTES
_HEADER = re.compile(rb"\s*HIERARCHY\b.*?\bFrame[ \t]+Time[ \t]*:\s*\S+(?=\s)", re.DOTALL | re.I)


class _UnusualError(Exception):
    """A file that the reader of whole files must look at."""


class BvhBlocks:
    """The clip of a BVH file, in blocks."""

    def __init__(self, path: Path, options: Options, first: int = 0, size: int = BLOCK) -> None:
        """Its frames from `first` on."""
        self._path, self._first, self._size = path, first, size
        self._header, self._begin = _header(path)
        self._meaning = Meaning(path, self._header, self._survey(), [], options)
        self.source, self.figure = self._meaning.source, self._meaning.figure

    @classmethod
    def open(
        cls, path: Path, options: Options, longer_than: int, size: int = BLOCK
    ) -> BvhBlocks | None:
        """Those of a file of more frames than `longer_than` with nothing unusual about it."""
        try:
            header, _ = _header(path)
            return cls(path, options, size=size) if header.frames > longer_than else None
        except (_UnusualError, FileError, OSError):
            return None

    def __len__(self) -> int:
        return self._header.frames - self._first

    def __iter__(self) -> Iterator[Clip]:
        """Clips of `size` frames each, the last one of fewer."""
        waiting, skipped = np.empty((0, self._header.width)), self._first
        for rows in self._rows_again():
            new, skipped = rows[skipped:], max(skipped - len(rows), 0)
            waiting = np.concatenate([waiting, new]) if len(waiting) else new
            while len(waiting) >= self._size:
                yield self._meaning.clip(waiting[: self._size])
                waiting = waiting[self._size :]
        if len(waiting):
            yield self._meaning.clip(waiting)

    def from_frame(self, first: int) -> BvhBlocks:
        """The same without the frames before `first`."""
        later = object.__new__(BvhBlocks)
        later.__dict__ |= self.__dict__ | {"_first": self._first + first}
        return later

    def _survey(self) -> Survey:
        """See that all is there and finite; what the rows tell about the file."""
        step, most = looked_at_step(self._header.frames), largest(self._header)
        looked_at, moves, seen = [], np.zeros(self._header.width, bool), 0
        for rows in self._rows():
            if (np.abs(rows) > most).any():
                raise _UnusualError
            looked_at.append(rows[-seen % step :: step].copy())
            moves |= np.any(rows, axis=0)
            seen += len(rows)
        if seen != self._header.frames:
            raise _UnusualError
        return Survey(np.concatenate(looked_at), moves)

    def _rows_again(self) -> Iterator[Array]:
        seen = 0
        try:
            for rows in self._rows():
                seen += len(rows)
                yield rows
        except _UnusualError:
            seen = -1
        if seen != self._header.frames:
            raise FileError(f"{self._path} changed while it was read; read it again")

    def _rows(self) -> Iterator[Array]:
        """(some frames, channels) as they are in the file."""
        width, left = self._header.width, np.empty(0)
        with self._path.open("rb") as file:
            file.seek(self._begin)
            for words in _whole_words(file):
                numbers = _numbers(words)
                values = np.concatenate([left, numbers]) if len(left) else numbers
                whole = len(values) - len(values) % width
                yield values[:whole].reshape(-1, width)
                left = values[whole:].copy()
        if len(left):
            raise _UnusualError


def _header(path: Path) -> tuple[BvhHeader, int]:
    """What stands before the motion, and the byte where that begins."""
    with path.open("rb") as file:
        data = b""
        while (match := _HEADER.match(data)) is None:
            more = file.read(BYTES)
            if not more or len(data) > LONGEST_HEADER:
                raise _UnusualError
            data += more
    header = parse_header(Text(path, match.group()))
    if not header.width:
        raise _UnusualError
    return header, match.end()


def _whole_words(file: BinaryIO) -> Iterator[bytes]:
    """The rest of a file in parts that end where a word does."""
    cut = b""
    while data := file.read(BYTES):
        data = cut + data
        end = max(data.rfind(blank) for blank in (b" ", b"\n", b"\t", b"\r")) + 1
        yield data[:end]
        cut = data[end:]
        if len(cut) > BYTES:
            raise _UnusualError
    yield cut


def _numbers(words: bytes) -> Array:
    if not words.isascii() or b"_" in words:
        raise _UnusualError
    values = numbers_of(words.decode("ascii"), len(words) // 2 + 1)
    if not np.isfinite(values).all():
        raise _UnusualError
    return values
