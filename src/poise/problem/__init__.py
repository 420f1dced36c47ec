"""Problems: a figure with goals, as flat tables."""

from poise.problem.problem import GoalErrors, Problem
from poise.problem.tolerance import Tolerance

__all__ = ["GoalErrors", "Problem", "Tolerance"]
