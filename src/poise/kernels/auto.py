"""The default method: bounded Gauss-Newton steps, exact Newton steps where goals stay out of
reach, and seeded restarts from local minima.

Every iterate is inside the limits and, except where a restart begins, none has a higher value
than the one before. A restart replaces the answer only if it is better.

The loop evaluates TRIAL, digests what came of it, and proposes the next TRIAL. There is one place
that evaluates and one that computes steps: Numba compiles a callee again in every caller.
"""

from poise.kernels.auto_phases import (
    ALIGN,
    ARRIVE,
    BEGIN,
    DAMPING_START_GROWTH,
    GAUSS_NEWTON,
    NEWTON,
    PROGRESS,
    REJECTED,
    SETTLED,
    STUCK,
    answer,
    arrive,
    is_searching,
    settle,
    steer,
)
from poise.kernels.auto_step import (
    bound_step,
    linearise,
    pull_strength,
    scale_damping,
    set_trial,
    use_rows,
)
from poise.kernels.compiled import entry, kernel
from poise.kernels.custom import learn_curvature
from poise.kernels.discs import turn_disc_derivatives
from poise.kernels.dof_step import dof_step
from poise.kernels.groups import fold_derivatives
from poise.kernels.hessian import has_spread, hessian
from poise.kernels.krylov import krylov_step
from poise.kernels.layout import (
    ANGLES,
    COUNTERS,
    DAMPING,
    DAMPING_GROWTH,
    DISC_DOF,
    EVALUATIONS,
    FOLLOWER_DOF,
    HESSIAN,
    ITERATIONS,
    LENGTH,
    LINEARISED,
    MAX_ITERATIONS,
    NEXT_PHASE,
    OUT_OF_ITERATIONS,
    PHASE,
    PREDICTED,
    RELATION_HELD,
    RESTARTS_LEFT,
    RUNNING,
    SCALARS,
    SCALE,
    SLOW,
    STATUS,
    VALUE,
    floats_at,
    ints_at,
)
from poise.kernels.restarts import is_out_of_reach
from poise.kernels.row_step import prepare_rows, release_rows, row_step
from poise.kernels.state import begin, evaluate_trial, is_settled, take_trial

# Tuned on 8,000 random poses of the human and on motions that touch its limits.
LEAST_DAMPING, RAISED_DAMPING, MOST_DAMPING = 1e-9, 1e-3, 1e9
NEWTON_RAISED_DAMPING = 1e-6  # little: valleys of unreachable goals are as flat as that
ROW_ROUNDS, DOF_ROUNDS, RELATION_ROUNDS = 3, 4, 10
SLOW_FRACTION = 0.8


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
def reject(scalars, newton):
    least = NEWTON_RAISED_DAMPING if newton else RAISED_DAMPING / nearness(scalars)
    scalars[DAMPING] = max(scalars[DAMPING], least) * scalars[DAMPING_GROWTH]
    scalars[DAMPING_GROWTH] *= 2.0
    return REJECTED if scalars[DAMPING] < MOST_DAMPING else STUCK


@kernel
def nearness(scalars):
    """The value relative to the figure's size: damping vanishes with it, so that steps near the
    goals are Gauss-Newton steps."""
    return min(1.0, scalars[VALUE] / (4.0 * scalars[LENGTH] ** 2)) + 1e-30
