"""Levels: strict priorities. Level 1 is the most important one."""

from __future__ import annotations

from collections.abc import Sequence

from poise.errors import GoalError
from poise.goals import Custom, Goal


def checked_levels(goals: Sequence[Goal]) -> tuple[int, ...]:
    """The level of each goal; an error where one between the first and the last is empty."""
    levels = tuple(goal.level for goal in goals)
    for level in range(1, max(levels)):
        if level not in levels:
            after = min(other for other in levels if other > level)
            raise GoalError(
                f"level {level} is empty, though level {after} is not;"
                f" count levels from 1 without a gap: give the goals of level {after}"
                f" level={level}"
            )
    for goal in goals:
        if isinstance(goal, Custom) and max(levels) > 1:
            raise GoalError(
                f"the Custom goal {goal.name!r} cannot be held by levels: its function has no rows;"
                " put all goals on one level and give it a weight"
            )
    return levels
