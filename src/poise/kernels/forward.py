"""Forward kinematics in one pass, and the axis of every DOF in the world."""

from poise.kernels.compiled import entry, kernel
from poise.kernels.layout import (
    AXES,
    CHARTS,
    COSINES,
    FRAMES,
    HAS_AFTER,
    HAS_BEFORE,
    MOTION_DOF,
    MOTION_KIND,
    MOTION_SIGN,
    SEGMENT_AFTER,
    SEGMENT_BEFORE,
    SEGMENT_FLAGS,
    SEGMENT_MOTIONS,
    SEGMENT_OFFSET,
    SEGMENT_PARENT,
    SINES,
    floats_at,
    ints_at,
)
from poise.kernels.trigonometry import rotation_coefficients, sines_cosines

ROTATE_X, ROTATE_Y, ROTATE_Z, SLIDE_X, SLIDE_Y, SLIDE_Z, ROTATION_VECTOR, SWING = range(8)


@kernel
def times(a, b):
    """Product of two 3x3 matrices given as tuples of nine, row by row."""
    a0, a1, a2, a3, a4, a5, a6, a7, a8 = a
    b0, b1, b2, b3, b4, b5, b6, b7, b8 = b
    return (
        a0 * b0 + a1 * b3 + a2 * b6,
        a0 * b1 + a1 * b4 + a2 * b7,
        a0 * b2 + a1 * b5 + a2 * b8,
        a3 * b0 + a4 * b3 + a5 * b6,
        a3 * b1 + a4 * b4 + a5 * b7,
        a3 * b2 + a4 * b5 + a5 * b8,
        a6 * b0 + a7 * b3 + a8 * b6,
        a6 * b1 + a7 * b4 + a8 * b7,
        a6 * b2 + a7 * b5 + a8 * b8,
    )


@kernel
def transposed(r):
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = r
    return r0, r3, r6, r1, r4, r7, r2, r5, r8


@kernel
def nine(values, at):
    return (
        values[at],
        values[at + 1],
        values[at + 2],
        values[at + 3],
        values[at + 4],
        values[at + 5],
        values[at + 6],
        values[at + 7],
        values[at + 8],
    )


@kernel
def set_frame(table, at, rotation, px, py, pz):
    """Write a rotation, given as a tuple of nine, and an origin."""
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation
    table[at], table[at + 1], table[at + 2] = r0, r1, r2
    table[at + 3], table[at + 4], table[at + 5] = r3, r4, r5
    table[at + 6], table[at + 7], table[at + 8] = r6, r7, r8
    table[at + 9], table[at + 10], table[at + 11] = px, py, pz


@kernel
def exponential(x, y, z, a, b):
    """exp[v] as a tuple of nine, from the coefficients of `rotation_coefficients`."""
    return (
        1.0 - b * (y * y + z * z),
        b * x * y - a * z,
        b * x * z + a * y,
        b * x * y + a * z,
        1.0 - b * (x * x + z * z),
        b * y * z - a * x,
        b * x * z - a * y,
        b * y * z + a * x,
        1.0 - b * (x * x + y * y),
    )


@kernel
def left_jacobian_column(x, y, z, b, c, k):
    """Column k of the left Jacobian of SO(3) at v: the angular velocity that dv_k causes."""
    if k == 0:
        return 1.0 - c * (y * y + z * z), c * x * y + b * z, c * x * z - b * y
    if k == 1:
        return c * x * y - b * z, 1.0 - c * (x * x + z * z), c * y * z + b * x
    return c * x * z + b * y, c * y * z - b * x, 1.0 - c * (x * x + y * y)


@kernel
def set_revolute(axes, n, dof, ux, uy, uz, px, py, pz):
    """Plücker coordinates of a revolute DOF: (t x u, u)."""
    axes[dof] = py * uz - pz * uy
    axes[n + dof] = pz * ux - px * uz
    axes[2 * n + dof] = px * uy - py * ux
    axes[3 * n + dof] = ux
    axes[4 * n + dof] = uy
    axes[5 * n + dof] = uz


@kernel
def set_prismatic(axes, n, dof, ux, uy, uz):
    axes[dof] = ux
    axes[n + dof] = uy
    axes[2 * n + dof] = uz
    axes[3 * n + dof] = 0.0
    axes[4 * n + dof] = 0.0
    axes[5 * n + dof] = 0.0


@entry
def forward(floats, ints, angles):
    """Fill FRAMES and AXES for `angles`. O(segments + DOFs)."""
    parent = ints_at(ints, SEGMENT_PARENT)
    first_motion = ints_at(ints, SEGMENT_MOTIONS)
    flags = ints_at(ints, SEGMENT_FLAGS)
    kind = ints_at(ints, MOTION_KIND)
    motion_dof = ints_at(ints, MOTION_DOF)
    sign = floats_at(floats, ints, MOTION_SIGN)
    offset = floats_at(floats, ints, SEGMENT_OFFSET)
    before = floats_at(floats, ints, SEGMENT_BEFORE)
    after = floats_at(floats, ints, SEGMENT_AFTER)
    frames = floats_at(floats, ints, FRAMES)
    axes = floats_at(floats, ints, AXES)
    charts = floats_at(floats, ints, CHARTS)
    sines = floats_at(floats, ints, SINES)
    cosines = floats_at(floats, ints, COSINES)
    n = angles.size
    sines_cosines(angles, sines, cosines)
    for s in range(parent.size):
        ox, oy, oz = offset[3 * s], offset[3 * s + 1], offset[3 * s + 2]
        p = parent[s]
        if p < 0:
            r0, r1, r2, r3, r4, r5, r6, r7, r8 = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
            px, py, pz = ox, oy, oz
        else:
            r0, r1, r2, r3, r4, r5, r6, r7, r8 = nine(frames, 12 * p)
            px = frames[12 * p + 9] + r0 * ox + r1 * oy + r2 * oz
            py = frames[12 * p + 10] + r3 * ox + r4 * oy + r5 * oz
            pz = frames[12 * p + 11] + r6 * ox + r7 * oy + r8 * oz
        if flags[s] & HAS_BEFORE:
            r0, r1, r2, r3, r4, r5, r6, r7, r8 = times(
                (r0, r1, r2, r3, r4, r5, r6, r7, r8), nine(before, 9 * s)
            )
        for m in range(first_motion[s], first_motion[s + 1]):
            d = motion_dof[m]
            g = sign[m]
            what = kind[m]
            if what <= ROTATE_Z:
                si, co = g * sines[d], cosines[d]
                if what == ROTATE_X:
                    set_revolute(axes, n, d, g * r0, g * r3, g * r6, px, py, pz)
                    r1, r2 = co * r1 + si * r2, co * r2 - si * r1
                    r4, r5 = co * r4 + si * r5, co * r5 - si * r4
                    r7, r8 = co * r7 + si * r8, co * r8 - si * r7
                elif what == ROTATE_Y:
                    set_revolute(axes, n, d, g * r1, g * r4, g * r7, px, py, pz)
                    r0, r2 = co * r0 - si * r2, si * r0 + co * r2
                    r3, r5 = co * r3 - si * r5, si * r3 + co * r5
                    r6, r8 = co * r6 - si * r8, si * r6 + co * r8
                else:
                    set_revolute(axes, n, d, g * r2, g * r5, g * r8, px, py, pz)
                    r0, r1 = co * r0 + si * r1, co * r1 - si * r0
                    r3, r4 = co * r3 + si * r4, co * r4 - si * r3
                    r6, r7 = co * r6 + si * r7, co * r7 - si * r6
            elif what <= SLIDE_Z:
                if what == SLIDE_X:
                    ux, uy, uz = g * r0, g * r3, g * r6
                elif what == SLIDE_Y:
                    ux, uy, uz = g * r1, g * r4, g * r7
                else:
                    ux, uy, uz = g * r2, g * r5, g * r8
                set_prismatic(axes, n, d, ux, uy, uz)
                px += angles[d] * ux
                py += angles[d] * uy
                pz += angles[d] * uz
            else:
                set_frame(charts, 12 * m, (r0, r1, r2, r3, r4, r5, r6, r7, r8), px, py, pz)
                vx, vy = g * angles[d], g * angles[d + 1]
                vz = g * angles[d + 2] if what == ROTATION_VECTOR else 0.0
                a, b, c = rotation_coefficients(vx * vx + vy * vy + vz * vz)
                for k in range(3 if what == ROTATION_VECTOR else 2):
                    cx, cy, cz = left_jacobian_column(vx, vy, vz, b, c, k)
                    ux = g * (r0 * cx + r1 * cy + r2 * cz)
                    uy = g * (r3 * cx + r4 * cy + r5 * cz)
                    uz = g * (r6 * cx + r7 * cy + r8 * cz)
                    set_revolute(axes, n, d + k, ux, uy, uz, px, py, pz)
                r0, r1, r2, r3, r4, r5, r6, r7, r8 = times(
                    (r0, r1, r2, r3, r4, r5, r6, r7, r8), exponential(vx, vy, vz, a, b)
                )
        if flags[s] & HAS_AFTER:
            r0, r1, r2, r3, r4, r5, r6, r7, r8 = times(
                (r0, r1, r2, r3, r4, r5, r6, r7, r8), nine(after, 12 * s)
            )
            tx, ty, tz = after[12 * s + 9], after[12 * s + 10], after[12 * s + 11]
            px += r0 * tx + r1 * ty + r2 * tz
            py += r3 * tx + r4 * ty + r5 * tz
            pz += r6 * tx + r7 * ty + r8 * tz
        set_frame(frames, 12 * s, (r0, r1, r2, r3, r4, r5, r6, r7, r8), px, py, pz)


@entry
def forward_all(floats, ints, angles, segment, offset, points, rotations):
    """For every row of `angles`, where each point `offset` (k, 3) of its `segment` (k) is.

    Fills `points` (rows, k, 3) and, unless it has no rows, `rotations` (rows, k, 3, 3).
    """
    frames = floats_at(floats, ints, FRAMES)
    for i in range(angles.shape[0]):
        forward(floats, ints, angles[i])
        for k in range(segment.size):
            at = 12 * segment[k]
            x, y, z = offset[k, 0], offset[k, 1], offset[k, 2]
            for r in range(3):
                row = at + 3 * r
                turned = frames[row] * x + frames[row + 1] * y + frames[row + 2] * z
                points[i, k, r] = frames[at + 9 + r] + turned
            if rotations.shape[0] > 0:
                for j in range(9):
                    rotations[i, k, j // 3, j % 3] = frames[at + j]
