"""Solving: methods, the Solver, and the Solution."""

from poise.problem import Tolerance
from poise.solve.capabilities import Capabilities, Feature, LimitRule
from poise.solve.constraint_set import ConstraintSet
from poise.solve.many import solve_many
from poise.solve.method import Method, Parameter, methods
from poise.solve.prepare import prepare
from poise.solve.sequence import Answers
from poise.solve.solution import ActiveLimit, Solution, TracePoint
from poise.solve.solver import Solver, solve
from poise.solve.status import Status

__all__ = [
    "ActiveLimit",
    "Answers",
    "Capabilities",
    "ConstraintSet",
    "Feature",
    "LimitRule",
    "Method",
    "Parameter",
    "Solution",
    "Solver",
    "Status",
    "Tolerance",
    "TracePoint",
    "methods",
    "prepare",
    "solve",
    "solve_many",
]
