"""Half the Hessian of f: JᵀJ, and for the exact one also the curvature of the figure.

Both couple a DOF j only with the DOFs i above it. JᵀJ is a_i · W a_j, with a the six coordinates
of an axis (v, ω) and W = Σ w wᵀ the outer products of all row wrenches in the subtree of j.
For the curvature: when j turns, the point of application r of a force f moves by v + ω x r, which
changes the moment by v x F + K ω with K = Σ r fᵀ - (r·f) I over the subtree of j. The second
derivative is ω_i · (v_j x F + K ω_j) (METHOD §4; zero where i slides).

COMPOSITES holds per segment the lower triangle of W (21) and K (9), summed over its subtree.
Goals that couple branches (a full weight matrix, two effectors, the centre of mass) have their
JᵀJ multiplied out; the user's own goals have an estimate added (custom.py).
"""

from poise.kernels.between import add_bends_between, add_square
from poise.kernels.compiled import entry, kernel
from poise.kernels.curvature import COMPOSITE_SIZE, add_curvatures
from poise.kernels.custom import add_custom_curvature
from poise.kernels.derivatives import sum_wrenches
from poise.kernels.forward import ROTATION_VECTOR, SWING, nine
from poise.kernels.layout import (
    ABOVE_FIRST,
    ABOVE_RUNS,
    ANGLES,
    AXES,
    CHARTS,
    COMPOSITES,
    CUSTOM,
    FOLLOWER_DOF,
    GOAL_KIND,
    GOAL_OTHER,
    GOAL_ROW,
    GOAL_SEGMENT,
    HESSIAN,
    JACOBIAN,
    MOTION_DOF,
    MOTION_KIND,
    MOTION_SIGN,
    POSTURE_WEIGHT,
    RELATION_DOF,
    ROW_WRENCHES,
    ROWS,
    SEGMENT_DOFS,
    SEGMENT_MOTIONS,
    SEGMENT_PARENT,
    WEIGHT_FACTOR,
    WRENCHES,
    floats_at,
    ints_at,
)
from poise.kernels.trigonometry import rotation_coefficient_slopes, rotation_coefficients


@kernel
def sum_composites(floats, ints, exact):
    """W and, if asked, K of the goals, summed from the leaves to the root into COMPOSITES."""
    parent = ints_at(ints, SEGMENT_PARENT)
    segment = ints_at(ints, GOAL_SEGMENT)
    first_row = ints_at(ints, GOAL_ROW)
    wrenches = floats_at(floats, ints, ROW_WRENCHES)
    sums = floats_at(floats, ints, COMPOSITES)
    for i in range(sums.size):
        sums[i] = 0.0
    for k in range(segment.size):
        if is_spread(floats, ints, k):
            continue
        c = COMPOSITE_SIZE * segment[k]
        for row in range(first_row[k], first_row[k + 1]):
            w = wrenches[6 * row : 6 * row + 6]
            at = c
            for i in range(6):
                for j in range(i + 1):
                    sums[at] += w[i] * w[j]
                    at += 1
    if exact:
        add_curvatures(floats, ints)
    for s in range(parent.size - 1, 0, -1):
        for c in range(COMPOSITE_SIZE):
            sums[COMPOSITE_SIZE * parent[s] + c] += sums[COMPOSITE_SIZE * s + c]


@kernel
def is_spread(floats, ints, k):
    """Whether goal k couples DOFs of different branches, so that its JᵀJ is multiplied out."""
    if floats_at(floats, ints, WEIGHT_FACTOR).size > 0:
        return True
    return ints_at(ints, GOAL_SEGMENT)[k] < 0 or ints_at(ints, GOAL_OTHER)[k] >= 0


@kernel
def has_spread(floats, ints):
    """Whether a goal's JᵀJ is multiplied out, for which JACOBIAN is needed."""
    for k in range(ints_at(ints, GOAL_KIND).size):
        if is_spread(floats, ints, k):
            return True
    return False


@kernel
def multiply_composite(sums, c, axes, n, j):
    """W a_j."""
    x0, x1, x2 = axes[j], axes[n + j], axes[2 * n + j]
    x3, x4, x5 = axes[3 * n + j], axes[4 * n + j], axes[5 * n + j]
    s = sums[c : c + 21]
    return (
        s[0] * x0 + s[1] * x1 + s[3] * x2 + s[6] * x3 + s[10] * x4 + s[15] * x5,
        s[1] * x0 + s[2] * x1 + s[4] * x2 + s[7] * x3 + s[11] * x4 + s[16] * x5,
        s[3] * x0 + s[4] * x1 + s[5] * x2 + s[8] * x3 + s[12] * x4 + s[17] * x5,
        s[6] * x0 + s[7] * x1 + s[8] * x2 + s[9] * x3 + s[13] * x4 + s[18] * x5,
        s[10] * x0 + s[11] * x1 + s[12] * x2 + s[13] * x3 + s[14] * x4 + s[19] * x5,
        s[15] * x0 + s[16] * x1 + s[17] * x2 + s[18] * x3 + s[19] * x4 + s[20] * x5,
    )


@entry
def hessian(floats, ints, exact):
    """Half the Hessian, exact or Gauss-Newton, at ANGLES into HESSIAN (lower triangle).

    FRAMES, AXES, ROWS and, with a full weight matrix, JACOBIAN must belong to ANGLES.
    """
    parent = ints_at(ints, SEGMENT_PARENT)
    dofs = ints_at(ints, SEGMENT_DOFS)
    axes = floats_at(floats, ints, AXES)
    sums = floats_at(floats, ints, COMPOSITES)
    forces = floats_at(floats, ints, WRENCHES)
    matrix = floats_at(floats, ints, HESSIAN)
    first = ints_at(ints, ABOVE_FIRST)
    runs = ints_at(ints, ABOVE_RUNS)
    n = axes.size // 6
    if exact:
        sum_wrenches(floats, ints, floats_at(floats, ints, ROWS))
    sum_composites(floats, ints, exact)
    if matrix.size == 0:  # too large to keep: krylov.py multiplies with the sums instead
        return
    # These may couple branches: then ABOVE_RUNS holds more than the DOFs above.
    coupled = ints_at(ints, FOLLOWER_DOF).size > 0 or ints_at(ints, RELATION_DOF).size > 0
    coupled = coupled or floats_at(floats, ints, CUSTOM).size > 0 or has_spread(floats, ints)
    if coupled:
        multiply_out(floats, ints)
        if exact:
            add_bends_between(floats, ints)
    for s in range(dofs.size - 1):
        c = COMPOSITE_SIZE * s
        for j in range(dofs[s], dofs[s + 1]):
            fx, fy, fz, mx, my, mz = multiply_composite(sums, c, axes, n, j)
            if exact:
                kx, ky, kz = moment_change(axes, n, j, forces, sums[c + 21 : c + 30], s)
                mx, my, mz = mx + kx, my + ky, mz + kz
            row = matrix[j * n : j * n + n]
            fill_run(row, axes, n, dofs[s], j + 1, fx, fy, fz, mx, my, mz, coupled)
            if coupled:
                above = parent[s]
                while above >= 0:
                    begin, end = dofs[above], dofs[above + 1]
                    fill_run(row, axes, n, begin, end, fx, fy, fz, mx, my, mz, True)
                    above = parent[above]
            else:
                for at in range(2 * first[s], 2 * first[s + 1], 2):
                    fill_run(row, axes, n, runs[at], runs[at + 1], fx, fy, fz, mx, my, mz, False)
    weight = floats_at(floats, ints, POSTURE_WEIGHT)
    for d in range(weight.size):
        matrix[d * n + d] += weight[d]
    add_custom_curvature(floats, ints, matrix)
    if exact:
        add_chart_curvature(floats, ints)


@kernel
def fill_run(row, axes, n, begin, end, fx, fy, fz, mx, my, mz, add):
    vx, vy, vz = axes[0:n], axes[n : 2 * n], axes[2 * n : 3 * n]
    wx, wy, wz = axes[3 * n : 4 * n], axes[4 * n : 5 * n], axes[5 * n : 6 * n]
    keep = 1.0 if add else 0.0
    for i in range(begin, end):
        row[i] = (
            keep * row[i]
            + vx[i] * fx
            + vy[i] * fy
            + vz[i] * fz
            + wx[i] * mx
            + wy[i] * my
            + wz[i] * mz
        )


@kernel
def multiply_out(floats, ints):
    """JᵀJ of the goals that couple branches into HESSIAN."""
    values = floats_at(floats, ints, JACOBIAN)
    matrix = floats_at(floats, ints, HESSIAN)
    first_row = ints_at(ints, GOAL_ROW)
    n = floats_at(floats, ints, ANGLES).size
    for i in range(matrix.size):
        matrix[i] = 0.0
    for k in range(first_row.size - 1):
        if not is_spread(floats, ints, k):
            continue
        for row in range(first_row[k], first_row[k + 1]):
            add_square(matrix, values[row * n : row * n + n], 1.0)


@kernel
def moment_change(axes, n, j, sums, curvature, s):
    """v_j x F + K ω_j: how the moment on the subtree of segment s changes with DOF j."""
    vx, vy, vz = axes[j], axes[n + j], axes[2 * n + j]
    wx, wy, wz = axes[3 * n + j], axes[4 * n + j], axes[5 * n + j]
    fx, fy, fz = sums[6 * s], sums[6 * s + 1], sums[6 * s + 2]
    k0, k1, k2, k3, k4, k5, k6, k7, k8 = nine(curvature, 0)
    return (
        vy * fz - vz * fy + k0 * wx + k1 * wy + k2 * wz,
        vz * fx - vx * fz + k3 * wx + k4 * wy + k5 * wz,
        vx * fy - vy * fx + k6 * wx + k7 * wy + k8 * wz,
    )


@kernel
def add_chart_curvature(floats, ints):
    """The change of the axes of rotation vectors and swings with their own coordinates."""
    first_motion = ints_at(ints, SEGMENT_MOTIONS)
    kind = ints_at(ints, MOTION_KIND)
    motion_dof = ints_at(ints, MOTION_DOF)
    sign = floats_at(floats, ints, MOTION_SIGN)
    angles = floats_at(floats, ints, ANGLES)
    charts = floats_at(floats, ints, CHARTS)
    sums = floats_at(floats, ints, WRENCHES)
    matrix = floats_at(floats, ints, HESSIAN)
    n = angles.size
    for s in range(first_motion.size - 1):
        for m in range(first_motion[s], first_motion[s + 1]):
            if kind[m] < ROTATION_VECTOR:
                continue
            d, g = motion_dof[m], sign[m]
            z = g * angles[d + 2] if kind[m] != SWING else 0.0
            moment = local_moment(charts, 12 * m, sums, 6 * s)
            for k in range(3 if kind[m] != SWING else 2):
                for j in range(k, 3 if kind[m] != SWING else 2):
                    matrix[(d + j) * n + d + k] += chart_curvature(
                        g * angles[d], g * angles[d + 1], z, k, j, moment
                    )


@kernel
def local_moment(charts, c, sums, w):
    """The moment of a subtree about a chart's origin, in the chart's frame."""
    px, py, pz = charts[c + 9], charts[c + 10], charts[c + 11]
    fx, fy, fz = sums[w], sums[w + 1], sums[w + 2]
    mx = sums[w + 3] - (py * fz - pz * fy)
    my = sums[w + 4] - (pz * fx - px * fz)
    mz = sums[w + 5] - (px * fy - py * fx)
    return (
        charts[c] * mx + charts[c + 3] * my + charts[c + 6] * mz,
        charts[c + 1] * mx + charts[c + 4] * my + charts[c + 7] * mz,
        charts[c + 2] * mx + charts[c + 5] * my + charts[c + 8] * mz,
    )


@kernel
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def unit(k):
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0


@kernel
def chart_curvature(x, y, z, k, j, moment):
    """moment · ∂/∂v_j of column k of the left Jacobian I + b[v] + c[v]²."""
    v, ek, ej = (x, y, z), unit(k), unit(j)
    squared = x * x + y * y + z * z
    a, b, c = rotation_coefficients(squared)
    slope_b, slope_c = rotation_coefficient_slopes(squared, a, b, c)
    along = v[j]
    once = cross(v, ek)
    twice = cross(v, once)
    mixed = cross(ej, ek)
    left, right = cross(ej, once), cross(v, mixed)
    total = 0.0
    for i in range(3):
        total += moment[i] * (
            along * (slope_b * once[i] + slope_c * twice[i])
            + b * mixed[i]
            + c * (left[i] + right[i])
        )
    return total
