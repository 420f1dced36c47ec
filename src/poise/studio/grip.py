"""What is taken hold of: the goal that a drag moves, what goes with it, and what stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from poise.errors import GoalError
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.figure.rotation import to_quaternion
from poise.goals import Goal, Pose6D
from poise.motion.demands import in_world, soles
from poise.motion.document import Document, KeyedGoal, Target
from poise.motion.posing import Posed, Posing
from poise.studio.handles import limb_end

TEMPORARY = 0
"""The id of a goal that lives only while it is dragged."""


@dataclass(frozen=True)
class Grip:
    """What is dragged, and how it began."""

    goal: KeyedGoal
    target: Target
    """In the world."""
    is_temporary: bool


def grip_on(posing: Posing, start: Posed, effector: str, turn: bool, id_: int | None) -> Grip:
    """The goal that a drag moves: the one named, one that holds the effector, or one for now."""
    document, pose = posing.document, start.pose
    pose.figure.effector(effector)
    if id_ is not None:
        goal = document.goal(id_)
        if goal.effector != effector:
            raise GoalError(f"goal {id_} is on {goal.effector!r}, not on {effector!r}")
        return Grip(goal, in_world(goal, posing.target(goal, start.time), pose), False)
    site, rotation = pose.position(effector), to_quaternion(pose.rotation(effector))
    for goal in document.goals:
        target = posing.target(goal, start.time)
        if goal.effector == effector and goal.kind in ("position", "pose") and target.on:
            world = in_world(goal, target, pose)
            here = replace(world, position=site, rotation=rotation, blend=1.0)
            return Grip(goal, here, False)
    kind = "pose" if turn else "position"
    here = Target(site, rotation)
    return Grip(KeyedGoal(TEMPORARY, effector, kind, here), here, True)


def moved_with(figure: Figure, effector: str) -> list[str]:
    """What a fix must not hold when an effector is dragged: it, its segment, and its sites."""
    segment = figure.effector(effector).segment
    return [effector, segment, *(s.name for s in figure.sites if s.segment == segment)]


def floor_of(document: Document, pose: Pose, effector: str, kind: str) -> np.ndarray | None:
    """(3,) the least that each coordinate of a target may be: a foot is not dragged underground.
    None where nothing bounds it."""
    figure, least = pose.figure, np.full(3, -np.inf)
    below = figure.below(figure.effector(effector).segment)
    own = [name for name in soles(figure) if figure.effector(name).segment in below]
    if document.settings.ground and kind in ("position", "pose") and own:
        up = "XYZ".index(figure.up)
        if figure.segments[0].name != figure.effector(effector).segment:
            lowest = min(float(pose.position(name)[up]) for name in own)
            least[up] = float(pose.position(effector)[up]) - max(lowest, 0.0)
            return least
    return None


def held_end(figure: Figure, pose: Pose, subject: KeyedGoal, others: Sequence[Goal]) -> list[Goal]:
    """Dragging an elbow or knee turns it about a hand or foot that stays."""
    end = limb_end(figure, subject.effector)
    held = {getattr(goal, "effector", None) for goal in others if goal.level == 1}
    if end is None or end in held:
        return []
    return [Pose6D(end, pose.position(end), pose.rotation(end), name=f"{end} held")]
