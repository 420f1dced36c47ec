"""The optimality conditions of the bounded problem as one non-smooth equation, solved by Newton's
method: what PLS §6 leaves as future work.

θ is optimal where for each DOF either ∇f = 0, or θ is at a bound and -∇f points out of it. That is
a complementarity problem, and the same as

    Φ(θ) = θ - mid(l, θ - c s²∇f(θ), u) = 0        (the natural residual, for any c > 0)

Φ is not differentiable where θ - c s²∇f meets a bound, but semi-smooth, so that Newton's method
with one of its generalised Jacobians still converges quadratically (Qi & Sun 1993). The element
used here: DOFs whose θ - c s²∇f lies outside the bounds go to that bound; for all others
(∇²f + λ s⁻²)d = -∇f, with those known (the primal-dual active set of Hintermüller, Ito & Kunisch
2003). λ = μ ‖Φ‖ goes to zero with the residual, so that redundant DOFs, for which ∇²f is singular,
do not spoil the step nor the order of convergence (Li, Fukushima, Qi & Yamashita 2004).

Far from the answer Newton's method needs a globalisation: P(θ + τd) with τ = 1, β, β², …, accepted
when f(θ(τ)) < f(θ) + α∇fᵀ(θ(τ) - θ) (PLS 39). Where d does not descend, the projected slope does.
So every iterate is inside the limits and none has a higher value than the one before.
"""

from poise.kernels.compiled import entry, kernel
from poise.kernels.custom import CUSTOM_VECTORS, learn_curvature
from poise.kernels.dof_step import factorise, multiply_hessian, solve_factorised
from poise.kernels.layout import (
    COUNTERS,
    DAMPING,
    EVALUATIONS,
    GRADIENT,
    HELD,
    HESSIAN,
    HIGH,
    LENGTH,
    LOW,
    MOBILITY,
    PARAMETERS,
    PHASE,
    PREDICTED,
    RESIDUAL,
    RUNNING,
    SCALARS,
    SCALE,
    STALLED,
    STATUS,
    STEP,
    VALUE,
    VECTORS,
    floats_at,
    ints_at,
)
from poise.kernels.quadratic_model import build_model, propose_turned
from poise.kernels.state import evaluate_trial
from poise.kernels.stepping import BEGIN, ENDLESS, end, is_running, start, take

NEWTON, SLOPE = 2, 3  # PHASE: which direction is searched along

# SCALARS of this method; DAMPING is μ
ALPHA, BETA, C, MU, STEP_LENGTH = range(PARAMETERS, PARAMETERS + 5)

LEAST_DAMPING, MOST_DAMPING = 1e-6, 1e8
LEAST_NEWTON_LENGTH = 1e-3  # shorter: the slope is better
LEAST_LENGTH = 1e-16
RAISE = 10.0  # of λ, until the matrix is positive definite


@kernel
def largest_curvature(floats, ints):
    """The largest size of a diagonal entry of H in the DOF metric."""
    matrix = floats_at(floats, ints, HESSIAN)
    mobility = floats_at(floats, ints, MOBILITY)
    n, largest = mobility.size, 1e-300
    for d in range(n):
        largest = max(largest, abs(matrix[d * n + d]) * mobility[d] ** 2)
    return largest


@kernel
def split(floats, ints):
    """HELD and STEP of the DOFs whose θ - c s²∇f is outside the bounds; STEP of the others is 0."""
    held = ints_at(ints, HELD)
    scalars = floats_at(floats, ints, SCALARS)
    slope = floats_at(floats, ints, GRADIENT)
    mobility = floats_at(floats, ints, MOBILITY)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    step = floats_at(floats, ints, STEP)
    length = 0.5 * scalars[C] / scalars[SCALE]
    for d in range(step.size):
        wish = -length * mobility[d] ** 2 * slope[d]
        outside = (wish < 0.0 and wish <= low[d]) or (wish > 0.0 and wish >= high[d])
        outside = outside or low[d] >= high[d]
        held[d] = 1 if outside else 0
        step[d] = min(max(wish, low[d]), high[d]) if outside else 0.0


@kernel
def newton_step(floats, ints):
    """STEP <- the semi-smooth Newton step. False if no damping makes it one of descent."""
    held = ints_at(ints, HELD)
    scalars = floats_at(floats, ints, SCALARS)
    slope = floats_at(floats, ints, GRADIENT)
    mobility = floats_at(floats, ints, MOBILITY)
    step = floats_at(floats, ints, STEP)
    n = step.size
    solution = floats_at(floats, ints, VECTORS)[CUSTOM_VECTORS * n :]
    split(floats, ints)
    multiply_hessian(floats, ints, step, solution)
    for d in range(n):
        solution[d] = -mobility[d] * (0.5 * slope[d] + solution[d]) if held[d] == 0 else 0.0
    residual = scalars[RESIDUAL] / (2.0 * scalars[LENGTH] ** 2)
    damping = scalars[DAMPING] * min(1.0, residual)
    while not factorise(floats, ints, damping * scalars[SCALE]):
        damping = max(RAISE * damping, LEAST_DAMPING)
        if damping > MOST_DAMPING:
            return False
    solve_factorised(floats, ints, solution)
    for d in range(n):
        if held[d] == 0:
            step[d] = mobility[d] * solution[d]
    return True


@kernel
def slope_step(floats, ints):
    """STEP <- -c s²∇f / 2H, down the slope as far as the largest curvature allows."""
    scalars = floats_at(floats, ints, SCALARS)
    slope = floats_at(floats, ints, GRADIENT)
    mobility = floats_at(floats, ints, MOBILITY)
    step = floats_at(floats, ints, STEP)
    for d in range(step.size):
        step[d] = -0.5 / scalars[SCALE] * mobility[d] ** 2 * slope[d]


@kernel
def begin_search(floats, ints):
    """The direction from an iterate that was just taken."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    build_model(floats, ints, True)
    scalars[SCALE] = largest_curvature(floats, ints)
    counters[PHASE] = NEWTON if newton_step(floats, ints) else SLOPE
    if counters[PHASE] == SLOPE:
        slope_step(floats, ints)
    scalars[STEP_LENGTH] = 1.0


@kernel
def shorten(floats, ints):
    """A shorter step in the same direction, or the slope where that has become too short."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    scalars[STEP_LENGTH] *= scalars[BETA]
    if counters[PHASE] == NEWTON and scalars[STEP_LENGTH] < LEAST_NEWTON_LENGTH:
        counters[PHASE] = SLOPE
        slope_step(floats, ints)
        scalars[STEP_LENGTH] = 1.0
    elif scalars[STEP_LENGTH] < LEAST_LENGTH:
        end(floats, ints, STALLED)


@kernel
def adapt_damping(counters, scalars):
    """μ is eased after a full Newton step, and grows after a shorter one."""
    if counters[PHASE] == NEWTON and scalars[STEP_LENGTH] == 1.0:
        scalars[DAMPING] = max(LEAST_DAMPING, 0.25 * scalars[DAMPING])
    else:
        scalars[DAMPING] = min(MOST_DAMPING, 4.0 * scalars[DAMPING])


@entry
def advance_semi_smooth_newton(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    limit = counters[EVALUATIONS] + budget
    start(floats, ints)
    while is_running(ints, limit):
        value, worst = evaluate_trial(floats, ints)
        is_first = counters[PHASE] == BEGIN
        if is_first or value < scalars[VALUE] + scalars[ALPHA] * scalars[PREDICTED]:
            if is_first:
                scalars[DAMPING] = scalars[MU]
            else:
                learn_curvature(floats, ints)
                adapt_damping(counters, scalars)
            take(floats, ints, value, worst, ENDLESS)
            if counters[STATUS] == RUNNING:
                begin_search(floats, ints)
        else:
            shorten(floats, ints)
        while counters[STATUS] == RUNNING:
            scalars[PREDICTED] = propose_turned(floats, ints, scalars[STEP_LENGTH])
            if scalars[PREDICTED] < 0.0:
                break
            shorten(floats, ints)
    return counters[STATUS]
