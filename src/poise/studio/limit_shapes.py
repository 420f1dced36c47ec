"""The limits of a joint in the world: arcs, cones and slides for the page to draw."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure.joint import MotionKind
from poise.figure.pose import Pose
from poise.motion.joint_turns import PlacedMotion, placed_motions
from poise.studio import messages as m
from poise.studio.describe import bound, vector

Array = NDArray[np.float64]


def limit_shapes(pose: Pose, segment: int) -> list[m.LimitShape]:
    """The limits of the joint above a segment, motion by motion, where the pose has them."""
    bone = _bone(pose, segment)
    return [
        shape for placed in placed_motions(pose, segment) for shape in _shapes(pose, placed, bone)
    ]


def _shapes(pose: Pose, placed: PlacedMotion, bone: Array) -> list[m.LimitShape]:
    motion, dofs, figure = placed.motion, placed.dofs, pose.figure
    axis = placed.turn[:, motion.kind % 3] * (-1.0 if motion.reversed else 1.0)
    origin, value = vector(placed.origin), float(placed.values[0])
    range_ = bound(figure.lower[dofs[0]]), bound(figure.upper[dofs[0]])
    if motion.kind <= MotionKind.ROTATE_Z:
        pointer = vector(_across(bone, axis))
        return [m.LimitShape("arc", dofs, origin, vector(axis), pointer, *range_, value)]
    if motion.kind.is_translation:
        return [m.LimitShape("slide", dofs, origin, vector(axis), vector(axis), *range_, value)]
    rings = _rings(placed, bone)
    if motion.cone is None:
        return rings
    middle, pointer = placed.turn[:, 2], placed.turn @ placed.moved[0][:, 2]
    size = float(np.hypot(*placed.values))
    place = (origin, vector(middle), vector(pointer))
    return [m.LimitShape("cone", dofs, *place, 0.0, motion.cone, size), *rings]


def _rings(placed: PlacedMotion, bone: Array) -> list[m.LimitShape]:
    """What a ball joint is turned by: a ring about each of its axes, as far as its cone lets it."""
    if not placed.can_be_turned:
        return []
    rings = []
    for k, dof in enumerate(placed.dofs):
        axis = placed.turn[:, k]
        lower = upper = None
        pointer, value = _across(bone, axis), 0.0
        if placed.motion.cone is not None:
            # The pointer goes round a circle, and is in the cone about +Z while it is near it.
            tip = placed.moved[0][:, 2]
            size = float(np.hypot(tip[1 - k], tip[2]))
            share = np.cos(placed.motion.cone) / max(size, 1e-9)
            if share > -1.0:
                upper = float(np.arccos(min(share, 1.0)))
                lower = -upper
            flat = tip.copy()
            flat[k] = 0.0
            pointer = placed.turn @ (flat / max(size, 1e-9))
            value = float(np.arctan2(-tip[1], tip[2]) if k == 0 else np.arctan2(tip[0], tip[2]))
        place = (vector(placed.origin), vector(axis), vector(pointer))
        rings.append(m.LimitShape("ring", [dof], *place, lower, upper, value))
    return rings


def _bone(pose: Pose, segment: int) -> Array:
    """The direction in which a segment reaches out, in the world."""
    figure = pose.figure
    origin = pose.frames[1][segment]
    ends = [pose.frames[1][i] for i, parent in enumerate(figure.parents) if parent == segment]
    ends += [
        pose.position(s.name) for s in figure.sites if figure.segment_index(s.segment) == segment
    ]
    reach = max((end - origin for end in ends), key=np.linalg.norm, default=np.zeros(3))
    if np.linalg.norm(reach) < 1e-6:
        reach = -pose.frames[0][segment][:, 1]
    return reach


def _across(bone: Array, axis: Array) -> NDArray:
    """The unit vector nearest to the bone that is perpendicular to an axis."""
    flat = bone - (bone @ axis) * axis
    length = float(np.linalg.norm(flat))
    if length < 1e-3 * float(np.linalg.norm(bone)):
        flat = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
        length = float(np.linalg.norm(flat))
    return flat / length
