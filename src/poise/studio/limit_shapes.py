"""The limits of a joint in the world: arcs, cones and slides for the page to draw."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure.joint import Motion, MotionKind
from poise.figure.pose import Pose
from poise.figure.rotation import about, from_vector
from poise.studio import messages as m
from poise.studio.describe import bound, vector

Array = NDArray[np.float64]


def limit_shapes(pose: Pose, segment: int) -> list[m.LimitShape]:
    """The limits of the joint above a segment, motion by motion, where the pose has them."""
    figure = pose.figure
    part, parent = figure.segments[segment], figure.parents[segment]
    rotations, origins = pose.frames
    turn = rotations[parent] if parent >= 0 else np.eye(3)
    origin = origins[parent] if parent >= 0 else np.zeros(3)
    origin = origin + turn @ np.asarray(part.offset)
    turn = turn @ np.asarray(part.rotation) @ part.joint.frame
    bone = _bone(pose, segment)
    shapes = []
    dof = sum(len(s.joint.dofs) for s in figure.segments[:segment])
    for motion in part.joint.motions:
        dofs = list(range(dof, dof + len(motion.dofs)))
        values = pose.angles[dof : dof + len(dofs)]
        dof += len(dofs)
        moved, shift = _moved(motion, values)
        axis = turn[:, motion.kind % 3] * (-1.0 if motion.reversed else 1.0)
        lower, upper = bound(figure.lower[dofs[0]]), bound(figure.upper[dofs[0]])
        if motion.kind <= MotionKind.ROTATE_Z:
            pointer = _across(bone, axis)
            place = ("arc", dofs, vector(origin), vector(axis), vector(pointer))
            shapes.append(m.LimitShape(*place, lower, upper, float(values[0])))
        elif motion.kind.is_translation:
            place = ("slide", dofs, vector(origin), vector(axis), vector(axis))
            shapes.append(m.LimitShape(*place, lower, upper, float(values[0])))
        elif motion.kind == MotionKind.SWING:
            middle, pointer = turn[:, 2], turn @ moved[:, 2]
            size = float(np.hypot(*values))
            place = ("cone", dofs, vector(origin), vector(middle), vector(pointer))
            shapes.append(m.LimitShape(*place, 0.0, motion.cone, size))
        origin = origin + turn @ shift
        turn = turn @ moved
    return shapes


def _moved(motion: Motion, values: Array) -> tuple[Array, Array]:
    """What a motion does: a rotation and a translation in the frame before it."""
    signed = -values if motion.reversed else values
    if motion.kind <= MotionKind.ROTATE_Z:
        return about("XYZ"[motion.kind], float(signed[0])), np.zeros(3)
    if motion.kind.is_translation:
        return np.eye(3), float(signed[0]) * np.eye(3)[motion.kind - MotionKind.SLIDE_X]
    return from_vector([*signed, 0.0][:3]), np.zeros(3)


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
