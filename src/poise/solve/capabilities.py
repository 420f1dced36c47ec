"""What a method can take and what it promises; and what a problem asks for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from poise.figure.figure import Figure
from poise.figure.once import once_a_figure
from poise.figure.relations import JointGroup
from poise.goals import AnyOf, Goal
from poise.problem import Problem


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
    WEIGHT_MATRIX = "a weight matrix"
    SLIDES = "joints that slide"
    CONES = "swing cones"
    GROUPS = "joint groups"
    RELATIONS = "linear relations"
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
JOINTS = frozenset({Feature.SLIDES, Feature.CONES, Feature.GROUPS})
"""All joints and limits, but for linear relations between several DOFs."""
SMOOTH = (
    ROW_GOALS | JOINTS | {Feature.POSTURE, Feature.CUSTOM, Feature.WEIGHT_MATRIX, Feature.RELATIONS}
)
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
    if problem.has_weight_matrix:
        asked[Feature.WEIGHT_MATRIX] = "weight_matrix="
    for d in _slides(figure):
        if problem.mobility[d] > 0.0:
            asked.setdefault(Feature.SLIDES, f"{figure.dofs[d].name!r} of {figure.name!r}")
    if figure.cones:
        asked[Feature.CONES] = f"{figure.dof_names[figure.cones[0][0]]!r} of {figure.name!r}"
    for relation in figure.relations:
        feature = Feature.GROUPS if isinstance(relation, JointGroup) else Feature.RELATIONS
        asked.setdefault(feature, f"{relation.name!r} of {figure.name!r}")
    if restarts:
        asked[Feature.RESTARTS] = f"restarts={restarts}"
    return asked


@once_a_figure
def _slides(figure: Figure) -> list[int]:
    return [d for d, dof in enumerate(figure.dofs) if dof.kind == "translation"]


def _features_of_goal(goal: Goal) -> set[Feature]:
    members = goal.goals if isinstance(goal, AnyOf) else ()
    found = {feature for member in members for feature in _features_of_goal(member)}
    kinds = [_BY_KIND[cls.__name__] for cls in type(goal).__mro__ if cls.__name__ in _BY_KIND]
    return found | set(kinds[:1] or [Feature.OTHER_ROWS])
