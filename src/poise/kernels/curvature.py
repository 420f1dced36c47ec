"""The curvature of the goals: what the exact Hessian needs of each besides JᵀJ (hessian.py).

COMPOSITES holds per segment the lower triangle of a 6x6 matrix W (21) and a 3x3 matrix K (9).
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.derivatives import row_pull
from poise.kernels.layout import (
    CENTERS,
    COMPOSITES,
    FRAMES,
    GOAL_EFFECTOR,
    GOAL_KIND,
    GOAL_OTHER,
    GOAL_OTHER_EFFECTOR,
    GOAL_ROW,
    GOAL_SEGMENT,
    GOAL_TARGET,
    GOAL_WEIGHT,
    OTHER_WRENCHES,
    ROW_WRENCHES,
    ROWS,
    SEGMENT_MASS,
    TARGET_SIZE,
    WEIGHT_FACTOR,
    floats_at,
    ints_at,
)
from poise.kernels.potentials import (
    AIM,
    NEAR,
    ORIENTATION,
    POSE,
    RELATIVE,
    axis_of,
    point_of,
    rotation_error,
)

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
    """Add K of the goals to the COMPOSITES of the segments they act on.

    Exact for rows that are linear in an effector's point and axes, and for aims; what distances
    and relative rotations need besides is in between.py.
    """
    kind = ints_at(ints, GOAL_KIND)
    segment = ints_at(ints, GOAL_SEGMENT)
    other = ints_at(ints, GOAL_OTHER)
    first_row = ints_at(ints, GOAL_ROW)
    frames = floats_at(floats, ints, FRAMES)
    effector = floats_at(floats, ints, GOAL_EFFECTOR)
    target = floats_at(floats, ints, GOAL_TARGET)
    weight = floats_at(floats, ints, GOAL_WEIGHT)
    factor = floats_at(floats, ints, WEIGHT_FACTOR)
    rows = floats_at(floats, ints, ROWS)
    sums = floats_at(floats, ints, COMPOSITES)
    wrenches = floats_at(floats, ints, ROW_WRENCHES)
    others = floats_at(floats, ints, OTHER_WRENCHES)
    for k in range(kind.size):
        s, c = segment[k], COMPOSITE_SIZE * segment[k] + 21
        begin, end = first_row[k], first_row[k + 1]
        if kind[k] == ORIENTATION or kind[k] == AIM:
            for a in range(2 if kind[k] == ORIENTATION else 1):
                column = a if kind[k] == ORIENTATION else 2
                scale = weight[4 * k + a] if kind[k] == ORIENTATION else -weight[4 * k]
                fx = scale * row_pull(rows, begin + 3 * a, factor)
                fy = scale * row_pull(rows, begin + 3 * a + 1, factor)
                fz = scale * row_pull(rows, begin + 3 * a + 2, factor)
                add_force(sums, c, axis_of(frames, s, effector, k, column), fx, fy, fz)
        if kind[k] == ORIENTATION:
            continue
        if kind[k] == AIM and factor.size == 0:
            goal = target[TARGET_SIZE * k : TARGET_SIZE * k + 3]
            point = point_of(frames, s, effector, k)
            add_aim_bend(sums, COMPOSITE_SIZE * s, goal, weight[4 * k], point, rows[begin:end])
        fx, fy, fz = total_force(rows, wrenches, begin, end, factor)
        if s < 0:
            add_mass_forces(floats, ints, sums, fx, fy, fz)
        else:
            add_force(sums, c, point_of(frames, s, effector, k), fx, fy, fz)
        if kind[k] == POSE:
            goal = target[TARGET_SIZE * k + 3 : TARGET_SIZE * k + 12]
            turn = weight[4 * k + 1]
            px = turn * row_pull(rows, begin + 3, factor)
            py = turn * row_pull(rows, begin + 4, factor)
            pz = turn * row_pull(rows, begin + 5, factor)
            add_rotation(sums, c, rotation_error(frames, s, effector, k, goal), px, py, pz)
        if other[k] >= 0:
            fx, fy, fz = total_force(rows, others, begin, end, factor)
            place = other_point(floats, ints, k)
            add_force(sums, COMPOSITE_SIZE * other[k] + 21, place, fx, fy, fz)


@kernel
def add_aim_bend(sums, c, goal, weight, point, e):
    """Σ e ∂²(cû)/∂r² of an aim: D = (3(w·û)ûûᵀ - (w·û)I - wûᵀ - ûwᵀ)/ρ², w = ce, on dr = v + ω x r.

    It goes into W, whose six coordinates are (v, ω).
    """
    px, py, pz = point
    u = (goal[0] - px, goal[1] - py, goal[2] - pz)
    squared = u[0] * u[0] + u[1] * u[1] + u[2] * u[2]
    if squared < NEAR * NEAR:
        return
    length = math.sqrt(squared)
    u = (u[0] / length, u[1] / length, u[2] / length)
    along = e[0] * u[0] + e[1] * u[1] + e[2] * u[2]
    # Columns of dr in (v, ω): the unit vectors, then e_k x r.
    columns = (
        (1.0, 0.0, 0.0),
        (0.0, 1.0, 0.0),
        (0.0, 0.0, 1.0),
        (0.0, -pz, py),
        (pz, 0.0, -px),
        (-py, px, 0.0),
    )
    at = c
    for i in range(6):
        a = columns[i]
        au = a[0] * u[0] + a[1] * u[1] + a[2] * u[2]
        aw = a[0] * e[0] + a[1] * e[1] + a[2] * e[2]
        for j in range(i + 1):
            b = columns[j]
            bu = b[0] * u[0] + b[1] * u[1] + b[2] * u[2]
            bw = b[0] * e[0] + b[1] * e[1] + b[2] * e[2]
            ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
            bend = 3.0 * along * au * bu - along * ab - aw * bu - au * bw
            sums[at] += weight * bend / squared
            at += 1


@kernel
def total_force(rows, wrenches, begin, end, factor):
    fx = fy = fz = 0.0
    for row in range(begin, end):
        pull = row_pull(rows, row, factor)
        fx += pull * wrenches[6 * row]
        fy += pull * wrenches[6 * row + 1]
        fz += pull * wrenches[6 * row + 2]
    return fx, fy, fz


@kernel
def other_point(floats, ints, k):
    """Where a goal's force acts on its second effector."""
    frames = floats_at(floats, ints, FRAMES)
    effector = floats_at(floats, ints, GOAL_OTHER_EFFECTOR)
    target = floats_at(floats, ints, GOAL_TARGET)
    t = ints_at(ints, GOAL_OTHER)[k]
    x, y, z = point_of(frames, t, effector, k)
    if ints_at(ints, GOAL_KIND)[k] == RELATIVE:
        for column in range(3):
            ax, ay, az = axis_of(frames, t, effector, k, column)
            along = target[TARGET_SIZE * k + column]
            x, y, z = x + along * ax, y + along * ay, z + along * az
    return x, y, z


@kernel
def add_mass_forces(floats, ints, sums, fx, fy, fz):
    """The force on the centre of mass, shared by the segments at their own centres."""
    mass = floats_at(floats, ints, SEGMENT_MASS)
    centers = floats_at(floats, ints, CENTERS)
    for s in range(centers.size // 3):
        point = (centers[3 * s], centers[3 * s + 1], centers[3 * s + 2])
        share = mass[4 * s]
        add_force(sums, COMPOSITE_SIZE * s + 21, point, share * fx, share * fy, share * fz)


@kernel
def add_rotation(sums, c, error, px, py, pz):
    """The curvature of a rotation's rows e = 2cv, pulled by p = c·(W e): with i above j,
    Σ p ∂²(2v)/∂i∂j = ω_iᵀ K ω_j, K = -½((v·p) I + [wp + v x p]), from q'' = ¼ ω_i ω_j q.
    """
    w, x, y, z = error
    along = 0.5 * (x * px + y * py + z * pz)
    ax = 0.5 * (w * px + y * pz - z * py)
    ay = 0.5 * (w * py + z * px - x * pz)
    az = 0.5 * (w * pz + x * py - y * px)
    sums[c] -= along
    sums[c + 1] += az
    sums[c + 2] -= ay
    sums[c + 3] -= az
    sums[c + 4] -= along
    sums[c + 5] += ax
    sums[c + 6] += ay
    sums[c + 7] -= ax
    sums[c + 8] -= along
