"""The phases of `auto`: what follows an iteration, when it begins again, and when it ends."""

from poise.kernels.alignment import align_root, has_free_root
from poise.kernels.compiled import kernel
from poise.kernels.layout import (
    ANGLES,
    BEST_ANGLES,
    BEST_STATUS,
    BEST_VALUE,
    BEST_WORST,
    COUNTERS,
    DAMPING,
    DAMPING_GROWTH,
    ITERATIONS,
    LINEARISED,
    NEXT_PHASE,
    OPTIMAL,
    OUT_OF_ITERATIONS,
    PHASE,
    PHASE_ITERATIONS,
    REACHED,
    RESTARTS_LEFT,
    RESTARTS_USED,
    RUNNING,
    SCALARS,
    SECANTS,
    SLOW,
    STALLED,
    STATUS,
    TRIAL,
    VALUE,
    WORST,
    floats_at,
    ints_at,
)
from poise.kernels.restarts import is_worth_restarting, restart
from poise.kernels.state import copy, has_preference, keep_best, take_trial

# PHASE
BEGIN, GAUSS_NEWTON, NEWTON, ARRIVE, ALIGN = range(5)
# What came of an iteration
PROGRESS, REJECTED, SETTLED, STUCK = range(4)
# The end of an attempt that is worth finishing only if none is better
CUT_SHORT = RUNNING

FIRST_DAMPING, DAMPING_START_GROWTH = 0.3, 4.0
SLOW_LIMIT, GAUSS_NEWTON_LIMIT, NEWTON_LIMIT = 6, 30, 400  # slow iterations in a row; iterations
NEWTON_PATIENCE = 40  # slow iterations in a row after which beginning again is tried first


@kernel
def is_searching(counters):
    return counters[PHASE] == GAUSS_NEWTON or counters[PHASE] == NEWTON


@kernel
def arrive(counters, phase):
    """Take TRIAL whatever its value is, and go on from there in `phase`."""
    counters[PHASE] = ARRIVE
    counters[NEXT_PHASE] = phase


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
    elif counters[SLOW] >= NEWTON_PATIENCE and scalars[WORST] > 1.0 and may_restart(floats, ints):
        end_attempt(floats, ints, CUT_SHORT)


@kernel
def end_attempt(floats, ints, status):
    """Begin again, or end; before that, finish the best attempt if it was cut short."""
    keep_best(floats, ints, status)
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    if counters[BEST_STATUS] == CUT_SHORT and scalars[VALUE] == scalars[BEST_VALUE]:
        counters[BEST_STATUS] = status
    if may_restart(floats, ints):
        restart(floats, ints)
        arrive(counters, ALIGN if has_free_root(floats, ints) else GAUSS_NEWTON)
    elif counters[BEST_STATUS] == CUT_SHORT:
        counters[RESTARTS_LEFT] = 0
        copy(floats_at(floats, ints, BEST_ANGLES), floats_at(floats, ints, TRIAL))
        arrive(counters, NEWTON)
    else:
        answer(floats, ints, status)


@kernel
def may_restart(floats, ints):
    return ints_at(ints, COUNTERS)[RESTARTS_LEFT] > 0 and is_worth_restarting(floats, ints)


@kernel
def answer(floats, ints, status):
    """End the solve; `conclude` brings the best pose back."""
    counters = ints_at(ints, COUNTERS)
    keep_best(floats, ints, status)
    if floats_at(floats, ints, SCALARS)[BEST_WORST] <= 1.0:
        counters[BEST_STATUS] = REACHED
    counters[STATUS] = status if status == OUT_OF_ITERATIONS else counters[BEST_STATUS]
