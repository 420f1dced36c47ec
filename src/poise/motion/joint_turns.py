"""A joint's motions where a pose has them, and turns of a ball joint about any axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import PoiseError
from poise.figure.joint import Motion, MotionKind
from poise.figure.pose import Pose
from poise.figure.rotation import about, between, from_vector, to_vector
from poise.figure.segment import vector3

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlacedMotion:
    """An elementary motion in a pose: the frame that it starts from, in the world."""

    motion: Motion
    dofs: list[int]
    values: Array
    turn: Array
    """(3, 3)"""
    origin: Array
    """[m]"""

    @property
    def moved(self) -> tuple[Array, Array]:
        """What it does there: a rotation and a translation in its frame."""
        motion = self.motion
        signed = -self.values if motion.reversed else self.values
        if motion.kind <= MotionKind.ROTATE_Z:
            return about("XYZ"[motion.kind], float(signed[0])), np.zeros(3)
        if motion.kind.is_translation:
            axis = np.eye(3)[motion.kind - MotionKind.SLIDE_X]
            return np.eye(3), float(signed[0]) * axis
        return from_vector([*signed, 0.0][:3]), np.zeros(3)

    @property
    def can_be_turned(self) -> bool:
        """Whether `ball_turned` takes it."""
        turns = self.motion.kind in (MotionKind.SWING, MotionKind.ROTATION_VECTOR)
        return turns and not self.motion.reversed


def placed_motions(pose: Pose, segment: int) -> list[PlacedMotion]:
    """The motions of the joint above a segment, one after the other."""
    figure = pose.figure
    part, parent = figure.segments[segment], figure.parents[segment]
    rotations, origins = pose.frames
    turn = rotations[parent] if parent >= 0 else np.eye(3)
    origin = origins[parent] if parent >= 0 else np.zeros(3)
    origin = origin + turn @ np.asarray(part.offset)
    turn = turn @ np.asarray(part.rotation) @ part.joint.frame
    found = []
    dof = sum(len(s.joint.dofs) for s in figure.segments[:segment])
    for motion in part.joint.motions:
        dofs = list(range(dof, dof + len(motion.dofs)))
        placed = PlacedMotion(motion, dofs, pose.angles[dofs], turn, origin)
        found.append(placed)
        dof += len(dofs)
        rotation, shift = placed.moved
        origin = origin + turn @ shift
        turn = turn @ rotation
    return found


def ball_turned(pose: Pose, dof: int, axis: ArrayLike, angle: float, near: Pose) -> Pose:
    """The pose with the ball joint of a DOF turned further, by `angle` [rad] about an axis in the
    world: a joint of swing and twist, or of a rotation vector. Limits may be exceeded. Of angles
    that mean the same it has those nearest to `near`'s."""
    figure = pose.figure
    owners = [i for i, s in enumerate(figure.segments) for _ in s.joint.dofs]
    motions = placed_motions(pose, owners[dof])
    place = next(i for i, own in enumerate(motions) if dof in own.dofs)
    ball = motions[place]
    direction = vector3(axis, "axis")
    length = float(np.linalg.norm(direction))
    if not ball.can_be_turned or length < 1e-12:
        raise PoiseError(
            f"{figure.dof_names[dof]} cannot be turned about {np.asarray(axis).tolist()}; give an"
            " axis that is not zero, and a DOF of a swing or of a rotation vector"
        )
    by = from_vector(angle / length * (ball.turn.T @ direction))
    turned = by @ ball.moved[0]
    angles = pose.angles.copy()
    if ball.motion.kind == MotionKind.ROTATION_VECTOR:
        angles[ball.dofs] = _nearest_vector(to_vector(turned), near.angles[ball.dofs])
        return Pose(figure, angles)
    swing = to_vector(between((0.0, 0.0, 1.0), turned[:, 2]))
    angles[ball.dofs] = swing[:2]
    twist = motions[place + 1] if place + 1 < len(motions) else None
    if twist is not None and twist.motion.kind == MotionKind.ROTATE_Z:
        rest = from_vector(swing).T @ turned  # it does what the swing does not
        value = twist.values[0] + np.arctan2(rest[1, 0], rest[0, 0])
        away = near.angles[twist.dofs] - value
        angles[twist.dofs] = value + 2.0 * np.pi * np.round(away / (2.0 * np.pi))
    return Pose(figure, angles)


def _nearest_vector(vector: Array, near: Array) -> Array:
    """Of the rotation vectors of one rotation that which is nearest to another."""
    length = float(np.linalg.norm(vector))
    if length < 1e-9:
        return vector
    unit = vector / length
    turns = np.round((float(unit @ near) - length) / (2.0 * np.pi))
    return unit * (length + 2.0 * np.pi * turns)
