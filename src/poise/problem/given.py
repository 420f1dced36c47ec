"""The goals that a caller gives: whether they are goals, and what they are called."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from poise.errors import GoalError
from poise.goals import Goal


def checked_goals(goals: Goal | Iterable[Goal]) -> tuple[Goal, ...]:
    """One goal or several as a tuple, or an error that says what is none."""
    if not isinstance(goals, Goal | Iterable):
        raise GoalError(f"goals are {goals!r}; give a goal, or a list of them")
    given = (goals,) if isinstance(goals, Goal) else tuple(goals)
    for goal in given:
        if not isinstance(goal, Goal):
            raise GoalError(
                f"{goal!r} is not a goal; use poise.Position, poise.Orientation, poise.Pose6D, …"
            )
    return given


def free_name(goal: Goal, taken: Collection[str]) -> str:
    """The goal's name; where it is taken "name:kind", and an error where that is taken too."""
    name = goal.name
    if name in taken:
        name = f"{goal.name}:{type(goal).__name__.lower()}"
    if name in taken:
        raise GoalError(f"two goals are called {name!r}; give one of them another name=")
    return name


def distinct_names(goals: Sequence[Goal]) -> tuple[str, ...]:
    """The names of all goals, no two of them alike."""
    names: list[str] = []
    for goal in goals:
        names.append(free_name(goal, names))
    return tuple(names)
