"""Zhao & Badler's method (ZB, appendix): quasi-Newton steps projected onto the active limits.

Step 1. λ = (AᵀA)⁻¹Aᵀg of the active constraints A. Hg = 0 and λ <= 0: a Kuhn-Tucker point.
Step 2. If ‖Hg‖ <= ½ λ_q a_qq^(-1/2) for the constraint q with the largest such number, drop it
        (30), and again from Step 1.
Step 3. s = -Hg; the largest α <= 1 that no constraint blocks. The search takes an α with
            f(θ + αs) <= f + σ₁α gᵀs    and    g(θ + αs)ᵀs >= σ₂ gᵀs                         (31)
        or the largest one, if that satisfies the first. It interpolates values and slopes at the
        ends of its interval by a cubic (Hermite).
Step 4. If a constraint blocked, hold it (32); H learns nothing from such a step.
Step 5. Else σ = αs and y = the change of g: BFGS (33) if σᵀy >= yᵀHy, else DFP (34).

rosen_face.py has the active set, rosen_inverse.py has H. Followers of joint groups are substituted,
not constraints. Three things are not in the paper: cones (see there); that σᵀy <= 0, which the
longest step can have, teaches nothing; and that where rounding or a degenerate corner leaves no
direction, H begins anew and, if that does not help, a step down the slope leads out, projected and
shortened by half as in PLS §4.
"""

import math

from poise.kernels.compiled import entry, kernel
from poise.kernels.layout import (
    ANGLES,
    COUNTERS,
    EVALUATIONS,
    GRADIENT,
    HIGH,
    LOW,
    MOBILITY,
    NEXT_PHASE,
    PARAMETERS,
    PHASE,
    PHASE_ITERATIONS,
    PREDICTED,
    RELATION_HELD,
    RUNNING,
    SCALARS,
    STALLED,
    STATUS,
    STEP,
    TRIAL,
    VALUE,
    VECTORS,
    floats_at,
    ints_at,
    row_of,
)
from poise.kernels.limits import project
from poise.kernels.linear import dot
from poise.kernels.rosen_face import (
    AT_LOWER,
    AT_UPPER,
    FACE_VECTORS,
    SLOPE,
    WAY,
    first_blocked,
    note_relations,
    project_to_face,
    strongest_multiplier,
    turn_held,
)
from poise.kernels.rosen_inverse import begin_face, drop, hold, learn, multiply_inverse
from poise.kernels.state import copy, evaluate_trial, gradient_at_trial
from poise.kernels.stepping import BEGIN, ENDLESS, end, is_running, start, take

SEARCH, ESCAPE = 2, 3  # PHASE: along s, or down the projected slope
CHANGE = FACE_VECTORS  # VECTORS: y, or the slope at a trial
BFGS_ROSEN_VECTORS = FACE_VECTORS + 1

# COUNTERS of this method
BLOCKING = NEXT_PHASE  # the constraint that ends the search, in units of SIDES, and its side; or -1
TRIALS = PHASE_ITERATIONS
SIDES = 8

# SCALARS of this method
(
    SIGMA_1,
    SIGMA_2,
    H_0,
    LENGTH_TRIED,  # α
    MOST,  # the largest α
    NEAR,  # the end of the interval that satisfies the first line of (31), with its
    NEAR_VALUE,
    NEAR_SLOPE,
    FAR,  # the other end
    FAR_VALUE,
    FAR_SLOPE,
    DESCENT,  # gᵀs
    FRESH,  # 1 while H has learned nothing
    FIRST,  # what it then is, times the identity
) = range(PARAMETERS, PARAMETERS + 14)

PATIENT = 10  # trials after which the second line of (31) is given up
MOST_TRIALS = 50
LEAST_LENGTH = 1e-16


@kernel
def scaled_slope(floats, ints, result):
    """result <- s∇f at ANGLES, turned where a cone is held."""
    mobility = floats_at(floats, ints, MOBILITY)
    copy(floats_at(floats, ints, GRADIENT), result)
    turn_held(floats, ints, result, False)
    for d in range(result.size):
        result[d] *= mobility[d]


@kernel
def update_inverse(floats, ints):
    """Step 5: H learns from the step σ = α STEP and the change of the slope since SLOPE."""
    scalars = floats_at(floats, ints, SCALARS)
    vectors = floats_at(floats, ints, VECTORS)
    step = floats_at(floats, ints, STEP)
    change, slope = row_of(vectors, CHANGE, step.size), row_of(vectors, SLOPE, step.size)
    scaled_slope(floats, ints, change)
    for d in range(step.size):
        change[d] -= slope[d]
        step[d] *= scalars[LENGTH_TRIED]
    if learn(floats, ints, step, change):
        scalars[FRESH] = 0.0


@kernel
def begin_inverse(floats, ints):
    """Step 0. H is H_0 · 2f/‖g‖² times the identity, projected: in units of the curvature of a
    function that falls to zero like a square."""
    scalars = floats_at(floats, ints, SCALARS)
    slope = floats_at(floats, ints, GRADIENT)
    mobility = floats_at(floats, ints, MOBILITY)
    squared = 0.0
    for d in range(slope.size):
        squared += (mobility[d] * slope[d]) ** 2
    scalars[FIRST] = scalars[H_0] * 2.0 * scalars[VALUE] / max(squared, 1e-300)
    scalars[FRESH] = 1.0
    begin_face(floats, ints, scalars[FIRST])


@kernel
def settle(floats, ints, from_search):
    """What the step just taken means for the active set and H (Steps 0, 4 and 5)."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    blocked = counters[BLOCKING] >= 0 and scalars[LENGTH_TRIED] == scalars[MOST]
    if not from_search:
        begin_inverse(floats, ints)
        return
    note_relations(floats, ints)
    if blocked:
        hold_blocking(floats, ints)
    else:
        update_inverse(floats, ints)


@kernel
def hold_blocking(floats, ints):
    blocking = ints_at(ints, COUNTERS)[BLOCKING]
    hold(floats, ints, blocking // SIDES, blocking % SIDES - 2)


@kernel
def find_direction(floats, ints):
    """Steps 1 to 3: STEP <- s, WAY <- the same in angles, and how far it goes. False if there is
    none that descends and moves."""
    scalars = floats_at(floats, ints, SCALARS)
    mobility = floats_at(floats, ints, MOBILITY)
    vectors = floats_at(floats, ints, VECTORS)
    step = floats_at(floats, ints, STEP)
    n = step.size
    slope, way = row_of(vectors, SLOPE, n), row_of(vectors, WAY, n)
    rounds = 4 * (n + ints_at(ints, RELATION_HELD).size) + 4
    for _ in range(rounds):
        scaled_slope(floats, ints, slope)
        multiply_inverse(floats, ints, slope, step)
        project_to_face(floats, ints, step)
        strongest, q = strongest_multiplier(floats, ints, slope)
        if q >= 0 and math.sqrt(dot(step, step, n)) <= 0.5 * strongest:
            drop(floats, ints, q, scalars[FIRST])
            continue
        for d in range(n):
            step[d] = -step[d]
            way[d] = step[d] * mobility[d]
        turn_held(floats, ints, way, True)
        scalars[DESCENT] = dot(slope, step, n)
        if not scalars[DESCENT] < 0.0:
            return False
        scalars[MOST], q, side = first_blocked(floats, ints, way, 1.0)
        ints_at(ints, COUNTERS)[BLOCKING] = SIDES * q + side + 2 if q >= 0 else -1
        if scalars[MOST] > 0.0:
            return True
        hold_blocking(floats, ints)
    return False


@kernel
def begin_search(floats, ints):
    """A direction and its first trial; a fresh H, and then the slope, where there is none."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    counters[PHASE] = SEARCH
    counters[TRIALS] = 0
    found = False
    while not found and counters[PHASE] == SEARCH:
        found = find_direction(floats, ints)
        if not found and scalars[FRESH] > 0.0:
            counters[PHASE] = ESCAPE
        elif not found:
            begin_inverse(floats, ints)
    if not found:
        scalars[LENGTH_TRIED] = 1.0
        return
    scalars[NEAR], scalars[NEAR_VALUE], scalars[NEAR_SLOPE] = 0.0, scalars[VALUE], scalars[DESCENT]
    scalars[FAR] = math.inf
    scalars[LENGTH_TRIED] = scalars[MOST]


@kernel
def cubic_minimum(a, value_a, slope_a, b, value_b, slope_b):
    """Where the cubic through two values and slopes is least, away from the ends."""
    width = b - a
    z = 3.0 * (value_a - value_b) / width + slope_a + slope_b
    square = z * z - slope_a * slope_b
    least = 0.5 * (a + b)
    if square >= 0.0:
        root = math.sqrt(square)
        below = slope_b - slope_a + 2.0 * root
        if below != 0.0:
            least = b - width * (slope_b + root - z) / below
    if not math.isfinite(least):
        least = 0.5 * (a + b)
    return min(max(least, a + 0.1 * width), b - 0.1 * width)


@kernel
def is_accepted(floats, ints, value):
    """Whether TRIAL satisfies (31); else the next α of the search."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    vectors = floats_at(floats, ints, VECTORS)
    n = floats_at(floats, ints, STEP).size
    length, descent = scalars[LENGTH_TRIED], scalars[DESCENT]
    gradient = row_of(vectors, CHANGE, n)
    gradient_at_trial(floats, ints, gradient)
    slope = dot(gradient, row_of(vectors, WAY, n), n)
    falls = value <= scalars[VALUE] + scalars[SIGMA_1] * length * descent
    falls = falls and value < scalars[VALUE]
    counters[TRIALS] += 1
    flat = slope >= scalars[SIGMA_2] * descent
    if falls and (flat or length == scalars[MOST] or counters[TRIALS] > PATIENT):
        return True
    if falls:
        scalars[NEAR], scalars[NEAR_VALUE], scalars[NEAR_SLOPE] = length, value, slope
    else:
        scalars[FAR], scalars[FAR_VALUE], scalars[FAR_SLOPE] = length, value, slope
    scalars[LENGTH_TRIED] = cubic_minimum(
        *(scalars[NEAR], scalars[NEAR_VALUE], scalars[NEAR_SLOPE]),
        *(scalars[FAR], scalars[FAR_VALUE], scalars[FAR_SLOPE]),
    )
    if counters[TRIALS] > MOST_TRIALS:
        counters[PHASE] = ESCAPE
        scalars[LENGTH_TRIED] = 1.0
    return False


@kernel
def propose(floats, ints):
    """TRIAL <- P(θ + αs), or P(θ - τ s²∇f); its expected fall goes to PREDICTED."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    angles = floats_at(floats, ints, ANGLES)
    slope = floats_at(floats, ints, GRADIENT)
    mobility = floats_at(floats, ints, MOBILITY)
    trial = floats_at(floats, ints, TRIAL)
    n, length = angles.size, scalars[LENGTH_TRIED]
    way = row_of(floats_at(floats, ints, VECTORS), WAY, n)
    for d in range(n):
        if counters[PHASE] == SEARCH:
            trial[d] = angles[d] + length * way[d]
        else:
            trial[d] = angles[d] - length * mobility[d] ** 2 * slope[d]
    if counters[PHASE] == SEARCH and counters[BLOCKING] >= 0 and length == scalars[MOST]:
        q, side = counters[BLOCKING] // SIDES, counters[BLOCKING] % SIDES - 2
        if q < n and side == AT_LOWER:
            trial[q] = min(trial[q], floats_at(floats, ints, LOW)[q])
        elif q < n and side == AT_UPPER:
            trial[q] = max(trial[q], floats_at(floats, ints, HIGH)[q])
    project(floats, ints, trial)
    scalars[PREDICTED] = 0.0
    for d in range(n):
        scalars[PREDICTED] += slope[d] * (trial[d] - angles[d])


@kernel
def escapes(floats, ints, value):
    """Whether TRIAL, down the projected slope, falls enough; else a shorter one."""
    scalars = floats_at(floats, ints, SCALARS)
    if value < scalars[VALUE] + scalars[SIGMA_1] * scalars[PREDICTED]:
        return True
    scalars[LENGTH_TRIED] *= 0.5
    if scalars[LENGTH_TRIED] < LEAST_LENGTH:
        end(floats, ints, STALLED)
    return False


@entry
def advance_bfgs_rosen(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    limit = counters[EVALUATIONS] + budget
    start(floats, ints)
    while is_running(ints, limit):
        value, worst = evaluate_trial(floats, ints)
        phase = counters[PHASE]
        if phase == SEARCH:
            good = is_accepted(floats, ints, value)
        else:
            good = phase == BEGIN or escapes(floats, ints, value)
        if good:
            take(floats, ints, value, worst, ENDLESS)
            if counters[STATUS] == RUNNING:
                settle(floats, ints, phase == SEARCH)
                begin_search(floats, ints)
        if counters[STATUS] == RUNNING:
            propose(floats, ints)
    return counters[STATUS]
