"""The method of Engell-Nørregård & Erleben (PLS §4): steepest descent with a projected Armijo
back-tracking line search, exactly as printed.

θ(τ) = P(θ - τ∇f); accept when f(θ(τ)) < f(θ) + α ∇fᵀ(θ(τ) - θ) (39); else τ <- βτ, from τ = 1.

The variant with a spectral first step starts each search but the first at the τ with which
θ - τ∇f would be a Newton step if the last two gradients were all there is to know of the
curvature: τ = sᵀs / sᵀy with the last step s and the change y of the gradient (Barzilai & Borwein
1988; projected: Birgin, Martínez & Raydan 2000).
"""

from poise.kernels.compiled import entry, kernel
from poise.kernels.layout import (
    ANGLES,
    COUNTERS,
    EVALUATIONS,
    GRADIENT,
    PARAMETERS,
    PHASE,
    PREDICTED,
    RUNNING,
    SCALARS,
    STALLED,
    STATUS,
    TRIAL,
    VALUE,
    VECTORS,
    floats_at,
    ints_at,
)
from poise.kernels.limits import project
from poise.kernels.state import copy, evaluate_trial
from poise.kernels.stepping import BEGIN, ENDLESS, end, is_running, start, take

# SCALARS of this method. VECTORS: the step of each DOF per unit of its slope, then the last
# iterate and its gradient.
ALPHA, BETA, FIRST_STEP, LEAST_STEP, STEP_LENGTH, SPECTRAL = range(PARAMETERS, PARAMETERS + 6)
SHORTEST, LONGEST = 1e-6, 1e6  # spectral steps, in units of the paper's first one


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
def spectral_step(floats, ints):
    """sᵀs / sᵀy over the DOFs that move, in the metric of their scale."""
    scalars = floats_at(floats, ints, SCALARS)
    angles = floats_at(floats, ints, ANGLES)
    slope = floats_at(floats, ints, GRADIENT)
    vectors = floats_at(floats, ints, VECTORS)
    n = angles.size
    scale, last, last_slope = vectors[:n], vectors[n : 2 * n], vectors[2 * n : 3 * n]
    length = curvature = 0.0
    for d in range(n):
        if scale[d] > 0.0:
            s = angles[d] - last[d]
            length += s * s / scale[d]
            curvature += s * (slope[d] - last_slope[d])
    first = scalars[FIRST_STEP]
    if not curvature > 0.0:  # no bowl: nothing better is known than the paper's step
        return first
    return min(max(length / curvature, SHORTEST * first), LONGEST * first)


@kernel
def begin_search(floats, ints, is_first):
    """The first step of the search from an iterate that was just taken."""
    scalars = floats_at(floats, ints, SCALARS)
    scalars[STEP_LENGTH] = scalars[FIRST_STEP]
    if scalars[SPECTRAL] > 0.0:
        if not is_first:
            scalars[STEP_LENGTH] = spectral_step(floats, ints)
        vectors = floats_at(floats, ints, VECTORS)
        n = vectors.size // 3
        copy(floats_at(floats, ints, ANGLES), vectors[n : 2 * n])
        copy(floats_at(floats, ints, GRADIENT), vectors[2 * n :])


@entry
def advance_projected_gradient(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    limit = counters[EVALUATIONS] + budget
    start(floats, ints)
    while is_running(ints, limit):
        value, worst = evaluate_trial(floats, ints)
        is_first = counters[PHASE] == BEGIN
        if is_first or value < scalars[VALUE] + scalars[ALPHA] * scalars[PREDICTED]:
            take(floats, ints, value, worst, ENDLESS)
            begin_search(floats, ints, is_first)
        else:
            scalars[STEP_LENGTH] *= scalars[BETA]
            if scalars[STEP_LENGTH] < scalars[LEAST_STEP]:
                end(floats, ints, STALLED)
        if counters[STATUS] == RUNNING:
            propose(floats, ints)
    return counters[STATUS]
