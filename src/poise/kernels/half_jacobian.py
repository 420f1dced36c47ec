"""Meredith & Maddock's iteration with the right pseudo-inverse of a half or a full Jacobian.

A stage is one chain: the rows of one goal and the DOFs that serve it. Stages are solved one after
the other, and DOFs that chains share move again. One iteration of a stage, as HJ has it:

1. dX = X_g - X: the way to go (3), the turn to make (3), or both.
2. J: the columns b = a x (P_e - P_j) and a of the DOFs' axes a (1.12 to 1.14).
3. J⁺ = Jᵀ(JJᵀ)⁻¹ (1.6), JJᵀ inverted in closed form for three rows (1.10), by LU for six (1.8).
4. The error ‖(I - JJ⁺)dX‖ (1.7).
5. While it is above e, dX <- dX / 2, at most `max_inner` times. It is linear in dX: both halve.
6. θ <- θ + J⁺dX, cropped to the limits.
7. Until the goal is met, at most `max_outer` times; then back to the nearest pose seen.
"""

import math

from poise.kernels.chain_rows import BOTH, ROTATION, displacement, fill_columns
from poise.kernels.compiled import entry, kernel
from poise.kernels.dynamic_limits import crop_dynamic
from poise.kernels.layout import (
    ANGLES,
    COUNTERS,
    DUAL,
    EVALUATIONS,
    GRAM,
    INDICES,
    LENGTH,
    MOBILITY,
    OUT_OF_ITERATIONS,
    PARAMETERS,
    PHASE,
    PHASE_ITERATIONS,
    RUNNING,
    SCALARS,
    STALLED,
    STATUS,
    STEP,
    SYSTEM,
    TRIAL,
    VECTORS,
    floats_at,
    ints_at,
)
from poise.kernels.linear import dot
from poise.kernels.right_inverse import fill_gram, halved, solve_lu, solve_three, stiffen
from poise.kernels.state import copy, differ, evaluate_trial
from poise.kernels.stepping import BEGIN, ENDLESS, end, is_running, start, step_trial, take

# SCALARS of this method.
ERROR, MAX_OUTER, MAX_INNER, ROUNDS, NEAREST = range(PARAMETERS, PARAMETERS + 5)
# INDICES: the state, then the stages, STAGE_SIZE each, then the DOFs of all stages.
STAGE, ROUND, RETURNING, STAGE_COUNT, FIRST_STAGE = range(5)
# A stage: what it moves (chain_rows.py), its goal, 1 if another stage serves that goal too, the
# first and last + 1 of its DOFs, and how it was left.
ROWS_OF, GOAL, IS_PART, FIRST_DOF, END_DOF, LEFT, STAGE_SIZE = range(7)
MET, STUCK, CAPPED = range(3)  # LEFT
# VECTORS: the nearest pose of the stage (n), then J by rows (6 n).
FINER = 0.1  # of the tolerance: what counts as met for one of two stages of the same goal


@kernel
def stage_step(floats, ints, dofs, rows_of, point, dx):
    """STEP <- J⁺dX, with dX halved as the error of J⁺ demands."""
    scalars = floats_at(floats, ints, SCALARS)
    mobility = floats_at(floats, ints, MOBILITY)
    gram = floats_at(floats, ints, GRAM)
    system = floats_at(floats, ints, SYSTEM)
    y = floats_at(floats, ints, DUAL)[6:]
    step = floats_at(floats, ints, STEP)
    n, c = mobility.size, dofs.size
    matrix = floats_at(floats, ints, VECTORS)[n:]
    rows = 6 if rows_of == BOTH else 3
    fill_columns(floats, ints, dofs, rows_of, point, matrix)
    fill_gram(matrix, rows, c, gram)
    for i in range(rows * rows):
        system[i] = gram[i]
    for i in range(rows):
        y[i] = dx[i]
    if rows_of == ROTATION:
        stiffen(gram, rows, 0, 1e-6, system)
    else:
        stiffen(gram, rows, 0, 1e-6 * scalars[LENGTH] ** 2, system)
    if rows == 6:
        stiffen(gram, rows, 3, 1e-6, system)
        solve_lu(system, 6, y)
    else:
        solve_three(system, y)
    squared = 0.0
    for i in range(rows):
        missing = dx[i] - dot(gram[i * rows : i * rows + rows], y, rows)
        squared += missing * missing
    share = halved(math.sqrt(squared), scalars[ERROR], scalars[MAX_INNER])
    for d in range(n):
        step[d] = 0.0
    for i in range(c):
        total = 0.0
        for j in range(rows):
            total += matrix[j * c + i] * y[j]
        step[dofs[i]] = share * mobility[dofs[i]] * total


@kernel
def propose(floats, ints):
    """TRIAL <- ANGLES + STEP, cropped. False if that is not finite, or where the figure is."""
    trial = floats_at(floats, ints, TRIAL)
    if not step_trial(floats, ints):
        return False
    crop_dynamic(floats, ints, trial)
    return differ(trial, floats_at(floats, ints, ANGLES))


@kernel
def enter(floats, ints, stage):
    """Begin a stage; after the last one the next round."""
    state = ints_at(ints, INDICES)
    scalars = floats_at(floats, ints, SCALARS)
    state[STAGE] = stage
    state[RETURNING] = 0
    ints_at(ints, COUNTERS)[PHASE_ITERATIONS] = 0
    scalars[NEAREST] = math.inf
    if stage == state[STAGE_COUNT]:
        state[ROUND] += 1
        if state[ROUND] < scalars[ROUNDS]:
            state[STAGE] = 0


@kernel
def advance_stage(floats, ints):
    """TRIAL <- the next pose of this stage, or of one after it. False if there is none."""
    state = ints_at(ints, INDICES)
    angles = floats_at(floats, ints, ANGLES)
    nearest = floats_at(floats, ints, VECTORS)[: angles.size]
    if state[RETURNING] == 1:
        enter(floats, ints, state[STAGE] + 1)
    while state[STAGE] < state[STAGE_COUNT]:
        stage = state[FIRST_STAGE + STAGE_SIZE * state[STAGE] :]
        if iterate(floats, ints, stage):
            return True
        if stage[LEFT] != MET and differ(nearest, angles):
            copy(nearest, floats_at(floats, ints, TRIAL))
            state[RETURNING] = 1
            return True
        enter(floats, ints, state[STAGE] + 1)
    return False


@kernel
def iterate(floats, ints, stage):
    """One iteration of a stage. False if it is at its end, which LEFT tells."""
    state = ints_at(ints, INDICES)
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    angles = floats_at(floats, ints, ANGLES)
    dx = floats_at(floats, ints, DUAL)[:6]
    point, ratio = displacement(floats, ints, stage[ROWS_OF], stage[GOAL], dx)
    if ratio < scalars[NEAREST]:
        scalars[NEAREST] = ratio
        copy(angles, floats_at(floats, ints, VECTORS)[: angles.size])
    stage[LEFT] = MET
    if ratio <= (FINER if stage[IS_PART] == 1 else 1.0):
        return False
    stage[LEFT] = CAPPED
    if counters[PHASE_ITERATIONS] >= scalars[MAX_OUTER]:
        return False
    stage[LEFT] = STUCK
    listed = state[FIRST_STAGE + STAGE_SIZE * state[STAGE_COUNT] :]
    stage_step(floats, ints, listed[stage[FIRST_DOF] : stage[END_DOF]], stage[ROWS_OF], point, dx)
    counters[PHASE_ITERATIONS] += 1
    return propose(floats, ints)


@kernel
def has_more_to_do(floats, ints):
    """Whether a stage was cut short, or was met and has been moved off by a later one."""
    state = ints_at(ints, INDICES)
    dx = floats_at(floats, ints, DUAL)[:6]
    for i in range(state[STAGE_COUNT]):
        stage = state[FIRST_STAGE + STAGE_SIZE * i :]
        _, ratio = displacement(floats, ints, stage[ROWS_OF], stage[GOAL], dx)
        if stage[LEFT] == CAPPED or (stage[LEFT] == MET and ratio > 1.0):
            return True
    return False


@entry
def advance_half_jacobian(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    limit = counters[EVALUATIONS] + budget
    if counters[PHASE] == BEGIN:
        start(floats, ints)
        crop_dynamic(floats, ints, floats_at(floats, ints, TRIAL))
        ints_at(ints, INDICES)[ROUND] = 0
        enter(floats, ints, 0)
    while is_running(ints, limit):
        value, worst = evaluate_trial(floats, ints)
        take(floats, ints, value, worst, ENDLESS)
        if counters[STATUS] == RUNNING and not advance_stage(floats, ints):
            cut_short = has_more_to_do(floats, ints)
            end(floats, ints, OUT_OF_ITERATIONS if cut_short else STALLED)
    return counters[STATUS]
