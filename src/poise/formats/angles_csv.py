"""Joint angles as a table (.csv): a line a frame, a column a DOF, for what drives a robot."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileError, OptionError
from poise.files import atomic_write
from poise.formats.registry import of_one_format
from poise.motion.clip import Clip

Array = NDArray[np.float64]


def write(
    clip: Clip,
    path: Path,
    *,
    robot: str | os.PathLike[str] | None = None,
    degrees: bool = False,
) -> None:
    """Write time [s] and all DOFs [rad, or degrees, and m], to the last bit.

    With `robot`, a URDF file, only its joints, in the order of that file; or a MuJoCo model, whose
    qpos is written: quaternions (w, x, y, z) where joints have such.
    """
    figure = clip.figure
    names, values = _all(clip) if robot is None else _of_robot(clip, Path(robot))
    if degrees:
        kinds = dict(zip(figure.dof_names, (dof.kind for dof in figure.dofs), strict=True))
        turns = np.array([kinds.get(name) == "rotation" for name in names], bool)
        values = np.where(turns, np.degrees(values), values)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["time", *names])
    for time, row in zip(clip.times.tolist(), values.tolist(), strict=True):
        table.writerow([repr(number) for number in (time, *row)])
    atomic_write(path, text.getvalue())


def _all(clip: Clip) -> tuple[list[str], Array]:
    return list(clip.figure.dof_names), clip.angles


def _of_robot(clip: Clip, robot: Path) -> tuple[list[str], Array]:
    """Names and values (frames, columns) as the robot's own file has them."""
    if not robot.is_file():
        raise FileError(f"cannot read {robot}: there is no such file; robot= needs the robot's")
    if of_one_format("mjcf", robot):
        from poise.formats.mjcf import qpos_order

        joints = qpos_order(robot)
        _check(clip, robot, [dof for joint in joints for dof in joint.dofs])
        numbers = [joint.numbers(clip) for joint in joints]
        return [name for joint in joints for name in joint.names], np.concatenate(numbers, 1)
    from poise.formats.urdf import joint_order

    names = joint_order(robot)
    _check(clip, robot, names)
    return names, clip.angles[:, [clip.figure.dof_index(name) for name in names]]


def _check(clip: Clip, robot: Path, dofs: list[str]) -> None:
    missing = [name for name in dofs if name not in clip.figure.dof_names]
    if missing:
        raise OptionError(
            f"joint {missing[0]!r} of {robot} is no DOF of {clip.figure.name}; give the robot that"
            " the clip is of"
        )
