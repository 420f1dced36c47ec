"""The Jacobian transpose method: θ <- P(θ - τ∇f), with ∇f = -2Jᵀe and e = g - F(θ) (PLS 26, 27).

Nothing checks a step. With a fixed τ the error of a linear figure is multiplied by I - 2τJJᵀ, so
that it falls below τ = 1 / σ_max² and grows above: PLS Fig. 6 is real and can be seen in a trace.
Buss's step (PLS 28) is Δθ = τ Jᵀe with τ = eᵀz / zᵀz and z = JJᵀe, which brings the linearised
error as near to zero as this direction can.

Posture terms √w(θ_ref - θ) count as further entries of e.
"""

from poise.kernels.compiled import entry, kernel
from poise.kernels.layout import (
    COUNTERS,
    EVALUATIONS,
    GRADIENT,
    JACOBIAN,
    PARAMETERS,
    POSTURE_WEIGHT,
    ROWS,
    RUNNING,
    SCALARS,
    STATUS,
    STEP,
    VECTORS,
    floats_at,
    ints_at,
)
from poise.kernels.linear import dot
from poise.kernels.row_rules import jacobian_by_leaders
from poise.kernels.state import evaluate_trial
from poise.kernels.stepping import PATIENCE, is_running, propose, start, take

# SCALARS of this method; VECTORS holds the step of each DOF per unit of its slope.
TAU, BY_BUSS = range(PARAMETERS, PARAMETERS + 2)


@kernel
def buss_step(floats, ints):
    """STEP, which is Jᵀe, times τ = eᵀz / zᵀz."""
    matrix = floats_at(floats, ints, JACOBIAN)
    slope = floats_at(floats, ints, GRADIENT)
    posture = floats_at(floats, ints, POSTURE_WEIGHT)
    step = floats_at(floats, ints, STEP)
    n, along, across = step.size, 0.0, 0.0
    jacobian_by_leaders(floats, ints, n)
    for i in range(floats_at(floats, ints, ROWS).size):
        z = dot(matrix[i * n : i * n + n], step, n)
        across += z * z
    for d in range(n):
        along -= 0.5 * slope[d] * step[d]  # eᵀz = eᵀJ step
        if posture.size > 0:
            across += posture[d] * step[d] * step[d]
    for d in range(n):
        step[d] *= along / across if across > 0.0 else 0.0


@kernel
def transpose_step(floats, ints):
    """STEP <- -τ∇f, or Buss's step."""
    scalars = floats_at(floats, ints, SCALARS)
    slope = floats_at(floats, ints, GRADIENT)
    scale = floats_at(floats, ints, VECTORS)
    step = floats_at(floats, ints, STEP)
    by_buss = scalars[BY_BUSS] > 0.0
    length = 0.5 if by_buss else scalars[TAU]
    for d in range(step.size):
        step[d] = -length * scale[d] * slope[d]
    if by_buss:
        buss_step(floats, ints)


@entry
def advance_jacobian_transpose(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    limit = counters[EVALUATIONS] + budget
    start(floats, ints)
    while is_running(ints, limit):
        value, worst = evaluate_trial(floats, ints)
        take(floats, ints, value, worst, PATIENCE)
        if counters[STATUS] == RUNNING:
            transpose_step(floats, ints)
            propose(floats, ints)
    return counters[STATUS]
