"""The rows of one chain as HJ has them: its displacement dX and its Jacobian (1.12 to 1.14)."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.forward import nine, times
from poise.kernels.layout import (
    AXES,
    FRAMES,
    GOAL_EFFECTOR,
    GOAL_KIND,
    GOAL_SEGMENT,
    GOAL_TARGET,
    GOAL_TOLERANCE,
    GOAL_WEIGHT,
    MOBILITY,
    SEGMENT_AFTER,
    TARGET_SIZE,
    floats_at,
    ints_at,
)
from poise.kernels.potentials import ORIENTATION, axis_of, norm, point_of, rotation_vector_of

# What a chain moves: the effector's point, its rotation, both, or the joint of the last link.
POINT, ROTATION, BOTH, JOINT = range(4)


@kernel
def wanted_rotation(floats, ints, k):
    """The rotation of goal k's effector, as a tuple of nine; a free direction is left free."""
    kind = ints_at(ints, GOAL_KIND)[k]
    target = floats_at(floats, ints, GOAL_TARGET)[TARGET_SIZE * k : TARGET_SIZE * (k + 1)]
    if kind != ORIENTATION:
        return nine(target, 3)
    x, y, z = target[0], target[1], target[2]
    u, v, w = target[3], target[4], target[5]
    return x, u, y * w - z * v, y, v, z * u - x * w, z, w, x * v - y * u


@kernel
def turn_to_make(floats, ints, k):
    """The rotation vector from goal k's effector to its target, in the world."""
    kind = ints_at(ints, GOAL_KIND)[k]
    segment = ints_at(ints, GOAL_SEGMENT)[k]
    frames = floats_at(floats, ints, FRAMES)
    effector = floats_at(floats, ints, GOAL_EFFECTOR)
    weight = floats_at(floats, ints, GOAL_WEIGHT)
    if kind == ORIENTATION and (weight[4 * k] == 0.0 or weight[4 * k + 1] == 0.0):
        axis = 0 if weight[4 * k] > 0.0 else 1
        g = floats_at(floats, ints, GOAL_TARGET)[TARGET_SIZE * k + 3 * axis :]
        x, y, z = axis_of(frames, segment, effector, k, axis)
        cx, cy, cz = y * g[2] - z * g[1], z * g[0] - x * g[2], x * g[1] - y * g[0]
        sine, cosine = norm(cx, cy, cz), x * g[0] + y * g[1] + z * g[2]
        scale = math.atan2(sine, cosine) / sine if sine > 1e-12 else 0.0
        return cx * scale, cy * scale, cz * scale
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = times(nine(frames, 12 * segment), nine(effector, 12 * k))
    goal = wanted_rotation(floats, ints, k)
    return rotation_vector_of(times(goal, (r0, r3, r6, r1, r4, r7, r2, r5, r8)))


@kernel
def moved_point(floats, ints, rows_of, k):
    """(point, target): the effector's, or those of the joint of the last link.

    With the last link turned as the goal wants it, its joint must lie at
    p + R R_eᵀ(joint - effector), in the link's own frame (HJ, "the penultimate link").
    """
    segment = ints_at(ints, GOAL_SEGMENT)[k]
    frames = floats_at(floats, ints, FRAMES)
    effector = floats_at(floats, ints, GOAL_EFFECTOR)
    target = floats_at(floats, ints, GOAL_TARGET)
    point = point_of(frames, segment, effector, k)
    tx, ty, tz = target[TARGET_SIZE * k], target[TARGET_SIZE * k + 1], target[TARGET_SIZE * k + 2]
    if rows_of != JOINT:
        return point, (tx, ty, tz)
    after = floats_at(floats, ints, SEGMENT_AFTER)[12 * segment + 9 : 12 * segment + 12]
    jx, jy, jz = -after[0], -after[1], -after[2]  # of the joint, in the segment's frame
    f = frames[12 * segment : 12 * segment + 12]
    joint = (
        f[9] + f[0] * jx + f[1] * jy + f[2] * jz,
        f[10] + f[3] * jx + f[4] * jy + f[5] * jz,
        f[11] + f[6] * jx + f[7] * jy + f[8] * jz,
    )
    e = effector[12 * k : 12 * k + 12]
    turned = (e[0], e[3], e[6], e[1], e[4], e[7], e[2], e[5], e[8])
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = times(wanted_rotation(floats, ints, k), turned)
    x, y, z = jx - e[9], jy - e[10], jz - e[11]
    place = (
        tx + r0 * x + r1 * y + r2 * z,
        ty + r3 * x + r4 * y + r5 * z,
        tz + r6 * x + r7 * y + r8 * z,
    )
    return joint, place


@kernel
def displacement(floats, ints, rows_of, k, dx):
    """dX into `dx` (3 or 6). Returns the point of the rows, and the worst ratio to a tolerance."""
    tolerance = floats_at(floats, ints, GOAL_TOLERANCE)[2 * k : 2 * k + 2]
    point, ratio, at = (0.0, 0.0, 0.0), 0.0, 0
    if rows_of != ROTATION:
        point, place = moved_point(floats, ints, rows_of, k)
        dx[0], dx[1], dx[2] = place[0] - point[0], place[1] - point[1], place[2] - point[2]
        ratio, at = norm(dx[0], dx[1], dx[2]) / tolerance[0], 3
    if rows_of == ROTATION or rows_of == BOTH:
        dx[at], dx[at + 1], dx[at + 2] = turn_to_make(floats, ints, k)
        ratio = max(ratio, norm(dx[at], dx[at + 1], dx[at + 2]) / tolerance[1])
    return point, ratio


@kernel
def fill_columns(floats, ints, dofs, rows_of, point, matrix):
    """J by rows: b = a x (P_e - P_j), or the axis of a slide, and a; times mobility."""
    axes = floats_at(floats, ints, AXES)
    mobility = floats_at(floats, ints, MOBILITY)
    n, c = mobility.size, dofs.size
    x, y, z = point
    at = 0
    if rows_of != ROTATION:
        for i in range(c):
            d = dofs[i]
            wx, wy, wz = axes[3 * n + d], axes[4 * n + d], axes[5 * n + d]
            matrix[i] = mobility[d] * (axes[d] + wy * z - wz * y)
            matrix[c + i] = mobility[d] * (axes[n + d] + wz * x - wx * z)
            matrix[2 * c + i] = mobility[d] * (axes[2 * n + d] + wx * y - wy * x)
        at = 3 * c
    if rows_of == ROTATION or rows_of == BOTH:
        for i in range(c):
            d = dofs[i]
            for k in range(3):
                matrix[at + k * c + i] = mobility[d] * axes[(3 + k) * n + d]
