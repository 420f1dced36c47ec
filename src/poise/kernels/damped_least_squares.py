"""Damped least squares: θ <- P(θ + (JᵀJ + λ²I)⁻¹Jᵀe) (PLS 15), as Jᵀ(JJᵀ + λ²I)⁻¹e.

With a fixed λ nothing checks a step. With an adapted one a step is taken only if the value falls,
and λ² follows the ratio of its fall to the one that the linearised rows expect (Levenberg and
Marquardt; the rule is Nielsen's, 1999): λ² <- λ² max(1/3, 1 - (2ρ - 1)³), or ν times as much,
with ν doubled, after a step that did not help. For large λ the step is along the gradient.
"""

from poise.kernels.compiled import entry, kernel
from poise.kernels.layout import (
    ANGLES,
    COUNTERS,
    DAMPING,
    DAMPING_GROWTH,
    DUAL,
    EVALUATIONS,
    GRAM,
    PARAMETERS,
    PHASE,
    PREDICTED,
    ROWS,
    RUNNING,
    SCALARS,
    STALLED,
    STATUS,
    STEP,
    SYSTEM,
    TRIAL,
    VALUE,
    VECTORS,
    floats_at,
    ints_at,
)
from poise.kernels.linear import cholesky, solve_cholesky
from poise.kernels.row_rules import clamp_step, expected_value, linearise_rows, step_from_rows
from poise.kernels.state import copy, evaluate_trial
from poise.kernels.stepping import (
    BEGIN,
    ENDLESS,
    PATIENCE,
    end,
    is_running,
    propose,
    reject,
    start,
    take,
)

# SCALARS of this method; VECTORS holds the displacement (r).
LAMBDA, ADAPTED, FARTHEST, LONGEST = range(PARAMETERS, PARAMETERS + 4)
LEAST_DAMPING, MOST_DAMPING = 1e-12, 1e12  # [m²]


@kernel
def damped_step(floats, ints):
    """STEP <- s J̃ᵀ(J̃J̃ᵀ + λ²I)⁻¹e. False if the matrix is not positive definite."""
    scalars = floats_at(floats, ints, SCALARS)
    system = floats_at(floats, ints, SYSTEM)
    dual = floats_at(floats, ints, DUAL)
    r = floats_at(floats, ints, ROWS).size
    copy(floats_at(floats, ints, GRAM), system)
    copy(floats_at(floats, ints, VECTORS), dual)
    for i in range(r):
        system[i * r + i] += scalars[DAMPING]
    if not cholesky(system, r):
        return False
    solve_cholesky(system, r, dual)
    step_from_rows(floats, ints, 1.0)
    clamp_step(floats, ints, scalars[LONGEST])
    return True


@kernel
def expect(floats, ints):
    """PREDICTED <- the fall of the value that the linearised rows expect of TRIAL."""
    scalars = floats_at(floats, ints, SCALARS)
    angles = floats_at(floats, ints, ANGLES)
    trial = floats_at(floats, ints, TRIAL)
    step = floats_at(floats, ints, STEP)
    for d in range(angles.size):
        step[d] = trial[d] - angles[d]
    scalars[PREDICTED] = scalars[VALUE] - expected_value(floats, ints)


@kernel
def ease(scalars, value):
    """Less damping after a step to `value`, as well as it was foreseen."""
    gain = (scalars[VALUE] - value) / max(scalars[PREDICTED], 1e-300)
    share = max(1.0 / 3.0, 1.0 - (2.0 * min(gain, 1.0) - 1.0) ** 3)
    scalars[DAMPING] = max(LEAST_DAMPING, scalars[DAMPING] * share)
    scalars[DAMPING_GROWTH] = 2.0


@entry
def advance_damped_least_squares(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    adapted = scalars[ADAPTED] > 0.0
    limit = counters[EVALUATIONS] + budget
    start(floats, ints)
    while is_running(ints, limit):
        value, worst = evaluate_trial(floats, ints)
        is_first = counters[PHASE] == BEGIN
        if is_first:
            scalars[DAMPING], scalars[DAMPING_GROWTH] = scalars[LAMBDA] ** 2, 2.0
        if is_first or not adapted or value < scalars[VALUE]:
            if adapted and not is_first:
                ease(scalars, value)
            take(floats, ints, value, worst, ENDLESS if adapted else PATIENCE)
            if counters[STATUS] == RUNNING:
                displacement = floats_at(floats, ints, VECTORS)
                linearise_rows(floats, ints, scalars[FARTHEST], displacement)
        else:
            scalars[DAMPING] *= scalars[DAMPING_GROWTH]
            scalars[DAMPING_GROWTH] *= 2.0
            reject(floats, ints)
        if counters[STATUS] == RUNNING:
            if scalars[DAMPING] > MOST_DAMPING or not damped_step(floats, ints):
                end(floats, ints, STALLED)
                continue
            propose(floats, ints)
            if adapted:
                expect(floats, ints)
    return counters[STATUS]
