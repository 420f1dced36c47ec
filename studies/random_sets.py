"""Random constraint sets: figures with random relations, goals of all kinds, contradictions too.

What a set must do is in `relations.py`; here is only how one is drawn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from motions import random_poses

import poise
from poise import JointGroup, LinearLimit, PolygonLimit, Segment, Site, joint
from poise.figure.joint import MotionKind

_CHARTS = (MotionKind.ROTATION_VECTOR, MotionKind.SWING)


class RandomSet(NamedTuple):
    """Something to solve."""

    figure: poise.Figure
    goals: list
    off: list
    """Names of the goals that are switched off at first."""
    start: np.ndarray


def figures() -> list[poise.Figure]:
    """Figures with free and fixed roots, hinges, slides, balls and swing cones."""
    made = poise.figures
    return [made.human(), made.arm(), made.spider(), made.snake(12), tentacle()]


def tentacle() -> poise.Figure:
    """A slide, then six joints with swing cones and twists, some with boxes inside the cones."""
    segments = [Segment("rail", None, joint.prismatic("X", (-0.5, 0.5)), mass=1.0)]
    for i in range(6):
        turn = joint.swing_twist(0.3 + 0.1 * i, (-0.4, 0.5), "Y")
        at = (0.0, 0.25, 0.0) if i else (0.0, 0.0, 0.0)
        segments.append(Segment(f"part_{i}", segments[-1].name, turn, at, mass=0.5))
    sites = [Site("tip", "part_5", (0.0, 0.25, 0.0)), Site("middle", "part_2", (0.0, 0.1, 0.0))]
    figure = poise.Figure("tentacle", segments, sites)
    return figure.with_limits({"part_1_swing_x": (-0.2, 0.35), "part_4_swing_*": (-0.6, 0.1)})


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
    ordered = rng.random() < 0.3 and not any(isinstance(goal, poise.Custom) for goal in goals)
    levels = rng.integers(1, 4 if ordered else 2, len(goals))
    return [
        goal.changed(name=f"goal {k}", level=int(level))
        for k, (goal, level) in enumerate(zip(goals, levels, strict=True))
    ]


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
        lambda: poise.Position(name, point, chain=_part_of_the_way(figure, name, rng)),
        lambda: _written_in_python(figure, name, point, weight, rng),
    )
    massive = any(segment.mass > 0 for segment in figure.segments)
    k = int(rng.integers(0, len(makers)))
    return makers[k if massive or k != 13 else 0]()


def _part_of_the_way(figure: poise.Figure, name: str, rng: np.random.Generator) -> list[str]:
    """Some of the DOFs that move an effector."""
    way = figure.chain(figure.segment_names[0], name)
    return [str(dof) for dof in rng.choice(way, size=1 + int(rng.integers(0, len(way))))]


def _written_in_python(
    figure: poise.Figure, name: str, point: np.ndarray, weight: float, rng: np.random.Generator
) -> poise.Custom:
    """A position goal as a user would write it, or a wave over all DOFs that has many minima."""
    goal = poise.Problem(figure, poise.Position(name, point))
    shift = rng.normal(size=len(figure.dofs))
    met_below = float(rng.choice([1e-3, 1e-1])) if rng.random() < 0.5 else None
    if rng.random() < 0.5:
        return poise.Custom(
            lambda pose: (goal.value(pose), goal.gradient(pose)), weight=weight, met_below=met_below
        )
    return poise.Custom(
        lambda pose: (float((1 - np.cos(pose.angles - shift)).sum()), np.sin(pose.angles - shift)),
        weight=1e-2 * weight,
        met_below=met_below,
    )


def random_set(figures: list, seed: int) -> RandomSet | None:
    """A set, or None where its relations leave no room or its goals do not fit the figure."""
    rng = np.random.default_rng(seed)
    figure = figures[rng.integers(0, len(figures))]
    try:
        related = figure.with_relations(*random_relations(figure, rng))
        goals = random_goals(related, rng)
        off = [goal.name for goal in goals if rng.random() < 0.2]
        poise.ConstraintSet(related, goals)
    except poise.PoiseError:
        return None
    start = related.rest().angles + float(rng.choice([0.0, 1.0])) * rng.normal(
        size=len(related.dofs)
    )
    return RandomSet(related, goals, off, start)
