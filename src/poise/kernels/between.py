"""The curvature of goals between two effectors: what the exact Hessian needs besides JᵀJ and the
forces that turn with the figure (curvature.py). It couples DOFs of different branches.
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.layout import (
    AXES,
    FRAMES,
    GOAL_EFFECTOR,
    GOAL_KIND,
    GOAL_OTHER,
    GOAL_OTHER_EFFECTOR,
    GOAL_ROW,
    GOAL_SEGMENT,
    GOAL_TARGET,
    GOAL_WEIGHT,
    HESSIAN,
    JACOBIAN,
    ROWS,
    SEGMENT_DOFS,
    SEGMENT_PARENT,
    STEP,
    TARGET_SIZE,
    floats_at,
    ints_at,
)
from poise.kernels.potentials import DISTANCE, RELATIVE, point_of

ONE, OTHER = 1.0, 2.0  # the end of a goal that a DOF moves; their sum for both


@kernel
def add_square(matrix, vector, factor):
    """matrix += factor · vector vectorᵀ, lower triangle."""
    n = vector.size
    for j in range(n):
        scaled = factor * vector[j]
        if scaled != 0.0:
            row = matrix[j * n : j * n + n]
            for i in range(j + 1):
                row[i] += scaled * vector[i]


@kernel
def add_bends_between(floats, ints):
    """Add the curvature of all distances and relative rotations to HESSIAN; STEP is scratch."""
    kind = ints_at(ints, GOAL_KIND)
    weight = floats_at(floats, ints, GOAL_WEIGHT)
    for k in range(kind.size):
        if kind[k] == DISTANCE:
            add_distance_bend(floats, ints, k)
        elif kind[k] == RELATIVE and weight[4 * k + 1] > 0.0:
            add_turn_bend(floats, ints, k)


@kernel
def add_distance_bend(floats, ints, k):
    """e w/ρ (I - ûûᵀ) on da - db: the way û between the points turns when they part across it.

    The part along û is the row of the Jacobian over its weight.
    """
    target = floats_at(floats, ints, GOAL_TARGET)
    weight = floats_at(floats, ints, GOAL_WEIGHT)
    rows = floats_at(floats, ints, ROWS)
    matrix = floats_at(floats, ints, HESSIAN)
    parting = floats_at(floats, ints, STEP)
    values = floats_at(floats, ints, JACOBIAN)
    n, row = parting.size, ints_at(ints, GOAL_ROW)[k]
    if rows[row] == 0.0:
        return
    off = rows[row] / weight[4 * k]
    length = off + target[TARGET_SIZE * k + (0 if off < 0.0 else 1)]
    if length < 1e-12:
        return
    bend = off / length
    for axis in range(3):
        part_points(floats, ints, k, axis, parting)
        add_square(matrix, parting, bend * weight[4 * k] ** 2)
    add_square(matrix, values[row * n : row * n + n], -bend)


@kernel
def part_points(floats, ints, k, axis, parting):
    """How far each DOF parts the two points of goal k along a world axis: v + ω x r."""
    parent = ints_at(ints, SEGMENT_PARENT)
    dofs = ints_at(ints, SEGMENT_DOFS)
    axes = floats_at(floats, ints, AXES)
    frames = floats_at(floats, ints, FRAMES)
    n, p, q = parting.size, (axis + 1) % 3, (axis + 2) % 3
    for d in range(n):
        parting[d] = 0.0
    for end in range(2):
        s = ints_at(ints, GOAL_OTHER if end else GOAL_SEGMENT)[k]
        table = floats_at(floats, ints, GOAL_OTHER_EFFECTOR if end else GOAL_EFFECTOR)
        point, sign = point_of(frames, s, table, k), -1.0 if end else 1.0
        while s >= 0:
            for d in range(dofs[s], dofs[s + 1]):
                turned = axes[(3 + p) * n + d] * point[q] - axes[(3 + q) * n + d] * point[p]
                parting[d] += sign * (axes[axis * n + d] + turned)
            s = parent[s]


@kernel
def mark_ends(ints, k, marks):
    """ONE, OTHER or both for the DOFs that move the ends of goal k, else 0."""
    parent = ints_at(ints, SEGMENT_PARENT)
    dofs = ints_at(ints, SEGMENT_DOFS)
    for d in range(marks.size):
        marks[d] = 0.0
    for end in range(2):
        s = ints_at(ints, GOAL_OTHER if end else GOAL_SEGMENT)[k]
        while s >= 0:
            for d in range(dofs[s], dofs[s + 1]):
                marks[d] += OTHER if end else ONE
            s = parent[s]


@kernel
def add_turn_bend(floats, ints, k):
    """Σ e ∂²e of a relative rotation's rows e = 2cv, for every pair of DOFs that move an end.

    The error q = (w, v) turns as q'' = ¼(a_i a_j q + q b_j b_i - a_i q b_j - a_j q b_i), i above
    j, where a and b are the angular velocities of the two ends (zero where a DOF does not move
    one).
    """
    weight = floats_at(floats, ints, GOAL_WEIGHT)
    rows = floats_at(floats, ints, ROWS)
    axes = floats_at(floats, ints, AXES)
    matrix = floats_at(floats, ints, HESSIAN)
    marks = floats_at(floats, ints, STEP)
    n, row, c = marks.size, ints_at(ints, GOAL_ROW)[k] + 3, weight[4 * k + 1]
    v = (rows[row] / (2.0 * c), rows[row + 1] / (2.0 * c), rows[row + 2] / (2.0 * c))
    squared = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    w = math.sqrt(max(0.0, 1.0 - squared))
    mark_ends(ints, k, marks)
    for j in range(n):
        if marks[j] == 0.0:
            continue
        x, y, z = axes[3 * n + j], axes[4 * n + j], axes[5 * n + j]
        along = x * v[0] + y * v[1] + z * v[2]
        for i in range(j + 1):
            if marks[i] == 0.0:
                continue
            p, q, r = axes[3 * n + i], axes[4 * n + i], axes[5 * n + i]
            a_i, b_i = marks[i] != OTHER, marks[i] != ONE
            a_j, b_j = marks[j] != OTHER, marks[j] != ONE
            dot = p * x + q * y + r * z
            box = (q * z - r * y) * v[0] + (r * x - p * z) * v[1] + (p * y - q * x) * v[2]
            across = (p * v[0] + q * v[1] + r * v[2]) * along
            total = 0.0
            if a_i and a_j:
                total += w * box - squared * dot
            if b_i and b_j:
                total -= w * box + squared * dot
            if a_i and b_j:
                total += 2.0 * across - w * box - squared * dot
            if a_j and b_i:
                total += 2.0 * across + w * box - squared * dot
            matrix[j * n + i] += c * c * total
