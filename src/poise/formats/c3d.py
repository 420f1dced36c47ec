"""Captured markers (.c3d), read by ezc3d: metres by POINT:UNITS, axes as in the file.

ezc3d crashes the interpreter on some broken files. So it runs in a process of its own, with bounds
on time and memory: a broken file is an error of ours, whatever it does there.
"""

from __future__ import annotations

import io
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from poise.errors import FileError, OptionError
from poise.formats import child
from poise.formats.guesses import checked_fps, checked_unit
from poise.formats.marker_units import metres_per
from poise.formats.names import distinct
from poise.formats.registry import Loaded
from poise.formats.text import LARGEST_LENGTH
from poise.motion.markers import Markers
from poise.motion.source import Source

LONGEST = 20.0
"""Seconds that reading may take, and one more a megabyte."""
MAGIC = 0x50
READ = """
import io, sys
import ezc3d, numpy

def arrays_of(path):
    file = ezc3d.c3d(path)
    parameters = file["parameters"]["POINT"]
    values = lambda key: list(parameters[key]["value"]) if key in parameters else []
    labels = [str(v) for k in ("LABELS", "LABELS2", "LABELS3", "LABELS4") for v in values(k)]
    points = file["data"]["points"]
    residuals = file["data"]["meta_points"]["residuals"][0]
    out = io.BytesIO()
    numpy.savez(out, points=points, residuals=residuals, labels=numpy.array(labels, "U"),
                unit=numpy.array("".join(map(str, values("UNITS")[:1]))),
                rate=numpy.array([float(v) for v in values("RATE")[:1]]))
    return out.getvalue()
"""
IN_CHILD = READ + "\nanswer.write(arrays_of(sys.argv[1]))\n"


def read(path: Path, *, unit: float | None = None, fps: float | None = None) -> Loaded:
    """The markers of a C3D file; samples that are missing are NaN."""
    checked_unit(unit)
    checked_fps(fps)
    if find_spec("ezc3d") is None:
        raise OptionError(".c3d files need ezc3d, which is not installed;"
                          " run: pip install 'poise[c3d]'")  # fmt: skip
    check_head(path)
    found = arrays_in(path, read_in_child(path))
    points, residuals = found["points"], found["residuals"]
    if points.ndim != 3 or len(points) < 3 or residuals.shape != points.shape[1:]:
        raise FileError(
            f"{path}: found points of shape {points.shape}, expected (4, markers, frames)"
        )
    scale, notes = (unit, []) if unit else metres_per(str(found["unit"]))
    positions = np.array(np.moveaxis(points[:3], 0, -1).swapaxes(0, 1), float)
    positions[residuals.T < 0.0] = np.nan
    positions[~np.isfinite(positions).all(2)] = np.nan
    if np.nanmax(np.abs(positions), initial=0.0) > LARGEST_LENGTH:
        raise FileError(f"{path}: found a marker beyond {LARGEST_LENGTH:g} units, expected less")
    labels = [str(label).strip() for label in found["labels"]][: points.shape[1]]
    labels += [f"marker{i}" for i in range(len(labels), points.shape[1])]
    names = distinct(label or f"marker{i}" for i, label in enumerate(labels))
    rate = fps or (float(found["rate"][0]) if len(found["rate"]) else 0.0)
    if not (np.isfinite(rate) and 0.0 < rate < 1e6):
        raise FileError(f"{path}: found POINT:RATE {rate:g}, expected frames a second; give fps=")
    source = Source(str(path), "c3d", scale, notes=tuple(notes))
    return Loaded(Markers(names, positions * scale, 1.0 / rate), source)


def check_head(path: Path) -> None:
    """Refuse what does not start as C3D files do."""
    with path.open("rb") as file:
        head = file.read(512)
    if len(head) < 512 or head[1] != MAGIC:
        found = f"{head[1]:#04x}" if len(head) > 1 else "the end of the file"
        raise FileError(f"{path}, byte 1: found {found}, expected {MAGIC:#04x}, as C3D files start")


def read_in_child(path: Path) -> bytes:
    """What ezc3d reads, as the bytes of arrays by name."""
    size = path.stat().st_size
    return child.read_in_child(path, IN_CHILD, "a C3D file", room=2**31 + 100 * size,
                               seconds=LONGEST + 1e-6 * size)  # fmt: skip


def arrays_in(path: Path, content: bytes) -> Any:
    """The arrays by name."""
    try:
        return dict(np.load(io.BytesIO(content)))
    except (ValueError, OSError, zipfile.BadZipFile) as error:
        raise FileError(f"{path}: found a broken file ({error}), expected a C3D file") from error
