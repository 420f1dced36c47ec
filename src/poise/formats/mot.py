"""OpenSim motions (.mot), written: the DOFs of a clip over time, angles in degrees."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.files import atomic_write
from poise.formats.names import distinct
from poise.motion.clip import Clip


def write(clip: Clip, path: Path) -> None:
    """Write time [s] and every DOF [degrees or m] by its name, spaces as underscores."""
    turns = np.array([dof.kind == "rotation" for dof in clip.figure.dofs], bool)
    values = np.where(turns, np.degrees(clip.angles), clip.angles)
    names = distinct("_".join(name.split()) or "dof" for name in clip.figure.dof_names)
    title = " ".join((clip.name or clip.figure.name).split()) or "motion"
    lines = [
        title,
        "version=1",
        f"nRows={len(clip)}",
        f"nColumns={1 + len(names)}",
        "inDegrees=yes",
        "",
        "Units are S.I. units (second, meters, Newtons, ...)",
        "Angles are in degrees.",
        "",
        "endheader",
        "\t".join(["time", *names]),
    ]
    for time, row in zip(clip.times.tolist(), values.tolist(), strict=True):
        lines.append("\t".join(f"{number:.10g}" for number in (time, *row)))
    atomic_write(path, "\n".join(lines) + "\n")
