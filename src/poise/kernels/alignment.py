"""Moving the free root of a figure, rigidly, so that its points lie nearest to their targets."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.forward import ROTATION_VECTOR, SLIDE_X, SLIDE_Z, nine, times
from poise.kernels.layout import (
    AXES,
    CHARTS,
    FRAMES,
    GOAL_EFFECTOR,
    GOAL_KIND,
    GOAL_SEGMENT,
    GOAL_TARGET,
    GOAL_WEIGHT,
    LOWER,
    MOBILITY,
    MOTION_DOF,
    MOTION_KIND,
    MOTION_SIGN,
    TARGET_SIZE,
    TRIAL,
    UPPER,
    floats_at,
    ints_at,
)
from poise.kernels.limits import project
from poise.kernels.potentials import POSE, POSITION, point_of, rotation_vector_of
from poise.kernels.turns import chart_rotation, transposed

ROOT = 3  # the motion that turns a free root, after its three slides
TURNS = 60  # about one axis after the other; a multiple of three


@kernel
def has_free_root(floats, ints):
    """Whether the figure may go and turn anywhere: three slides and a ball without limits."""
    kind, first = ints_at(ints, MOTION_KIND), ints_at(ints, MOTION_DOF)
    lower, upper = floats_at(floats, ints, LOWER), floats_at(floats, ints, UPPER)
    mobility = floats_at(floats, ints, MOBILITY)
    if kind.size <= ROOT or kind[ROOT] != ROTATION_VECTOR:
        return False
    for m in range(ROOT):
        if kind[m] < SLIDE_X or kind[m] > SLIDE_Z:
            return False
    for d in range(first[ROOT] + 3):
        if mobility[d] == 0.0 or lower[d] != -math.inf or upper[d] != math.inf:
            return False
    return True


@kernel
def goal_points(floats, ints):
    """(total, points, targets, moments) over the goals that bring a point to a point: the sum of
    their weights, both centres, and M = Σ w (r - r̄)(g - ḡ)ᵀ as a tuple of nine."""
    kind, segment = ints_at(ints, GOAL_KIND), ints_at(ints, GOAL_SEGMENT)
    frames, effector = floats_at(floats, ints, FRAMES), floats_at(floats, ints, GOAL_EFFECTOR)
    target, weight = floats_at(floats, ints, GOAL_TARGET), floats_at(floats, ints, GOAL_WEIGHT)
    total = rx = ry = rz = gx = gy = gz = 0.0
    m0 = m1 = m2 = m3 = m4 = m5 = m6 = m7 = m8 = 0.0
    for k in range(kind.size):
        w, at = weight[4 * k] ** 2, TARGET_SIZE * k
        if segment[k] < 0 or w == 0.0 or (kind[k] != POSITION and kind[k] != POSE):
            continue
        x, y, z = point_of(frames, segment[k], effector, k)
        total += w
        # From the centres so far: each point adds to M what lies between it and them.
        share = w / total
        x, y, z = x - rx, y - ry, z - rz
        u, v, t = target[at] - gx, target[at + 1] - gy, target[at + 2] - gz
        rx, ry, rz = rx + share * x, ry + share * y, rz + share * z
        gx, gy, gz = gx + share * u, gy + share * v, gz + share * t
        left = w * (1.0 - share)
        m0, m1, m2 = m0 + left * x * u, m1 + left * x * v, m2 + left * x * t
        m3, m4, m5 = m3 + left * y * u, m4 + left * y * v, m5 + left * y * t
        m6, m7, m8 = m6 + left * z * u, m7 + left * z * v, m8 + left * z * t
    return total, (rx, ry, rz), (gx, gy, gz), (m0, m1, m2, m3, m4, m5, m6, m7, m8)


@kernel
def best_rotation(moments):
    """The rotation R that makes Σ w g·R r largest, by the best turn about one axis after the
    other. Turns are about z; then x, y and z are named anew."""
    m0, m1, m2, m3, m4, m5, m6, m7, m8 = moments
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    for _ in range(TURNS):
        a, b = m0 + m4, m1 - m3
        length = math.sqrt(a * a + b * b)
        if length > 0.0:
            c, s = a / length, b / length
            m0, m1, m2, m3, m4, m5 = turned_rows(m0, m1, m2, m3, m4, m5, c, s)
            r0, r1, r2, r3, r4, r5 = turned_rows(r0, r1, r2, r3, r4, r5, c, s)
        m0, m1, m2, m3, m4, m5, m6, m7, m8 = m4, m5, m3, m7, m8, m6, m1, m2, m0
        r0, r1, r2, r3, r4, r5, r6, r7, r8 = r4, r5, r3, r7, r8, r6, r1, r2, r0
    return r0, r1, r2, r3, r4, r5, r6, r7, r8


@kernel
def turned_rows(m0, m1, m2, m3, m4, m5, c, s):
    """The first two rows of a matrix, turned about z."""
    return (
        c * m0 - s * m3,
        c * m1 - s * m4,
        c * m2 - s * m5,
        s * m0 + c * m3,
        s * m1 + c * m4,
        s * m2 + c * m5,
    )


@kernel
def align_root(floats, ints):
    """Move the free root of TRIAL, which was just evaluated, to the best for the goals' points."""
    total, points, targets, moments = goal_points(floats, ints)
    if total == 0.0:
        return
    first = ints_at(ints, MOTION_DOF)
    sign = floats_at(floats, ints, MOTION_SIGN)
    charts = floats_at(floats, ints, CHARTS)
    axes = floats_at(floats, ints, AXES)
    trial = floats_at(floats, ints, TRIAL)
    n, c, d = trial.size, 12 * ROOT, first[ROOT]
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation = best_rotation(moments)
    px, py, pz = charts[c + 9], charts[c + 10], charts[c + 11]
    x, y, z = px - points[0], py - points[1], pz - points[2]
    dx = targets[0] + r0 * x + r1 * y + r2 * z - px
    dy = targets[1] + r3 * x + r4 * y + r5 * z - py
    dz = targets[2] + r6 * x + r7 * y + r8 * z - pz
    for m in range(ROOT):
        s = first[m]
        trial[s] += axes[s] * dx + axes[n + s] * dy + axes[2 * n + s] * dz
    chart = nine(charts, c)
    turned = times(
        times(transposed(chart), times(rotation, chart)), chart_rotation(trial, d, 3, sign[ROOT])
    )
    x, y, z = rotation_vector_of(turned)
    trial[d], trial[d + 1], trial[d + 2] = sign[ROOT] * x, sign[ROOT] * y, sign[ROOT] * z
    project(floats, ints, trial)
