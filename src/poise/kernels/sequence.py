"""Many solves of one problem, one after the other, in one compiled call.

The method, and what ends a solve, come in as functions: this loop serves every method, and none
is compiled again for it.
"""

from numba import types

from poise.kernels.compiled import entry_of, function_type, kernel
from poise.kernels.layout import (
    ANGLES,
    COUNTERS,
    EVALUATIONS,
    GOAL_ERRORS,
    GOAL_TARGET,
    GOAL_WEIGHT,
    ITERATIONS,
    LOWER,
    MAX_ITERATIONS,
    RANDOM,
    RESIDUAL,
    RESTARTS_LEFT,
    RESTARTS_USED,
    RUNNING,
    SCALARS,
    START,
    STATUS,
    UPPER,
    VALUE,
    WORST,
    floats_at,
    ints_at,
)
from poise.kernels.state import copy

# `settings`
MOST_ITERATIONS, MOST_RESTARTS, SEED, EACH_ALONE, SETTING_COUNT = range(5)
# rows of `limits`
LOWEST, HIGHEST, REACH, LIMIT_ROWS = range(4)
# columns of `outcomes` and of `values`
STATUS_OF, ITERATIONS_OF, EVALUATIONS_OF, RESTARTS_OF, OUTCOME_COUNT = range(5)
VALUE_OF, RESIDUAL_OF, VALUE_COUNT = range(3)

CHUNK = 1 << 20  # evaluations of one call of the method
LONGEST_LEAD = 0.5  # [rad or m] a DOF that went farther than this in a frame jumped

_FLOATS, _INTS = types.float64[::1], types.int64[::1]
_TABLE, _INT_TABLE = types.float64[:, ::1], types.int64[:, ::1]
_ADVANCE = function_type(types.int64(_FLOATS, _INTS, types.int64))
_CONCLUDE = function_type(types.void(_FLOATS, _INTS))
_GOALS = types.UniTuple(_TABLE, 3)
_ANSWERS = types.Tuple((_TABLE, _TABLE, _INT_TABLE, _TABLE))


@kernel
def begin_search(counters, settings, restarts):
    """COUNTERS as `Workspace.search` has them at its start."""
    for c in range(counters.size):
        counters[c] = 0
    counters[MAX_ITERATIONS] = settings[MOST_ITERATIONS]
    counters[RESTARTS_LEFT] = restarts
    counters[RANDOM] = settings[SEED]


@kernel
def set_start(floats, ints, history, lead):
    """START <- where the last two answers lead to; a DOF that jumped stays."""
    start = floats_at(floats, ints, START)
    for d in range(start.size):
        moved = history[0, d] - history[1, d]
        start[d] = history[0, d]
        if abs(moved) <= LONGEST_LEAD:
            start[d] += lead * moved


@kernel
def set_window(floats, ints, limits, last):
    """LOWER and UPPER <- what can be reached from the last answer, inside the limits."""
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    for d in range(lower.size):
        lowest, highest, reach = limits[LOWEST, d], limits[HIGHEST, d], limits[REACH, d]
        lower[d] = min(max(last[d] - reach, lowest), highest)
        upper[d] = min(max(last[d] + reach, lowest), highest)


_SIGNATURE = types.void(
    _ADVANCE,
    _CONCLUDE,
    _FLOATS,
    _INTS,
    _INTS,
    types.UniTuple(types.float64, 2),
    _TABLE,
    _TABLE,
    _GOALS,
    _ANSWERS,
)


@entry_of(_SIGNATURE)
def solve_sequence(
    advance, conclude, floats, ints, settings, motion, history, limits, goals, answers
):
    """Solve every row of `goals`: targets (rows, k TARGET_SIZE), weights (rows, 4k) and
    starts (rows or 0, n). Fills `answers`: angles (rows, n), errors (rows, 2k), outcomes and
    values (see the names above).

    A solve starts at its row of `starts`; without them at the last answer, led on by the last
    motion times the `motion`'s lead. `history` (2, n) has the last answer and the one before, and
    is kept up to date. `limits` (LIMIT_ROWS, n) says how far a DOF may go from one answer to the
    next; with no rows as far as it likes.

    A restart is a jump. There is none unless a goal misses by more than `acceptable` times its
    tolerance; and where restarts did not help, none until a frame is acceptable again. Where each
    solve stands alone (EACH_ALONE) there are no jumps: it restarts whenever a goal is missed.
    """
    lead, acceptable = motion
    alone = settings[EACH_ALONE] != 0
    first_restarts = settings[MOST_RESTARTS] if alone else 0
    hopeless = settings[MOST_RESTARTS] == 0
    counters, scalars = ints_at(ints, COUNTERS), floats_at(floats, ints, SCALARS)
    found, found_errors = floats_at(floats, ints, ANGLES), floats_at(floats, ints, GOAL_ERRORS)
    targets, weights, starts = goals
    angles, errors, outcomes, values = answers
    for i in range(targets.shape[0]):
        copy(targets[i], floats_at(floats, ints, GOAL_TARGET))
        copy(weights[i], floats_at(floats, ints, GOAL_WEIGHT))
        if starts.shape[0] > 0:
            copy(starts[i], floats_at(floats, ints, START))
        else:
            set_start(floats, ints, history, lead)
        if limits.shape[0] > 0:
            set_window(floats, ints, limits, history[0])
        iterations, evaluations = 0, 0
        for restarts in (first_restarts, settings[MOST_RESTARTS]):
            begin_search(counters, settings, restarts)
            while advance(floats, ints, CHUNK) == RUNNING:
                pass
            conclude(floats, ints)
            iterations += counters[ITERATIONS]
            evaluations += counters[EVALUATIONS]
            if scalars[WORST] <= acceptable:
                hopeless = settings[MOST_RESTARTS] == 0
                break
            if hopeless or alone:
                break
            hopeless = restarts > 0
        copy(found if counters[RESTARTS_USED] > 0 else history[0], history[1])
        copy(found, history[0])
        copy(found, angles[i])
        copy(found_errors, errors[i])
        outcomes[i, STATUS_OF] = counters[STATUS]
        outcomes[i, ITERATIONS_OF] = iterations
        outcomes[i, EVALUATIONS_OF] = evaluations
        outcomes[i, RESTARTS_OF] = counters[RESTARTS_USED]
        values[i, VALUE_OF] = scalars[VALUE]
        values[i, RESIDUAL_OF] = scalars[RESIDUAL]
