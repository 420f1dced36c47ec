"""Levels: strict priorities. Level 1 is the most important one."""

from __future__ import annotations

from collections.abc import Sequence

from poise.errors import GoalError
from poise.figure.figure import Figure
from poise.goals import Custom, Goal
from poise.problem.goal_rows import GoalRows


def checked_levels(goals: Sequence[Goal]) -> tuple[int, ...]:
    """The level of each goal; an error where one between the first and the last is empty."""
    levels = tuple(goal.level for goal in goals)
    last = max(levels, default=1)
    for level in range(1, last):
        if level not in levels:
            after = min(other for other in levels if other > level)
            raise GoalError(
                f"level {level} is empty, though level {after} is not;"
                f" count levels from 1 without a gap: give the goals of level {after}"
                f" level={level}"
            )
    for goal in goals:
        if last > 1 and isinstance(goal, Custom):
            raise GoalError(
                f"the Custom goal {goal.name!r} cannot be held by levels: its function has no rows;"
                " put all goals on one level and give it a weight"
            )
    return levels


def ranked(figure: Figure, goal_rows: Sequence[GoalRows]) -> list[GoalRows]:
    """The same goals with their levels counted from 1 without a gap, in the same order."""
    ranks = {level: k for k, level in enumerate(sorted({r.goal.level for r in goal_rows}), 1)}
    return [
        rows
        if ranks[rows.goal.level] == rows.goal.level
        else rows.changed(figure, rows.goal.changed(level=ranks[rows.goal.level]))
        for rows in goal_rows
    ]
