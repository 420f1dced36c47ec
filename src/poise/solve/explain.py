"""Why a goal is not met: stretched, held by limits, or in conflict with other goals.

Everything is read off the pose. With the gradient of one goal's own potential: if free DOFs could
lower it, the other goals hold it back; if only DOFs at their limits could, the limits do; if none
could, the figure is stretched out towards it. What more room would gain, and what would be left
without the other goals, comes from solving again.
"""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.goals import Custom, Posture
from poise.kernels import derivatives, layout, rows
from poise.problem import GoalErrors
from poise.solve.explanation import Cause, Explanation, GoalExplanation
from poise.solve.relation_forces import relation_forces

if TYPE_CHECKING:
    from poise.solve.solution import ActiveLimit, Solution

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_SMALL = 1e-3  # a share of the goal's greatest possible slope that counts as none
_SLIGHT = 0.01  # a share of the error that is not worth telling
_ROOM = math.radians(5.0)  # how much more room the re-solved gain supposes


def explain(solution: Solution) -> Explanation:
    """Look for the reasons of every unmet goal."""
    problem = solution.problem
    slopes = _goal_slopes(solution)
    goals = []
    for k, (name, goal) in enumerate(zip(problem.goal_names, problem.goals, strict=True)):
        value = solution.values.get(name)
        if isinstance(goal, Custom) and goal.met_below is not None:
            met = solution.values[name] <= goal.met_below
        elif name not in solution.errors:
            continue  # a preference, never unmet
        else:
            error, tolerance = solution.errors[name], problem.tolerance
            met = error.position <= tolerance.position and error.angle <= tolerance.angle
        error = solution.errors.get(name, GoalErrors(0.0, 0.0))
        found = GoalExplanation(name, error, met, value=value)
        goals.append(found if met else _with_reasons(solution, slopes, k, found))
    optimal = solution.is_optimal
    summary = f"{solution.status.name}: {solution.status}."
    return Explanation(tuple(goals), solution.active_limits, optimal, summary)


def _with_reasons(
    solution: Solution, slopes: Array, k: int, found: GoalExplanation
) -> GoalExplanation:
    own = slopes[k]
    figure = solution.problem.figure
    left, _ = relation_forces(solution.problem, solution.angles, own)
    free, held = _split(solution, left, figure.lower, figure.upper)
    slowed = 0.0
    if solution.window is not None:
        _, windowed = _split(solution, own, *solution.window)
        slowed = np.linalg.norm(own[windowed & ~held])
        free &= ~windowed
    scale = max(_greatest_slope(solution, k), 1e-300)
    blocked = math.hypot(np.linalg.norm(left[held]), np.linalg.norm(own - left))
    opposed = np.linalg.norm(left[free])
    causes = []
    if not solution.is_optimal and np.linalg.norm(slopes.sum(0)[free]) > _SMALL * scale:
        causes.append((np.inf, Cause.UNFINISHED))
    if blocked > _SMALL * scale:
        causes.append((blocked, Cause.LIMITS))
    if slowed > _SMALL * scale:
        causes.append((slowed, Cause.VELOCITY))
    rivals = _rivals(solution, slopes, k, free) if opposed > _SMALL * scale else ()
    if rivals:
        causes.append((opposed, Cause.CONFLICT))
    ordered = tuple(cause for _, cause in sorted(causes, key=lambda one: -one[0])) or (
        Cause.STRETCHED,
    )
    limits = _pressing(solution, own) if Cause.LIMITS in ordered else ()
    gain = _gain(solution, k, limits[0]) if limits else None
    found = replace(found, causes=ordered, limits=limits, rivals=rivals, gain=gain)
    settled = rivals and Cause.UNFINISHED not in ordered
    return _weighed(solution, k, found) if settled else found


def _weighed(solution: Solution, k: int, found: GoalExplanation) -> GoalExplanation:
    """Weigh the other goals: what would be left without them is not their doing."""
    alone = _alone(solution, k)
    if alone is None:
        return found
    whole = _size(solution, solution.problem.goal_names[k])
    left = 0.0 if alone.reached else _size(alone, alone.problem.goal_names[0])
    causes = [cause for cause in found.causes if cause is not Cause.CONFLICT]
    if not alone.reached and not causes:
        causes.append(Cause.STRETCHED)
    if whole - left <= _SLIGHT * whole:
        return replace(found, causes=tuple(causes), rivals=())
    causes.insert(len(causes) if left > 0.5 * whole else 0, Cause.CONFLICT)
    return replace(found, causes=tuple(causes), alone=next(iter(alone.errors.values()), None))


def _alone(solution: Solution, k: int) -> Solution | None:
    """The same solve without the other goals, but with the DOFs that all of them together free.

    None where a weight matrix ties the goals together.
    """
    from poise.solve.solver import Solver

    problem = solution.problem
    if problem.has_weight_matrix:
        return None
    goal, names = copy.copy(problem.goals[k]), problem.figure.dof_names
    object.__setattr__(goal, "level", 1)
    object.__setattr__(goal, "chain", [names[d] for d in np.flatnonzero(problem.mobility)])
    solver = Solver(
        problem.figure, goal, start=solution.angles, tolerance=problem.tolerance, restarts=0
    )
    return solver.solve_table(solution.targets[problem.table.ranges[k]])


def _size(solution: Solution, name: str) -> float:
    """How far a goal is from being met, as one number; a `Custom` value is like a square."""
    if name in solution.values:
        return math.sqrt(solution.values[name])
    return math.hypot(*solution.errors[name])


def _goal_slopes(solution: Solution) -> Array:
    """(goals, dofs) the gradient of each goal's own weighted potential at the pose."""
    problem = solution.problem
    ints, floats = layout.pack(problem.sections())
    targets = layout.floats_at(floats, ints, layout.GOAL_TARGET)
    targets[:] = solution.targets.reshape(-1)
    weights = layout.floats_at(floats, ints, layout.GOAL_WEIGHT).reshape(-1, 4)
    layout.floats_at(floats, ints, layout.POSTURE_WEIGHT)[:] = 0.0
    residuals = layout.floats_at(floats, ints, layout.ROWS)
    custom = layout.floats_at(floats, ints, layout.CUSTOM)  # zeros: theirs come from Python
    angles, kept = solution.angles.copy(), weights.copy()
    slopes = np.zeros((len(problem.goals), angles.size))
    for k, atoms in enumerate(problem.table.ranges):
        goal = problem.goals[k]
        if isinstance(goal, Posture):
            stiffness, wanted = goal.dof_terms(problem.figure)
            slopes[k] = 2.0 * stiffness * (angles - wanted)
            continue
        if isinstance(goal, Custom):
            slopes[k] = goal.weight * goal.evaluated(solution.pose)[1]
            continue
        weights[:] = 0.0
        weights[atoms] = kept[atoms]
        rows.evaluate(floats, ints, angles, residuals)
        derivatives.gradient(floats, ints, angles, residuals, custom, slopes[k])
    return problem.figure.relation_tables.folded(slopes) * (problem.mobility > 0)


def _split(solution: Solution, slope: Array, lower: Array, upper: Array) -> tuple[Mask, Mask]:
    """DOFs that can move down `slope`, and those that a bound keeps from it (masks)."""
    figure, angles = solution.problem.figure, solution.angles
    held = ((slope > 0) & (angles <= lower)) | ((slope < 0) & (angles >= upper))
    for dof, radius in figure.cones:
        swing, down = angles[dof : dof + 2], -slope[dof : dof + 2]
        if np.hypot(*swing) >= radius * (1 - 1e-12) and swing @ down > 0:
            held[dof : dof + 2] = True
    return ~held, held


def _greatest_slope(solution: Solution, k: int) -> float:
    """The slope that the goal would have if its whole error lay along the best motion."""
    error = _size(solution, solution.problem.goal_names[k])
    problem = solution.problem
    return 2.0 * problem.goals[k].weight * error * problem.characteristic_length


def _pressing(solution: Solution, slope: Array) -> tuple[ActiveLimit, ...]:
    from poise.solve.solution import limits_against

    return limits_against(solution.problem, solution.angles, slope)


def _rivals(solution: Solution, slopes: Array, k: int, free: Mask) -> tuple[str, ...]:
    names = solution.problem.goal_names
    against = [
        (float(slopes[j][free] @ slopes[k][free]), names[j]) for j in range(len(names)) if j != k
    ]
    worst = min((pull for pull, _ in against), default=0.0)
    return tuple(name for pull, name in sorted(against) if pull < 0.1 * worst)


def _gain(solution: Solution, k: int, limit: ActiveLimit) -> float | None:
    """How much nearer the goal comes when the limit gives way a little, by solving again."""
    from poise.solve.solver import Solver

    problem = solution.problem
    if limit.kind == "relation" or limit.side == "cone" or problem.has_weight_matrix:
        return None
    figure = problem.figure
    dof = figure.dofs[figure.dof_index(limit.dof)]
    lower, upper = dof.lower, dof.upper
    room = 0.05 if limit.kind == "translation" else _ROOM
    bounds = (lower - room, upper) if limit.side == "lower" else (lower, upper + room)
    solver = Solver(
        figure.with_limits({limit.dof: bounds}),
        problem.goals,
        start=solution.angles,
        tolerance=problem.tolerance,
        restarts=0,
    )
    again, name = solver.solve_table(solution.targets), problem.goal_names[k]
    if name in solution.values:
        return solution.values[name] - again.values[name]
    error, left = solution.errors[name], again.errors[name]
    return error.position - left.position if error.position > 0 else error.angle - left.angle
