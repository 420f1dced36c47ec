"""Selectively damped least squares (Buss & Kim 2005): every singular vector has its own damping.

With J = Σ σ u vᵀ and α = uᵀe, each singular vector gives φ = α v / σ, clamped so that no DOF turns
by more than γ = γ_max min(1, N/M). N = Σₖ‖uₖ‖ is how far the effectors should go along u, and
M = σ⁻¹ Σⱼ|vⱼ| Σₖ‖∂sₖ/∂θⱼ‖ how far they travel on the way: a motion that swings effectors about
for a small gain is damped. Δθ = Σ φ, clamped to γ_max, then projected onto the limits.

`k` runs over the goals; ‖uₖ‖ and ‖∂sₖ/∂θⱼ‖ are the norms of their rows.
"""

import math

from poise.kernels.compiled import entry, kernel
from poise.kernels.layout import (
    COUNTERS,
    EVALUATIONS,
    GOAL_ROW,
    GRAM,
    MOBILITY,
    PARAMETERS,
    ROWS,
    RUNNING,
    SCALARS,
    SCALED,
    STATUS,
    STEP,
    SYSTEM,
    VECTORS,
    floats_at,
    ints_at,
)
from poise.kernels.linear import dot
from poise.kernels.row_rules import linearise_rows
from poise.kernels.spectrum import eigen
from poise.kernels.state import evaluate_trial
from poise.kernels.stepping import PATIENCE, is_running, propose, start, take

# SCALARS of this method. VECTORS: the displacement, σ² and scratch, (r) each; then Σₖ‖∂sₖ/∂θⱼ‖ and
# a singular vector, (n) each.
MOST_TURN, FARTHEST = range(PARAMETERS, PARAMETERS + 2)
ZERO = 1e-6  # share of the largest singular value that counts as none


@kernel
def goal_norms(first_row, entries, at, stride):
    """Σₖ ‖entries of goal k‖ of a row or column that begins at `at`."""
    total = 0.0
    for k in range(first_row.size - 1):
        squared = 0.0
        for i in range(first_row[k], first_row[k + 1]):
            squared += entries[at + i * stride] ** 2
        total += math.sqrt(squared)
    return total


@kernel
def clamp_largest(values, most):
    """Shorten the vector so that no entry is larger than `most` (ClampMaxAbs)."""
    largest = 0.0
    for d in range(values.size):
        largest = max(largest, abs(values[d]))
    if largest > most:
        for d in range(values.size):
            values[d] *= most / largest


@kernel
def add_response(floats, ints, u, singular, displacement, travel, response):
    """STEP += the damped response φ to the displacement along one singular vector."""
    first_row = ints_at(ints, GOAL_ROW)
    scaled = floats_at(floats, ints, SCALED)
    step = floats_at(floats, ints, STEP)
    r, n = u.size, step.size
    for d in range(n):
        response[d] = 0.0
    for i in range(r):
        row, weight = scaled[i * n : i * n + n], u[i] / singular
        for d in range(n):
            response[d] += weight * row[d]  # v
    wanted, travelled = goal_norms(first_row, u, 0, 1), 0.0
    for d in range(n):
        travelled += abs(response[d]) * travel[d] / singular
    share = dot(u, displacement, r) / singular
    for d in range(n):
        response[d] *= share
    most = floats_at(floats, ints, SCALARS)[MOST_TURN]
    clamp_largest(response, most * min(1.0, wanted / max(travelled, 1e-300)))
    for d in range(n):
        step[d] += response[d]


@kernel
def selective_step(floats, ints):
    """STEP <- the sum of all responses."""
    first_row = ints_at(ints, GOAL_ROW)
    scalars = floats_at(floats, ints, SCALARS)
    mobility = floats_at(floats, ints, MOBILITY)
    scaled = floats_at(floats, ints, SCALED)
    left = floats_at(floats, ints, SYSTEM)
    step = floats_at(floats, ints, STEP)
    vectors = floats_at(floats, ints, VECTORS)
    r, n = floats_at(floats, ints, ROWS).size, step.size
    displacement, squares, travel = vectors[:r], vectors[r : 2 * r], vectors[3 * r : 3 * r + n]
    linearise_rows(floats, ints, scalars[FARTHEST], displacement)
    eigen(floats_at(floats, ints, GRAM), r, left, squares, vectors[2 * r : 3 * r])
    largest = 0.0
    for i in range(r):
        largest = max(largest, squares[i])
    for d in range(n):
        travel[d] = goal_norms(first_row, scaled, d, n)
        step[d] = 0.0
    for i in range(r):
        if squares[i] > ZERO**2 * largest:
            u, response = left[i * r : i * r + r], vectors[3 * r + n :]
            add_response(floats, ints, u, math.sqrt(squares[i]), displacement, travel, response)
    clamp_largest(step, scalars[MOST_TURN])
    for d in range(n):
        step[d] *= mobility[d]


@entry
def advance_selectively_damped(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    limit = counters[EVALUATIONS] + budget
    start(floats, ints)
    while is_running(ints, limit):
        value, worst = evaluate_trial(floats, ints)
        take(floats, ints, value, worst, PATIENCE)
        if counters[STATUS] == RUNNING:
            selective_step(floats, ints)
            propose(floats, ints)
    return counters[STATUS]
