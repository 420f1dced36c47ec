"""Clips to Acclaim motions (.amc), each with its skeleton, which may be there already."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileError, OptionError
from poise.figure.joint import Range
from poise.files import atomic_write, check_writable
from poise.formats.asf_read import INCH, Skeleton
from poise.formats.asf_syntax import parse_skeleton
from poise.formats.asf_write import DEGREE, USUAL_LENGTH, Bones, limit_text, skeleton_text
from poise.motion.clip import Clip

Array = NDArray[np.float64]


def unit_of(clip: Clip) -> float:
    """Metres per unit: as in the file that the clip came from, else as in CMU's."""
    own = clip.source.unit if clip.source.format in ("asf", "amc") else None
    return own or INCH / USUAL_LENGTH


def write_skeleton(clip: Clip, path: Path) -> None:
    """Write the figure of a clip as an .asf file; its frames are not in it."""
    atomic_write(path, skeleton_text(Bones(clip.figure), unit_of(clip), clip.figure.name))


def write(
    clip: Clip, path: Path, *, figure: str | os.PathLike[str] | None = None, decimals: int = 6
) -> None:
    """Write the frames as an .amc file, and beside it the skeleton as an .asf file of its name.

    figure: an .asf file that the clip is of; then no skeleton is written.
    """
    if figure is not None:
        unit, rows = _on_skeleton(clip, Path(figure))
        atomic_write(path, _text(clip, unit, rows, decimals))
        return
    skeleton = path.with_suffix(".asf")
    check_writable(path)
    check_writable(skeleton)
    bones, unit = Bones(clip.figure), unit_of(clip)
    values = bones.values(clip)
    rows = {
        bone.name: (bone.dofs, bone.limits, values[bone.name], DEGREE)
        for bone in bones.bones
        if bone.dofs
    }
    motion = _text(clip, unit, rows, decimals)
    atomic_write(skeleton, skeleton_text(bones, unit, clip.figure.name))
    atomic_write(path, motion)


Rows = dict[str, tuple[list[str], list[Range], Array, float]]
"""By bone: its DOFs, their limits, (frames, DOFs) their values, and radians per unit."""


def _on_skeleton(clip: Clip, asf: Path) -> tuple[float, Rows]:
    """The clip's own values in the order of a skeleton file that it is of."""
    if not asf.is_file():
        raise FileError(f"cannot read {asf}: there is no such file; figure= needs the .asf file")
    skeleton = Skeleton(parse_skeleton(asf))
    figure, rows = clip.figure, {}
    for bone, dofs in skeleton.columns().items():
        missing = [dof for dof in dofs if f"{bone}_{dof}" not in figure.dof_names]
        if missing:
            raise OptionError(
                f"{asf} has a DOF {bone}_{missing[0]} that {figure.name} has not; give the skeleton"
                " that the clip is of, or none, so that one is written"
            )
        if dofs:
            at = [figure.dof_index(f"{bone}_{dof}") for dof in dofs]
            limits = [(float(figure.lower[i]), float(figure.upper[i])) for i in at]
            rows[bone] = dofs, limits, clip.angles[:, at], skeleton.file.angle
    return skeleton.unit, rows


def _text(clip: Clip, unit: float, rows: Rows, decimals: int) -> str:
    if not isinstance(decimals, int) or not 0 <= decimals <= 15:
        raise OptionError(f"decimals={decimals!r}: give 0 to 15")
    degrees = all(angle != 1.0 for _, _, _, angle in rows.values())
    columns: list[list[str]] = []
    for bone, (dofs, limits, values, angle) in rows.items():
        scales = [unit if dof[0] == "t" else angle for dof in dofs]
        written = [
            _inside(values[:, k], limits[k], scale, decimals) for k, scale in enumerate(scales)
        ]
        rounded = np.column_stack(written).tolist()
        columns.append([" ".join([bone, *map(repr, row)]) for row in rounded])
    lines = ["#!OML:ASF", ":FULLY-SPECIFIED", ":DEGREES" if degrees else ":RADIANS"]
    for number, row in enumerate(zip(*columns, strict=True), 1):
        lines += [str(number), *row]
    return "\n".join(lines) + "\n"


def _inside(values: Array, limits: Range, scale: float, decimals: int) -> Array:
    """Values in file units, rounded towards the inside of the limits as these are read back."""
    low, high = (float(limit_text(value, scale)) * scale for value in limits)
    rounded = np.round(values / scale, decimals) + 0.0
    step = 10.0**-decimals
    for _ in range(2):  # the second time for what rounding the first one left
        rounded = np.where(
            (rounded * scale > high) & (values <= limits[1]), rounded - step, rounded
        )
        rounded = np.where((rounded * scale < low) & (values >= limits[0]), rounded + step, rounded)
        rounded = np.round(rounded, decimals) + 0.0
    return np.asarray(rounded, np.float64)
