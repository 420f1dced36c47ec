"""A pose as the page draws it: transforms, limits that are touched, errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.once import once_a_figure
from poise.figure.pose import Pose, pack_figure
from poise.kernels.picture import CENTER, PLACE, picture
from poise.motion.posing import Posed
from poise.studio import frames

MET = (2e-3, 2e-2)
"""Errors [m, rad] up to which a goal is shown as met."""

Numbers = NDArray[np.float32]


class Picture(NamedTuple):
    """What is drawn of a pose, in memory that the next picture of the same figure takes."""

    numbers: Numbers
    """(3 + 7 segments + dofs) centre of mass, places of the segments, angles: as they are sent."""
    bits: NDArray[np.uint8]
    """(dofs,) the limits that are touched."""


def pose_frame(posed: Posed, revision: int, sequence: int, dragging: bool) -> bytes:
    """The binary frame of a pose."""
    met = True
    for position, angle in posed.errors.values():
        met = met and position <= MET[0] and angle <= MET[1]
    solution = posed.solution
    drawn = picture_of(posed.pose)
    if not met:
        _mark_pressing(posed, drawn.bits)
    return frames.encode_pose(
        (frames.DRAGGING if dragging else 0) | (frames.MET if met else 0),
        sequence,
        revision,
        (posed.time, 0.0 if solution is None else 1e3 * solution.time),
        *drawn,
        [(goal, *error) for goal, error in posed.errors.items()],
    )


def picture_of(pose: Pose) -> Picture:
    """What is drawn of a pose; for one thread alone."""
    ints, floats, angles, drawn = _memory(pose.figure)
    angles[:] = pose.angles
    picture(floats, ints, angles, drawn.numbers, drawn.bits)
    return drawn


@once_a_figure
def _memory(figure: Figure) -> tuple[NDArray, NDArray, NDArray, Picture]:
    """The arenas of a figure, and room for the angles and the picture of a pose."""
    dofs = len(figure.dofs)
    numbers = np.empty(CENTER + PLACE * len(figure.segments) + dofs, np.float32)
    return *pack_figure(figure), np.empty(dofs), Picture(numbers, np.empty(dofs, np.uint8))


def placements(pose: Pose) -> Numbers:
    """(segments, 7) position and quaternion (w, x, y, z) of each segment in the world."""
    places = picture_of(pose).numbers[CENTER : CENTER + PLACE * len(pose.figure.segments)]
    return places.reshape(-1, PLACE).copy()


def center_of_mass(pose: Pose) -> NDArray[np.float64]:
    """(3,) [m]; the middle of the segments' origins for a figure without masses."""
    return picture_of(pose).numbers[:CENTER].astype(float)


def _mark_pressing(posed: Posed, bits: NDArray[np.uint8]) -> None:
    """The limits that hold a goal off."""
    if posed.solution is not None:
        for limit in posed.solution.active_limits:
            if limit.kind != "relation":
                bits[posed.pose.figure.dof_index(limit.dof)] |= frames.PRESSES
