"""A pose as the page draws it: transforms, limits that are touched, errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.motion.posing import Posed
from poise.studio import frames
from poise.studio.describe import placements

MET = (2e-3, 2e-2)
"""Errors [m, rad] up to which a goal is shown as met."""


def pose_frame(posed: Posed, revision: int, sequence: int, dragging: bool) -> bytes:
    """The binary frame of a pose."""
    errors = [(i, float(error[0]), float(error[1])) for i, error in posed.errors.items()]
    met = all(position <= MET[0] and angle <= MET[1] for _, position, angle in errors)
    solution = posed.solution
    return frames.encode_pose(
        frames.PoseFrame(
            sequence=sequence,
            revision=revision,
            flags=(frames.DRAGGING if dragging else 0) | (frames.MET if met else 0),
            time=posed.time,
            solve_ms=0.0 if solution is None else 1e3 * solution.time,
            center_of_mass=center_of_mass(posed.pose),
            transforms=placements(posed.pose).astype(np.float32),
            angles=posed.pose.angles,
            goals=errors,
            limits=limit_bits(posed, met),
        )
    )


def limit_bits(posed: Posed, met: bool) -> NDArray[np.uint8]:
    """(dofs,) which limits each DOF touches, and whether they hold a goal off."""
    pose, figure = posed.pose, posed.pose.figure
    bits = np.where(pose.angles <= figure.lower, frames.AT_LOWER, 0).astype(np.uint8)
    bits |= np.where(pose.angles >= figure.upper, frames.AT_UPPER, 0).astype(np.uint8)
    for d, radius in figure.cones:
        if np.hypot(*pose.angles[d : d + 2]) >= radius * (1.0 - 1e-12):
            bits[d : d + 2] |= frames.AT_CONE
    if not met and posed.solution is not None:
        for limit in posed.solution.active_limits:
            if limit.kind != "relation":
                bits[figure.dof_index(limit.dof)] |= frames.PRESSES
    return bits


def center_of_mass(pose: Pose) -> NDArray[np.float64]:
    """(3,) [m]; the root's origin for a figure without masses."""
    masses, centers = _loads(pose.figure)
    rotations, origins = pose.frames
    whole = float(masses.sum())
    if whole == 0.0:
        return origins[0]
    places = origins + (rotations @ centers[:, :, None])[:, :, 0]
    return masses @ places / whole


def _loads(figure: Figure) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Masses (segments,) and centres (segments, 3) in the segments' frames; kept by the figure."""
    found = figure.__dict__.get("_loads")
    if found is None:
        masses = np.array([segment.mass for segment in figure.segments])
        centers = np.array([segment.center for segment in figure.segments])
        found = figure.__dict__["_loads"] = (masses, centers)
    return found
