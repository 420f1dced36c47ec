"""The quadratic model of f about an iterate, m(d) = g·d + dᵀHd with half the Hessian H, and the
box of steps that stay inside the limits: what the methods with second derivatives share.

Swings of cones are turned to (radial, tangential), so that a cone is a bound too (discs.py).
"""

from poise.kernels.compiled import kernel
from poise.kernels.derivatives import jacobian
from poise.kernels.discs import bound_discs, turn_disc_derivatives, turn_discs
from poise.kernels.dof_step import multiply_hessian
from poise.kernels.groups import clear_leader_columns, fold_derivatives
from poise.kernels.hessian import hessian
from poise.kernels.krylov import multiply
from poise.kernels.layout import (
    ANGLES,
    DISC_DOF,
    FOLLOWER_DOF,
    GRADIENT,
    HESSIAN,
    HIGH,
    LOW,
    LOWER,
    MOBILITY,
    SCRATCH,
    STEP,
    TRIAL,
    UPPER,
    floats_at,
    ints_at,
)
from poise.kernels.limits import project
from poise.kernels.linear import dot


@kernel
def build_model(floats, ints, exact):
    """HESSIAN, the turned GRADIENT, LOW and HIGH at ANGLES, just taken."""
    n = floats_at(floats, ints, ANGLES).size
    has_matrix = floats_at(floats, ints, HESSIAN).size > 0
    clear_leader_columns(floats, ints, n)
    jacobian(floats, ints)
    hessian(floats, ints, exact)
    if ints_at(ints, FOLLOWER_DOF).size > 0:
        fold_derivatives(floats, ints, n, has_matrix)
    if ints_at(ints, DISC_DOF).size > 0:
        turn_disc_derivatives(floats, ints, has_matrix)
    bound_steps(floats, ints)


@kernel
def bound_steps(floats, ints):
    """LOW and HIGH of the steps from ANGLES; none for DOFs that are frozen."""
    angles = floats_at(floats, ints, ANGLES)
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    mobility = floats_at(floats, ints, MOBILITY)
    for d in range(angles.size):
        low[d], high[d] = lower[d] - angles[d], upper[d] - angles[d]
    bound_discs(floats, ints)
    for d in range(angles.size):
        if mobility[d] == 0.0:
            low[d], high[d] = 0.0, 0.0


@kernel
def times_hessian(floats, ints, x, result):
    """result <- H x, with the matrix or, on large figures, without one (then H is exact)."""
    if floats_at(floats, ints, HESSIAN).size > 0:
        multiply_hessian(floats, ints, x, result)
    else:
        multiply(floats, ints, x, result)


@kernel
def propose_turned(floats, ints, length):
    """TRIAL <- P(ANGLES + length · STEP) for a turned STEP. Returns ∇fᵀ(TRIAL - ANGLES)."""
    angles = floats_at(floats, ints, ANGLES)
    step = floats_at(floats, ints, STEP)
    trial = floats_at(floats, ints, TRIAL)
    moved = floats_at(floats, ints, SCRATCH)[: angles.size]
    for d in range(angles.size):
        trial[d] = length * step[d]
    turn_discs(floats, ints, trial, True)
    for d in range(angles.size):
        trial[d] += angles[d]
    project(floats, ints, trial)
    for d in range(angles.size):
        moved[d] = trial[d] - angles[d]
    turn_discs(floats, ints, moved, False)
    return dot(floats_at(floats, ints, GRADIENT), moved, angles.size)
