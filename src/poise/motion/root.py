"""Root motion: the path of the root over the ground, and clips moved along it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import MotionError
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.figure.segment import vector3
from poise.motion.equivalent import nearest
from poise.motion.joint_values import can_turn_any_way, dof_places, rotation_values
from poise.motion.rotations import euler_matrices, headings
from poise.motion.world import joint_rotations, segment_frames

if TYPE_CHECKING:
    from poise.motion.clip import Clip

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RootMotion:
    """The root over time: `positions` (frames, 3) [m] and `headings` (frames,) [rad], which are
    its turns about the up axis, without jumps."""

    up: str
    positions: Array
    headings: Array

    @property
    def on_ground(self) -> Array:
        """(frames, 3) the positions with a height of 0."""
        flat = self.positions.copy()
        flat[:, "XYZ".index(self.up)] = 0.0
        return flat


@dataclass(frozen=True, eq=False)
class Ground:
    """A motion along the ground: a turn [rad] about the up axis, then a translation [m]."""

    up: str
    heading: float
    translation: Array

    @classmethod
    def between(cls, root: RootMotion, start: int, end: int) -> Ground:
        """What brings the root from one frame to another, except for its height and tilt."""
        return cls.onto(root, start, root, end)

    @classmethod
    def onto(cls, root: RootMotion, frame: int, other: RootMotion, other_frame: int) -> Ground:
        """What brings the root from a frame to where another is in one of its frames."""
        heading = float(other.headings[other_frame] - root.headings[frame])
        turned = _turn(root.up, heading) @ root.on_ground[frame]
        return cls(root.up, heading, other.on_ground[other_frame] - turned)

    def repeated(self, count: int) -> Ground:
        """So many times one after the other; backwards if negative."""
        turn = _turn(self.up, self.heading)
        moved = np.zeros(3)
        for _ in range(abs(count)):
            moved = (
                turn @ moved + self.translation
                if count > 0
                else turn.T @ (moved - self.translation)
            )
        return Ground(self.up, count * self.heading, moved)


def root_motion(clip: Clip) -> RootMotion:
    """See `Clip.root_motion`."""
    rotations, origins = segment_frames(clip.figure, clip.angles)
    turned = headings("XYZ".index(clip.figure.up), rotations[:, 0])
    return RootMotion(clip.figure.up, origins[:, 0], np.unwrap(turned))


def in_place(clip: Clip, turning: bool) -> Clip:
    """See `Clip.in_place`."""
    root = root_motion(clip)
    flat = root.on_ground
    steps = []
    for i in range(len(clip)):
        heading = float(root.headings[0] - root.headings[i]) if turning else 0.0
        moved = flat[0] - _turn(root.up, heading) @ flat[i]
        steps.append(Ground(root.up, heading, moved))
    return clip._with(angles=moved_root(clip.figure, clip.angles, steps))


def moved(clip: Clip, translation: ArrayLike, heading: float) -> Clip:
    """See `Clip.moved`."""
    by = vector3(translation, "translation of a clip")
    if not np.isfinite(heading):
        raise MotionError(f"heading {heading!r} of a clip must be a finite number [rad]")
    step = Ground(clip.figure.up, float(heading), by)
    return clip._with(angles=moved_root(clip.figure, clip.angles, [step] * len(clip)))


def moved_root(figure: Figure, angles: Array, steps: Sequence[Ground]) -> Array:
    """(frames, dofs) with the root of every frame moved by its step along the ground."""
    if not len(angles):
        return angles
    root = figure.segments[0]
    slides, turning = dof_places(root.joint)
    result = np.array(angles)
    turns = np.array([step.heading for step in steps])
    turn = euler_matrices(figure.up, turns[:, None])
    before = np.asarray(root.rotation) @ root.joint.frame
    _check_root(figure, slides, bool(turns.any()))
    axes = np.array([_axis(m.kind % 3, m.reversed) for m in root.joint.motions[:3]])
    at_zero = np.asarray(root.offset)
    places = at_zero + angles[:, slides] @ (axes @ before.T)
    moved = np.einsum("fij,fj->fi", turn, places) + [step.translation for step in steps]
    result[:, slides] = (moved - at_zero) @ before @ axes.T
    if turns.any():
        wanted = before.T @ turn @ before @ joint_rotations(figure, angles)[:, 0]
        result[:, turning] = rotation_values(root.joint, wanted)
        result = nearest(figure, angles, result)
    return float_array(result)


def _check_root(figure: Figure, slides: list[int], turning: bool) -> None:
    joint = figure.segments[0].joint
    kinds = {m.kind for m in joint.motions[:3]}
    if slides != [0, 1, 2] or len(kinds) != 3:
        raise MotionError(
            f"the root of {figure.name} does not move freely: it needs translations along X, Y and"
            " Z before its rotations, as joint.free() has"
        )
    if turning and not can_turn_any_way(joint):
        raise MotionError(
            f"the root of {figure.name} cannot be turned: it needs three rotations, as"
            " joint.free() has"
        )


def _axis(k: int, backwards: bool) -> Array:
    return (-1.0 if backwards else 1.0) * np.eye(3)[k]


def _turn(up: str, heading: float) -> Array:
    return euler_matrices(up, np.array([heading]))
