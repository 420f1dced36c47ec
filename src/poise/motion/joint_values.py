"""The values of a joint's DOFs that give wanted rotations or placements, for many frames."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.errors import MotionError
from poise.figure.joint import Joint, Motion, MotionKind
from poise.figure.rotation import EULER_ORDERS
from poise.motion.rotations import euler_angles, matrix_vectors, swing_twist_angles

Array = NDArray[np.float64]


def turns(joint: Joint) -> list[Motion]:
    """The motions of a joint that rotate."""
    return [motion for motion in joint.motions if not motion.kind.is_translation]


def euler_order(joint: Joint) -> str:
    """The axes that a joint turns about, e.g. "ZXY"; empty if one of its turns is about none."""
    kinds = [motion.kind for motion in turns(joint)]
    if any(kind > MotionKind.ROTATE_Z for kind in kinds):
        return ""
    return "".join("XYZ"[kind - MotionKind.ROTATE_X] for kind in kinds)


def rotation_values(joint: Joint, rotations: Array) -> Array:
    """(frames, 3) the values of the rotation DOFs for which the motions turn by `rotations`.

    `rotations` (frames, 3, 3) is in the joint's own frame. Only joints that can turn any way have
    them: three Euler angles, a rotation vector, or swing and twist.
    """
    moving = turns(joint)
    kinds = [motion.kind for motion in moving]
    signs = np.array([-1.0 if m.reversed else 1.0 for m in moving for _ in m.dofs])
    if euler_order(joint) in EULER_ORDERS:
        return signs * euler_angles(euler_order(joint), rotations)
    if kinds == [MotionKind.ROTATION_VECTOR]:
        return signs * matrix_vectors(rotations)
    if kinds == [MotionKind.SWING, MotionKind.ROTATE_Z]:
        return signs * swing_twist_angles(rotations)
    raise MotionError(
        f"a {joint.kind} joint cannot turn any way; give it three Euler angles, a rotation vector"
        " or swing and twist"
    )


def can_turn_any_way(joint: Joint) -> bool:
    """Whether `rotation_values` has an answer for this joint."""
    kinds = [motion.kind for motion in turns(joint)]
    return (
        euler_order(joint) in EULER_ORDERS
        or kinds == [MotionKind.ROTATION_VECTOR]
        or kinds == [MotionKind.SWING, MotionKind.ROTATE_Z]
    )


def dof_places(joint: Joint) -> tuple[list[int], list[int]]:
    """Which of a joint's DOFs slide, and which turn."""
    slides = [i for i, dof in enumerate(joint.dofs) if dof.kind == "translation"]
    return slides, [i for i, dof in enumerate(joint.dofs) if dof.kind == "rotation"]
