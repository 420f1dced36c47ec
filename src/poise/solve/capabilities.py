"""What a method can take and what it promises; and what a problem asks for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from poise.figure.figure import Figure
from poise.figure.once import once_a_figure
from poise.figure.relations import JointGroup
from poise.goals import AnyOf, Goal
from poise.problem import Problem
from poise.problem.paths import Runs, dof_offsets, runs_above


class LimitRule(Enum):
    """How a method keeps the joint limits; the answer is inside them in every case."""

    INSIDE = "part of the optimisation: steps follow the limits"
    AFTER_STEP = "every step is projected onto the limits"
    AFTER_SOLVE = "only the answer is projected onto the limits"

    def __str__(self) -> str:
        return self.value


class Feature(Enum):
    """Something that a problem may ask of a method."""

    POSITION = "Position goals"
    ORIENTATION = "Orientation goals"
    POSE6D = "Pose6D goals"
    AIM = "Aim goals"
    LINE = "Line goals"
    PLANE = "Plane goals"
    HALF_SPACE = "HalfSpace goals"
    ANY_OF = "AnyOf goals"
    DISTANCE = "Distance goals"
    RELATIVE = "Relative goals"
    CENTER_OF_MASS = "CenterOfMass goals"
    OTHER_ROWS = "goals of further kinds"
    POSTURE = "Posture goals"
    CUSTOM = "Custom goals"
    WEIGHTS = "goals of different weights"
    WEIGHT_MATRIX = "a weight matrix"
    SLIDES = "joints that slide"
    INNER_SLIDES = "joints that slide below others that move"
    CONES = "swing cones"
    RIGIDITY = "joints that are stiff"
    GROUPS = "joint groups"
    RELATIONS = "linear relations"
    DYNAMIC_LIMITS = "limits that depend on the pose"
    RESTARTS = "restarts"

    def __str__(self) -> str:
        return self.value


ROW_GOALS = frozenset(
    {
        *(Feature.POSITION, Feature.ORIENTATION, Feature.POSE6D, Feature.AIM, Feature.LINE),
        *(Feature.PLANE, Feature.HALF_SPACE, Feature.ANY_OF, Feature.DISTANCE, Feature.RELATIVE),
        *(Feature.CENTER_OF_MASS, Feature.OTHER_ROWS),
    }
)
"""All goals that have residual rows, and so a Jacobian: all but Posture and Custom."""
JOINTS = frozenset({Feature.SLIDES, Feature.INNER_SLIDES, Feature.CONES, Feature.RIGIDITY})
"""All joints, with their limits and rigidity."""
RELATED = frozenset({Feature.GROUPS, Feature.RELATIONS})
"""All relations between DOFs."""
WEIGHING = frozenset({Feature.WEIGHTS, Feature.WEIGHT_MATRIX})
"""All ways to weigh goals against each other."""
SMOOTH = ROW_GOALS | JOINTS | RELATED | WEIGHING | {Feature.POSTURE, Feature.CUSTOM}
"""All that a method can take which needs nothing but value, gradient and a projection."""

_BY_KIND = {feature.value.split()[0]: feature for feature in SMOOTH}
"""Features by the name of the goal's class."""


@dataclass(frozen=True)
class Capabilities:
    """What a method can take and what it promises."""

    limits: LimitRule
    takes: frozenset[Feature]
    monotone: bool = False
    """Whether the value never rises from one iterate to the next, restarts apart."""
    one_by_one: bool = False
    """Whether DOFs or goals are served one after the other: then the first DOFs move most, or the
    last goals win, and mobility does not share the motion out."""

    @property
    def holds_limits_always(self) -> bool:
        """Whether every iterate is inside the limits, and not only the answer."""
        return self.limits is not LimitRule.AFTER_SOLVE


def features_of(problem: Problem, restarts: int | None = None) -> dict[Feature, str]:
    """What a problem asks of its method, and what in it does so."""
    asked: dict[Feature, str] = {}
    for goal, name in zip(problem.goals, problem.goal_names, strict=True):
        for feature in _features_of_goal(goal):
            asked.setdefault(feature, f"goal {name!r}")
    figure = problem.figure
    for goal, name in zip(problem.goals, problem.goal_names, strict=True):
        if goal.weight != problem.goals[0].weight:
            asked.setdefault(Feature.WEIGHTS, f"weight={goal.weight:g} of goal {name!r}")
    if problem.has_weight_matrix:
        asked[Feature.WEIGHT_MATRIX] = "weight_matrix="
    asked |= _features_of_slides(problem)
    stiff = np.flatnonzero((figure.rigidity > 0.0) & (problem.mobility > 0.0))
    if stiff.size:
        asked[Feature.RIGIDITY] = f"{figure.dof_names[stiff[0]]!r} of {figure.name!r}"
    if figure.cones:
        asked[Feature.CONES] = f"{figure.dof_names[figure.cones[0][0]]!r} of {figure.name!r}"
    for relation in figure.relations:
        feature = Feature.GROUPS if isinstance(relation, JointGroup) else Feature.RELATIONS
        asked.setdefault(feature, f"{relation.name!r} of {figure.name!r}")
    if problem.dynamic_limits:
        asked[Feature.DYNAMIC_LIMITS] = f"that of {problem.dynamic_limits[0].dof!r}"
    if restarts:
        asked[Feature.RESTARTS] = f"restarts={restarts}"
    return asked


def _features_of_slides(problem: Problem) -> dict[Feature, str]:
    asked: dict[Feature, str] = {}
    figure, mobility = problem.figure, problem.mobility
    for d, above in _slides(figure):
        if mobility[d] > 0.0:
            what = f"{figure.dof_names[d]!r} of {figure.name!r}"
            asked.setdefault(Feature.SLIDES, what)
            if any((mobility[begin:end] > 0.0).any() for begin, end in above):
                asked.setdefault(Feature.INNER_SLIDES, what)
    return asked


@once_a_figure
def _slides(figure: Figure) -> list[tuple[int, Runs]]:
    """The DOFs that slide, and the DOFs that move the parents of their segments."""
    first = dof_offsets(figure)
    return [
        (d, above)
        for s, above in enumerate(runs_above(figure))
        for d in range(first[s], first[s + 1])
        if figure.dofs[d].kind == "translation"
    ]


def _features_of_goal(goal: Goal) -> set[Feature]:
    members = goal.goals if isinstance(goal, AnyOf) else ()
    found = {feature for member in members for feature in _features_of_goal(member)}
    kinds = [_BY_KIND[cls.__name__] for cls in type(goal).__mro__ if cls.__name__ in _BY_KIND]
    return found | set(kinds[:1] or [Feature.OTHER_ROWS])
