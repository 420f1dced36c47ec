"""First derivatives: the gradient in O(DOFs + goals), and the Jacobian on each goal's path."""

from poise.kernels.compiled import entry, kernel
from poise.kernels.custom import add_custom_gradient
from poise.kernels.layout import (
    AXES,
    CENTERS,
    GOAL_OTHER,
    GOAL_ROW,
    GOAL_SEGMENT,
    JACOBIAN,
    OTHER_WRENCHES,
    PATH_FIRST,
    PATH_RUNS,
    POSTURE_TARGET,
    POSTURE_WEIGHT,
    ROW_WRENCHES,
    SEGMENT_DOFS,
    SEGMENT_MASS,
    SEGMENT_PARENT,
    SWEEPS,
    WEIGHT_FACTOR,
    WRENCHES,
    floats_at,
    ints_at,
)


@kernel
def row_pull(rows, row, factor):
    """Entry `row` of W e_raw = L (Lᵀ e_raw), from the stored e = Lᵀ e_raw."""
    if factor.size == 0:
        return rows[row]
    pull = 0.0
    for j in range(row + 1):
        pull += factor[row * rows.size + j] * rows[j]
    return pull


@kernel
def add_row_wrench(floats, ints, k, row, pull, sums):
    """Add `pull` times the wrench of a row of goal k to the segments that it acts on."""
    segment = ints_at(ints, GOAL_SEGMENT)[k]
    other = ints_at(ints, GOAL_OTHER)[k]
    wrenches = floats_at(floats, ints, ROW_WRENCHES)
    if segment >= 0:
        for c in range(6):
            sums[6 * segment + c] += pull * wrenches[6 * row + c]
    else:  # the centre of mass: every segment takes its share, at its own centre
        mass = floats_at(floats, ints, SEGMENT_MASS)
        centers = floats_at(floats, ints, CENTERS)
        for s in range(centers.size // 3):
            share = pull * mass[4 * s]
            fx = share * wrenches[6 * row]
            fy = share * wrenches[6 * row + 1]
            fz = share * wrenches[6 * row + 2]
            x, y, z = centers[3 * s], centers[3 * s + 1], centers[3 * s + 2]
            sums[6 * s] += fx
            sums[6 * s + 1] += fy
            sums[6 * s + 2] += fz
            sums[6 * s + 3] += y * fz - z * fy
            sums[6 * s + 4] += z * fx - x * fz
            sums[6 * s + 5] += x * fy - y * fx
    if other >= 0:
        others = floats_at(floats, ints, OTHER_WRENCHES)
        for c in range(6):
            sums[6 * other + c] += pull * others[6 * row + c]


@kernel
def sum_up(parent, sums):
    """Sum wrenches from the leaves to the root, in place (METHOD §1)."""
    for s in range(parent.size - 1, 0, -1):
        p = 6 * parent[s]
        for c in range(6):
            sums[p + c] += sums[6 * s + c]


@kernel
def sum_wrenches(floats, ints, rows):
    """The goals' forces and moments over every subtree into WRENCHES."""
    first_row = ints_at(ints, GOAL_ROW)
    segment = ints_at(ints, GOAL_SEGMENT)
    other = ints_at(ints, GOAL_OTHER)
    wrenches = floats_at(floats, ints, ROW_WRENCHES)
    sums = floats_at(floats, ints, WRENCHES)
    factor = floats_at(floats, ints, WEIGHT_FACTOR)
    for i in range(sums.size):
        sums[i] = 0.0
    for k in range(segment.size):
        spread = segment[k] < 0 or other[k] >= 0
        s = 6 * segment[k]
        for row in range(first_row[k], first_row[k + 1]):
            pull = row_pull(rows, row, factor)
            if spread:
                add_row_wrench(floats, ints, k, row, pull, sums)
            else:
                for c in range(6):
                    sums[s + c] += pull * wrenches[6 * row + c]
    sum_up(ints_at(ints, SEGMENT_PARENT), sums)


@kernel
def dot_axes(floats, ints, sums, scale, result):
    """result <- scale · (v·F + ω·M) over the subtree of each DOF."""
    dofs = ints_at(ints, SEGMENT_DOFS)
    axes = floats_at(floats, ints, AXES)
    n = axes.size // 6
    for s in range(dofs.size - 1):
        fx, fy, fz = scale * sums[6 * s], scale * sums[6 * s + 1], scale * sums[6 * s + 2]
        mx, my, mz = scale * sums[6 * s + 3], scale * sums[6 * s + 4], scale * sums[6 * s + 5]
        for d in range(dofs[s], dofs[s + 1]):
            result[d] = (
                axes[d] * fx
                + axes[n + d] * fy
                + axes[2 * n + d] * fz
                + axes[3 * n + d] * mx
                + axes[4 * n + d] * my
                + axes[5 * n + d] * mz
            )


@kernel
def add_posture_gradient(floats, ints, angles, result):
    """∇ of Σ w (θ - θ_ref)²."""
    weight = floats_at(floats, ints, POSTURE_WEIGHT)
    target = floats_at(floats, ints, POSTURE_TARGET)
    for d in range(weight.size):
        result[d] += 2.0 * weight[d] * (angles[d] - target[d])


@entry
def gradient(floats, ints, angles, rows, custom, result):
    """∇f at `angles`, just evaluated into `rows`, into `result`: 2 (v·F + ω·M) over each DOF's
    subtree, and what the user's own goals say in `custom`."""
    sum_wrenches(floats, ints, rows)
    dot_axes(floats, ints, floats_at(floats, ints, WRENCHES), 2.0, result)
    add_posture_gradient(floats, ints, angles, result)
    add_custom_gradient(custom, result)


@entry
def jacobian(floats, ints):
    """∂e/∂θ into JACOBIAN; columns that a goal's effector does not follow stay zero."""
    first_row = ints_at(ints, GOAL_ROW)
    segment = ints_at(ints, GOAL_SEGMENT)
    other = ints_at(ints, GOAL_OTHER)
    path_first = ints_at(ints, PATH_FIRST)
    runs = ints_at(ints, PATH_RUNS)
    axes = floats_at(floats, ints, AXES)
    wrenches = floats_at(floats, ints, ROW_WRENCHES)
    matrix = floats_at(floats, ints, JACOBIAN)
    n = axes.size // 6
    if floats_at(floats, ints, WEIGHT_FACTOR).size > 0:
        for i in range(matrix.size):
            matrix[i] = 0.0
    for k in range(first_row.size - 1):
        if segment[k] < 0 or other[k] >= 0:
            for row in range(first_row[k], first_row[k + 1]):
                swept_row(floats, ints, k, row, matrix[row * n : row * n + n])
            continue
        for run in range(path_first[k], path_first[k + 1]):
            begin, end = runs[2 * run], runs[2 * run + 1]
            row = first_row[k]
            while row + 3 <= first_row[k + 1]:
                three_rows(axes, n, wrenches, row, matrix[row * n :], begin, end)
                row += 3
            while row < first_row[k + 1]:
                one_row(axes, n, wrenches, row, matrix[row * n :], begin, end)
                row += 1
    weigh_jacobian(floats, ints, matrix, n)


@kernel
def swept_row(floats, ints, k, row, result):
    """A row of the Jacobian of a goal that acts on several segments, by summing up the tree."""
    sums = floats_at(floats, ints, SWEEPS)
    for i in range(sums.size):
        sums[i] = 0.0
    add_row_wrench(floats, ints, k, row, 1.0, sums)
    sum_up(ints_at(ints, SEGMENT_PARENT), sums)
    dot_axes(floats, ints, sums, 1.0, result)


@kernel
def three_rows(axes, n, wrenches, row, result, begin, end):
    """Three rows of the Jacobian over a run of DOFs, whose axes are read once."""
    ax, ay, az, al, am, an = six(wrenches, 6 * row)
    bx, by, bz, bl, bm, bn = six(wrenches, 6 * row + 6)
    cx, cy, cz, cl, cm, cn = six(wrenches, 6 * row + 12)
    for d in range(begin, end):
        vx, vy, vz = axes[d], axes[n + d], axes[2 * n + d]
        wx, wy, wz = axes[3 * n + d], axes[4 * n + d], axes[5 * n + d]
        result[d] = vx * ax + vy * ay + vz * az + wx * al + wy * am + wz * an
        result[n + d] = vx * bx + vy * by + vz * bz + wx * bl + wy * bm + wz * bn
        result[2 * n + d] = vx * cx + vy * cy + vz * cz + wx * cl + wy * cm + wz * cn


@kernel
def one_row(axes, n, wrenches, row, result, begin, end):
    """A row of the Jacobian over a run of DOFs."""
    ax, ay, az, al, am, an = six(wrenches, 6 * row)
    for d in range(begin, end):
        vx, vy, vz = axes[d], axes[n + d], axes[2 * n + d]
        wx, wy, wz = axes[3 * n + d], axes[4 * n + d], axes[5 * n + d]
        result[d] = vx * ax + vy * ay + vz * az + wx * al + wy * am + wz * an


@kernel
def six(values, at):
    return (
        values[at],
        values[at + 1],
        values[at + 2],
        values[at + 3],
        values[at + 4],
        values[at + 5],
    )


@kernel
def weigh_jacobian(floats, ints, matrix, n):
    """J <- LᵀJ for a full weight matrix, in place (row i needs only rows j >= i)."""
    factor = floats_at(floats, ints, WEIGHT_FACTOR)
    if factor.size == 0:
        return
    r = matrix.size // n
    for i in range(r):
        for d in range(n):
            total = 0.0
            for j in range(i, r):
                total += factor[j * r + i] * matrix[j * n + d]
            matrix[i * n + d] = total
