"""Figures, goals and starts that the tests of solving share."""

import itertools
from functools import cache
from typing import NamedTuple

import numpy as np

import poise
from poise import joint
from poise.figure.rotation import from_vector
from poise.figure.segment import Segment, Site
from poise.solve.capabilities import Feature, features_of

METHODS = tuple(poise.methods())
MONOTONE = tuple(name for name, method in poise.methods().items() if method.capabilities.monotone)
"""Those whose value never rises."""
GOAL_KINDS = ("position", "orientation", "pose6d")
"""The kinds that a weight matrix may couple; every figure is tried with all of them."""
OTHER_KINDS = ("aim", "line", "plane", "half_space", "any_of", "distance", "relative")
OTHER_KINDS += ("posture", "custom")


def able(*features, methods=METHODS):
    """The methods that take all of `features`."""
    return [name for name in methods if poise.methods()[name].takes(*features)]


def matrix(methods=METHODS, kinds=GOAL_KINDS + OTHER_KINDS):
    """(method, figure, kind) of all that the methods can take.

    The default method and the paper's have every pair of a figure and a kind; the others have
    every figure, and every kind on two of the figures.
    """
    whole = ("auto", "projected-gradient")
    return [
        (method, name, kind)
        for method in methods
        for i, kind in enumerate(kinds)
        for j, name in enumerate(FIGURES)
        if ((i - j) % 3 == 0 or method in whole) and takes_goals(method, name, kind)
    ]


def fullest(method):
    """The kind of goals that asks most of a figure and that a method takes."""
    return "pose6d" if able(Feature.POSE6D, methods=[method]) else "position"


def pairs(methods=METHODS):
    """(method, figure) of all that the methods can take with their fullest kind of goals."""
    every = itertools.product(methods, FIGURES)
    return [(method, name) for method, name in every if takes_goals(method, name, fullest(method))]


@cache
def _asked(figure_name, kind):
    figure = figure_named(figure_name)
    goals = goals_at(figure.rest(), effectors_of(figure_name), kind)
    return tuple(features_of(poise.Problem(figure, goals)))


def takes_goals(method, figure_name, kind):
    """Whether a method can take a figure with goals of a kind."""
    return poise.methods()[method].takes(*_asked(figure_name, kind))


def every_joint():
    """A branched figure with one joint of every kind, most of them limited."""
    turn = (-1.2, 1.4)
    segments = [
        Segment("cart", None, joint.planar("Y", limits=[(-0.4, 0.5), (-0.6, 0.3), (-1.0, 1.0)])),
        Segment("lift", "cart", joint.prismatic((0.2, 1.0, 0.1), (-0.1, 0.3)), (0.0, 0.2, 0.0)),
        Segment("gimbal", "lift", joint.universal("XZ", [turn, (-0.8, 0.9)]), (0.0, 0.3, 0.0)),
        Segment("boom", "gimbal", joint.swing_twist(0.7, (-0.5, 0.6), "Y"), (0.0, 0.25, 0.1)),
        Segment("plate", "boom", joint.fixed(), (0.05, 0.2, 0.0)),
        Segment(
            "wrist",
            "plate",
            joint.ball("ZYZ", [turn, (0.1, 1.9), turn], rest=(0.2, 0.9, -0.3)),
            (0.0, 0.2, 0.0),
        ),
        Segment(
            "finger",
            "wrist",
            joint.revolute((1.0, 1.0, 0.0), (0.0, 1.5), rest=0.5),
            (0.0, 0.1, 0.0),
        ),
        Segment("pendulum", "lift", joint.rotation_vector(), (0.3, 0.0, 0.0)),
        Segment(
            "sledge",
            "pendulum",
            joint.translation("XZ", [(-0.2, 0.2), (-np.inf, 0.1)]),
            (0.0, 0.0, 0.4),
        ),
    ]
    sites = [Site("tip", "finger", (0.0, 0.12, 0.02)), Site("bob", "sledge", (0.1, 0.1, 0.2))]
    return poise.Figure("every joint", segments, sites)


_FIGURES = {
    "human": (
        poise.figures.human,
        ("left_hand", "right_hand", "left_foot", "right_foot", "head", "pelvis"),
    ),
    "jack": (poise.figures.jack, ("left_hand", "right_hand", "left_foot", "right_foot", "head")),
    "arm": (poise.figures.arm, ("hand",)),
    "spider": (
        poise.figures.spider,
        tuple(f"{side}_foot_{i}" for side in ("left", "right") for i in range(1, 5)),
    ),
    "snake": (lambda: poise.figures.snake(12), ("head",)),
    "every_joint": (every_joint, ("tip", "bob")),
}
FIGURES = tuple(_FIGURES)


@cache
def figure_named(name):
    return _FIGURES[name][0]()


def effectors_of(figure_name):
    return _FIGURES[figure_name][1]


def random_pose(figure, rng, root=1.0, inside=1.0):
    """A pose inside the limits: open DOFs within ±root of rest, the others anywhere in the
    middle part `inside` of their range."""
    rest = figure.rest().angles
    limited = np.isfinite(figure.lower) & np.isfinite(figure.upper)
    free = rest + rng.uniform(-root, root, rest.size)
    middle, half = figure.middle_angles, np.zeros(rest.size)
    half[limited] = 0.5 * inside * (figure.upper - figure.lower)[limited]
    values = np.where(limited, middle + rng.uniform(-1.0, 1.0, rest.size) * half, free)
    return figure.pose(values).clamped()


def goals_at(pose, effectors, kind="position"):
    """Goals of one kind that `pose` meets."""
    return [_goal_at(pose, kind, *pair) for pair in zip(effectors, _others(effectors), strict=True)]


def _others(effectors):
    """The next effector of each, or the root where there is only one."""
    return (*effectors[1:], effectors[0]) if len(effectors) > 1 else (None,)


def _goal_at(pose, kind, effector, other):
    point, rotation = pose.position(effector), pose.rotation(effector)
    other = other or pose.figure.segment_names[0]
    between = pose.rotation(other).T @ (point - pose.position(other))
    match kind:
        case "position":
            return poise.Position(effector, point)
        case "orientation":
            return poise.Orientation(effector, rotation)
        case "pose6d":
            return poise.Pose6D(effector, point, rotation)
        case "aim":
            return poise.Aim(effector, point + rotation @ (0.0, 0.0, 0.7))
        case "line":
            return poise.Line(effector, point - rotation[:, 0], rotation[:, 0])
        case "plane":
            return poise.Plane(effector, point - rotation[:, 0], rotation[:, 1])
        case "half_space":
            return poise.HalfSpace(effector, point - 0.01 * rotation[:, 1], rotation[:, 1])
        case "any_of":
            far = poise.Position(effector, point + 0.5)
            return poise.AnyOf(far, poise.Plane(effector, point, rotation[:, 2]), name=effector)
        case "distance":
            return poise.Distance(effector, other, exactly=float(np.linalg.norm(between)))
        case "relative":
            return poise.Relative(effector, other, between, pose.rotation(other).T @ rotation)
        case "posture":
            return poise.Posture(pose, name=f"{effector} posture")
        case "custom":
            return custom_position(pose.figure, effector, point)


def custom_position(figure, effector, target, **options):
    """What a user who misses poise.Position would write."""
    goal = poise.Problem(figure, poise.Position(effector, target))
    options = {"name": f"{effector} custom", **options}
    return poise.Custom(lambda pose: (goal.value(pose), goal.gradient(pose)), **options)


def iterates(method, figure, goals, start, count, **parameters):
    """The start and the first iterates, (count + 1, dofs): fewer only if the goals are met."""
    solution = poise.solve(
        figure,
        goals,
        start=start,
        method=method,
        parameters=parameters,
        max_iterations=count,
        tolerance=1e-13,
        optimality=0.0,
        trace=True,
    )
    return np.array([point.angles for point in solution.trace])


class Trial(NamedTuple):
    """Something to solve."""

    figure: poise.Figure
    goals: list
    start: poise.Pose


def trial(figure_name, kind="position", seed=0, *, outside=0.0, stretch=0.0):
    """Goals met by a random pose, then moved by about `stretch` [m] and turned by so many rad;
    and a random start, moved by about `outside` [rad or m] off the limits."""
    figure, rng = figure_named(figure_name), np.random.default_rng(seed)
    start = random_pose(figure, rng).angles
    start = start + outside * rng.normal(size=start.size)
    met = "position" if kind == "custom" else kind  # functions cannot be moved: their targets are
    goals = goals_at(random_pose(figure, rng), effectors_of(figure_name), met)
    goals = [_off(goal, rng, stretch) for goal in goals]
    if kind == "custom":
        goals = [custom_position(figure, goal.effector, goal.position) for goal in goals]
    return Trial(figure, goals, figure.pose(start))


def _off(goal, rng, stretch):
    """The goal with a target that is moved and turned at random."""
    shift, turn = stretch * rng.normal(size=3), from_vector(stretch * rng.normal(size=3))
    match goal:
        case poise.Position():
            return goal.moved(goal.position + shift)
        case poise.Orientation():
            frame = np.column_stack([goal.x, goal.y, np.cross(goal.x, goal.y)])
            return goal.moved(turn @ frame)
        case poise.Pose6D() | poise.Relative():
            return goal.moved((goal.position + shift, turn @ goal.rotation))
        case poise.Aim():
            return goal.moved(goal.at + shift)
        case poise.Line() | poise.Plane():
            return goal.moved(goal.point + shift)
        case poise.AnyOf():
            return poise.AnyOf(
                *(_off(member, rng, stretch) for member in goal.goals), name=goal.name
            )
        case poise.Distance():
            return goal.moved(goal.exactly + np.linalg.norm(shift))
    return goal


def assert_inside_limits(figure, angles):
    """Every row of `angles` (…, dofs) is inside all boxes and cones, to the last bit."""
    rows = np.atleast_2d(angles)
    assert (rows >= figure.lower).all()
    assert (rows <= figure.upper).all()
    for dof, radius in figure.cones:
        x, y = rows[:, dof], rows[:, dof + 1]
        assert (x * x + y * y <= radius * radius).all()


def same_bits(one, other):
    return np.asarray(one).tobytes() == np.asarray(other).tobytes()


def two_link(lower=-np.inf, upper=np.inf):
    """A planar arm of two links of 1 m, turning about Z; the limits are those of the elbow."""
    segments = [
        Segment("base", None),
        Segment("upper", "base", joint.revolute("Z")),
        Segment(
            "fore",
            "upper",
            joint.revolute("Z", (lower, upper), rest=np.clip(0.5, lower, upper)),
            (1, 0, 0),
        ),
    ]
    return poise.Figure("two links", segments, [Site("tip", "fore", (1.0, 0.0, 0.0))])


def links(*lengths, limits=None):
    """A planar arm of links of these lengths [m], turning about Z, with the same limits for all."""
    segments, at = [Segment("base", None)], 0.0
    for i, length in enumerate(lengths):
        turn = joint.revolute("Z") if limits is None else joint.revolute("Z", limits)
        segments.append(Segment(f"link_{i}", segments[-1].name, turn, (at, 0, 0)))
        at = length
    tip = Site("tip", segments[-1].name, (at, 0.0, 0.0))
    return poise.Figure(f"{len(lengths)} links", segments, [tip])


def stage(*limits):
    """A table that slides along X and Y (and Z, with three limits), at rest at the origin."""
    axes = "XYZ"[: len(limits)]
    segments = [Segment("base", None), Segment("table", "base", joint.translation(axes, limits))]
    return poise.Figure("stage", segments)
