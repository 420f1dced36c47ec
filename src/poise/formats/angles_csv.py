"""Joint angles as a table (.csv): a line a frame, a column a DOF, for what drives a robot."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

import numpy as np

from poise.errors import FileError, OptionError
from poise.files import atomic_write
from poise.motion.clip import Clip


def write(
    clip: Clip,
    path: Path,
    *,
    robot: str | os.PathLike[str] | None = None,
    degrees: bool = False,
) -> None:
    """Write time [s] and all DOFs [rad, or degrees, and m], to the last bit.

    With `robot`, a URDF file, only its joints, in the order of that file.
    """
    figure = clip.figure
    names = list(figure.dof_names if robot is None else _of_robot(clip, Path(robot)))
    columns = [figure.dof_index(name) for name in names]
    turns = np.array([figure.dofs[i].kind == "rotation" for i in columns], bool)
    values = clip.angles[:, columns]
    if degrees:
        values = np.where(turns, np.degrees(values), values)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["time", *names])
    for time, row in zip(clip.times.tolist(), values.tolist(), strict=True):
        table.writerow([repr(number) for number in (time, *row)])
    atomic_write(path, text.getvalue())


def _of_robot(clip: Clip, robot: Path) -> list[str]:
    from poise.formats.urdf import joint_order

    if not robot.is_file():
        raise FileError(f"cannot read {robot}: there is no such file; robot= needs the .urdf file")
    names = joint_order(robot)
    missing = [name for name in names if name not in clip.figure.dof_names]
    if missing:
        raise OptionError(
            f"joint {missing[0]!r} of {robot} is no DOF of {clip.figure.name}; give the robot that"
            " the clip is of"
        )
    return names
