"""A step of `auto`: its slopes, damping, bounds and pull, and the TRIAL that it leads to."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.custom import add_custom_gradient, largest_curvature
from poise.kernels.derivatives import add_posture_gradient, jacobian
from poise.kernels.discs import bound_discs, turn_discs
from poise.kernels.groups import clear_leader_columns, fold_vector
from poise.kernels.layout import (
    ANGLES,
    AXES,
    COUNTERS,
    CUSTOM,
    DISC_DOF,
    GRADIENT,
    GRAM,
    HALF_RANGE,
    HELD,
    HESSIAN,
    HIGH,
    JACOBIAN,
    LENGTH,
    LINEARISED,
    LOW,
    LOWER,
    MIDDLE,
    MOBILITY,
    PARAMETERS,
    POSTURE_WEIGHT,
    PREDICTED,
    PULLED,
    RESIDUAL,
    ROWS,
    SCALARS,
    SCALE,
    START_RESIDUAL,
    STEP,
    STIFFNESS,
    TRIAL,
    UPPER,
    VALUE,
    floats_at,
    ints_at,
)
from poise.kernels.limits import project
from poise.kernels.relation_step import begin_relations
from poise.kernels.restarts import is_turning
from poise.kernels.state import gradient_at_angles, projected_gradient_norm

# SCALARS of this method
PULL_STRENGTH = PARAMETERS  # fraction of the way back into FREE_RANGE that a step may take
FREE_RANGE = PARAMETERS + 1  # the middle fraction of each range in which nothing is pulled
STEP_CAP = PARAMETERS + 2  # longest turn of a DOF in one step [rad]


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
