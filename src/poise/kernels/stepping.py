"""What the methods of the papers share: taking a trial, proposing the next one, honest ends.

Such a method is a direction rule, a step rule and a limit rule around this loop, with one
evaluation a turn, so that it can be stopped and resumed anywhere:

    start(floats, ints)
    while is_running(ints, limit):
        value, worst = evaluate_trial(floats, ints)
        take(floats, ints, value, worst, PATIENCE)
        if counters[STATUS] == RUNNING:
            ...                                        # the direction goes to STEP
            propose(floats, ints)

Methods that reject trials call `reject` instead of `take` for those. Not every method lowers the
value with every step: the best iterate is kept, and it is what the solve answers.
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.layout import (
    ANGLES,
    BEST_STATUS,
    BEST_VALUE,
    BEST_WORST,
    COUNTERS,
    EVALUATIONS,
    ITERATIONS,
    LINEARISED,
    MAX_ITERATIONS,
    OPTIMAL,
    OUT_OF_ITERATIONS,
    PHASE,
    REACHED,
    RESIDUAL,
    RUNNING,
    SCALARS,
    SLOW,
    STALLED,
    START_RESIDUAL,
    STATUS,
    STEP,
    TRIAL,
    WORST,
    floats_at,
    ints_at,
)
from poise.kernels.limits import project
from poise.kernels.state import (
    begin,
    differ,
    gradient_at_angles,
    has_preference,
    is_settled,
    keep_best,
    projected_gradient_norm,
    take_trial,
)

BEGIN, STEPPING = range(2)  # PHASE; methods may have further ones
PATIENCE = 300  # iterations in a row without a better pose that end a method that may rise
ENDLESS = 1 << 62  # the patience of methods that never rise
LEAST_PROGRESS = 1e-9  # share of the best value by which a better pose must be better
DIVERGED = 1e60  # a value [m²] beyond which slopes would soon overflow


@kernel
def start(floats, ints):
    """Begin if this is the first call of a solve."""
    if ints_at(ints, COUNTERS)[PHASE] == BEGIN:
        begin(floats, ints)


@kernel
def is_running(ints, limit):
    """Whether to go on, with the budget of evaluations up to `limit`."""
    counters = ints_at(ints, COUNTERS)
    return counters[STATUS] == RUNNING and counters[EVALUATIONS] < limit


@kernel
def take(floats, ints, value, worst, patience):
    """Make TRIAL the iterate, with its gradient and residual, and see whether the solve ends."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    if counters[PHASE] == BEGIN:
        counters[PHASE] = STEPPING
    else:
        counters[ITERATIONS] += 1
        if not value < DIVERGED:  # or not a number
            end(floats, ints, STALLED)
            return
    take_trial(floats, ints, value, worst)
    counters[LINEARISED] = 1  # the next trial overwrites what was evaluated here
    gradient_at_angles(floats, ints)
    scalars[RESIDUAL] = projected_gradient_norm(floats, ints)
    if scalars[START_RESIDUAL] < 0.0:
        scalars[START_RESIDUAL] = scalars[RESIDUAL]
    settled = is_settled(scalars)
    wanted = scalars[BEST_VALUE] * (1.0 - LEAST_PROGRESS)
    keep_best(floats, ints, OPTIMAL if settled else STALLED)
    counters[SLOW] = 0 if scalars[BEST_VALUE] < wanted else counters[SLOW] + 1
    if scalars[WORST] <= 1.0 and not has_preference(floats, ints):
        end(floats, ints, REACHED)
    elif settled:
        end(floats, ints, OPTIMAL)
    elif counters[SLOW] >= patience:
        end(floats, ints, STALLED)
    elif counters[ITERATIONS] >= counters[MAX_ITERATIONS]:
        end(floats, ints, OUT_OF_ITERATIONS)


@kernel
def reject(floats, ints):
    """Count an iteration whose trial was not taken."""
    counters = ints_at(ints, COUNTERS)
    counters[ITERATIONS] += 1
    if counters[ITERATIONS] >= counters[MAX_ITERATIONS]:
        end(floats, ints, OUT_OF_ITERATIONS)


@kernel
def end(floats, ints, status):
    """End the solve. Only the best pose counts: it may be met, or not be the one proven optimal."""
    counters = ints_at(ints, COUNTERS)
    if status != OUT_OF_ITERATIONS and floats_at(floats, ints, SCALARS)[BEST_WORST] <= 1.0:
        status = REACHED
    elif status == OPTIMAL and counters[BEST_STATUS] != OPTIMAL:
        status = STALLED
    counters[STATUS] = status


@kernel
def step_trial(floats, ints):
    """TRIAL <- P(ANGLES + STEP). False if the step is not finite."""
    angles = floats_at(floats, ints, ANGLES)
    step = floats_at(floats, ints, STEP)
    trial = floats_at(floats, ints, TRIAL)
    for d in range(angles.size):
        trial[d] = angles[d] + step[d]
        if not math.isfinite(trial[d]):
            return False
    project(floats, ints, trial)
    return True


@kernel
def propose(floats, ints):
    """TRIAL <- P(ANGLES + STEP). A step that is not finite, or moves nothing, ends the solve."""
    angles = floats_at(floats, ints, ANGLES)
    if not (step_trial(floats, ints) and differ(floats_at(floats, ints, TRIAL), angles)):
        end(floats, ints, STALLED)
