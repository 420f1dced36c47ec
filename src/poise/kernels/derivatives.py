"""First derivatives: the gradient in O(DOFs + goals), and the Jacobian on each goal's path."""

from poise.kernels.compiled import entry, kernel
from poise.kernels.layout import (
    AXES,
    GOAL_ROW,
    GOAL_SEGMENT,
    JACOBIAN,
    PATH_FIRST,
    PATH_RUNS,
    ROW_WRENCHES,
    SEGMENT_DOFS,
    SEGMENT_PARENT,
    WEIGHT_FACTOR,
    WRENCHES,
    floats_at,
    ints_at,
)


@kernel
def sum_wrenches(floats, ints, rows):
    """Sum the goals' forces and moments from the leaves to the root into WRENCHES (METHOD §1)."""
    parent = ints_at(ints, SEGMENT_PARENT)
    segment = ints_at(ints, GOAL_SEGMENT)
    first_row = ints_at(ints, GOAL_ROW)
    sums = floats_at(floats, ints, WRENCHES)
    row_wrenches = floats_at(floats, ints, ROW_WRENCHES)
    factor = floats_at(floats, ints, WEIGHT_FACTOR)
    for i in range(sums.size):
        sums[i] = 0.0
    for k in range(segment.size):
        s = 6 * segment[k]
        for row in range(first_row[k], first_row[k + 1]):
            pull = rows[row]
            if factor.size > 0:  # W e_raw = L (Lᵀ e_raw)
                pull = 0.0
                for j in range(row + 1):
                    pull += factor[row * rows.size + j] * rows[j]
            for c in range(6):
                sums[s + c] += pull * row_wrenches[6 * row + c]
    for s in range(parent.size - 1, 0, -1):
        p = 6 * parent[s]
        for c in range(6):
            sums[p + c] += sums[6 * s + c]


@entry
def gradient(floats, ints, rows, result):
    """∇f into `result`, by ∂f/∂θ = 2 (v·F + ω·M) over the subtree of each DOF."""
    dofs = ints_at(ints, SEGMENT_DOFS)
    axes = floats_at(floats, ints, AXES)
    sums = floats_at(floats, ints, WRENCHES)
    n = result.size
    sum_wrenches(floats, ints, rows)
    for s in range(dofs.size - 1):
        fx, fy, fz = 2.0 * sums[6 * s], 2.0 * sums[6 * s + 1], 2.0 * sums[6 * s + 2]
        mx, my, mz = 2.0 * sums[6 * s + 3], 2.0 * sums[6 * s + 4], 2.0 * sums[6 * s + 5]
        for d in range(dofs[s], dofs[s + 1]):
            result[d] = (
                axes[d] * fx
                + axes[n + d] * fy
                + axes[2 * n + d] * fz
                + axes[3 * n + d] * mx
                + axes[4 * n + d] * my
                + axes[5 * n + d] * mz
            )


@entry
def jacobian(floats, ints):
    """∂e/∂θ into JACOBIAN; columns off a goal's path stay zero."""
    first_row = ints_at(ints, GOAL_ROW)
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
        for run in range(path_first[k], path_first[k + 1]):
            begin, end = runs[2 * run], runs[2 * run + 1]
            for row in range(first_row[k], first_row[k + 1]):
                jacobian_run(axes, n, wrenches[6 * row : 6 * row + 6], matrix[row * n : row * n + n], begin, end)
    weigh_jacobian(floats, ints, matrix, n)


@kernel
def jacobian_run(axes, n, wrench, row, begin, end):
    ax, ay, az, mx, my, mz = wrench[0], wrench[1], wrench[2], wrench[3], wrench[4], wrench[5]
    vx, vy, vz = axes[0:n], axes[n : 2 * n], axes[2 * n : 3 * n]
    wx, wy, wz = axes[3 * n : 4 * n], axes[4 * n : 5 * n], axes[5 * n : 6 * n]
    for d in range(begin, end):
        row[d] = vx[d] * ax + vy[d] * ay + vz[d] * az + wx[d] * mx + wy[d] * my + wz[d] * mz


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
