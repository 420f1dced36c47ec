"""What every method shares: starting, taking a trial, the best pose, and the residual."""

import math

from poise.kernels.compiled import entry, kernel
from poise.kernels.custom import add_custom
from poise.kernels.derivatives import gradient
from poise.kernels.forward import ROTATION_VECTOR
from poise.kernels.groups import fold_vector
from poise.kernels.layout import (
    ANGLES,
    BEST_ANGLES,
    BEST_STATUS,
    BEST_VALUE,
    BEST_WORST,
    COUNTERS,
    CUSTOM,
    CUSTOM_BEST,
    CUSTOM_PREFERENCE,
    CUSTOM_TRIAL,
    EVALUATIONS,
    GRADIENT,
    LENGTH,
    LINEARISED,
    LOWER,
    MOBILITY,
    MOTION_DOF,
    MOTION_KIND,
    OPTIMALITY,
    POSTURE_WEIGHT,
    RESIDUAL,
    ROWS,
    SCALARS,
    SCRATCH,
    START,
    START_MOVED,
    START_RESIDUAL,
    STATUS,
    TRIAL,
    TRIAL_ROWS,
    UPPER,
    VALUE,
    WORST,
    floats_at,
    ints_at,
)
from poise.kernels.limits import move_inside, project
from poise.kernels.rows import evaluate


@kernel
def is_settled(scalars):
    """Whether the residual counts as zero: the pose is optimal.

    It must be small against what it was at the start, and against the slope that errors as large
    as these could have: a solve on its way to its goals, whose residual falls with the errors, has
    not ended. A start that is next to optimal is measured by that slope alone, and what rounding
    leaves at the goals is zero.
    """
    steepest = 2.0 * math.sqrt(scalars[VALUE]) * scalars[LENGTH]
    reference = scalars[START_RESIDUAL]
    if reference < 1e-3 * steepest:
        reference = 0.1 * steepest
    small = scalars[RESIDUAL] <= max(1e-10, scalars[OPTIMALITY] * reference)
    rounding = 1e-14 * scalars[LENGTH] ** 2
    return small and scalars[RESIDUAL] <= max(max(scalars[OPTIMALITY], 1e-4) * steepest, rounding)


@kernel
def copy(source, target):
    for i in range(source.size):
        target[i] = source[i]


@kernel
def differ(one, other):
    """Whether any entry differs."""
    for i in range(one.size):
        if one[i] != other[i]:
            return True
    return False


@kernel
def begin(floats, ints):
    """Set TRIAL to START, projected onto the limits; nothing has been seen yet."""
    scalars = floats_at(floats, ints, SCALARS)
    trial = floats_at(floats, ints, TRIAL)
    copy(floats_at(floats, ints, START), trial)
    ints_at(ints, COUNTERS)[START_MOVED] = move_inside(floats, ints, trial, True)
    wrap_rotation_vectors(floats, ints, trial)
    scalars[BEST_VALUE] = scalars[BEST_WORST] = math.inf
    scalars[START_RESIDUAL] = -1.0


@kernel
def evaluate_trial(floats, ints):
    """(value, worst) at TRIAL, which must lie inside the limits; rows go to TRIAL_ROWS."""
    ints_at(ints, COUNTERS)[EVALUATIONS] += 1
    trial = floats_at(floats, ints, TRIAL)
    value, worst = evaluate(floats, ints, trial, floats_at(floats, ints, TRIAL_ROWS))
    return add_custom(floats_at(floats, ints, CUSTOM_TRIAL), value, worst)


@kernel
def has_preference(floats, ints):
    """Whether a term is never "not met": a posture, or a goal of the user's own.

    Then meeting the goals is not the end: the best pose is.
    """
    custom = floats_at(floats, ints, CUSTOM_TRIAL)
    if custom.size > 0 and custom[CUSTOM_PREFERENCE] > 0.0:
        return True
    return floats_at(floats, ints, POSTURE_WEIGHT).size > 0


@kernel
def take_trial(floats, ints, value, worst):
    """Make TRIAL, just evaluated, the iterate."""
    scalars = floats_at(floats, ints, SCALARS)
    copy(floats_at(floats, ints, TRIAL), floats_at(floats, ints, ANGLES))
    copy(floats_at(floats, ints, TRIAL_ROWS), floats_at(floats, ints, ROWS))
    copy(floats_at(floats, ints, CUSTOM_TRIAL), floats_at(floats, ints, CUSTOM))
    scalars[VALUE], scalars[WORST] = value, worst
    ints_at(ints, COUNTERS)[LINEARISED] = 0


@kernel
def wrap_rotation_vectors(floats, ints, angles):
    """Shorten rotation vectors longer than 5/4 pi by full turns. The rotations stay what they
    are, and the chart's singular sphere at 2 pi stays far away. Those that are limited or frozen
    stay as they are."""
    kind = ints_at(ints, MOTION_KIND)
    motion_dof = ints_at(ints, MOTION_DOF)
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    mobility = floats_at(floats, ints, MOBILITY)
    for m in range(kind.size):
        if kind[m] == ROTATION_VECTOR:
            d = motion_dof[m]
            unbound = True
            for c in range(d, d + 3):
                open_ended = lower[c] == -math.inf and upper[c] == math.inf
                unbound = unbound and open_ended and mobility[c] > 0.0
            if not unbound:
                continue
            angle = math.sqrt(angles[d] ** 2 + angles[d + 1] ** 2 + angles[d + 2] ** 2)
            if angle > 1.25 * math.pi:
                turns = math.floor(angle / (2.0 * math.pi) + 0.5)
                scale = (angle - 2.0 * math.pi * turns) / angle
                for c in range(3):
                    angles[d + c] *= scale


@kernel
def keep_best(floats, ints, status):
    """Remember ANGLES if no better pose was seen: all goals met first, then the lower value."""
    scalars = floats_at(floats, ints, SCALARS)
    met, best_met = scalars[WORST] <= 1.0, scalars[BEST_WORST] <= 1.0
    if (met and not best_met) or (met == best_met and scalars[VALUE] < scalars[BEST_VALUE]):
        scalars[BEST_VALUE], scalars[BEST_WORST] = scalars[VALUE], scalars[WORST]
        copy(floats_at(floats, ints, ANGLES), floats_at(floats, ints, BEST_ANGLES))
        copy(floats_at(floats, ints, CUSTOM), floats_at(floats, ints, CUSTOM_BEST))
        ints_at(ints, COUNTERS)[BEST_STATUS] = status


@kernel
def projected_gradient_norm(floats, ints):
    """‖P(θ - ∇f) - θ‖∞ over the DOFs that may move, from ANGLES and GRADIENT."""
    angles = floats_at(floats, ints, ANGLES)
    slope = floats_at(floats, ints, GRADIENT)
    mobility = floats_at(floats, ints, MOBILITY)
    moved = floats_at(floats, ints, SCRATCH)[: angles.size]
    for d in range(angles.size):
        moved[d] = angles[d] - slope[d] if mobility[d] > 0.0 else angles[d]
    project(floats, ints, moved)
    worst = 0.0
    for d in range(angles.size):
        if mobility[d] > 0.0:
            worst = max(worst, abs(moved[d] - angles[d]))
    return worst


@kernel
def gradient_at_angles(floats, ints):
    """GRADIENT at ANGLES, just evaluated into ROWS; that of a joint group stands at its leader."""
    slope = floats_at(floats, ints, GRADIENT)
    angles = floats_at(floats, ints, ANGLES)
    custom = floats_at(floats, ints, CUSTOM)
    gradient(floats, ints, angles, floats_at(floats, ints, ROWS), custom, slope)
    fold_vector(floats, ints, slope)


@kernel
def gradient_at_trial(floats, ints, slope):
    """The same at TRIAL, just evaluated, into `slope`."""
    trial = floats_at(floats, ints, TRIAL)
    custom = floats_at(floats, ints, CUSTOM_TRIAL)
    gradient(floats, ints, trial, floats_at(floats, ints, TRIAL_ROWS), custom, slope)
    fold_vector(floats, ints, slope)


@entry
def conclude(floats, ints):
    """Bring the best pose back into ANGLES, with its errors, gradient and residual."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    angles = floats_at(floats, ints, ANGLES)
    rows = floats_at(floats, ints, ROWS)
    keep_best(floats, ints, counters[STATUS])
    if scalars[VALUE] != scalars[BEST_VALUE] or counters[LINEARISED] != 0:
        copy(floats_at(floats, ints, BEST_ANGLES), angles)
        copy(floats_at(floats, ints, CUSTOM_BEST), floats_at(floats, ints, CUSTOM))
        value, worst = evaluate(floats, ints, angles, rows)
        value, worst = add_custom(floats_at(floats, ints, CUSTOM), value, worst)
        scalars[VALUE], scalars[WORST] = value, worst
        counters[LINEARISED] = 0
    gradient_at_angles(floats, ints)
    scalars[RESIDUAL] = projected_gradient_norm(floats, ints)
