"""The Solution: the one result of every method."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import UnreachedError
from poise.figure.pose import Pose
from poise.kernels.layout import TARGET_SIZE
from poise.problem import GoalErrors, Problem
from poise.solve.relation_forces import binding_member, relation_forces
from poise.solve.status import Status

if TYPE_CHECKING:
    from poise.solve.explanation import Explanation

Array = NDArray[np.float64]


class ActiveLimit(NamedTuple):
    """A limit that keeps the value from falling further."""

    dof: str
    side: str
    """"lower", "upper" or "cone"."""
    value: float
    """The limit itself [rad or m]; the side of a linear relation."""
    multiplier: float
    """How fast the value would fall with more room [per rad or m]: at least so fast where the
    pose is one of a whole family of best poses, and exactly so fast where it is the only one."""
    kind: str = "rotation"
    """Of the DOF: "rotation" or "translation"; or "relation", and `dof` is the relation's name."""

    def shown(self) -> str:
        """The limit for people."""
        if self.kind == "translation":
            return f"{self.value:.3f} m"
        if self.kind == "relation":
            return f"{self.value:.3f}"
        return f"{math.degrees(self.value):.1f}°"


def limits_against(
    problem: Problem, angles: Array, slope: Array, least: float = 0.0
) -> tuple[ActiveLimit, ...]:
    """The limits that keep the pose from going down `slope`, the strongest first.

    Multipliers up to `least` count as none.
    """
    figure, movable = problem.figure, problem.mobility > 0
    slope, forces = relation_forces(problem, angles, slope)
    found = [ActiveLimit(*force, kind="relation") for force in forces if force.multiplier > least]
    for side, bound, sign in (("lower", figure.lower, 1.0), ("upper", figure.upper, -1.0)):
        boxed = movable.copy()
        for d, radius in figure.cones:  # the box of a swing counts only where it is inside the cone
            boxed[d : d + 2] &= np.abs(bound[d : d + 2]) < radius
        at_bound = angles <= bound if sign > 0 else angles >= bound
        for i in np.flatnonzero(boxed & (sign * slope > least) & at_bound):
            member = binding_member(figure, int(i), side)
            found.append(
                ActiveLimit(
                    figure.dof_names[member.dof],
                    member.side,
                    float(member.bound),
                    float(sign * slope[i]) / member.ratio,
                    figure.dofs[member.dof].kind,
                )
            )
    for d, radius in figure.cones:
        swing = angles[d : d + 2]
        length = float(np.hypot(*swing))
        outward = float(-(slope[d : d + 2] @ swing) / length) if length > 0 else 0.0
        if length >= radius * (1 - 1e-12) and outward > least and movable[d]:
            found.append(ActiveLimit(figure.dof_names[d], "cone", radius, outward))
    return tuple(sorted(found, key=lambda limit: -limit.multiplier))


class TracePoint(NamedTuple):
    """An iterate on the way to the answer."""

    evaluations: int
    iterations: int
    attempt: int
    """0, or the number of the restart."""
    value: float
    """Of what is being minimised: with levels the Lagrangian of this one."""
    angles: Array
    level: int = 1


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
    numbers: tuple[bytes, bytes, bytes]
    """Of `gradient`, `goal_errors` and `targets`, which few solves are asked for."""
    custom_values: Array
    """The values of the `Custom` goals, in their order."""
    iterations: int
    evaluations: int
    restarts: int
    """How often the solver began again from another pose. More than 0 may mean a jump."""
    time: float
    """[s]"""
    window: tuple[Array, Array] | None
    """Lower and upper bounds of this one solve, where `max_velocity` narrowed the limits."""
    start_was_projected: bool
    """Whether the start was outside the limits and had to be moved inside first."""
    trace: tuple[TracePoint, ...] = ()
    reached_errors: Array | None = None
    """(atoms, 2) with levels: the errors that every goal had at the answer of its own level."""

    @classmethod
    def of(cls, fields: dict[str, object]) -> Solution:
        """A solution from all its fields. The __init__ of a frozen class would take 3 µs."""
        made = cls.__new__(cls)
        object.__setattr__(made, "__dict__", fields)
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

    @cached_property
    def gradient(self) -> Array:
        """∇f at the pose (dofs,)."""
        return np.frombuffer(self.numbers[0])

    @cached_property
    def goal_errors(self) -> Array:
        """(atoms, 2) position [m] and angle [rad] errors."""
        return np.frombuffer(self.numbers[1]).reshape(-1, 2)

    @cached_property
    def targets(self) -> Array:
        """(atoms, TARGET_SIZE) where the goals were."""
        return np.frombuffer(self.numbers[2]).reshape(-1, TARGET_SIZE)

    @property
    def reached(self) -> bool:
        """Whether every goal is met within its tolerance."""
        return self.status is Status.REACHED

    @cached_property
    def errors(self) -> dict[str, GoalErrors]:
        """How far each goal is from being met, by name: position [m] and angle [rad]."""
        return self.problem.errors_by_name(self.goal_errors)

    @cached_property
    def level_errors(self) -> dict[str, GoalErrors]:
        """The errors of each goal at the answer of its own level, before lower levels had a say."""
        own = self.goal_errors if self.reached_errors is None else self.reached_errors
        return self.problem.errors_by_name(own)

    @cached_property
    def values(self) -> dict[str, float]:
        """What the function of each `Custom` goal says at the pose, by the goal's name."""
        return dict(zip(self.problem.custom_names, self.custom_values.tolist(), strict=True))

    @cached_property
    def active_limits(self) -> tuple[ActiveLimit, ...]:
        """The limits that press against the goals, the strongest first.

        A multiplier predicts, to first order, by how much `value` falls with more room. One that
        is hardly larger than the slope that the solve left over (`residual`) says nothing, and is
        not listed.
        """
        steepest = 2.0 * math.sqrt(self.value) * self.problem.characteristic_length
        least = 10.0 * max(self.residual, 1e-10, 1e-10 * steepest)
        return limits_against(self.problem, self.angles, self.gradient, least)

    @property
    def is_optimal(self) -> bool:
        """Whether the pose is proven locally optimal: its residual counts as zero."""
        return self.status is Status.OPTIMAL or self.residual <= 1e-10

    def require(self) -> Solution:
        """This solution if every goal is met; otherwise an error that carries it."""
        if not self.reached:
            raise UnreachedError(self.explain(), self)
        return self

    @cached_property
    def explanation(self) -> Explanation:
        """Which goals are off, why, which limits hold them off, and how hard."""
        from poise.solve.explain import explain

        return explain(self)

    def explain(self) -> str:
        """The explanation as text."""
        return str(self.explanation)
