"""The binary frames of the wire: what moves with the display. Little-endian, all parts aligned.

In (page to session):
  u8 kind, u8 flags, u16 0, u32 sequence, then
  GOAL   u32 drag, f32 x y z [m] and, with flag TURNED, f32 quaternion w x y z
  ANGLE  u32 drag, u32 dof, f32 value [rad or m]
  TIME   f64 time [s]
Out (session to page):
  POSE   u8 kind, u8 flags, u16 goals, u32 sequence, u32 figure revision, u16 segments, u16 dofs,
         f32 time [s], f32 solve time [ms], f32 centre of mass x y z [m], then
         f32[segments][7] position x y z and quaternion w x y z of each segment in the world,
         f32[dofs] angles,
         goals times: u32 id, f32 position error [m], f32 angle error [rad],
         u8[dofs] limit bits: AT_LOWER, AT_UPPER, AT_CONE, and PRESSES where it holds a goal off
  GHOSTS u8 kind, u8 0, u16 poses, u32 figure revision, u16 segments, u16 0, then for each pose
         f32 time, f32[segments][7]
  WALK   u8 kind, u8 leading foot (0 left, 1 right), u16 0, u32 figure revision, f32 time [s],
         f32 speed [m/s], f32 heading [rad] from +z to +x about up, then f32 x y z [m] of: the body
         on the ground, where the leading foot should be, where the trailing toes should be
  CROWD  u8 kind, u8 0, u16 walkers, u32 figure revision, u16 segments, u16 0, then
         f32[walkers][segments][7]
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.kernels.picture import AT_CONE, AT_LOWER, AT_UPPER

GOAL, ANGLE, TIME = 1, 2, 3
POSE, GHOSTS, WALK, CROWD = 16, 17, 18, 19
TURNED = 1
"""Flag of GOAL: a quaternion follows."""
DRAGGING, MET = 1, 2
"""Flags of POSE: it answers a drag; all goals are met."""
PRESSES = 8
"""With AT_LOWER, AT_UPPER and AT_CONE: the limit bits of a DOF in POSE."""
assert not PRESSES & (AT_LOWER | AT_UPPER | AT_CONE)

_IN = struct.Struct("<BBHI")
_GOAL = struct.Struct("<I3f")
_TURNED = struct.Struct("<I7f")
_ANGLE = struct.Struct("<IIf")
_TIME = struct.Struct("<d")
_POSE = struct.Struct("<BBHIIHHff")
_ERROR = struct.Struct("<Iff")
_GHOSTS = struct.Struct("<BBHIHH")
_WALK = struct.Struct("<BBHI12f")

POSE_HEADER, GHOSTS_HEADER, WALK_SIZE = _POSE.size + 3 * 4, _GHOSTS.size, _WALK.size
LARGEST_IN = _IN.size + _TURNED.size

Array = NDArray[np.float64]


class FrameError(PoiseError):
    """A binary frame is not one of ours."""


@dataclass(frozen=True, slots=True)
class GoalFrame:
    """A goal was dragged to `position` [m], and turned to `rotation` (w, x, y, z) if given."""

    sequence: int
    drag: int
    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float] | None


@dataclass(frozen=True, slots=True)
class AngleFrame:
    """A DOF was turned to `value` [rad or m]."""

    sequence: int
    drag: int
    dof: int
    value: float


@dataclass(frozen=True, slots=True)
class TimeFrame:
    """Show the document at `time` [s]."""

    sequence: int
    time: float


Frame = GoalFrame | AngleFrame | TimeFrame


def decode_frame(data: bytes) -> Frame:
    """A frame from the page, checked."""
    if not _IN.size <= len(data) <= LARGEST_IN:
        raise FrameError(f"a binary frame of {len(data)} bytes; the largest has {LARGEST_IN}")
    kind, flags, _, sequence = _IN.unpack_from(data)
    if kind == GOAL:
        drag, *numbers = _body(_TURNED if flags & TURNED else _GOAL, data)
        turn = tuple(numbers[3:]) or None
        if turn is not None and abs(math.hypot(*turn) - 1.0) > 1e-3:
            raise FrameError("the quaternion of a goal frame is not of length 1")
        return GoalFrame(sequence, drag, tuple(numbers[:3]), turn)
    if kind == ANGLE:
        drag, dof, value = _body(_ANGLE, data)
        return AngleFrame(sequence, drag, dof, value)
    if kind == TIME:
        return TimeFrame(sequence, *_body(_TIME, data))
    raise FrameError(f"a binary frame of kind {kind}; known are {GOAL}, {ANGLE} and {TIME}")


def _body(layout: struct.Struct, data: bytes) -> tuple:
    if len(data) != _IN.size + layout.size:
        raise FrameError(f"a frame of {len(data)} bytes; {_IN.size + layout.size} were expected")
    numbers = layout.unpack_from(data, _IN.size)
    if not all(map(math.isfinite, numbers)):
        raise FrameError("a frame with a number that is not finite; give finite numbers")
    return numbers


def encode_goal(frame: GoalFrame) -> bytes:
    """A goal frame as the page sends it."""
    turned = frame.rotation is not None
    head = _IN.pack(GOAL, TURNED if turned else 0, 0, frame.sequence)
    if frame.rotation is None:
        return head + _GOAL.pack(frame.drag, *frame.position)
    return head + _TURNED.pack(frame.drag, *frame.position, *frame.rotation)


def encode_angle(frame: AngleFrame) -> bytes:
    """An angle frame as the page sends it."""
    return _IN.pack(ANGLE, 0, 0, frame.sequence) + _ANGLE.pack(frame.drag, frame.dof, frame.value)


def encode_time(frame: TimeFrame) -> bytes:
    """A time frame as the page sends it."""
    return _IN.pack(TIME, 0, 0, frame.sequence) + _TIME.pack(frame.time)


@dataclass(frozen=True, slots=True)
class PoseFrame:
    """A pose as the page draws it."""

    sequence: int
    revision: int
    flags: int
    time: float
    solve_ms: float
    center_of_mass: Array  # (3,)
    transforms: NDArray[np.float32]  # (segments, 7)
    angles: Array  # (dofs,)
    goals: list[tuple[int, float, float]]
    """id, position error [m], angle error [rad]."""
    limits: NDArray[np.uint8]  # (dofs,)


def encode_pose(
    flags: int,
    sequence: int,
    revision: int,
    times: tuple[float, float],
    numbers: NDArray[np.float32],
    limits: NDArray[np.uint8],
    goals: list[tuple[int, float, float]],
) -> bytes:
    """A pose for the page.

    times: of the pose [s] and of its solve [ms]. numbers: centre of mass, places of the segments
    and angles, one after the other. goals: id, position error [m], angle error [rad].
    """
    segments = (numbers.size - limits.size) // 7
    head = _POSE.pack(*(POSE, flags, len(goals), sequence, revision, segments, limits.size, *times))
    errors = [_ERROR.pack(*goal) for goal in goals]
    return b"".join((head, numbers.tobytes(), *errors, limits.tobytes()))


def decode_pose(data: bytes) -> PoseFrame:
    """A pose as a client in Python reads it (tests and studies; the page has its own)."""
    if len(data) < POSE_HEADER or data[0] != POSE:
        raise FrameError("not a pose frame")
    _, flags, goals, sequence, revision, segments, dofs, time, solve_ms = _POSE.unpack_from(data)
    center = np.frombuffer(data, "<f4", 3, _POSE.size).astype(float)
    at = POSE_HEADER
    if len(data) != at + segments * 28 + dofs * 5 + goals * 12:
        raise FrameError(f"a pose frame of {len(data)} bytes, cut or too long")
    transforms = np.frombuffer(data, "<f4", segments * 7, at).reshape(-1, 7)
    at += segments * 28
    angles = np.frombuffer(data, "<f4", dofs, at).astype(float)
    at += dofs * 4
    errors = [_ERROR.unpack_from(data, at + 12 * k) for k in range(goals)]
    limits = np.frombuffer(data, np.uint8, dofs, at + 12 * goals)
    return PoseFrame(
        sequence, revision, flags, time, solve_ms, center, transforms, angles,
        errors, limits,
    )  # fmt: skip


def encode_ghosts(revision: int, ghosts: list[tuple[float, NDArray[np.float32]]]) -> bytes:
    """Poses to draw besides the pose: (time, transforms (segments, 7)) each."""
    segments = len(ghosts[0][1]) if ghosts else 0
    head = _GHOSTS.pack(GHOSTS, 0, len(ghosts), revision, segments, 0)
    parts = [struct.pack("<f", time) + np.asarray(rows, "<f4").tobytes() for time, rows in ghosts]
    return head + b"".join(parts)


@dataclass(frozen=True)
class WalkFrame:
    """Where a walker is, and where its feet should be (`marks`)."""

    revision: int
    leading: int
    time: float
    speed: float
    heading: float
    marks: Array
    """(3, 3) [m]: the body on the ground, the leading foot, the trailing toes."""


def encode_walk(walk: WalkFrame) -> bytes:
    """A walk frame for the page."""
    numbers = (walk.time, walk.speed, walk.heading, *walk.marks.ravel().tolist())
    return _WALK.pack(WALK, walk.leading, 0, walk.revision, *numbers)


def encode_crowd(revision: int, poses: NDArray[np.float32]) -> bytes:
    """Those who walk about the figure: transforms (walkers, segments, 7)."""
    walkers, segments = poses.shape[:2]
    head = _GHOSTS.pack(CROWD, 0, walkers, revision, segments, 0)
    return head + np.asarray(poses, "<f4").tobytes()


def decode_crowd(data: bytes) -> NDArray[np.float32]:
    """(walkers, segments, 7), as a client in Python reads it."""
    if len(data) < _GHOSTS.size or data[0] != CROWD:
        raise FrameError("not a crowd frame")
    _, _, walkers, _, segments, _ = _GHOSTS.unpack_from(data)
    return np.frombuffer(data, "<f4", offset=_GHOSTS.size).reshape(walkers, segments, 7)


def decode_walk(data: bytes) -> WalkFrame:
    """A walk frame as a client in Python reads it."""
    if len(data) != WALK_SIZE or data[0] != WALK:
        raise FrameError("not a walk frame")
    _, leading, _, revision, time, speed, heading, *marks = _WALK.unpack(data)
    return WalkFrame(revision, leading, time, speed, heading, np.reshape(marks, (3, 3)))
