"""Problems: a figure with goals, as flat tables."""

from poise.problem.dynamic_limit import DynamicLimit
from poise.problem.problem import GoalErrors, Problem
from poise.problem.tolerance import Tolerance

__all__ = ["DynamicLimit", "GoalErrors", "Problem", "Tolerance"]
