"""Many walkers in one compiled call: for each its gait, its goals and its solve.

The parts come in as functions, called by their address: they are those that a single walker uses,
to the bit, and none is compiled again for the crowd.
"""

import math

from numba import types

from poise.kernels.compiled import entry_of, function_type
from poise.kernels.layout import (
    ANGLES,
    COUNTERS,
    GOAL_WEIGHT,
    RUNNING,
    START,
    STATUS,
    floats_at,
    ints_at,
)
from poise.kernels.sequence import CHUNK, MOST_RESTARTS, begin_search, set_window
from poise.kernels.state import copy

_FLOATS, _INTS = types.float64[::1], types.int64[::1]
_TABLE, _CURVES = types.float64[:, ::1], types.float64[:, :, ::1]
_GAIT = function_type(
    types.void(_FLOATS, _FLOATS, _FLOATS, _INTS, _FLOATS, types.float64, _FLOATS, _FLOATS)
)
_SET_GOALS = function_type(types.void(_FLOATS, _TABLE, _FLOATS, _TABLE, _TABLE, _FLOATS))
_SET_START = function_type(
    types.void(_FLOATS, _CURVES, _INTS, _FLOATS, _TABLE, types.float64, _FLOATS)
)
_ADVANCE = function_type(types.int64(_FLOATS, _INTS, types.int64))
_CONCLUDE = function_type(types.void(_FLOATS, _INTS))
_SIGNATURE = types.void(
    _GAIT,
    _SET_GOALS,
    _SET_START,
    _ADVANCE,
    _CONCLUDE,
    _INTS,
    types.float64,
    types.float64,
    types.UniTuple(_TABLE, 5),
    _INTS,
    types.Tuple((_FLOATS, _INTS)),
    types.Tuple((_TABLE, _FLOATS, _TABLE)),
    types.Tuple((_CURVES, _INTS, _FLOATS, _TABLE)),
    types.Tuple((_FLOATS, _INTS, _INTS)),
    types.Tuple((_TABLE, _TABLE, _TABLE)),
    types.UniTuple(_FLOATS, 2),
)


@entry_of(_SIGNATURE)
def crowd_step(
    gait,
    set_goals,
    set_start,
    advance,
    conclude,
    who,
    dt,
    reach,
    walkers,
    status,
    ground,
    body,
    upper,
    work,
    tables,
    scratch,
):
    """Let the walkers `who` go on by `dt` [s]; an infinite one only brings them to their frames.

    `walkers` are tables with a row each: state, build, command and frame of the gait, and angles.
    `reach` bounds the driven DOFs; the last of `tables` (LIMIT_ROWS, n) the others. The other two
    are the targets and weights of the workspace `work`, whose own weights come with them.
    """
    states, builds, commands, frames, angles = walkers
    values, shape = ground
    axes, pelvis_offset, pelvis_turn = body
    curves, dofs, base, bounds = upper
    floats, ints, settings = work
    targets, own_weights, limits = tables
    gait_scratch, factors = scratch
    counters, found = ints_at(ints, COUNTERS), floats_at(floats, ints, ANGLES)
    weights = floats_at(floats, ints, GOAL_WEIGHT)
    parts_a_goal = own_weights.shape[1]
    for k in range(who.size):
        w = who[k]
        row, pose = frames[w], angles[w]
        if dt < math.inf:
            gait(states[w], builds[w], values, shape, commands[w], dt, row, gait_scratch)
        set_goals(row, axes, pelvis_offset, pelvis_turn, targets, factors)
        for goal in range(factors.size):
            root = math.sqrt(factors[goal])
            for part in range(parts_a_goal):
                weights[goal * parts_a_goal + part] = own_weights[goal, part] * root
        set_start(row, curves, dofs, base, bounds, reach, pose)
        set_window(floats, ints, limits, pose)
        copy(pose, floats_at(floats, ints, START))
        begin_search(counters, settings, settings[MOST_RESTARTS])
        while advance(floats, ints, CHUNK) == RUNNING:
            pass
        conclude(floats, ints)
        copy(found, pose)
        status[w] = counters[STATUS]
