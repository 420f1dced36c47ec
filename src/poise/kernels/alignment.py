"""Moving the free root of a figure, rigidly, so that its points lie nearest to their targets."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.forward import (
    ROTATE_Z,
    ROTATION_VECTOR,
    SLIDE_X,
    SLIDE_Z,
    nine,
    times,
    transposed,
)
from poise.kernels.layout import (
    AXES,
    FRAMES,
    GOAL_EFFECTOR,
    GOAL_KIND,
    GOAL_SEGMENT,
    GOAL_TARGET,
    GOAL_WEIGHT,
    LOWER,
    MOBILITY,
    MOTION_KIND,
    MOTION_SIGN,
    SEGMENT_AFTER,
    SEGMENT_BEFORE,
    SEGMENT_MOTIONS,
    TARGET_SIZE,
    TRIAL,
    UPPER,
    floats_at,
    ints_at,
)
from poise.kernels.limits import project
from poise.kernels.potentials import POSE, POSITION, point_of, rotation_vector_of

SLIDES = 3  # the motions of a free root: three slides, then a ball or three hinges
TURNS = 90  # about one axis after the other, in all; a multiple of three


@kernel
def has_free_root(floats, ints):
    """Whether the figure may go and turn anywhere: its root has no limits, and turns at last."""
    kind = ints_at(ints, MOTION_KIND)
    lower, upper = floats_at(floats, ints, LOWER), floats_at(floats, ints, UPPER)
    mobility = floats_at(floats, ints, MOBILITY)
    turns = ints_at(ints, SEGMENT_MOTIONS)[1] - SLIDES
    if not (turns == 1 and kind[SLIDES] == ROTATION_VECTOR):
        if turns != 3 or not are_hinges(kind[SLIDES], kind[SLIDES + 1], kind[SLIDES + 2]):
            return False
    for m in range(SLIDES):
        if kind[m] < SLIDE_X or kind[m] > SLIDE_Z:
            return False
    for d in range(SLIDES + 3):
        if mobility[d] == 0.0 or lower[d] != -math.inf or upper[d] != math.inf:
            return False
    return True


@kernel
def are_hinges(i, j, k):
    """Whether these kinds of motion are hinges about three axes."""
    return max(i, max(j, k)) <= ROTATE_Z and i != j and j != k and i != k


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
    """About the rotation R that makes Σ w g·R r largest (Kabsch), by the best turn about one axis
    after the other. Turns are about z; then x, y and z are named anew."""
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
    frame = floats_at(floats, ints, FRAMES)
    after = floats_at(floats, ints, SEGMENT_AFTER)
    before = nine(floats_at(floats, ints, SEGMENT_BEFORE), 0)
    axes = floats_at(floats, ints, AXES)
    trial = floats_at(floats, ints, TRIAL)
    n = trial.size
    rotation = best_rotation(moments)
    turned = times(nine(frame, 0), transposed(nine(after, 0)))
    x, y, z = turn(nine(frame, 0), (after[9], after[10], after[11]))
    px, py, pz = frame[9] - x, frame[10] - y, frame[11] - z  # where the root turns about
    x, y, z = turn(rotation, (px - points[0], py - points[1], pz - points[2]))
    dx, dy, dz = targets[0] + x - px, targets[1] + y - py, targets[2] + z - pz
    for d in range(SLIDES):
        trial[d] += axes[d] * dx + axes[n + d] * dy + axes[2 * n + d] * dz
    set_turn(floats, ints, times(transposed(before), times(rotation, turned)))
    project(floats, ints, trial)


@kernel
def turn(rotation, point):
    """A rotated point."""
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation
    x, y, z = point
    return r0 * x + r1 * y + r2 * z, r3 * x + r4 * y + r5 * z, r6 * x + r7 * y + r8 * z


@kernel
def set_turn(floats, ints, rotation):
    """Let the motions that turn the root make `rotation`."""
    kind = ints_at(ints, MOTION_KIND)
    sign = floats_at(floats, ints, MOTION_SIGN)
    trial = floats_at(floats, ints, TRIAL)
    if kind[SLIDES] == ROTATION_VECTOR:
        angles = rotation_vector_of(rotation)
        for c in range(3):
            trial[SLIDES + c] = sign[SLIDES] * angles[c]
        return
    angles = hinge_angles(rotation, kind[SLIDES], kind[SLIDES + 1], kind[SLIDES + 2])
    for c in range(3):
        d = SLIDES + c
        away = sign[d] * angles[c] - trial[d]
        trial[d] += away - 2.0 * math.pi * math.floor(away / (2.0 * math.pi) + 0.5)


@kernel
def hinge_angles(rotation, i, j, k):
    """(a, b, c) of R = Rᵢ(a) Rⱼ(b) Rₖ(c), turns about three different axes 0, 1 and 2."""
    even = 1.0 if (j - i) % 3 == 1 else -1.0
    sine = min(max(even * rotation[3 * i + k], -1.0), 1.0)
    return (
        math.atan2(-even * rotation[3 * j + k], rotation[3 * k + k]),
        math.asin(sine),
        math.atan2(-even * rotation[3 * i + j], rotation[3 * i + i]),
    )
