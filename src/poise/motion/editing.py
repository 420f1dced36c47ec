"""What an animator does to a document. Each takes one and gives another, and nothing pops.

A pose that is set at a time goes where A(t) comes from: a fix over a clip, a key among keys, or the
standing pose. A target goes to the key at that time if its goal is keyed, else to the goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.errors import MotionError
from poise.figure.pose import Pose
from poise.motion.demands import in_space, snapped
from poise.motion.document import SAME_TIME, Document, Fix, Key, KeyedGoal, Target
from poise.motion.fixing import fixed
from poise.motion.posing import Posing

Array = NDArray[np.float64]


def with_pose(document: Document, time: float, pose: Pose, moved: Iterable[str] = ()) -> Document:
    """The document with its pose at a time changed. `moved`: what a fix must not hold."""
    if document.clip is not None:
        given = np.array_equal(pose.angles, Posing(document).angles(time))
        return document if given else fixed(document, time, pose, moved)
    if document.angle_keys:
        return keyed(document, time, pose)
    posing = Posing(document)
    for goal in document.goals:
        target = _settled(goal, posing.target(goal, time), pose)
        if target is not goal.target and not document.keys_of(goal.id):
            document = document.with_goal(replace(goal, target=target))
    return replace(document, angles=pose.angles)


def keyed(document: Document, time: float, pose: Pose) -> Document:
    """K: the angles of a pose and the targets of all goals that are on, or keyed, at a time.

    A target that is blended with A(t) is keyed where the effector is, since A(t) is there now.
    """
    if document.clip is not None:
        document = fixed(document, time, pose)
    posing = Posing(document)
    wanted = {}
    for goal in document.goals:
        target = _settled(goal, posing.target(goal, time), pose)
        if target.on or document.keys_of(goal.id):
            wanted[goal.id] = target
    angles = None if document.clip is not None else pose.angles
    if angles is None and not wanted:
        return document  # the fix says it all
    old = document.key_at(time)
    ease = "smooth" if old is None else old.ease
    return document.with_key(
        Key(document.next_id if old is None else old.id, time, angles, wanted, ease)
    )


def with_target(document: Document, goal: int, time: float, target: Target) -> Document:
    """The document with the target of a goal changed, at a time if the goal is keyed."""
    if not document.keys_of(goal):
        return document.with_goal(replace(document.goal(goal), target=target))
    old = document.key_at(time)
    if old is None:
        key = Key(document.next_id, time, None, {goal: target})
    else:
        key = replace(old, targets={**old.targets, goal: target})
    return document.with_key(key)


def switched(document: Document, goal: int, time: float, pose: Pose, on: bool) -> Document:
    """A goal switched on, with its target where the effector is, or off, with the pose kept.

    Among keys it is a step at that time: before it the goal stays as it was.
    """
    subject = document.goal(goal)
    target = Posing(document).target(subject, time)
    if target.on == on:
        return document
    document = with_pose(document, time, pose)
    if document.keys:
        document = _with_step_before(document, subject, time, target)
    if on:
        target = snapped_in_space(subject, target, pose)
    return with_target(document, goal, time, replace(target, on=on))


def _settled(goal: KeyedGoal, target: Target, pose: Pose) -> Target:
    """A target once A(t) is the pose: one that was blended with the old A(t) is where it led."""
    blended = target.on and 0.0 < target.blend < 1.0
    return snapped_in_space(goal, target, pose) if blended else target


def snapped_in_space(goal: KeyedGoal, target: Target, pose: Pose) -> Target:
    """A goal's target where the pose has its effector, in the goal's own space."""
    return in_space(goal.space, snapped(goal.kind, goal.effector, target, pose), pose)


def _with_step_before(document: Document, goal: KeyedGoal, time: float, target: Target) -> Document:
    """A goal without keys gets its old target at the first key, if that comes before `time`."""
    first = document.keys[0]
    if document.keys_of(goal.id) or first.time >= time - SAME_TIME:
        key = document.key_at(time) or Key(document.next_id, time)
        return document.with_key(replace(key, targets={**key.targets, goal.id: target}))
    return document.with_key(replace(first, targets={**first.targets, goal.id: target}))


# -- keys on the timeline --------------------------------------------------------------------------


def moved_keys(document: Document, ids: Sequence[int], by: float) -> Document:
    """Keys and fixes shifted in time [s]; one that arrives at another's time replaces it."""
    if not np.isfinite(by):
        raise MotionError(f"keys cannot move by {by!r}; give seconds")
    chosen = _chosen(document, ids)
    rest = document.without(ids)
    first = min(item.time for item in chosen)
    shift = max(by, -first)
    for item in chosen:
        rest = _replacing(rest, replace(item, time=item.time + shift))
    return rest


def copied_keys(document: Document, ids: Sequence[int], time: float) -> Document:
    """Copies of keys and fixes, the first of them at `time` [s]."""
    if not (np.isfinite(time) and time >= 0.0):
        raise MotionError(f"keys cannot be copied to {time!r} s; give seconds, 0 or more")
    chosen = _chosen(document, ids)
    first = min(item.time for item in chosen)
    for item in chosen:
        copy = replace(item, id=document.next_id, time=time + item.time - first)
        document = _replacing(document, copy)
    return document


def eased_keys(document: Document, ids: Sequence[int], ease: str) -> Document:
    """Keys with another ease."""
    for item in _chosen(document, ids):
        if isinstance(item, Key):
            document = document.with_key(replace(item, ease=ease))
    return document


def _chosen(document: Document, ids: Sequence[int]) -> list[Key | Fix]:
    known = {item.id: item for item in (*document.keys, *document.fixes)}
    lost = [i for i in ids if i not in known]
    if lost or not ids:
        raise MotionError(f"there is no key or fix with id {lost[0]}" if lost else "no key given")
    return sorted((known[i] for i in dict.fromkeys(ids)), key=lambda item: item.time)


def _replacing(document: Document, item: Key | Fix) -> Document:
    """The document with an item in place of what is at its time."""
    if isinstance(item, Fix):
        return document.with_fix(item)
    old = document.key_at(item.time)
    return (document if old is None else document.without([old.id])).with_key(item)
