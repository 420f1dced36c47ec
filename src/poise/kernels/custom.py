"""Goals that the user wrote in Python: their values and gradients, and what is learned of their
curvature.

Python writes CUSTOM_TRIAL before TRIAL is evaluated (reverse communication). Second derivatives
are not asked for: the accepted steps teach them (BFGS), for the user's part of f alone, because
the curvature of all other goals is known (a structured quasi-Newton method; Dennis, Gay & Welsch
1981). All sections are empty when there is no such goal.
"""

from poise.kernels.compiled import kernel
from poise.kernels.groups import fold_vector
from poise.kernels.layout import (
    ANGLES,
    COUNTERS,
    CUSTOM,
    CUSTOM_CURVATURE,
    CUSTOM_GRADIENT,
    CUSTOM_SUM,
    CUSTOM_TRIAL,
    CUSTOM_WORST,
    MOBILITY,
    SECANTS,
    TRIAL,
    VECTORS,
    floats_at,
    ints_at,
)

CUSTOM_VECTORS = 3
"""How many rows of VECTORS `learn_curvature` uses."""

LEAST_SHARE = 0.2  # of the curvature expected along a step that is believed at once (Powell 1978)


@kernel
def add_custom(custom, value, worst):
    """(value, worst) together with what one of the CUSTOM sections says."""
    if custom.size == 0:
        return value, worst
    return value + custom[CUSTOM_SUM], max(worst, custom[CUSTOM_WORST])


@kernel
def add_custom_gradient(custom, result):
    """Their part of ∇f, as one of the CUSTOM sections says."""
    if custom.size > 0:
        for d in range(result.size):
            result[d] += custom[CUSTOM_GRADIENT + d]


@kernel
def add_custom_curvature(floats, ints, matrix):
    """Half of CUSTOM_CURVATURE onto a matrix (n, n), lower triangle."""
    curvature = floats_at(floats, ints, CUSTOM_CURVATURE)
    if curvature.size == 0:
        return
    guess_curvature(floats, ints)
    n = floats_at(floats, ints, ANGLES).size
    for i in range(n):
        for j in range(i + 1):
            matrix[i * n + j] += 0.5 * curvature[i * n + j]


@kernel
def add_custom_product(floats, ints, x, result):
    """result += ½ B x with the diagonal B of figures that are too large for a matrix."""
    curvature = floats_at(floats, ints, CUSTOM_CURVATURE)
    for d in range(curvature.size):
        result[d] += 0.5 * curvature[d] * x[d]


@kernel
def largest_curvature(floats, ints):
    """The largest entry of a diagonal CUSTOM_CURVATURE in the DOF metric; 0 if there is none."""
    curvature = floats_at(floats, ints, CUSTOM_CURVATURE)
    mobility = floats_at(floats, ints, MOBILITY)
    largest = 0.0
    if curvature.size > 0:
        guess_curvature(floats, ints)
    for d in range(curvature.size):
        largest = max(largest, curvature[d] * mobility[d] ** 2)
    return largest


@kernel
def guess_curvature(floats, ints):
    """Before any step: that of a function that falls to zero like a square, ‖∇P‖² / 2P."""
    if ints_at(ints, COUNTERS)[SECANTS] > 0:
        return
    custom = floats_at(floats, ints, CUSTOM)
    mobility = floats_at(floats, ints, MOBILITY)
    squared = 0.0
    for d in range(mobility.size):
        squared += (mobility[d] * custom[CUSTOM_GRADIENT + d]) ** 2
    spread_curvature(floats, ints, squared / max(2.0 * custom[CUSTOM_SUM], 1e-300))


@kernel
def spread_curvature(floats, ints, scale):
    """CUSTOM_CURVATURE <- the same curvature in all directions of the DOF metric."""
    curvature = floats_at(floats, ints, CUSTOM_CURVATURE)
    mobility = floats_at(floats, ints, MOBILITY)
    n = mobility.size
    stride = n + 1 if curvature.size == n * n else 1
    for i in range(curvature.size):
        curvature[i] = 0.0
    for d in range(n):
        if mobility[d] > 0.0:
            curvature[d * stride] = scale / mobility[d] ** 2


@kernel
def learn_curvature(floats, ints):
    """Correct CUSTOM_CURVATURE by how the gradient changed from ANGLES to TRIAL."""
    curvature = floats_at(floats, ints, CUSTOM_CURVATURE)
    if curvature.size == 0:
        return
    counters = ints_at(ints, COUNTERS)
    mobility = floats_at(floats, ints, MOBILITY)
    angles = floats_at(floats, ints, ANGLES)
    trial = floats_at(floats, ints, TRIAL)
    before = floats_at(floats, ints, CUSTOM)[CUSTOM_GRADIENT:]
    after = floats_at(floats, ints, CUSTOM_TRIAL)[CUSTOM_GRADIENT:]
    vectors = floats_at(floats, ints, VECTORS)
    n = angles.size
    step, change = vectors[0:n], vectors[n : 2 * n]
    along = squared = 0.0
    for d in range(n):
        change[d] = after[d] - before[d]
    fold_vector(floats, ints, change)
    for d in range(n):  # what leaders of joint groups learn is learned of their followers
        step[d] = trial[d] - angles[d] if mobility[d] > 0.0 else 0.0
        change[d] = change[d] if mobility[d] > 0.0 else 0.0
        along += step[d] * change[d]
        squared += (mobility[d] * change[d]) ** 2
    dense = curvature.size == n * n
    if along > 0.0 and (counters[SECANTS] == 0 or not dense):
        spread_curvature(floats, ints, squared / along)
    if dense:
        update_curvature(curvature, step, change, along, vectors[2 * n : 3 * n])
    counters[SECANTS] += 1


@kernel
def update_curvature(matrix, step, change, along, expected):
    """The BFGS update, damped (Powell 1978) so that the matrix stays positive definite."""
    n = step.size
    bend = 0.0
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += matrix[i * n + j] * step[j]
        expected[i] = total
        bend += total * step[i]
    if not bend > 0.0:
        return
    if along < LEAST_SHARE * bend:
        share = (1.0 - LEAST_SHARE) * bend / (bend - along)
        for i in range(n):
            change[i] = share * change[i] + (1.0 - share) * expected[i]
        along = LEAST_SHARE * bend
    for i in range(n):
        gain, loss = change[i] / along, expected[i] / bend
        for j in range(i + 1):
            matrix[i * n + j] += gain * change[j] - loss * expected[j]
            matrix[j * n + i] = matrix[i * n + j]
