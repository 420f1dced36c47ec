"""The potentials of all goal kinds: rows, wrenches, errors and curvature of each.

A goal is a few rows e with P = Σ e². A row's wrench (force a, moment m about the world's origin)
is its derivative: with a DOF's axis (v, ω) the Jacobian entry is v·a + ω·m. Kinds that tie two
points of the figure to each other write a second wrench for the other point.

To add a kind: give it a number, write its rows, and call them in `kind_rows`; where its rows are
not linear in the effector's point and axes, `kind_curvature` may add what is missing.
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.forward import nine, times

(
    POSITION,  # target: point
    ORIENTATION,  # target: x direction, y direction
    POSE,  # target: point, rotation (9)
    AIM,  # target: point
    LINE,  # target: point, direction
    PLANE,  # target: point, normal
    HALF_SPACE,  # target: point, normal
    DISTANCE,  # target: least, most
    RELATIVE,  # target: point and rotation (9) in the other effector's frame
) = range(9)

NEAR = 1e-3  # [m] an aim closer to its target than this fades out
OPPOSITE = -1.0 + 1e-9  # cosine below which a direction counts as pointing straight away
TILT = 1e-3  # how far the slope of a straight-away direction is skewed, so that it has one


@kernel
def point_of(frames, s, effector, k):
    """World position of row k of an effector table, on segment s."""
    f, c = 12 * s, 12 * k + 9
    x, y, z = effector[c], effector[c + 1], effector[c + 2]
    return (
        frames[f + 9] + frames[f] * x + frames[f + 1] * y + frames[f + 2] * z,
        frames[f + 10] + frames[f + 3] * x + frames[f + 4] * y + frames[f + 5] * z,
        frames[f + 11] + frames[f + 6] * x + frames[f + 7] * y + frames[f + 8] * z,
    )


@kernel
def axis_of(frames, s, effector, k, column):
    """World direction of one axis of row k of an effector table."""
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
def norm(x, y, z):
    return math.sqrt(x * x + y * y + z * z)


@kernel
def rotation_vector_of(m):
    """The axis times the angle, at most pi, of a rotation given as a tuple of nine."""
    w, x, y, z = quaternion(m)
    sine = norm(x, y, z)
    scale = 2.0 * math.atan2(sine, w) / sine if sine > 1e-150 else 2.0
    return x * scale, y * scale, z * scale


@kernel
def set_force(wrenches, row, point, ax, ay, az):
    """The wrench of a force at a point."""
    x, y, z = point
    c = 6 * row
    wrenches[c], wrenches[c + 1], wrenches[c + 2] = ax, ay, az
    wrenches[c + 3] = y * az - z * ay
    wrenches[c + 4] = z * ax - x * az
    wrenches[c + 5] = x * ay - y * ax


@kernel
def set_couple(wrenches, row, mx, my, mz):
    """The wrench of a pure moment."""
    c = 6 * row
    wrenches[c], wrenches[c + 1], wrenches[c + 2] = 0.0, 0.0, 0.0
    wrenches[c + 3], wrenches[c + 4], wrenches[c + 5] = mx, my, mz


@kernel
def add_axis_couple(wrenches, row, axis, ax, ay, az):
    """Add the moment of a force on a unit vector: x̂ x a."""
    x, y, z = axis
    c = 6 * row
    wrenches[c + 3] += y * az - z * ay
    wrenches[c + 4] += z * ax - x * az
    wrenches[c + 5] += x * ay - y * ax


@kernel
def position_rows(goal, weight, point, rows, wrenches, row):
    """‖r - p‖² (ZB §5.2). Returns the distance."""
    dx, dy, dz = point[0] - goal[0], point[1] - goal[1], point[2] - goal[2]
    rows[row], rows[row + 1], rows[row + 2] = weight * dx, weight * dy, weight * dz
    set_force(wrenches, row, point, weight, 0.0, 0.0)
    set_force(wrenches, row + 1, point, 0.0, weight, 0.0)
    set_force(wrenches, row + 2, point, 0.0, 0.0, weight)
    return norm(dx, dy, dz)


@kernel
def slope_axis(gx, gy, gz, axis):
    """The axis whose motion the rows' slopes follow: a little skewed where it points straight
    away from the wanted direction g. The potential is flat there; the skew gives it a way down.
    """
    x, y, z = axis
    if gx * x + gy * y + gz * z > OPPOSITE:
        return axis
    # At right angles to the axis, and along no axis of the figure in particular.
    px, py, pz = y * 0.71 - z * 0.57, z * 0.42 - x * 0.71, x * 0.57 - y * 0.42
    length = norm(px, py, pz)
    if length < 0.1:
        px, py, pz = y * 0.42 - z * 0.71, z * 0.57 - x * 0.42, x * 0.71 - y * 0.57
        length = norm(px, py, pz)
    scale = TILT / length
    return x + scale * px, y + scale * py, z + scale * pz


@kernel
def direction_rows(goal, weight, axis, rows, wrenches, row):
    """c²‖x̂ - g‖² of one direction (ZB §5.2). Returns the angle between them."""
    dx, dy, dz = axis[0] - goal[0], axis[1] - goal[1], axis[2] - goal[2]
    rows[row], rows[row + 1], rows[row + 2] = weight * dx, weight * dy, weight * dz
    axis = slope_axis(goal[0], goal[1], goal[2], axis)
    for i in range(3):
        set_couple(wrenches, row + i, 0.0, 0.0, 0.0)
    add_axis_couple(wrenches, row, axis, weight, 0.0, 0.0)
    add_axis_couple(wrenches, row + 1, axis, 0.0, weight, 0.0)
    add_axis_couple(wrenches, row + 2, axis, 0.0, 0.0, weight)
    if weight == 0.0:
        return 0.0
    return 2.0 * math.asin(min(1.0, 0.5 * norm(dx, dy, dz)))


@kernel
def rotation_rows(error, weight, rows, wrenches, row):
    """c² · half the sum over three axes ‖a - g‖² = c² (2 sin φ/2)², as e = 2c sin(φ/2) n.

    With the error quaternion (w, v): e = 2cv, and de = c(wω + ω x v). Returns the angle.
    """
    w, x, y, z = error
    rows[row], rows[row + 1], rows[row + 2] = 2.0 * weight * x, 2.0 * weight * y, 2.0 * weight * z
    angle = 2.0 * math.atan2(norm(x, y, z), w)
    # At half a turn no rotation lowers the angle to first order: use the slope just before it.
    w = max(w, TILT)
    w, x, y, z = w * weight, x * weight, y * weight, z * weight
    set_couple(wrenches, row, w, z, -y)
    set_couple(wrenches, row + 1, -z, w, x)
    set_couple(wrenches, row + 2, y, -x, w)
    return angle


@kernel
def rotation_error(frames, s, effector, k, goal):
    """Quaternion of the rotation from the target to an effector, in the world."""
    current = times(nine(frames, 12 * s), nine(effector, 12 * k))
    g0, g1, g2, g3, g4, g5, g6, g7, g8 = nine(goal, 0)
    return quaternion(times(current, (g0, g3, g6, g1, g4, g7, g2, g5, g8)))


@kernel
def aim_rows(goal, weight, point, axis, rows, wrenches, row):
    """c²‖û - v̂‖² with û = (p - r)/‖p - r‖ (ZB §5.2). Returns the angle.

    Where the target is at the eye, û is undefined: within NEAR the rows fade to zero with the
    distance, so that there every direction is met. Straight away: see `slope_axis`.
    """
    ux, uy, uz = goal[0] - point[0], goal[1] - point[1], goal[2] - point[2]
    length = norm(ux, uy, uz)
    if length < 1e-12:
        ux, uy, uz, length = axis[0], axis[1], axis[2], 1e-12
    else:
        ux, uy, uz = ux / length, uy / length, uz / length
    fade = min(1.0, length / NEAR)
    dx, dy, dz = ux - axis[0], uy - axis[1], uz - axis[2]
    axis = slope_axis(ux, uy, uz, axis)
    c = weight * fade
    rows[row], rows[row + 1], rows[row + 2] = c * dx, c * dy, c * dz
    # de = c(-(I - ûûᵀ)/ρ dr - dv̂), and inside NEAR also (û - v̂) d(fade) with d(fade) = -û·dr/NEAR.
    k = c / length
    loss = weight / NEAR if length < NEAR else 0.0
    e = (dx, dy, dz)
    u = (ux, uy, uz)
    for i in range(3):
        bend = k * u[i] - loss * e[i]
        set_force(
            wrenches,
            row + i,
            point,
            bend * ux - (k if i == 0 else 0.0),
            bend * uy - (k if i == 1 else 0.0),
            bend * uz - (k if i == 2 else 0.0),
        )
        add_axis_couple(
            wrenches,
            row + i,
            axis,
            -c if i == 0 else 0.0,
            -c if i == 1 else 0.0,
            -c if i == 2 else 0.0,
        )
    return 2.0 * math.asin(min(1.0, 0.5 * norm(dx, dy, dz))) if length >= NEAR else 0.0


@kernel
def line_rows(goal, weight, point, rows, wrenches, row):
    """‖(I - ννᵀ)(r - p)‖² (ZB §5.2). Returns the distance from the line."""
    dx, dy, dz = point[0] - goal[0], point[1] - goal[1], point[2] - goal[2]
    nx, ny, nz = goal[3], goal[4], goal[5]
    along = dx * nx + dy * ny + dz * nz
    dx, dy, dz = dx - along * nx, dy - along * ny, dz - along * nz
    rows[row], rows[row + 1], rows[row + 2] = weight * dx, weight * dy, weight * dz
    n = (nx, ny, nz)
    for i in range(3):
        set_force(
            wrenches,
            row + i,
            point,
            weight * ((1.0 if i == 0 else 0.0) - n[i] * nx),
            weight * ((1.0 if i == 1 else 0.0) - n[i] * ny),
            weight * ((1.0 if i == 2 else 0.0) - n[i] * nz),
        )
    return norm(dx, dy, dz)


@kernel
def plane_rows(goal, weight, point, one_sided, rows, wrenches, row):
    """((r - p)·ν)², or for a half-space 0 on ν's side (ZB §5.2). Returns the distance."""
    nx, ny, nz = goal[3], goal[4], goal[5]
    height = (point[0] - goal[0]) * nx + (point[1] - goal[1]) * ny + (point[2] - goal[2]) * nz
    if one_sided and height >= 0.0:
        rows[row] = 0.0
        set_couple(wrenches, row, 0.0, 0.0, 0.0)
        return 0.0
    rows[row] = weight * height
    set_force(wrenches, row, point, weight * nx, weight * ny, weight * nz)
    return abs(height)


@kernel
def distance_rows(goal, weight, point, other, rows, wrenches, others, row):
    """How far ‖a - b‖ is outside [least, most]. Returns that.

    Where the two points coincide, they are driven apart along x.
    """
    dx, dy, dz = point[0] - other[0], point[1] - other[1], point[2] - other[2]
    length = norm(dx, dy, dz)
    off = min(0.0, length - goal[0]) + max(0.0, length - goal[1])
    scale = weight / length if length > 1e-12 else 0.0
    fx, fy, fz = dx * scale, dy * scale, dz * scale
    if length <= 1e-12:
        fx = weight
    if off == 0.0:
        fx = fy = fz = 0.0
    rows[row] = weight * off
    set_force(wrenches, row, point, fx, fy, fz)
    set_force(others, row, other, -fx, -fy, -fz)
    return abs(off)


@kernel
def relative_rotation_rows(error, weight, rows, wrenches, others, row):
    """As `rotation_rows` for two turning effectors: de = c(w(ω_a - ω_b) + (ω_a + ω_b) x v)."""
    angle = rotation_rows(error, weight, rows, wrenches, row)
    w, x, y, z = error
    w = max(w, TILT)
    w, x, y, z = w * weight, x * weight, y * weight, z * weight
    set_couple(others, row, -w, z, -y)
    set_couple(others, row + 1, -z, -w, x)
    set_couple(others, row + 2, y, -x, -w)
    return angle


@kernel
def kind_rows(kind, goal, weight, frames, s, effector, t, other, others_at, k, tables, row):
    """Rows, wrenches and (distance, angle) of goal k.

    `effector` and `others_at` are the tables of the goals' first and second effectors; s and t are
    their segments; tables = (rows, wrenches, others). A centre of mass passes its point as
    `other` and s = -1.
    """
    rows, wrenches, others = tables
    if kind == ORIENTATION:
        first = direction_rows(
            goal, weight[0], axis_of(frames, s, effector, k, 0), rows, wrenches, row
        )
        second = direction_rows(
            goal[3:], weight[1], axis_of(frames, s, effector, k, 1), rows, wrenches, row + 3
        )
        return 0.0, max(first, second)
    point = other
    if s >= 0:
        point = point_of(frames, s, effector, k)
    if kind == POSITION:
        return position_rows(goal, weight[0], point, rows, wrenches, row), 0.0
    if kind == POSE:
        distance = position_rows(goal, weight[0], point, rows, wrenches, row)
        error = rotation_error(frames, s, effector, k, goal[3:])
        return distance, rotation_rows(error, weight[1], rows, wrenches, row + 3)
    if kind == AIM:
        axis = axis_of(frames, s, effector, k, 2)
        return 0.0, aim_rows(goal, weight[0], point, axis, rows, wrenches, row)
    if kind == LINE:
        return line_rows(goal, weight[0], point, rows, wrenches, row), 0.0
    if kind == PLANE or kind == HALF_SPACE:
        one_sided = kind == HALF_SPACE
        return plane_rows(goal, weight[0], point, one_sided, rows, wrenches, row), 0.0
    if kind == DISTANCE:
        end = point_of(frames, t, others_at, k)
        return distance_rows(goal, weight[0], point, end, rows, wrenches, others, row), 0.0
    return relative_rows(goal, weight, frames, s, effector, t, others_at, k, tables, row)


@kernel
def relative_rows(goal, weight, frames, s, effector, t, others_at, k, tables, row):
    """The effector at a point, and turned by a rotation, of the other effector's frame."""
    rows, wrenches, others = tables
    point = point_of(frames, s, effector, k)
    base = times(nine(frames, 12 * t), nine(others_at, 12 * k))
    b0, b1, b2, b3, b4, b5, b6, b7, b8 = base
    ox, oy, oz = point_of(frames, t, others_at, k)
    x, y, z = goal[0], goal[1], goal[2]
    place = (
        ox + b0 * x + b1 * y + b2 * z,
        oy + b3 * x + b4 * y + b5 * z,
        oz + b6 * x + b7 * y + b8 * z,
    )
    distance = position_rows(place, weight[0], point, rows, wrenches, row)
    for i in range(3):
        set_force(
            others,
            row + i,
            place,
            -weight[0] if i == 0 else 0.0,
            -weight[0] if i == 1 else 0.0,
            -weight[0] if i == 2 else 0.0,
        )
    g0, g1, g2, g3, g4, g5, g6, g7, g8 = times(base, nine(goal, 3))
    current = times(nine(frames, 12 * s), nine(effector, 12 * k))
    error = quaternion(times(current, (g0, g3, g6, g1, g4, g7, g2, g5, g8)))
    angle = relative_rotation_rows(error, weight[1], rows, wrenches, others, row + 3)
    return distance, angle if weight[1] > 0.0 else 0.0
