"""The Jacobian inverse method: θ <- P(θ + dt J⁺e) with J⁺ = VΣ⁻¹Uᵀ, small singular values cut.

PLS §2 (14) and what it says of Blender; JPI §2.5 and 2.6 with its step dt. Nothing checks a step,
and limits are projected onto afterwards: the projected pose may be no better than the last.
"""

from poise.kernels.compiled import entry, kernel
from poise.kernels.layout import (
    COUNTERS,
    DUAL,
    EVALUATIONS,
    GRAM,
    PARAMETERS,
    ROWS,
    RUNNING,
    SCALARS,
    STATUS,
    SYSTEM,
    VECTORS,
    floats_at,
    ints_at,
)
from poise.kernels.linear import dot
from poise.kernels.row_rules import clamp_step, linearise_rows, step_from_rows
from poise.kernels.spectrum import eigen
from poise.kernels.state import evaluate_trial
from poise.kernels.stepping import PATIENCE, is_running, propose, start, take

# SCALARS of this method. VECTORS: the displacement, σ², and scratch, (r) each.
CUT, DT, FARTHEST, LONGEST = range(PARAMETERS, PARAMETERS + 4)


@kernel
def inverse_step(floats, ints):
    """STEP <- dt J⁺e: DUAL = Σ u (uᵀe) / σ² over the singular values that are not cut."""
    scalars = floats_at(floats, ints, SCALARS)
    left = floats_at(floats, ints, SYSTEM)
    dual = floats_at(floats, ints, DUAL)
    vectors = floats_at(floats, ints, VECTORS)
    r = floats_at(floats, ints, ROWS).size
    displacement, squares = vectors[:r], vectors[r : 2 * r]
    linearise_rows(floats, ints, scalars[FARTHEST], displacement)
    eigen(floats_at(floats, ints, GRAM), r, left, squares, vectors[2 * r : 3 * r])
    largest = 0.0
    for i in range(r):
        largest = max(largest, squares[i])
        dual[i] = 0.0
    for i in range(r):
        if squares[i] > scalars[CUT] ** 2 * largest:
            u = left[i * r : i * r + r]
            share = dot(u, displacement, r) / squares[i]
            for j in range(r):
                dual[j] += share * u[j]
    step_from_rows(floats, ints, scalars[DT])
    clamp_step(floats, ints, scalars[LONGEST])


@entry
def advance_pseudo_inverse(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    limit = counters[EVALUATIONS] + budget
    start(floats, ints)
    while is_running(ints, limit):
        value, worst = evaluate_trial(floats, ints)
        take(floats, ints, value, worst, PATIENCE)
        if counters[STATUS] == RUNNING:
            inverse_step(floats, ints)
            propose(floats, ints)
    return counters[STATUS]
