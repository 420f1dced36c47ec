"""Between keys: each number by a monotone cubic, rotations by slerp, switches by steps.

A monotone cubic (Fritsch & Butland) never leaves the range of its two ends, so what is inside a
box at two keys is inside it between them, and what is equal at two keys is constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.joint import Joint
from poise.figure.rotation import EULER_ORDERS
from poise.motion.document import Ease, Key, Target
from poise.motion.equivalent import Group, groups, unwrapped
from poise.motion.joint_values import euler_order, rotation_values, turns
from poise.motion.rotations import (
    euler_matrices,
    quaternion_matrices,
    quaternion_product,
    quaternion_vectors,
    slerp,
    vector_quaternions,
)

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Place:
    """Where a time is among the times of keys."""

    index: int
    """Of the key at or before it; the first key for what is before all."""
    share: float
    """How far towards the next key in time, in [0, 1); 0 after the last."""


def place(times: Array, time: float) -> Place:
    """Where a time is among `times` (keys,), which rise."""
    i = int(np.searchsorted(times, time, side="right")) - 1
    if i < 0:
        return Place(0, 0.0)
    if i == len(times) - 1:
        return Place(i, 0.0)
    return Place(i, float((time - times[i]) / (times[i + 1] - times[i])))


def between_keys(times: Array, values: Array, eases: Sequence[Ease], time: float) -> Array:
    """(n,) the numbers at a time, from `values` (keys, n). A key's own time gives its own bits."""
    at = place(times, time)
    a = values[at.index]
    if at.share == 0.0 or eases[at.index] == "hold":
        return a.copy()
    b, u = values[at.index + 1], at.share
    if eases[at.index] == "linear":
        result = a + u * (b - a)
    else:
        width = times[at.index + 1] - times[at.index]
        from_a = width * _slope(times, values, eases, at.index)
        to_b = width * _slope(times, values, eases, at.index + 1)
        rise = u * u * (3.0 - 2.0 * u)
        result = a + (b - a) * rise + from_a * u * (1.0 - u) ** 2 - to_b * u * u * (1.0 - u)
    return np.clip(result, np.minimum(a, b), np.maximum(a, b))


def _slope(times: Array, values: Array, eases: Sequence[Ease], k: int) -> Array:
    """(n,) the slope at key k [per s]: the weighted harmonic mean of those on both sides.

    0 at an extremum, and at the ends, so that motion starts and ends softly.
    """
    if k == 0 or k == len(times) - 1 or eases[k - 1] == "hold":
        return np.zeros(values.shape[1])
    before, after = times[k] - times[k - 1], times[k + 1] - times[k]
    left, right = (values[k] - values[k - 1]) / before, (values[k + 1] - values[k]) / after
    u, v = 2.0 * after + before, after + 2.0 * before
    same = left * right > 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(same, (u + v) / (u / left + v / right), 0.0)


def rotation_between(times: Array, quaternions: Array, eases: Sequence[Ease], time: float) -> Array:
    """(4,) the rotation at a time, from `quaternions` (keys, 4): the short way from key to key,
    as fast as a monotone cubic of the angle turned so far says."""
    at = place(times, time)
    a = quaternions[at.index]
    if at.share == 0.0 or eases[at.index] == "hold":
        return a.copy()
    steps = quaternion_product(quaternions[:-1] * [1.0, -1.0, -1.0, -1.0], quaternions[1:])
    turned = np.append(0.0, np.cumsum(np.linalg.norm(quaternion_vectors(steps), axis=1)))
    whole = turned[at.index + 1] - turned[at.index]
    if whole < 1e-12:
        return a.copy()
    so_far = between_keys(times, turned[:, None], eases, time)[0] - turned[at.index]
    return slerp(a, quaternions[at.index + 1], np.array(so_far / whole))


def angles_between(figure: Figure, keys: Sequence[Key], time: float) -> Array:
    """(dofs,) A(t) of keys with angles. Limits other than boxes may need a projection."""
    times = np.array([key.time for key in keys])
    eases: list[Ease] = [key.ease for key in keys]
    at = place(times, time)
    if at.share == 0.0 or len(keys) == 1:
        return np.array(keys[at.index].angles)
    rows = unwrapped(figure, np.array([key.angles for key in keys]))
    result = between_keys(times, rows, eases, time)
    for group, joint in _balls(figure):
        quaternions = _quaternions(group, joint, rows[:, group.dofs])
        turn = rotation_between(times, quaternions, eases, time)
        values = _values(group, joint, turn)
        result[group.dofs] = group.nearest(result[None, group.dofs], values)[0]
    return result


def target_between(keys: Sequence[Key], goal: int, time: float) -> Target:
    """The target of a goal at a time, from the keys that have one for it."""
    times = np.array([key.time for key in keys])
    eases: list[Ease] = [key.ease for key in keys]
    targets = [key.targets[goal] for key in keys]
    at = place(times, time)
    if at.share == 0.0 or len(keys) == 1:
        return targets[at.index]
    numbers = np.array([[*np.asarray(t.position), t.blend] for t in targets])
    *position, blend = between_keys(times, numbers, eases, time).tolist()
    rotation = rotation_between(times, np.array([t.rotation for t in targets]), eases, time)
    direction = between_keys(times, np.array([t.direction for t in targets]), eases, time)
    if np.linalg.norm(direction) < 1e-6:  # opposite directions: no way between them is the one
        direction = np.asarray(targets[at.index].direction)
    return Target(position, rotation, direction, blend, targets[at.index].on)


# -- joints that can turn any way ------------------------------------------------------------------


def _balls(figure: Figure) -> list[tuple[Group, Joint]]:
    """The joints without limits that turn about three axes, with their DOFs."""
    joints = [segment.joint for segment in figure.segments for _ in segment.joint.dofs]
    return [(group, joints[group.dofs.start]) for group in groups(figure) if group.kind != "turn"]


def _signs(joint: Joint) -> Array:
    return np.array([-1.0 if m.reversed else 1.0 for m in turns(joint) for _ in m.dofs])


def _quaternions(group: Group, joint: Joint, values: Array) -> Array:
    from poise.figure.rotation import to_quaternion

    if group.kind == "vector":
        return vector_quaternions(_signs(joint)[-3:] * values)
    order = euler_order(joint)
    assert order in EULER_ORDERS
    return to_quaternion(euler_matrices(order, _signs(joint) * values))


def _values(group: Group, joint: Joint, quaternion: Array) -> Array:
    if group.kind == "vector":
        return _signs(joint)[-3:] * quaternion_vectors(quaternion[None])
    return rotation_values(joint, quaternion_matrices(quaternion[None]))
