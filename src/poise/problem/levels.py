"""Levels: strict priorities. Level 1 is the most important one."""

from __future__ import annotations

from collections.abc import Sequence

from poise.errors import GoalError
from poise.goals import Goal


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
    return levels
