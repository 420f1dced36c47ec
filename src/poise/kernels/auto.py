"""The default method: bounded Gauss-Newton steps, exact Newton steps where goals stay out of
reach, and seeded restarts from local minima.

Every iterate is inside the limits and, except where a restart begins, none has a higher value
than the one before. A restart replaces the answer only if it is better.

The loop evaluates TRIAL, digests what came of it, and proposes the next TRIAL. There is one place
that evaluates and one that computes steps: Numba compiles a callee again in every caller.
"""

import math

from poise.kernels.alignment import align_root, has_free_root
from poise.kernels.compiled import entry, kernel
from poise.kernels.custom import add_custom_gradient, largest_curvature, learn_curvature
from poise.kernels.derivatives import add_posture_gradient, jacobian
from poise.kernels.discs import bound_discs, turn_disc_derivatives, turn_discs
from poise.kernels.dof_step import dof_step
from poise.kernels.groups import clear_leader_columns, fold_derivatives, fold_vector
from poise.kernels.hessian import has_spread, hessian
from poise.kernels.krylov import krylov_step
from poise.kernels.layout import (
    ANGLES,
    AXES,
    BEST_STATUS,
    BEST_VALUE,
    BEST_WORST,
    COUNTERS,
    CUSTOM,
    DAMPING,
    DAMPING_GROWTH,
    DISC_DOF,
    EVALUATIONS,
    FOLLOWER_DOF,
    GRADIENT,
    GRAM,
    HALF_RANGE,
    HELD,
    HESSIAN,
    HIGH,
    ITERATIONS,
    JACOBIAN,
    LENGTH,
    LINEARISED,
    LOW,
    LOWER,
    MAX_ITERATIONS,
    MIDDLE,
    MOBILITY,
    NEXT_PHASE,
    OPTIMAL,
    OUT_OF_ITERATIONS,
    PARAMETERS,
    PHASE,
    PHASE_ITERATIONS,
    POSTURE_WEIGHT,
    PREDICTED,
    PULLED,
    REACHED,
    RELATION_HELD,
    RESIDUAL,
    RESTARTS_LEFT,
    RESTARTS_USED,
    ROWS,
    RUNNING,
    SCALARS,
    SCALE,
    SECANTS,
    SLOW,
    STALLED,
    START_RESIDUAL,
    STATUS,
    STEP,
    STIFFNESS,
    TRIAL,
    UPPER,
    VALUE,
    WORST,
    floats_at,
    ints_at,
)
from poise.kernels.limits import project
from poise.kernels.relation_step import begin_relations
from poise.kernels.restarts import is_out_of_reach, is_turning, is_worth_restarting, restart
from poise.kernels.row_step import prepare_rows, release_rows, row_step
from poise.kernels.state import (
    begin,
    copy,
    evaluate_trial,
    gradient_at_angles,
    has_preference,
    is_settled,
    keep_best,
    projected_gradient_norm,
    take_trial,
)

# PHASE
BEGIN, GAUSS_NEWTON, NEWTON, ARRIVE, ALIGN = range(5)
# What came of an iteration
PROGRESS, REJECTED, SETTLED, STUCK = range(4)

# SCALARS of this method
PULL_STRENGTH = PARAMETERS  # fraction of the way back into FREE_RANGE that a step may take
FREE_RANGE = PARAMETERS + 1  # the middle fraction of each range in which nothing is pulled
STEP_CAP = PARAMETERS + 2  # longest turn of a DOF in one step [rad]

# Tuned on 8,000 random poses of the human and on motions that touch its limits.
FIRST_DAMPING, LEAST_DAMPING, RAISED_DAMPING, MOST_DAMPING = 0.3, 1e-9, 1e-3, 1e9
NEWTON_RAISED_DAMPING = 1e-6  # little: valleys of unreachable goals are as flat as that
DAMPING_START_GROWTH = 4.0
ROW_ROUNDS, DOF_ROUNDS, RELATION_ROUNDS = 3, 4, 10
SLOW_FRACTION, SLOW_LIMIT, GAUSS_NEWTON_LIMIT, NEWTON_LIMIT = 0.8, 6, 30, 400


@kernel
def use_rows(floats, ints):
    """Whether the rows x rows system is the smaller one, or the only one there is room for.

    Postures and the user's own goals act on DOFs and have no rows: they need a DOFs x DOFs system.
    """
    n = floats_at(floats, ints, ANGLES).size
    if floats_at(floats, ints, POSTURE_WEIGHT).size + floats_at(floats, ints, CUSTOM).size > 0:
        return False
    return floats_at(floats, ints, ROWS).size < n or floats_at(floats, ints, HESSIAN).size == 0


@kernel
def linearise(floats, ints, with_jacobian):
    """Gradient, residual and, where a step needs it, the Jacobian at ANGLES."""
    scalars = floats_at(floats, ints, SCALARS)
    if with_jacobian:
        gradient_by_jacobian(floats, ints)
    else:
        gradient_at_angles(floats, ints)
    scalars[RESIDUAL] = projected_gradient_norm(floats, ints)
    if scalars[START_RESIDUAL] < 0.0:
        scalars[START_RESIDUAL] = scalars[RESIDUAL]
    ints_at(ints, COUNTERS)[LINEARISED] = 1


@kernel
def gradient_by_jacobian(floats, ints):
    """JACOBIAN at ANGLES, and GRADIENT from it."""
    matrix = floats_at(floats, ints, JACOBIAN)
    rows = floats_at(floats, ints, ROWS)
    slope = floats_at(floats, ints, GRADIENT)
    n = slope.size
    clear_leader_columns(floats, ints, n)
    jacobian(floats, ints)
    for d in range(n):
        slope[d] = 0.0
    for i in range(rows.size):
        row, factor = matrix[i * n : i * n + n], 2.0 * rows[i]
        for d in range(n):
            slope[d] += factor * row[d]
    add_posture_gradient(floats, ints, floats_at(floats, ints, ANGLES), slope)
    add_custom_gradient(floats_at(floats, ints, CUSTOM), slope)
    fold_vector(floats, ints, slope)


@kernel
def scale_damping(floats, ints, by_rows):
    """SCALE <- the size of the largest diagonal entry of the step's matrix: damping is relative to
    it. Where the value curves down along all DOFs, that is as far as it must lift the matrix."""
    scalars = floats_at(floats, ints, SCALARS)
    gram = floats_at(floats, ints, GRAM)
    matrix = floats_at(floats, ints, HESSIAN)
    mobility = floats_at(floats, ints, MOBILITY)
    largest = 1e-300 * scalars[STIFFNESS]
    if by_rows:
        r = floats_at(floats, ints, ROWS).size
        for i in range(r):
            largest = max(largest, gram[i * r + i])
    elif matrix.size > 0:
        n = mobility.size
        for d in range(n):
            largest = max(largest, abs(matrix[d * n + d]) * mobility[d] ** 2)
    else:  # no matrix: keep what the rows' system had
        known = scalars[SCALE] * scalars[STIFFNESS]
        largest = max(largest, known, 0.5 * largest_curvature(floats, ints))
    scalars[SCALE] = largest / scalars[STIFFNESS]


@kernel
def bound_step(floats, ints, pull):
    """LOW, HIGH, PULLED and a first guess of HELD for a step from ANGLES."""
    held = ints_at(ints, HELD)
    angles = floats_at(floats, ints, ANGLES)
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    pulled = floats_at(floats, ints, PULLED)
    middle = floats_at(floats, ints, MIDDLE)
    half_range = floats_at(floats, ints, HALF_RANGE)
    slope = floats_at(floats, ints, GRADIENT)
    mobility = floats_at(floats, ints, MOBILITY)
    free_range = floats_at(floats, ints, SCALARS)[FREE_RANGE]
    for d in range(angles.size):
        low[d], high[d] = lower[d] - angles[d], upper[d] - angles[d]
        away = angles[d] - middle[d]
        free = free_range * half_range[d] if half_range[d] > 0.0 else math.inf
        pulled[d] = pull * (min(max(away, -free), free) - away)
    if ints_at(ints, DISC_DOF).size > 0:
        turn_discs(floats, ints, pulled, False)
        bound_discs(floats, ints)
    for d in range(angles.size):
        if mobility[d] == 0.0:
            low[d], high[d], pulled[d], held[d] = 0.0, 0.0, 0.0, 1
        else:
            outward = (low[d] >= 0.0 and slope[d] > 0.0) or (high[d] <= 0.0 and slope[d] < 0.0)
            held[d] = 1 if outward else 0
    begin_relations(floats, ints)


@kernel
def pull_strength(scalars, newton):
    """How much of the pull acts: all of it far from the goals, none at them."""
    if newton:
        return 0.0
    near = 2.5 * math.sqrt(scalars[VALUE]) / scalars[LENGTH]
    return scalars[PULL_STRENGTH] * min(1.0, near)


@kernel
def set_trial(floats, ints, model):
    """TRIAL <- ANGLES + STEP, shortened to the cap, inside the limits."""
    scalars = floats_at(floats, ints, SCALARS)
    angles = floats_at(floats, ints, ANGLES)
    step = floats_at(floats, ints, STEP)
    trial = floats_at(floats, ints, TRIAL)
    axes = floats_at(floats, ints, AXES)
    if ints_at(ints, DISC_DOF).size > 0:
        turn_discs(floats, ints, step, True)
    longest, n = 0.0, step.size
    for d in range(n):  # slides have no angular part, and need no cap: points follow them exactly
        if is_turning(axes, d):
            longest = max(longest, abs(step[d]))
    scale = min(1.0, scalars[STEP_CAP] / max(longest, 1e-300))
    for d in range(step.size):
        trial[d] = angles[d] + scale * step[d]
    project(floats, ints, trial)
    scalars[PREDICTED] = (scalars[VALUE] - model) * scale * (2.0 - scale)


@kernel
def digest(floats, ints, value, worst):
    """Take TRIAL, whose value is known now, if it lowers the value enough; else damp more."""
    scalars = floats_at(floats, ints, SCALARS)
    newton = ints_at(ints, COUNTERS)[PHASE] == NEWTON
    gain = (scalars[VALUE] - value) / max(scalars[PREDICTED], 1e-300)
    if not value < scalars[VALUE] or gain < 1e-4:
        return reject(scalars, newton)
    learn_curvature(floats, ints)
    take_trial(floats, ints, value, worst)
    easing = max(0.3 if newton else 0.1, 1.0 - (2.0 * gain - 1.0) ** 3)
    scalars[DAMPING] = max(LEAST_DAMPING, scalars[DAMPING] * easing)
    scalars[DAMPING_GROWTH] = DAMPING_START_GROWTH
    return PROGRESS


@kernel
def nearness(scalars):
    """The value relative to the figure's size: damping vanishes with it, so that steps near the
    goals are Gauss-Newton steps."""
    return min(1.0, scalars[VALUE] / (4.0 * scalars[LENGTH] ** 2)) + 1e-30


@kernel
def reject(scalars, newton):
    least = NEWTON_RAISED_DAMPING if newton else RAISED_DAMPING / nearness(scalars)
    scalars[DAMPING] = max(scalars[DAMPING], least) * scalars[DAMPING_GROWTH]
    scalars[DAMPING_GROWTH] *= 2.0
    return REJECTED if scalars[DAMPING] < MOST_DAMPING else STUCK


@kernel
def enter(floats, ints, phase):
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    counters[PHASE] = phase
    counters[PHASE_ITERATIONS] = 0
    counters[SLOW] = 0
    counters[LINEARISED] = 0
    if phase == GAUSS_NEWTON:
        counters[SECANTS] = 0
    scalars[DAMPING], scalars[DAMPING_GROWTH] = FIRST_DAMPING, DAMPING_START_GROWTH


@kernel
def arrive(counters, phase):
    """Take TRIAL whatever its value is, and go on from there in `phase`."""
    counters[PHASE] = ARRIVE
    counters[NEXT_PHASE] = phase


@kernel
def settle(floats, ints, value, worst):
    """Take the pose to go on from; where its root is to be aligned, that comes in between."""
    counters = ints_at(ints, COUNTERS)
    if counters[PHASE] == ALIGN and not value < floats_at(floats, ints, SCALARS)[VALUE]:
        copy(floats_at(floats, ints, ANGLES), floats_at(floats, ints, TRIAL))
        arrive(counters, GAUSS_NEWTON)
        return
    take_trial(floats, ints, value, worst)
    if counters[PHASE] == ARRIVE and counters[NEXT_PHASE] == ALIGN:
        align_root(floats, ints)
        counters[PHASE] = ALIGN
    else:
        enter(floats, ints, GAUSS_NEWTON if counters[PHASE] == ALIGN else counters[NEXT_PHASE])
    if worst <= 1.0 and not has_preference(floats, ints):
        answer(floats, ints, REACHED)


@kernel
def steer(floats, ints, outcome):
    """Decide what follows an iteration."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    counters[ITERATIONS] += 1
    counters[PHASE_ITERATIONS] += 1
    used = counters[PHASE_ITERATIONS]
    if scalars[WORST] <= 1.0 and (outcome >= SETTLED or not has_preference(floats, ints)):
        answer(floats, ints, REACHED)
    elif counters[PHASE] == GAUSS_NEWTON:
        over = outcome >= SETTLED or counters[SLOW] >= SLOW_LIMIT or used >= GAUSS_NEWTON_LIMIT
        if over and counters[RESTARTS_USED] > 0 and scalars[VALUE] >= scalars[BEST_VALUE]:
            end_attempt(floats, ints, STALLED)
        elif over and outcome != SETTLED:
            copy(floats_at(floats, ints, ANGLES), floats_at(floats, ints, TRIAL))
            arrive(counters, NEWTON)
        elif over:
            end_attempt(floats, ints, OPTIMAL)
    elif outcome >= SETTLED:
        end_attempt(floats, ints, OPTIMAL if outcome == SETTLED else STALLED)
    elif used >= NEWTON_LIMIT:
        end_attempt(floats, ints, STALLED)


@kernel
def end_attempt(floats, ints, status):
    keep_best(floats, ints, status)
    counters = ints_at(ints, COUNTERS)
    if counters[RESTARTS_LEFT] > 0 and is_worth_restarting(floats, ints):
        restart(floats, ints)
        arrive(counters, ALIGN if has_free_root(floats, ints) else GAUSS_NEWTON)
    else:
        answer(floats, ints, status)


@kernel
def answer(floats, ints, status):
    """End the solve; `conclude` brings the best pose back."""
    counters = ints_at(ints, COUNTERS)
    keep_best(floats, ints, status)
    if floats_at(floats, ints, SCALARS)[BEST_WORST] <= 1.0:
        counters[BEST_STATUS] = REACHED
    counters[STATUS] = status if status == OUT_OF_ITERATIONS else counters[BEST_STATUS]


@entry
def advance_auto(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    has_matrix = floats_at(floats, ints, HESSIAN).size > 0
    has_discs = ints_at(ints, DISC_DOF).size > 0
    has_groups = ints_at(ints, FOLLOWER_DOF).size > 0
    has_relations = ints_at(ints, RELATION_HELD).size > 0
    jacobian_is_used = not has_matrix or has_spread(floats, ints)
    n = floats_at(floats, ints, ANGLES).size
    limit = counters[EVALUATIONS] + budget
    if counters[PHASE] == BEGIN:
        begin(floats, ints)
        arrive(counters, max(GAUSS_NEWTON, counters[NEXT_PHASE]))
        if is_out_of_reach(floats, ints):
            counters[RESTARTS_LEFT] = 0
    while counters[STATUS] == RUNNING and counters[EVALUATIONS] < limit:
        value, worst = evaluate_trial(floats, ints)
        if counters[PHASE] == ARRIVE or counters[PHASE] == ALIGN:
            settle(floats, ints, value, worst)
        else:
            before = scalars[VALUE]
            outcome = digest(floats, ints, value, worst)
            counters[SLOW] = counters[SLOW] + 1 if scalars[VALUE] > SLOW_FRACTION * before else 0
            steer(floats, ints, outcome)
        while counters[STATUS] == RUNNING and is_searching(counters):
            if counters[ITERATIONS] >= counters[MAX_ITERATIONS]:
                answer(floats, ints, OUT_OF_ITERATIONS)
                break
            newton = counters[PHASE] == NEWTON
            by_rows = not newton and use_rows(floats, ints)
            if counters[LINEARISED] == 0:
                linearise(floats, ints, by_rows or jacobian_is_used)
                if not by_rows:
                    hessian(floats, ints, newton)
                if has_groups:
                    fold_derivatives(floats, ints, n, not by_rows and has_matrix)
                if has_discs:
                    turn_disc_derivatives(floats, ints, not by_rows and has_matrix)
                if by_rows:
                    prepare_rows(floats, ints)
                scale_damping(floats, ints, by_rows)
            elif by_rows:
                release_rows(floats, ints)
            if is_settled(scalars):
                steer(floats, ints, SETTLED)
                continue
            bound_step(floats, ints, pull_strength(scalars, newton))
            damping = scalars[DAMPING] * scalars[SCALE] * nearness(scalars)
            if by_rows:
                rounds = RELATION_ROUNDS if has_relations else ROW_ROUNDS
                model = row_step(floats, ints, damping, rounds)
                usable = model >= 0.0
            elif has_matrix:
                rounds = DOF_ROUNDS
                if has_relations:  # their multipliers need a system that is not singular
                    rounds, damping = RELATION_ROUNDS, max(damping, 1e-10 * scalars[SCALE])
                usable, model = dof_step(floats, ints, damping, rounds)
            else:
                model = krylov_step(floats, ints, damping)
                usable = model < scalars[VALUE]
            if usable:
                set_trial(floats, ints, model)
                break
            steer(floats, ints, reject(scalars, newton))
    return counters[STATUS]


@kernel
def is_searching(counters):
    return counters[PHASE] == GAUSS_NEWTON or counters[PHASE] == NEWTON
