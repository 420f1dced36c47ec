"""What the methods that invert a Jacobian share: displacements, steps from rows, and clamps.

All of them work with J̃ = J s, where s is how readily each DOF moves (MOBILITY: 1 for a free
rotation, 0 for a frozen DOF), and their step is Δθ = s J̃ᵀy.
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.derivatives import jacobian
from poise.kernels.groups import clear_leader_columns, fold_derivatives
from poise.kernels.layout import (
    DUAL,
    GOAL_ERRORS,
    GOAL_ROW,
    JACOBIAN,
    MOBILITY,
    ROWS,
    SCALED,
    STEP,
    WEIGHT_FACTOR,
    floats_at,
    ints_at,
)
from poise.kernels.linear import dot
from poise.kernels.row_step import prepare_rows


@kernel
def jacobian_by_leaders(floats, ints, n):
    """∂e/∂q into JACOBIAN, with zero columns at the followers."""
    clear_leader_columns(floats, ints, n)
    jacobian(floats, ints)
    fold_derivatives(floats, ints, n, False)


@kernel
def linearise_rows(floats, ints, farthest, displacement):
    """SCALED and GRAM at ANGLES, just evaluated, and the `displacement` e = g - F that they see."""
    jacobian_by_leaders(floats, ints, floats_at(floats, ints, MOBILITY).size)
    prepare_rows(floats, ints)
    clamp_displacement(floats, ints, farthest, displacement)


@kernel
def clamp_displacement(floats, ints, farthest, displacement):
    """The goals' displacements, those farther than `farthest` [m] shortened to it (0: none).

    Buss & Kim's ClampMag of target positions; angles are bounded as they are. A full weight matrix
    mixes the goals' rows, so that there all are shortened as much as the farthest.
    """
    first_row = ints_at(ints, GOAL_ROW)
    errors = floats_at(floats, ints, GOAL_ERRORS)
    rows = floats_at(floats, ints, ROWS)
    least = 1.0
    for k in range(first_row.size - 1):
        share = 1.0
        if farthest > 0.0 and errors[2 * k] > farthest:
            share = farthest / errors[2 * k]
            least = min(least, share)
        for i in range(first_row[k], first_row[k + 1]):
            displacement[i] = -share * rows[i]
    if floats_at(floats, ints, WEIGHT_FACTOR).size > 0:
        for i in range(rows.size):
            displacement[i] = -least * rows[i]


@kernel
def step_from_rows(floats, ints, factor):
    """STEP <- factor · s J̃ᵀ DUAL."""
    mobility = floats_at(floats, ints, MOBILITY)
    scaled = floats_at(floats, ints, SCALED)
    dual = floats_at(floats, ints, DUAL)
    step = floats_at(floats, ints, STEP)
    n = step.size
    for d in range(n):
        step[d] = 0.0
    for i in range(floats_at(floats, ints, ROWS).size):
        row, weight = scaled[i * n : i * n + n], factor * dual[i]
        for d in range(n):
            step[d] += weight * row[d]
    for d in range(n):
        step[d] *= mobility[d]


@kernel
def clamp_step(floats, ints, most):
    """Shorten STEP to a length of `most` [rad] in the metric of the DOFs (0: as it is)."""
    mobility = floats_at(floats, ints, MOBILITY)
    step = floats_at(floats, ints, STEP)
    if most <= 0.0:
        return
    squared = 0.0
    for d in range(step.size):
        if mobility[d] > 0.0:
            squared += (step[d] / mobility[d]) ** 2
    length = math.sqrt(squared)
    if length > most:
        for d in range(step.size):
            step[d] *= most / length


@kernel
def expected_value(floats, ints):
    """‖F + J STEP - g‖²: what the linearised rows expect of the step."""
    rows = floats_at(floats, ints, ROWS)
    matrix = floats_at(floats, ints, JACOBIAN)
    step = floats_at(floats, ints, STEP)
    n, value = step.size, 0.0
    for i in range(rows.size):
        row = rows[i] + dot(matrix[i * n : i * n + n], step, n)
        value += row * row
    return value
