"""The Solution: the one result of every method."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import UnreachedError
from poise.figure.pose import Pose
from poise.problem import GoalErrors, Problem
from poise.solve.status import Status

Array = NDArray[np.float64]


class ActiveLimit(NamedTuple):
    """A limit that keeps the value from falling further."""

    dof: str
    side: str
    """"lower", "upper" or "cone"."""
    value: float
    """The limit itself [rad or m]."""
    multiplier: float
    """How fast the value would fall with more room [per rad or m]."""


class TracePoint(NamedTuple):
    """An iterate on the way to the answer."""

    evaluations: int
    iterations: int
    attempt: int
    """0, or the number of the restart."""
    value: float
    angles: Array


@dataclass(frozen=True, eq=False)
class Solution:
    """The best pose found, how good it is, and what it took."""

    problem: Problem
    angles: Array
    status: Status
    value: float
    """f at the pose."""
    residual: float
    """‖P(θ - ∇f) - θ‖∞: how far the pose is from optimal; 0 when no goal could be nearer."""
    start_residual: float
    """The same at the start; -1 if the start met all goals."""
    gradient: Array
    """∇f at the pose (dofs,)."""
    goal_errors: Array
    """(goals, 2) position [m] and angle [rad] errors."""
    iterations: int
    evaluations: int
    restarts: int
    """How often the solver began again from another pose. More than 0 may mean a jump."""
    time: float
    """[s]"""
    start_was_projected: bool
    """Whether the start was outside the limits and had to be moved inside first."""
    trace: tuple[TracePoint, ...] = ()

    @classmethod
    def of(cls, **fields: object) -> Solution:
        """A solution from all its fields. The __init__ of a frozen class would take 3 µs."""
        made = cls.__new__(cls)
        made.__dict__.update(fields)
        return made

    def __repr__(self) -> str:
        worst = max((math.hypot(*row) for row in self.goal_errors), default=0.0)
        return (
            f"<Solution {self.status.name}: worst error {worst:.2g}, {self.iterations} iterations>"
        )

    @cached_property
    def pose(self) -> Pose:
        """The pose, always inside all limits."""
        return Pose(self.problem.figure, self.angles)

    @property
    def reached(self) -> bool:
        """Whether every goal is met within its tolerance."""
        return self.status is Status.REACHED

    @cached_property
    def errors(self) -> dict[str, GoalErrors]:
        """How far each goal is from being met, by name: position [m] and angle [rad]."""
        return self.problem.errors_by_name(self.goal_errors)

    @cached_property
    def active_limits(self) -> tuple[ActiveLimit, ...]:
        """The limits that press against the goals, the strongest first."""
        figure = self.problem.figure
        movable = self.problem.mobility > 0
        found = []
        for i in np.flatnonzero(movable & (self.gradient > 0) & (self.angles <= figure.lower)):
            found.append(
                ActiveLimit(figure.dof_names[i], "lower", figure.lower[i], self.gradient[i])
            )
        for i in np.flatnonzero(movable & (self.gradient < 0) & (self.angles >= figure.upper)):
            found.append(
                ActiveLimit(figure.dof_names[i], "upper", figure.upper[i], -self.gradient[i])
            )
        found.extend(self._active_cones())
        return tuple(sorted(found, key=lambda limit: -limit.multiplier))

    def _active_cones(self) -> list[ActiveLimit]:
        figure = self.problem.figure
        found = []
        for d, radius in figure.cones:
            swing, slope = self.angles[d : d + 2], self.gradient[d : d + 2]
            length = float(np.hypot(*swing))
            outward = float(-(slope @ swing) / length) if length > 0 else 0.0
            if length >= radius * (1 - 1e-12) and outward > 0 and self.problem.mobility[d] > 0:
                found.append(ActiveLimit(figure.dof_names[d], "cone", radius, outward))
        return found

    def require(self) -> Solution:
        """This solution if every goal is met; otherwise an error that carries it."""
        if not self.reached:
            raise UnreachedError(self.explain(), self)
        return self

    def explain(self) -> str:
        """The status, each goal's error, and the limits that hold goals off, as text."""
        lines = [f"{self.status.name}: {self.status}."]
        tolerance = self.problem.tolerance
        for name, error in self.errors.items():
            met = error.position <= tolerance.position and error.angle <= tolerance.angle
            parts = [f"{100 * error.position:.2f} cm"]
            if error.angle:
                parts.append(f"{math.degrees(error.angle):.2f}°")
            lines.append(f"  {name}: {' and '.join(parts)} off, {'met' if met else 'not met'}")
        if not self.reached:
            for limit in self.active_limits[:5]:
                lines.append(
                    f"  {limit.dof} is held at its {limit.side} limit, {_shown(limit, self.problem)}"
                )
        return "\n".join(lines)


def _shown(limit: ActiveLimit, problem: Problem) -> str:
    figure = problem.figure
    if figure.dofs[figure.dof_index(limit.dof)].kind == "translation":
        return f"{limit.value:.3f} m"
    return f"{math.degrees(limit.value):.1f}°"
