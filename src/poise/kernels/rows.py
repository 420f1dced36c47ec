"""What the goals say at a pose: residual rows, the wrench of each row, and errors in m and rad.

Every goal is a few rows e with the potential P = Σ e². A row's wrench (force a, moment m about the
world's origin) is its derivative: with a DOF's axis (v, ω) the Jacobian entry is v·a + ω·m.
That is all that values, gradients, Jacobians and Hessians need to know about a goal.
"""

import math

from poise.kernels.compiled import entry, kernel
from poise.kernels.forward import forward, nine, times
from poise.kernels.layout import (
    FRAMES,
    GOAL_EFFECTOR,
    GOAL_ERRORS,
    GOAL_KIND,
    GOAL_ROW,
    GOAL_SEGMENT,
    GOAL_TARGET,
    GOAL_TOLERANCE,
    GOAL_WEIGHT,
    ROW_WRENCHES,
    TARGET_SIZE,
    WEIGHT_FACTOR,
    floats_at,
    ints_at,
)

POSITION, ORIENTATION, POSE = range(3)


@kernel
def effector_point(frames, s, effector, k):
    """World position of goal k's effector on segment s."""
    f, c = 12 * s, 12 * k + 9
    x, y, z = effector[c], effector[c + 1], effector[c + 2]
    return (
        frames[f + 9] + frames[f] * x + frames[f + 1] * y + frames[f + 2] * z,
        frames[f + 10] + frames[f + 3] * x + frames[f + 4] * y + frames[f + 5] * z,
        frames[f + 11] + frames[f + 6] * x + frames[f + 7] * y + frames[f + 8] * z,
    )


@kernel
def effector_axis(frames, s, effector, k, column):
    """World direction of one axis of goal k's effector."""
    f, c = 12 * s, 12 * k + column
    x, y, z = effector[c], effector[c + 3], effector[c + 6]
    return (
        frames[f] * x + frames[f + 1] * y + frames[f + 2] * z,
        frames[f + 3] * x + frames[f + 4] * y + frames[f + 5] * z,
        frames[f + 6] * x + frames[f + 7] * y + frames[f + 8] * z,
    )


@kernel
def quaternion(m):
    """(w, x, y, z), w >= 0, of a rotation given as a tuple of nine."""
    m0, m1, m2, m3, m4, m5, m6, m7, m8 = m
    trace = m0 + m4 + m8
    if trace >= 0.0:
        w, x, y, z = 1.0 + trace, m7 - m5, m2 - m6, m3 - m1
    elif m0 >= m4 and m0 >= m8:
        w, x, y, z = m7 - m5, 1.0 + m0 - m4 - m8, m1 + m3, m2 + m6
    elif m4 >= m8:
        w, x, y, z = m2 - m6, m1 + m3, 1.0 + m4 - m0 - m8, m5 + m7
    else:
        w, x, y, z = m3 - m1, m2 + m6, m5 + m7, 1.0 + m8 - m0 - m4
    scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    if w < 0.0:
        scale = -scale
    return w * scale, x * scale, y * scale, z * scale


@kernel
def set_wrench(wrenches, row, ax, ay, az, mx, my, mz):
    c = 6 * row
    wrenches[c], wrenches[c + 1], wrenches[c + 2] = ax, ay, az
    wrenches[c + 3], wrenches[c + 4], wrenches[c + 5] = mx, my, mz


@kernel
def position_rows(target, t, weight, point, rows, wrenches, row):
    """‖r - p‖² (ZB §5.2). Returns the distance."""
    x, y, z = point
    dx, dy, dz = x - target[t], y - target[t + 1], z - target[t + 2]
    rows[row], rows[row + 1], rows[row + 2] = weight * dx, weight * dy, weight * dz
    set_wrench(wrenches, row, weight, 0.0, 0.0, 0.0, weight * z, -weight * y)
    set_wrench(wrenches, row + 1, 0.0, weight, 0.0, -weight * z, 0.0, weight * x)
    set_wrench(wrenches, row + 2, 0.0, 0.0, weight, weight * y, -weight * x, 0.0)
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@kernel
def direction_rows(target, t, weight, axis, rows, wrenches, row):
    """c²‖x̂ - g‖² of one direction (ZB §5.2). Returns the angle between them."""
    x, y, z = axis
    dx, dy, dz = x - target[t], y - target[t + 1], z - target[t + 2]
    rows[row], rows[row + 1], rows[row + 2] = weight * dx, weight * dy, weight * dz
    set_wrench(wrenches, row, 0.0, 0.0, 0.0, 0.0, weight * z, -weight * y)
    set_wrench(wrenches, row + 1, 0.0, 0.0, 0.0, -weight * z, 0.0, weight * x)
    set_wrench(wrenches, row + 2, 0.0, 0.0, 0.0, weight * y, -weight * x, 0.0)
    if weight == 0.0:
        return 0.0
    return 2.0 * math.asin(min(1.0, 0.5 * math.sqrt(dx * dx + dy * dy + dz * dz)))


@kernel
def rotation_error(frames, s, effector, k, target, t):
    """Quaternion of the rotation from the target to goal k's effector, in the world."""
    current = times(nine(frames, 12 * s), nine(effector, 12 * k))
    g0, g1, g2, g3, g4, g5, g6, g7, g8 = nine(target, t)
    return quaternion(times(current, (g0, g3, g6, g1, g4, g7, g2, g5, g8)))


@kernel
def rotation_rows(error, weight, rows, wrenches, row):
    """c² · half the sum over three axes ‖a - g‖² = c² (2 sin φ/2)², as e = 2c sin(φ/2) n.

    With the error quaternion (w, v): e = 2cv, and de = c(wω + ω x v). Returns the angle.
    """
    w, x, y, z = error
    rows[row], rows[row + 1], rows[row + 2] = 2.0 * weight * x, 2.0 * weight * y, 2.0 * weight * z
    w, x, y, z = w * weight, x * weight, y * weight, z * weight
    set_wrench(wrenches, row, 0.0, 0.0, 0.0, w, z, -y)
    set_wrench(wrenches, row + 1, 0.0, 0.0, 0.0, -z, w, x)
    set_wrench(wrenches, row + 2, 0.0, 0.0, 0.0, y, -x, w)
    v = math.sqrt(error[1] ** 2 + error[2] ** 2 + error[3] ** 2)
    return 2.0 * math.atan2(v, error[0])


@kernel
def goal_rows(floats, ints, rows):
    """Fill `rows`, ROW_WRENCHES and GOAL_ERRORS from FRAMES.

    Returns the value f = Σ e² and the worst ratio of an error to its tolerance (<= 1: all met).
    """
    kind = ints_at(ints, GOAL_KIND)
    segment = ints_at(ints, GOAL_SEGMENT)
    first_row = ints_at(ints, GOAL_ROW)
    frames = floats_at(floats, ints, FRAMES)
    effector = floats_at(floats, ints, GOAL_EFFECTOR)
    target = floats_at(floats, ints, GOAL_TARGET)
    weight = floats_at(floats, ints, GOAL_WEIGHT)
    tolerance = floats_at(floats, ints, GOAL_TOLERANCE)
    errors = floats_at(floats, ints, GOAL_ERRORS)
    wrenches = floats_at(floats, ints, ROW_WRENCHES)
    worst = 0.0
    for k in range(kind.size):
        s, row, t = segment[k], first_row[k], TARGET_SIZE * k
        distance = angle = 0.0
        if kind[k] == ORIENTATION:
            angle = direction_rows(
                target, t, weight[4 * k], effector_axis(frames, s, effector, k, 0), rows, wrenches, row
            )
            other = direction_rows(
                target,
                t + 3,
                weight[4 * k + 1],
                effector_axis(frames, s, effector, k, 1),
                rows,
                wrenches,
                row + 3,
            )
            angle = max(angle, other)
        else:
            point = effector_point(frames, s, effector, k)
            distance = position_rows(target, t, weight[4 * k], point, rows, wrenches, row)
            if kind[k] == POSE:
                error = rotation_error(frames, s, effector, k, target, t + 3)
                angle = rotation_rows(error, weight[4 * k + 1], rows, wrenches, row + 3)
        errors[2 * k], errors[2 * k + 1] = distance, angle
        worst = max(worst, distance / tolerance[2 * k], angle / tolerance[2 * k + 1])
    weigh_rows(floats, ints, rows)
    value = 0.0
    for i in range(rows.size):
        value += rows[i] * rows[i]
    return value, worst


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


@entry
def evaluate(floats, ints, angles, rows):
    """Forward kinematics and goals at `angles`: (value, worst error ratio)."""
    forward(floats, ints, angles)
    return goal_rows(floats, ints, rows)
