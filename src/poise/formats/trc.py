"""OpenSim and Motion Analysis markers (.trc): text, metres by its Units, axes as in the file."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from poise.formats.guesses import checked_fps, checked_unit
from poise.formats.marker_units import metres_per
from poise.formats.names import distinct
from poise.formats.registry import Loaded
from poise.formats.text import Text
from poise.motion.markers import Markers
from poise.motion.source import Source

HEADER = 5
"""Lines before the data."""


def read(path: Path, *, unit: float | None = None, fps: float | None = None) -> Loaded:
    """The markers of a TRC file; fields that are empty or NaN are missing samples."""
    checked_unit(unit)
    checked_fps(fps)
    text = Text(path)
    lines = text.content.split("\n")
    if not lines[0].startswith("PathFileType"):
        raise text.error(1, lines[0], "PathFileType, as TRC files start")
    if len(lines) < HEADER:
        raise text.error(len(lines), "", "the header of a TRC file, five lines")
    known = dict(zip(lines[1].split(), lines[2].split(), strict=False))
    names = _names(text, lines, known)
    points = _points(text, lines, len(names))
    told = known.get("NumFrames", "")
    if told.isascii() and told.isdigit() and len(told) < 12 and int(told) != len(points):
        raise text.error(3, f"{told} frames", f"as many as there are: {len(points)}")
    rate = fps or text.number(known.get("DataRate", ""), 3, "DataRate", 1e6)
    if not rate > 0.0:
        raise text.error(3, known["DataRate"], "a DataRate above 0; give fps=")
    scale, notes = (unit, []) if unit else metres_per(known.get("Units", ""))
    source = Source(str(path), "trc", scale, notes=tuple(notes))
    return Loaded(Markers(names, scale * points, 1.0 / rate), source)


def _fields(line: str) -> list[str]:
    """Between tabs; between any white space where there are no tabs."""
    return [f.strip() for f in line.split("\t")] if "\t" in line else line.split()


def _names(text: Text, lines: list[str], known: dict[str, str]) -> list[str]:
    fields = _fields(lines[3])
    if len(fields) < 2 or not fields[0].lower().startswith("frame"):
        raise text.error(4, lines[3], "Frame#, Time and the names of the markers")
    names = [name for name in fields[2:] if name]
    count = known.get("NumMarkers", "")
    if count != str(len(names)):
        raise text.error(3, f"{count} markers", f"as many as there are names: {len(names)}")
    return distinct(names)


def _points(text: Text, lines: list[str], count: int) -> np.ndarray:
    """(frames, markers, 3) in units of the file."""
    rows = []
    for number, line in enumerate(lines[HEADER:], HEADER + 1):
        if not line.strip():
            continue
        fields = _fields(line)
        width = 2 + 3 * count
        if len(fields) < width and "\t" not in line:
            raise text.error(
                number, f"{len(fields)} numbers", f"{width}: a frame, a time and points"
            )
        values = fields[2:width] + [""] * (width - max(len(fields), 2))
        if len(fields) < 2 or any(fields[width:]):
            raise text.error(
                number, f"{len(fields)} numbers", f"{width}: a frame, a time and points"
            )
        rows.append([_number(text, value, number) for value in values])
    points = np.array(rows, float).reshape(len(rows), count, 3)
    points[np.isnan(points).any(2)] = np.nan
    return points


def _number(text: Text, field: str, line: int) -> float:
    return math.nan if field.lower() in ("", "nan") else text.number(field, line, "a coordinate")
