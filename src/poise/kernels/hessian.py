"""Half the Hessian of f: JᵀJ, and for the exact one also the curvature of the figure.

Both couple a DOF j only with the DOFs i above it. JᵀJ is a_i · W a_j, with a the six coordinates
of an axis (v, ω) and W = Σ w wᵀ the outer products of all row wrenches in the subtree of j.
For the curvature: when j turns, the point of application r of a force f moves by v + ω x r, which
changes the moment by v x F + K ω with K = Σ r fᵀ - (r·f) I over the subtree of j. The second
derivative is ω_i · (v_j x F + K ω_j) (METHOD §4; zero where i slides).

COMPOSITES holds per segment the lower triangle of W (21) and K (9), summed over its subtree.
A full weight matrix couples everything: JᵀJ is then multiplied out.
"""

from poise.kernels.compiled import entry, kernel
from poise.kernels.derivatives import sum_wrenches
from poise.kernels.forward import ROTATION_VECTOR, SWING, nine
from poise.kernels.layout import (
    ABOVE_FIRST,
    ABOVE_RUNS,
    ANGLES,
    AXES,
    CHARTS,
    COMPOSITES,
    FRAMES,
    GOAL_EFFECTOR,
    GOAL_KIND,
    GOAL_ROW,
    GOAL_SEGMENT,
    GOAL_TARGET,
    GOAL_WEIGHT,
    HESSIAN,
    JACOBIAN,
    MOTION_DOF,
    MOTION_KIND,
    MOTION_SIGN,
    ROWS,
    ROW_WRENCHES,
    SEGMENT_DOFS,
    SEGMENT_MOTIONS,
    SEGMENT_PARENT,
    TARGET_SIZE,
    WEIGHT_FACTOR,
    WRENCHES,
    floats_at,
    ints_at,
)
from poise.kernels.rows import (
    ORIENTATION,
    POSE,
    effector_axis,
    effector_point,
    rotation_error,
)
from poise.kernels.trigonometry import rotation_coefficient_slopes, rotation_coefficients

COMPOSITE_SIZE = 30


@kernel
def add_force(curvatures, c, point, fx, fy, fz):
    """K += r fᵀ - (r·f) I."""
    x, y, z = point
    along = x * fx + y * fy + z * fz
    curvatures[c] += x * fx - along
    curvatures[c + 1] += x * fy
    curvatures[c + 2] += x * fz
    curvatures[c + 3] += y * fx
    curvatures[c + 4] += y * fy - along
    curvatures[c + 5] += y * fz
    curvatures[c + 6] += z * fx
    curvatures[c + 7] += z * fy
    curvatures[c + 8] += z * fz - along


@kernel
def add_curvatures(floats, ints):
    """Add K of the goals to the COMPOSITES of their segments."""
    kind = ints_at(ints, GOAL_KIND)
    segment = ints_at(ints, GOAL_SEGMENT)
    first_row = ints_at(ints, GOAL_ROW)
    frames = floats_at(floats, ints, FRAMES)
    effector = floats_at(floats, ints, GOAL_EFFECTOR)
    target = floats_at(floats, ints, GOAL_TARGET)
    weight = floats_at(floats, ints, GOAL_WEIGHT)
    factor = floats_at(floats, ints, WEIGHT_FACTOR)
    rows = floats_at(floats, ints, ROWS)
    sums = floats_at(floats, ints, COMPOSITES)
    for k in range(kind.size):
        s, c, row = segment[k], COMPOSITE_SIZE * segment[k] + 21, first_row[k]
        w = weight[4 * k]
        if kind[k] == ORIENTATION:
            for a in range(2):
                axis = effector_axis(frames, s, effector, k, a)
                w = weight[4 * k + a]
                fx, fy, fz = three_pulls(rows, row + 3 * a, factor)
                add_force(sums, c, axis, w * fx, w * fy, w * fz)
        else:
            point = effector_point(frames, s, effector, k)
            fx, fy, fz = three_pulls(rows, row, factor)
            add_force(sums, c, point, w * fx, w * fy, w * fz)
            if kind[k] == POSE and factor.size == 0:
                add_rotation(sums, c, frames, s, effector, k, target, weight[4 * k + 1])


@kernel
def three_pulls(rows, row, factor):
    """Three rows of W e_raw, from the stored e = Lᵀ e_raw."""
    if factor.size == 0:
        return rows[row], rows[row + 1], rows[row + 2]
    a = b = c = 0.0
    r = rows.size
    for j in range(row + 3):
        if j <= row:
            a += factor[row * r + j] * rows[j]
        if j <= row + 1:
            b += factor[(row + 1) * r + j] * rows[j]
        c += factor[(row + 2) * r + j] * rows[j]
    return a, b, c


@kernel
def add_rotation(sums, c, frames, s, effector, k, target, weight):
    """The curvature of a Pose6D's rotation: its exact Hessian less the JᵀJ of its three rows.

    Half the Hessian of c²·½Σ‖a - g‖² is -½c² Σ g·(ω_i x (ω_j x a)); JᵀJ is c²(I - vvᵀ).
    """
    t = TARGET_SIZE * k + 3
    scale = weight * weight
    for a in range(3):
        axis = effector_axis(frames, s, effector, k, a)
        half = -0.5 * scale
        add_force(sums, c, axis, half * target[t + a], half * target[t + 3 + a], half * target[t + 6 + a])
    _, x, y, z = rotation_error(frames, s, effector, k, target, t)
    sums[c] -= scale * (1.0 - x * x)
    sums[c + 1] += scale * x * y
    sums[c + 2] += scale * x * z
    sums[c + 3] += scale * x * y
    sums[c + 4] -= scale * (1.0 - y * y)
    sums[c + 5] += scale * y * z
    sums[c + 6] += scale * x * z
    sums[c + 7] += scale * y * z
    sums[c + 8] -= scale * (1.0 - z * z)


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
    coupled = floats_at(floats, ints, WEIGHT_FACTOR).size > 0
    if coupled:
        multiply_out(floats, ints)
    for s in range(dofs.size - 1):
        c = COMPOSITE_SIZE * s
        for j in range(dofs[s], dofs[s + 1]):
            fx = fy = fz = mx = my = mz = 0.0
            if not coupled:
                fx, fy, fz, mx, my, mz = multiply_composite(sums, c, axes, n, j)
            if exact:
                kx, ky, kz = moment_change(axes, n, j, forces, sums[c + 21 : c + 30], s)
                mx, my, mz = mx + kx, my + ky, mz + kz
            row = matrix[j * n : j * n + n]
            fill_run(row, axes, n, dofs[s], j + 1, fx, fy, fz, mx, my, mz, coupled)
            if coupled:  # ABOVE_RUNS holds more than the DOFs above
                above = parent[s]
                while above >= 0:
                    begin, end = dofs[above], dofs[above + 1]
                    fill_run(row, axes, n, begin, end, fx, fy, fz, mx, my, mz, True)
                    above = parent[above]
            else:
                for at in range(2 * first[s], 2 * first[s + 1], 2):
                    fill_run(row, axes, n, runs[at], runs[at + 1], fx, fy, fz, mx, my, mz, False)
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
    """JᵀJ into HESSIAN, for a full weight matrix."""
    values = floats_at(floats, ints, JACOBIAN)
    matrix = floats_at(floats, ints, HESSIAN)
    r = floats_at(floats, ints, ROWS).size
    n = values.size // r
    for i in range(matrix.size):
        matrix[i] = 0.0
    for row in range(r):
        source = values[row * n : row * n + n]
        for j in range(n):
            target = matrix[j * n : j * n + n]
            for i in range(j + 1):
                target[i] += source[j] * source[i]


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
            along * (slope_b * once[i] + slope_c * twice[i]) + b * mixed[i] + c * (left[i] + right[i])
        )
    return total
