"""Text files as readers see them: decoded, with even line ends, and errors that name the line."""

from __future__ import annotations

import codecs
import math
from pathlib import Path

from poise.errors import FileError

LONGEST_SHOWN = 40
LARGEST_LENGTH = 1e9
"""In units of the file: beyond it, sums lose what is near."""
LARGEST_ANGLE = 5e6
"""Degrees: sines and cosines are exact below it."""


class Text:
    """The content of a text file. Lines end in \\n whatever they ended in."""

    def __init__(self, path: Path, data: bytes | None = None) -> None:
        """`data`: the beginning of the file; all of it if not given."""
        self.path = path
        text = decoded(path.read_bytes() if data is None else data)
        self.content = text.replace("\r\n", "\n").replace("\r", "\n")

    def line_at(self, offset: int) -> int:
        """The line, counted from 1, of a place in the content."""
        return self.content.count("\n", 0, offset) + 1

    def error(self, line: int | None, found: str, expected: str) -> FileError:
        """An error that names the file, the line, what is there and what should be."""
        place = f"{self.path}, line {line}" if line else str(self.path)
        return FileError(f"{place}: found {shown(found)}, expected {expected}")

    def number(self, token: str, line: int, what: str, most: float = LARGEST_LENGTH) -> float:
        """A finite number, or an error that says of what."""
        try:
            value = float(token) if "_" not in token else math.nan
        except ValueError:
            value = math.nan
        if abs(value) <= most:  # and not NaN
            return value
        if not math.isfinite(value):
            raise self.error(line, token, f"a number for {what}")
        raise self.error(line, token, f"{what} below {most:g}")


def decoded(data: bytes) -> str:
    """Text in whatever encoding its mark says; without one, UTF-8, or else one byte a letter."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.removeprefix(codecs.BOM_UTF8).decode("latin-1")


def shown(token: str) -> str:
    """What was found, in quotes and cut short; the end of the file is said in words."""
    if not token:
        return "the end of the file"
    cut = token if len(token) <= LONGEST_SHOWN else token[:LONGEST_SHOWN] + "…"
    return repr(cut)
