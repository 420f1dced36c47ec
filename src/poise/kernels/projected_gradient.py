"""The method of Engell-Nørregård & Erleben (PLS §4): steepest descent with a projected Armijo
back-tracking line search, exactly as printed.

θ(τ) = P(θ - τ∇f); accept when f(θ(τ)) < f(θ) + α ∇fᵀ(θ(τ) - θ) (39); else τ <- βτ, from τ = 1.
"""

from poise.kernels.compiled import entry, kernel
from poise.kernels.layout import (
    ANGLES,
    COUNTERS,
    EVALUATIONS,
    GRADIENT,
    ITERATIONS,
    MAX_ITERATIONS,
    OPTIMAL,
    OUT_OF_ITERATIONS,
    PARAMETERS,
    PHASE,
    PREDICTED,
    REACHED,
    RESIDUAL,
    RUNNING,
    SCALARS,
    STALLED,
    START_RESIDUAL,
    STATUS,
    TRIAL,
    VALUE,
    VECTORS,
    floats_at,
    ints_at,
)
from poise.kernels.limits import project
from poise.kernels.state import (
    begin,
    evaluate_trial,
    gradient_at_angles,
    is_settled,
    projected_gradient_norm,
    take_trial,
)

BEGIN, SEARCH = range(2)
# SCALARS of this method; VECTORS holds the step of each DOF per unit of its slope.
ALPHA, BETA, FIRST_STEP, LEAST_STEP, STEP_LENGTH = range(PARAMETERS, PARAMETERS + 5)


@kernel
def propose(floats, ints):
    """TRIAL <- P(θ - τ∇f), and ∇fᵀ(θ(τ) - θ)."""
    scalars = floats_at(floats, ints, SCALARS)
    angles = floats_at(floats, ints, ANGLES)
    slope = floats_at(floats, ints, GRADIENT)
    scale = floats_at(floats, ints, VECTORS)
    trial = floats_at(floats, ints, TRIAL)
    for d in range(angles.size):
        trial[d] = angles[d] - scalars[STEP_LENGTH] * scale[d] * slope[d]
    project(floats, ints, trial)
    fall = 0.0
    for d in range(angles.size):
        fall += slope[d] * (trial[d] - angles[d])
    scalars[PREDICTED] = fall


@kernel
def take(floats, ints, value, worst):
    """Make TRIAL the iterate, and see whether the solve ends there."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    take_trial(floats, ints, value, worst)
    gradient_at_angles(floats, ints)
    scalars[RESIDUAL] = projected_gradient_norm(floats, ints)
    if scalars[START_RESIDUAL] < 0.0:
        scalars[START_RESIDUAL] = scalars[RESIDUAL]
    scalars[STEP_LENGTH] = scalars[FIRST_STEP]
    if worst <= 1.0:
        counters[STATUS] = REACHED
    elif is_settled(scalars):
        counters[STATUS] = OPTIMAL
    elif counters[ITERATIONS] >= counters[MAX_ITERATIONS]:
        counters[STATUS] = OUT_OF_ITERATIONS


@entry
def advance_projected_gradient(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    limit = counters[EVALUATIONS] + budget
    if counters[PHASE] == BEGIN:
        begin(floats, ints)
    while counters[STATUS] == RUNNING and counters[EVALUATIONS] < limit:
        value, worst = evaluate_trial(floats, ints)
        if counters[PHASE] == BEGIN:
            counters[PHASE] = SEARCH
            take(floats, ints, value, worst)
        elif value < scalars[VALUE] + scalars[ALPHA] * scalars[PREDICTED]:
            counters[ITERATIONS] += 1
            take(floats, ints, value, worst)
        else:
            scalars[STEP_LENGTH] *= scalars[BETA]
            if scalars[STEP_LENGTH] < scalars[LEAST_STEP]:
                counters[STATUS] = STALLED
        if counters[STATUS] == RUNNING:
            propose(floats, ints)
    return counters[STATUS]
