"""Other values of the same DOFs that mean the same pose: full turns, and flips of Euler angles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.joint import Motion, MotionKind
from poise.figure.rotation import EULER_ORDERS
from poise.motion.joint_values import euler_order

Array = NDArray[np.float64]
TURN = 2.0 * np.pi
HALF_TURN = np.pi
SAME = 1e-9
"""A flip must be nearer by more than this [rad]."""
LEAST = 1e-9
"""A rotation vector shorter than this [rad] has no axis of its own."""


class Carried(NamedTuple):
    """How a frame came out that is unwrapped, for the frame after it."""

    flipped: bool = False
    turns: tuple[float, ...] = (0.0,)
    axis: tuple[float, ...] = (0.0, 0.0, 0.0)
    """That its turns are about, of a rotation vector."""

    @classmethod
    def of(cls, flipped: bool, turns: Array, axis: Array | None = None) -> Carried:
        if not turns.any():
            return cls(flipped)
        return cls(flipped, tuple(turns.tolist()), (0.0,) if axis is None else tuple(axis.tolist()))


@dataclass(frozen=True)
class Group:
    """DOFs without limits, one after the other, whose values have equivalents."""

    kind: Literal["turn", "euler", "repeated euler", "vector"]
    dofs: slice

    def nearest(self, reference: Array, values: Array) -> Array:
        """(rows, dofs of the group) the equivalents of `values` that are nearest to `reference`."""
        if self.kind == "vector":
            return _nearest_vectors(reference, values)
        near = _whole_turns(reference, values)
        if self.kind == "turn":
            return near
        flipped = _whole_turns(reference, self._flipped(values))
        closer = _distance(flipped, reference) < _distance(near, reference) - SAME
        return np.where(closer[:, None], flipped, near)

    def unwrapped(self, values: Array) -> Array:
        """(frames, dofs of the group) each at its equivalent nearest to the one before."""
        return self.carried_on(values, Carried())[0]

    def carried_on(self, values: Array, before: Carried) -> tuple[Array, Carried]:
        """The same where `before` says how the first one came out, and how the last one did."""
        if not len(values):
            return values, before
        if self.kind == "vector":
            return _unwrapped_vectors(values, before)
        flips = np.full(len(values), before.flipped)
        if self.kind != "turn":
            flipped = self._flipped(values)
            flips = _flips(values, flipped, before.flipped)
            values = np.where(flips[:, None], flipped, values)
        turns = np.empty_like(values)
        turns[0] = before.turns
        turns[1:] = turns[0] + np.cumsum(np.round((values[:-1] - values[1:]) / TURN), axis=0)
        found = np.where(turns == 0.0, values, values + TURN * turns)
        return found, Carried.of(bool(flips[-1]), turns[-1])

    def _flipped(self, values: Array) -> Array:
        """The other Euler angles of the same rotations."""
        middle = np.pi - values[:, 1] if self.kind == "euler" else -values[:, 1]
        return np.column_stack([values[:, 0] + np.pi, middle, values[:, 2] + np.pi])


def groups(figure: Figure) -> list[Group]:
    """The groups of a figure, in the order of its DOFs. Limited DOFs belong to none."""
    found: list[Group] = []
    first = 0
    for segment in figure.segments:
        found += _joint_groups(segment.joint.motions, euler_order(segment.joint), first)
        first += len(segment.joint.dofs)
    return found


def _joint_groups(motions: tuple[Motion, ...], order: str, first: int) -> list[Group]:
    found: list[Group] = []
    turning: list[int] = []
    for motion in motions:
        free = all(np.isinf(dof.lower) and np.isinf(dof.upper) for dof in motion.dofs)
        if free and motion.kind == MotionKind.ROTATION_VECTOR:
            found.append(Group("vector", slice(first, first + 3)))
        elif free and motion.kind <= MotionKind.ROTATE_Z:
            turning.append(first)
        first += len(motion.dofs)
    if order in EULER_ORDERS and len(turning) == 3 and turning[2] - turning[0] == 2:
        kind = "repeated euler" if order[0] == order[2] else "euler"
        return [*found, Group(kind, slice(turning[0], turning[0] + 3))]
    return found + [Group("turn", slice(dof, dof + 1)) for dof in turning]


def nearest(figure: Figure, reference: Array, values: Array) -> Array:
    """(rows, dofs) `values` with every group at its equivalent nearest to `reference`."""
    result = np.array(values)
    for group in groups(figure):
        at = group.dofs
        result[:, at] = group.nearest(reference[:, at], values[:, at])
    return result


def unwrapped(figure: Figure, angles: Array) -> Array:
    """(frames, dofs) every frame at its equivalent nearest to the one before."""
    return Unwrapping(figure).next(angles)


class Unwrapping:
    """Unwraps a motion block by block, to the same bits as in one piece."""

    def __init__(self, figure: Figure) -> None:
        self._groups = groups(figure)
        self._carried = [Carried()] * len(self._groups)
        self._last = np.empty((0, len(figure.dofs)))
        """(1, dofs) the last frame as it came; no row before the first block."""

    def next(self, angles: Array) -> Array:
        """(frames, dofs) the frames after those that came before, unwrapped."""
        seen = len(self._last)
        rows = np.concatenate([self._last, angles])
        longest = np.abs(np.diff(rows, axis=0)).max(0, initial=0.0)
        self._last = rows[-1:].copy()
        for g, group in enumerate(self._groups):
            # Shorter steps than half a turn have no nearer equivalent: most motion is like that.
            if longest[group.dofs].sum() >= HALF_TURN or self._carried[g] != Carried():
                own = group.carried_on(rows[:, group.dofs], self._carried[g])
                rows[:, group.dofs], self._carried[g] = own
        return rows[seen:]


def _whole_turns(reference: Array, values: Array) -> Array:
    turns = np.round((reference - values) / TURN)
    return np.where(turns == 0.0, values, values + TURN * turns)


def _flips(values: Array, flipped: Array, first: bool) -> NDArray[np.bool_]:
    """(frames,) whether the flipped angles are the ones near the frame before, as it came out."""
    either = (values, flipped)
    # Whether to flip a frame, if the one before was not flipped, and if it was.
    rules = []
    for before in either:
        there = before[:-1]
        near, far = (_distance(_whole_turns(there, one[1:]), there) for one in either)
        rules.append((far < near - SAME).tolist())
    state, states = first, [first]
    for when_not, when_flipped in zip(*rules, strict=True):
        state = when_flipped if state else when_not
        states.append(state)
    return np.array(states)


def _unwrapped_vectors(vectors: Array, before: Carried) -> tuple[Array, Carried]:
    """Rotation vectors, each with as many full turns more as bring it near the one before."""
    axes = _axes(vectors, before.axis)
    drop = np.sum((vectors[:-1] - vectors[1:]) * axes[1:], -1) / TURN
    along = np.sum(axes[:-1] * axes[1:], -1)
    count = before.turns[0]
    counts = [count]
    for step, same in zip(drop.tolist(), along.tolist(), strict=True):
        count = float(round(step + same * count))
        counts.append(count)
    turns = np.array(counts)[:, None]
    found = np.where(turns == 0.0, vectors, vectors + TURN * turns * axes)
    return found, Carried.of(False, turns[-1], axes[-1])


def _axes(vectors: Array, first: tuple[float, ...]) -> Array:
    """(frames, 3) the axes of rotation vectors; no rotation has that of the frame before, and the
    first one then has `first`."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    turning = lengths[:, 0] > LEAST
    last = np.maximum.accumulate(np.where(turning, np.arange(len(vectors)), 0))
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=turning[:, None])
    if not turning[0]:
        unit[0] = first
    return unit[last]


def _nearest_vectors(reference: Array, vectors: Array) -> Array:
    """Rotation vectors lengthened or shortened by full turns about their own axis."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    # No rotation at all has no axis of its own: it borrows that of the reference.
    spare = np.linalg.norm(reference, axis=-1, keepdims=True)
    borrowed = np.divide(reference, spare, out=np.zeros_like(reference), where=spare > 0.0)
    axes = np.divide(vectors, lengths, out=borrowed, where=lengths > LEAST)
    along = np.sum(reference * axes, -1, keepdims=True)
    turns = np.round((along - np.sum(vectors * axes, -1, keepdims=True)) / TURN)
    return np.where(turns == 0.0, vectors, vectors + TURN * turns * axes)


def _distance(a: Array, b: Array) -> Array:
    return np.abs(a - b).sum(-1)
