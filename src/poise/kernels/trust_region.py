"""A trust-region method for bounds, after Conn, Gould & Toint (1988) and Lin & Moré's TRON (1999).

The model is m(d) = g·d + ½dᵀ∇²f d with the exact Hessian, or that of Gauss and Newton; the region
is ‖d/s‖ <= Δ in the DOF metric s, and l - θ <= d <= u - θ. A step is made of two parts:

1. The Cauchy step: d = P(-τ s²g), with τ from the least of m down the slope, halved until
   m(d) <= μ₀ g·d.
2. On the face that it ends on, conjugate gradients on the DOFs that are not at a bound, until
   their slope has fallen to the share ξ, the region ends, or the curvature is negative (Steihaug
   1983); then P(d + βw), with β halved until m falls enough. While that reaches further bounds,
   the same again on the smaller face.

A step is taken if the ratio of the fall of f to that of m is above η₀; Δ follows the ratio as in
TRON, with η₁, η₂ and σ₁, σ₂, σ₃.
"""

import math

from poise.kernels.compiled import entry, kernel
from poise.kernels.custom import CUSTOM_VECTORS, learn_curvature
from poise.kernels.layout import (
    ANGLES,
    COUNTERS,
    EVALUATIONS,
    GRADIENT,
    HIGH,
    LOW,
    MOBILITY,
    PARAMETERS,
    PHASE,
    PREDICTED,
    RESIDUAL,
    RUNNING,
    SCALARS,
    STALLED,
    START_RESIDUAL,
    STATUS,
    STEP,
    TRIAL,
    VALUE,
    VECTORS,
    floats_at,
    ints_at,
    row_of,
)
from poise.kernels.linear import dot
from poise.kernels.quadratic_model import build_model, propose_turned, times_hessian
from poise.kernels.state import copy, evaluate_trial
from poise.kernels.stepping import BEGIN, ENDLESS, end, is_running, reject, start, take

# SCALARS of this method
(
    MU_0,
    ETA_0,
    ETA_1,
    ETA_2,
    SIGMA_1,
    SIGMA_2,
    SIGMA_3,
    XI,
    DELTA_0,
    GAUSS_NEWTON,  # 1 if the model's Hessian is
    RADIUS,  # Δ
    LENGTH_OF_STEP,  # ‖d/s‖
    SLOPE,  # g·d
) = range(PARAMETERS, PARAMETERS + 13)
# VECTORS: those of learn_curvature, then these
PRODUCT, REST, SEARCH, WAY, BENT = range(CUSTOM_VECTORS, CUSTOM_VECTORS + 5)
TRUST_REGION_VECTORS = BENT + 1

FACES = 8  # that one step may go through
MOST_PRODUCTS = 100  # of conjugate gradients on a face
MOST_HALVINGS = 30
LEAST_RADIUS = 1e-14


@kernel
def clamped_step(floats, ints, base, way, length, result):
    """result <- P(base + length · way), inside LOW and HIGH. True if a bound cut it."""
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    cut = False
    for d in range(result.size):
        value = base[d] + length * way[d]
        result[d] = min(max(value, low[d]), high[d])
        cut = cut or result[d] != value
    return cut


@kernel
def scaled_norm(floats, ints, step):
    """‖d/s‖ over the DOFs that may move."""
    mobility = floats_at(floats, ints, MOBILITY)
    total = 0.0
    for d in range(step.size):
        if mobility[d] > 0.0:
            total += (step[d] / mobility[d]) ** 2
    return math.sqrt(total)


@kernel
def cauchy_step(floats, ints):
    """STEP <- P(-τ s²g) and PRODUCT <- H STEP. Returns m(STEP)."""
    scalars = floats_at(floats, ints, SCALARS)
    slope = floats_at(floats, ints, GRADIENT)
    mobility = floats_at(floats, ints, MOBILITY)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    step = floats_at(floats, ints, STEP)
    n = step.size
    vectors = floats_at(floats, ints, VECTORS)
    product = row_of(vectors, PRODUCT, n)
    way, bent = row_of(vectors, WAY, n), row_of(vectors, BENT, n)
    for d in range(n):
        outward = (low[d] >= 0.0 and slope[d] > 0.0) or (high[d] <= 0.0 and slope[d] < 0.0)
        way[d] = 0.0 if outward else -(mobility[d] ** 2) * slope[d]
        step[d] = 0.0
    times_hessian(floats, ints, way, bent)
    fall, bend = -dot(slope, way, n), dot(way, bent, n)
    length = scalars[RADIUS] / max(scaled_norm(floats, ints, way), 1e-300)
    if bend > 0.0:
        length = min(length, 0.5 * fall / bend)
    change = 0.0
    for _ in range(MOST_HALVINGS):
        trial = floats_at(floats, ints, TRIAL)
        for d in range(n):
            trial[d] = 0.0
        clamped_step(floats, ints, trial, way, length, step)
        times_hessian(floats, ints, step, product)
        down = dot(slope, step, n)
        change = down + dot(step, product, n)
        if change <= scalars[MU_0] * down:
            break
        length *= 0.5
    return change


@kernel
def boundary(floats, ints, step, way, search):
    """The length t >= 0 with ‖step/s + way + t search‖ = Δ; way and search are scaled."""
    mobility = floats_at(floats, ints, MOBILITY)
    radius = floats_at(floats, ints, SCALARS)[RADIUS]
    a = b = c = 0.0
    for d in range(step.size):
        if mobility[d] > 0.0:
            z = step[d] / mobility[d] + way[d]
            a += search[d] * search[d]
            b += search[d] * z
            c += z * z
    c = min(0.0, c - radius * radius)
    root = math.sqrt(b * b - a * c)
    return -c / (b + root) if b > 0.0 else (root - b) / max(a, 1e-300)


@kernel
def search_face(floats, ints):
    """WAY <- conjugate gradients on the DOFs that STEP leaves free, scaled back to DOFs.

    Returns whether they ended inside the region.
    """
    scalars = floats_at(floats, ints, SCALARS)
    slope = floats_at(floats, ints, GRADIENT)
    mobility = floats_at(floats, ints, MOBILITY)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    step = floats_at(floats, ints, STEP)
    n = floats_at(floats, ints, ANGLES).size
    vectors = floats_at(floats, ints, VECTORS)
    product = row_of(vectors, PRODUCT, n)
    rest, search = row_of(vectors, REST, n), row_of(vectors, SEARCH, n)
    way, bent = row_of(vectors, WAY, n), row_of(vectors, BENT, n)
    n, whole = step.size, 0.0
    for d in range(n):
        rest[d] = way[d] = 0.0
        if low[d] < step[d] < high[d]:
            whole += (0.5 * mobility[d] * slope[d]) ** 2
            rest[d] = -mobility[d] * (0.5 * slope[d] + product[d])
        search[d] = rest[d]
    squared = dot(rest, rest, n)
    # Solve more exactly the closer the pose is to its optimum: superlinear, and cheap far away.
    share = math.sqrt(scalars[RESIDUAL] / max(scalars[START_RESIDUAL], 1e-300))
    goal = min(scalars[XI], share) ** 2 * whole
    inside = True
    for _ in range(MOST_PRODUCTS):
        if squared <= goal or squared == 0.0:
            break
        for d in range(n):
            search[d] *= mobility[d]
        times_hessian(floats, ints, search, bent)
        for d in range(n):
            search[d] = search[d] / mobility[d] if mobility[d] > 0.0 else 0.0
            bent[d] = bent[d] * mobility[d] if low[d] < step[d] < high[d] else 0.0
        bend = dot(search, bent, n)
        most = boundary(floats, ints, step, way, search)
        length = squared / bend if bend > 0.0 else math.inf
        inside = length < most
        length = min(length, most)
        for d in range(n):
            way[d] += length * search[d]
            rest[d] -= length * bent[d]
        if not inside:
            break
        before, squared = squared, dot(rest, rest, n)
        for d in range(n):
            search[d] = rest[d] + squared / before * search[d]
    for d in range(n):
        way[d] *= mobility[d]
    return inside


@kernel
def follow_face(floats, ints, change):
    """STEP <- P(STEP + β WAY) where m falls enough, PRODUCT with it. Returns (m(STEP), whether a
    bound cut it)."""
    scalars = floats_at(floats, ints, SCALARS)
    slope = floats_at(floats, ints, GRADIENT)
    step = floats_at(floats, ints, STEP)
    trial = floats_at(floats, ints, TRIAL)
    n = floats_at(floats, ints, ANGLES).size
    vectors = floats_at(floats, ints, VECTORS)
    product = row_of(vectors, PRODUCT, n)
    way, bent = row_of(vectors, WAY, n), row_of(vectors, BENT, n)
    n, length = step.size, 1.0
    for _ in range(MOST_HALVINGS):
        cut = clamped_step(floats, ints, step, way, length, trial)
        down = 0.0
        for d in range(n):
            down += (slope[d] + 2.0 * product[d]) * (trial[d] - step[d])
        times_hessian(floats, ints, trial, bent)
        there = dot(slope, trial, n) + dot(trial, bent, n)
        if there <= change + scalars[MU_0] * min(0.0, down):
            copy(trial, step)
            copy(bent, product)
            return there, cut
        length *= 0.5
    return change, False


@kernel
def trust_step(floats, ints):
    """TRIAL <- the step of the method, PREDICTED <- the fall of the model."""
    scalars = floats_at(floats, ints, SCALARS)
    step = floats_at(floats, ints, STEP)
    change = cauchy_step(floats, ints)
    for _ in range(FACES):
        inside = search_face(floats, ints)
        change, cut = follow_face(floats, ints, change)
        if not (inside and cut):
            break
    scalars[PREDICTED] = -change
    scalars[LENGTH_OF_STEP] = scaled_norm(floats, ints, step)
    scalars[SLOPE] = propose_turned(floats, ints, 1.0)


@kernel
def adapt_radius(scalars, value, is_first):
    """Δ after a step to `value`, as in TRON."""
    length, radius = scalars[LENGTH_OF_STEP], scalars[RADIUS]
    if is_first:
        radius = min(radius, length)
    fall, over = scalars[VALUE] - value, value - scalars[VALUE] - scalars[SLOPE]
    ratio = fall / max(scalars[PREDICTED], 1e-300)
    share = scalars[SIGMA_3]  # where a parabola through f, its slope and the new value is least
    if over > 0.0:
        share = max(scalars[SIGMA_1], -0.5 * scalars[SLOPE] / over)
    if not ratio >= scalars[ETA_0]:
        radius = min(max(share, scalars[SIGMA_1]) * length, scalars[SIGMA_2] * radius)
    elif ratio < scalars[ETA_1]:
        low = scalars[SIGMA_1] * radius
        radius = max(low, min(share * length, scalars[SIGMA_2] * radius))
    elif ratio < scalars[ETA_2]:
        low = scalars[SIGMA_1] * radius
        radius = max(low, min(share * length, scalars[SIGMA_3] * radius))
    else:
        radius = max(radius, min(share * length, scalars[SIGMA_3] * radius))
    scalars[RADIUS] = radius
    return ratio


@entry
def advance_trust_region(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    exact = scalars[GAUSS_NEWTON] == 0.0
    limit = counters[EVALUATIONS] + budget
    start(floats, ints)
    while is_running(ints, limit):
        value, worst = evaluate_trial(floats, ints)
        is_first = counters[PHASE] == BEGIN
        good = is_first
        if is_first:
            scalars[RADIUS] = scalars[DELTA_0]
        else:
            ratio = adapt_radius(scalars, value, counters[EVALUATIONS] == 2)
            good = value < scalars[VALUE] and ratio > scalars[ETA_0]
        if good:
            if not is_first:
                learn_curvature(floats, ints)
            take(floats, ints, value, worst, ENDLESS)
            if counters[STATUS] == RUNNING:
                build_model(floats, ints, exact)
        else:
            reject(floats, ints)
        if counters[STATUS] == RUNNING:
            if scalars[RADIUS] < LEAST_RADIUS:
                end(floats, ints, STALLED)
            else:
                trust_step(floats, ints)
    return counters[STATUS]
