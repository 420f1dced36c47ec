"""Random constraint sets: figures with random relations, goals of all kinds, contradictions too.

What a set must do is in `constraints.py`; here is only how one is drawn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from motions import random_poses

import poise
from poise import JointGroup, LinearLimit, PolygonLimit
from poise.figure.joint import MotionKind

_CHARTS = (MotionKind.ROTATION_VECTOR, MotionKind.SWING)


class RandomSet(NamedTuple):
    """Something to solve."""

    figure: poise.Figure
    goals: list
    start: np.ndarray


def single_dofs(figure: poise.Figure) -> list[int]:
    """The DOFs that relations take: hinges, Euler angles, twists and slides."""
    found, dof = [], 0
    for segment in figure.segments:
        for motion in segment.joint.motions:
            if motion.kind not in _CHARTS:
                found += range(dof, dof + len(motion.dofs))
            dof += len(motion.dofs)
    return found


def random_relations(figure: poise.Figure, rng: np.random.Generator) -> list:
    """Up to two groups, three linear limits (some equalities) and a polygon."""
    inside = random_poses(figure, 1, rng)[0]
    order = list(rng.permutation(single_dofs(figure)))
    relations: list = []

    def take(count: int) -> list[int]:
        return [int(order.pop()) for _ in range(min(count, len(order)))]

    for g in range(rng.integers(0, 3)):
        members = take(2 + g)
        shares = rng.uniform(0.3, 2.0, len(members)) * rng.choice([-1, 1], len(members))
        relations.append(
            JointGroup(
                f"group {g}",
                {figure.dof_names[d]: float(s) for d, s in zip(members, shares, strict=True)},
                {figure.dof_names[d]: float(inside[d]) for d in members},
            )
        )
    for i in range(rng.integers(0, 4)):
        members = take(3)
        factors = rng.normal(size=len(members))
        at = float(factors @ inside[members])
        sides = ((at - 0.3, at + 0.2), (at, np.inf), (-np.inf, at), (at, at))[rng.integers(0, 4)]
        named = {figure.dof_names[d]: float(f) for d, f in zip(members, factors, strict=True)}
        relations.append(LinearLimit(f"limit {i}", named, *sides))
    pair = take(2)
    if rng.random() < 0.5 and len(pair) == 2:
        spread = 0.4 * rng.normal(size=(6, 2))
        corners = inside[pair] + np.vstack([spread, -spread])
        names = (figure.dof_names[pair[0]], figure.dof_names[pair[1]])
        relations.append(PolygonLimit("polygon", names, corners))
    return relations


def random_goals(figure: poise.Figure, rng: np.random.Generator) -> list:
    """One to five goals of random kinds around a random pose, near it or far off."""
    pose = figure.pose(random_poses(figure, 1, rng)[0]).clamped()
    off = float(rng.choice([0.0, 0.2, 2.0]))
    names = rng.choice(figure.effector_names, size=int(rng.integers(1, 6)))
    goals = [_goal(pose, str(name), off, rng) for name in names]
    return [_renamed(goal, f"goal {k}") for k, goal in enumerate(goals)]


def _renamed(goal: poise.Goal, name: str) -> poise.Goal:
    object.__setattr__(goal, "name", name)
    return goal


def _goal(pose: poise.Pose, name: str, off: float, rng: np.random.Generator) -> poise.Goal:
    figure = pose.figure
    point = pose.position(name) + off * rng.normal(size=3)
    other = str(rng.choice([n for n in figure.effector_names if n != name]))
    direction, weight = rng.normal(size=3), float(10.0 ** rng.uniform(-1, 1))
    turn = pose.rotation(str(rng.choice(figure.effector_names)))
    half_space = poise.HalfSpace(name, point, direction)
    makers = (
        lambda: poise.Position(name, point, weight=weight),
        lambda: poise.Orientation(name, turn, weight=weight),
        lambda: poise.Pose6D(name, point, turn, weight=weight),
        lambda: poise.Aim(name, point + direction, weight=weight),
        lambda: poise.Line(name, point, direction, weight=weight),
        lambda: poise.Plane(name, point, direction, weight=weight),
        lambda: half_space,
        lambda: poise.AnyOf(half_space, poise.AnyOf(poise.Position(name, point), half_space)),
        lambda: poise.AnyOf.outside(name, point + 0.2 * np.eye(3), np.eye(3)),
        lambda: poise.Distance(name, other, at_least=abs(off)),
        lambda: poise.Distance(name, other, at_most=0.1 + abs(off)),
        lambda: poise.Relative(name, other, direction, turn, weight=weight),
        lambda: poise.Posture(pose, weight=1e-3 * weight),
        lambda: poise.CenterOfMass(point),
        lambda: poise.Position(name, point, chain=figure.dof_names[-3:], weight=weight),
    )
    massive = any(segment.mass > 0 for segment in figure.segments)
    k = int(rng.integers(0, len(makers)))
    return makers[k if massive or k != 13 else 0]()


def random_set(figures: list, seed: int) -> RandomSet | None:
    """A set, or None where its relations leave no room or its goals do not fit the figure."""
    rng = np.random.default_rng(seed)
    figure = figures[rng.integers(0, len(figures))]
    try:
        related = figure.with_relations(*random_relations(figure, rng))
        goals = random_goals(related, rng)
        poise.Problem(related, goals)
    except poise.PoiseError:
        return None
    start = related.rest().angles + float(rng.choice([0.0, 1.0])) * rng.normal(
        size=len(related.dofs)
    )
    return RandomSet(related, goals, start)
