"""What the goals say at a pose: residual rows, the wrench of each row, and errors in m and rad."""

from poise.kernels.compiled import entry, kernel
from poise.kernels.forward import forward
from poise.kernels.layout import (
    CENTERS,
    FRAMES,
    GOAL_EFFECTOR,
    GOAL_ERRORS,
    GOAL_GROUP,
    GOAL_KIND,
    GOAL_OTHER,
    GOAL_OTHER_EFFECTOR,
    GOAL_ROW,
    GOAL_SEGMENT,
    GOAL_TARGET,
    GOAL_TOLERANCE,
    GOAL_WEIGHT,
    OTHER_WRENCHES,
    POSTURE_TARGET,
    POSTURE_WEIGHT,
    ROW_SHIFT,
    ROW_WRENCHES,
    SEGMENT_MASS,
    TARGET_SIZE,
    WEIGHT_FACTOR,
    floats_at,
    ints_at,
)
from poise.kernels.potentials import POSITION, kind_rows, point_of, position_rows


@kernel
def center_of_mass(floats, ints):
    """The figure's centre of mass; every segment's goes to CENTERS. (0, 0, 0) if not asked for."""
    frames = floats_at(floats, ints, FRAMES)
    mass = floats_at(floats, ints, SEGMENT_MASS)
    centers = floats_at(floats, ints, CENTERS)
    x = y = z = 0.0
    for s in range(centers.size // 3):
        f, c = 12 * s, 4 * s
        for i in range(3):
            centers[3 * s + i] = (
                frames[f + 9 + i]
                + frames[f + 3 * i] * mass[c + 1]
                + frames[f + 3 * i + 1] * mass[c + 2]
                + frames[f + 3 * i + 2] * mass[c + 3]
            )
        x += mass[c] * centers[3 * s]
        y += mass[c] * centers[3 * s + 1]
        z += mass[c] * centers[3 * s + 2]
    return x, y, z


@kernel
def goal_rows(floats, ints, rows):
    """Fill `rows`, the wrenches and GOAL_ERRORS from FRAMES.

    Returns the value f = Σ e² and the worst ratio of an error to its tolerance (<= 1: all met).
    """
    kind = ints_at(ints, GOAL_KIND)
    segment = ints_at(ints, GOAL_SEGMENT)
    other = ints_at(ints, GOAL_OTHER)
    first_row = ints_at(ints, GOAL_ROW)
    frames = floats_at(floats, ints, FRAMES)
    effector = floats_at(floats, ints, GOAL_EFFECTOR)
    other_effector = floats_at(floats, ints, GOAL_OTHER_EFFECTOR)
    target = floats_at(floats, ints, GOAL_TARGET)
    weight = floats_at(floats, ints, GOAL_WEIGHT)
    errors = floats_at(floats, ints, GOAL_ERRORS)
    wrenches = floats_at(floats, ints, ROW_WRENCHES)
    others = floats_at(floats, ints, OTHER_WRENCHES)
    center = center_of_mass(floats, ints)
    for k in range(kind.size):
        if kind[k] == POSITION and segment[k] >= 0:  # the common case, without the detour
            point = point_of(frames, segment[k], effector, k)
            errors[2 * k] = position_rows(
                target[TARGET_SIZE * k :], weight[4 * k], point, rows, wrenches, first_row[k]
            )
            continue
        errors[2 * k], errors[2 * k + 1] = kind_rows(
            kind[k],
            target[TARGET_SIZE * k : TARGET_SIZE * k + TARGET_SIZE],
            weight[4 * k : 4 * k + 4],
            frames,
            segment[k],
            effector,
            other[k],
            center,
            other_effector,
            k,
            (rows, wrenches, others),
            first_row[k],
        )
    choose_alternatives(floats, ints, rows)
    weigh_rows(floats, ints, rows)
    shift = floats_at(floats, ints, ROW_SHIFT)
    for i in range(shift.size):
        rows[i] += shift[i]
    value = 0.0
    for i in range(rows.size):
        value += rows[i] * rows[i]
    return value, worst_error(floats, ints)


@kernel
def worst_error(floats, ints):
    """The worst ratio of an error to its tolerance; goals without weight do not count."""
    weight = floats_at(floats, ints, GOAL_WEIGHT)
    tolerance = floats_at(floats, ints, GOAL_TOLERANCE)
    errors = floats_at(floats, ints, GOAL_ERRORS)
    worst = 0.0
    for k in range(errors.size // 2):
        if weight[4 * k] > 0.0 or weight[4 * k + 1] > 0.0:
            worst = max(worst, errors[2 * k] / tolerance[2 * k])
            worst = max(worst, errors[2 * k + 1] / tolerance[2 * k + 1])
    return worst


@kernel
def choose_alternatives(floats, ints, rows):
    """Of every group of alternatives keep the goal of least potential (ZB eq. 27)."""
    group = ints_at(ints, GOAL_GROUP)
    if group.size == 0:
        return
    first_row = ints_at(ints, GOAL_ROW)
    errors = floats_at(floats, ints, GOAL_ERRORS)
    wrenches = floats_at(floats, ints, ROW_WRENCHES)
    others = floats_at(floats, ints, OTHER_WRENCHES)
    k = 0
    while k < group.size:
        end = k + 1
        if group[k] >= 0:  # alternatives of one group stand one after the other
            while end < group.size and group[end] == group[k]:
                end += 1
            best, least = k, -1.0
            for a in range(k, end):
                potential = 0.0
                for i in range(first_row[a], first_row[a + 1]):
                    potential += rows[i] * rows[i]
                if least < 0.0 or potential < least:
                    best, least = a, potential
            for a in range(k, end):
                if a != best:
                    errors[2 * a], errors[2 * a + 1] = 0.0, 0.0
                    for i in range(first_row[a], first_row[a + 1]):
                        rows[i] = 0.0
                        for c in range(6 * i, 6 * i + 6):
                            wrenches[c] = 0.0
                            if others.size > 0:
                                others[c] = 0.0
        k = end


@kernel
def weigh_rows(floats, ints, rows):
    """e <- Lᵀe for a full weight matrix W = LLᵀ (PLS eq. 17), in place."""
    factor = floats_at(floats, ints, WEIGHT_FACTOR)
    if factor.size == 0:
        return
    r = rows.size
    for i in range(r):
        total = 0.0
        for j in range(i, r):
            total += factor[j * r + i] * rows[j]
        rows[i] = total


@kernel
def posture_value(floats, ints, angles):
    """Σ w (θ - θ_ref)²."""
    weight = floats_at(floats, ints, POSTURE_WEIGHT)
    target = floats_at(floats, ints, POSTURE_TARGET)
    value = 0.0
    for d in range(weight.size):
        value += weight[d] * (angles[d] - target[d]) ** 2
    return value


@entry
def evaluate(floats, ints, angles, rows):
    """Forward kinematics and goals at `angles`: (value, worst error ratio)."""
    forward(floats, ints, angles)
    value, worst = goal_rows(floats, ints, rows)
    return value + posture_value(floats, ints, angles), worst
