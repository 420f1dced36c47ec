"""What a document asks of the solver at one time: its goals as goals of the solver, by levels.

Level 1: pins, the ground, balance. Level 2: the other goals. Level 3: posture, towards A(t). For a
method without levels all are on one, weighted by what they would be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.figure.rotation import between, from_quaternion, from_vector, to_quaternion, to_vector
from poise.goals import (
    Aim,
    CenterOfMass,
    Goal,
    HalfSpace,
    Line,
    Orientation,
    Plane,
    Pose6D,
    Position,
    Posture,
    Relative,
)
from poise.motion.chains import chain_dofs
from poise.motion.document import KeyedGoal, Settings, Target
from poise.problem.metric import characteristic_length
from poise.solve.capabilities import Feature
from poise.solve.method import Method

Array = NDArray[np.float64]

POSTURE = "posture"
PIN_WEIGHT, POSTURE_WEIGHT = 100.0, 1e-3
"""Against other goals, for methods without levels."""
STIFF = 400.0
"""How many times as much as other joints a fully stiff root minds moving."""
SOLE = ("heel", "toe", "ball", "foot")
"""Parts of the names of sites that touch the ground."""
SOLE_HEIGHT = 0.05
"""Sites of these names at rest not higher than this above the lowest of them are soles [m]."""


def goal_name(goal: KeyedGoal, others: Sequence[KeyedGoal]) -> str:
    """What the solver calls a goal: its effector, with its kind where it has several goals."""
    shared = any(o.effector == goal.effector and o.id != goal.id for o in others)
    return f"{goal.effector} ({goal.kind})" if shared else goal.effector


def demand(goal: KeyedGoal, target: Target, pose: Pose, name: str) -> Goal:
    """A keyed goal for the solver. `pose` is A(t): what a blend below 1 is blended with."""
    options = {
        "weight": goal.weight,
        "level": 1 if goal.pinned and goal.strained is None else 2,
        "chain": chain_dofs(pose.figure, goal.effector, goal.chain),
        "name": name,
    }
    if goal.space and goal.kind in ("position", "pose"):
        return _relative(goal, target, pose, options)
    world = in_world(goal, target, pose)
    point = blended_point(goal.kind, goal.effector, world, pose)
    direction, effector = np.asarray(world.direction), goal.effector
    if goal.kind == "position":
        return Position(effector, point, **options)
    if goal.kind == "pose":
        turn = _blended_turn(pose.rotation(effector), world)
        return Pose6D(effector, point, turn, **options)
    if goal.kind == "orientation":
        return Orientation(effector, _blended_turn(pose.rotation(effector), world), **options)
    if goal.kind == "aim":
        return Aim(effector, point, **options)
    kinds = {"line": Line, "plane": Plane, "half-space": HalfSpace}
    return kinds[goal.kind](effector, point, direction, **options)


def in_world(goal: KeyedGoal, target: Target, pose: Pose) -> Target:
    """A target of a goal in a segment's space as the pose has that segment."""
    if not goal.space:
        return target
    turn, origin = pose.rotation(goal.space), pose.position(goal.space)
    return replace(
        target,
        position=origin + turn @ np.asarray(target.position),
        rotation=to_quaternion(turn @ from_quaternion(target.rotation)),
        direction=turn @ np.asarray(target.direction),
    )


def in_space(space: str, target: Target, pose: Pose) -> Target:
    """A target in the world as seen from a segment of the pose; the reverse of `in_world`."""
    if not space:
        return target
    turn, origin = pose.rotation(space), pose.position(space)
    return replace(
        target,
        position=turn.T @ (np.asarray(target.position) - origin),
        rotation=to_quaternion(turn.T @ from_quaternion(target.rotation)),
        direction=turn.T @ np.asarray(target.direction),
    )


def snapped(kind: str, effector: str, target: Target, pose: Pose) -> Target:
    """The target at which a goal asks for nothing: where the pose has its effector."""
    site, turn = pose.position(effector), pose.rotation(effector)
    if kind == "aim":
        distance = float(np.linalg.norm(np.asarray(target.position) - site))
        site = site + max(distance, 0.5) * turn[:, 2]
    return replace(target, position=site, rotation=to_quaternion(turn))


def blended_point(kind: str, effector: str, target: Target, pose: Pose) -> Array:
    """The point of a target, moved towards where the pose meets the goal already by its blend."""
    point, share = np.asarray(target.position), target.blend
    if share == 1.0 or kind == "orientation":
        return point
    site = pose.position(effector)
    if kind == "aim":
        reach = point - site
        distance = float(np.linalg.norm(reach))
        if distance < 1e-9:
            return point
        now = pose.rotation(effector)[:, 2]
        turn = from_vector(share * to_vector(between(now, reach / distance)))
        return site + distance * (turn @ now)
    if kind in ("position", "pose"):
        return site + share * (point - site)
    ahead = site - point
    along = float(ahead @ np.asarray(target.direction)) * np.asarray(target.direction)
    missing = ahead - along if kind == "line" else along
    if kind == "half-space" and float(ahead @ np.asarray(target.direction)) > 0.0:
        missing = np.zeros(3)
    return point + (1.0 - share) * missing


def _blended_turn(now: Array, target: Target) -> Array:
    wanted = from_quaternion(target.rotation)
    if target.blend == 1.0:
        return wanted
    return now @ from_vector(target.blend * to_vector(now.T @ wanted))


def _relative(goal: KeyedGoal, target: Target, pose: Pose, options: dict) -> Goal:
    """A goal in a segment's space follows that segment while the solver moves it."""
    turn, origin = pose.rotation(goal.space), pose.position(goal.space)
    site = turn.T @ (pose.position(goal.effector) - origin)
    point = site + target.blend * (np.asarray(target.position) - site)
    rotation = None
    if goal.kind == "pose":
        rotation = _blended_turn(turn.T @ pose.rotation(goal.effector), target)
    return Relative(goal.effector, goal.space, point, rotation, **options)


# -- what is asked besides the goals ---------------------------------------------------------------


def soles(figure: Figure) -> list[str]:
    """The sites that touch the ground."""
    rest = figure.rest()
    up = "XYZ".index(figure.up)
    named = [s.name for s in figure.sites if any(part in s.name.lower() for part in SOLE)]
    heights = {name: float(rest.position(name)[up]) for name in named}
    lowest = min(heights.values(), default=0.0)
    return [name for name in named if heights[name] <= lowest + SOLE_HEIGHT]


def up_vector(figure: Figure) -> Array:
    return np.eye(3)["XYZ".index(figure.up)]


def ground_goals(figure: Figure, pinned: Sequence[str]) -> list[Goal]:
    """The soles stay above the ground, apart from those of feet that are pinned anyway."""
    held = {figure.effector(name).segment for name in pinned}
    below = {name for segment in held for name in figure.below(segment)}
    return [
        HalfSpace(name, np.zeros(3), up_vector(figure), level=1, name=f"{name} above the ground")
        for name in soles(figure)
        if figure.effector(name).segment not in below
    ]


def balance_goals(pose: Pose, pinned: Sequence[str]) -> list[Goal]:
    """The centre of mass stays over the soles of the pinned feet, or over all soles."""
    figure = pose.figure
    segments = {figure.effector(name).segment for name in pinned}
    below = {name for segment in segments for name in figure.below(segment)}
    found = soles(figure)
    support = [name for name in found if figure.effector(name).segment in below] or found
    if len(support) < 3 or not any(segment.mass > 0.0 for segment in figure.segments):
        return []
    corners = np.array([pose.position(name) for name in support])
    up = up_vector(figure)
    spread = corners - corners.mean(0)
    flat = np.linalg.svd(spread - np.outer(spread @ up, up))[1]
    if flat[1] < 0.01:  # all in a line: nothing to stand on
        return []
    return [CenterOfMass(over=corners, up=up, level=1, name="balance")]


def posture(figure: Figure, pose: Pose, settings: Settings) -> Posture:
    """Stay near a pose. Rigid joints and the root mind moving more."""
    weights = POSTURE_WEIGHT / np.maximum(1.0 - figure.rigidity, 0.05) ** 2
    slides = [dof.kind == "translation" for dof in figure.dofs]
    weights[slides] /= characteristic_length(figure) ** 2  # a metre counts as so many radians
    root = len(figure.segments[0].joint.dofs)
    weights[:root] *= 1.0 + STIFF * settings.stiff_root
    by_name = dict(zip(figure.dof_names, weights.tolist(), strict=True))
    return Posture(pose, weight=POSTURE_WEIGHT, weights=by_name, level=3, name=POSTURE)


def levelled(goals: Sequence[Goal]) -> list[Goal]:
    """The goals with levels counted from 1 without a gap."""
    used = sorted({goal.level for goal in goals})
    return [replace(goal, level=1 + used.index(goal.level)) for goal in goals]


def flattened(goals: Sequence[Goal], method: Method) -> list[Goal]:
    """The goals on one level, as a method without levels takes them: pins weigh more where it
    weighs goals and does not crawl then, and posture is left out where it has none."""
    heavy = method.takes(Feature.WEIGHTS) and not method.follows_gradient
    pins = PIN_WEIGHT if heavy else 1.0
    return [
        replace(goal, level=1, weight=goal.weight * (pins if goal.level == 1 else 1.0))
        for goal in goals
        if method.takes(Feature.POSTURE) or not isinstance(goal, Posture)
    ]
