"""The Newton step without a matrix, for figures whose Hessian would not fit: O(DOFs) a product.

Truncated conjugate gradients on the DOFs that are not held, in the metric of their mobility.
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.custom import add_custom_product
from poise.kernels.discs import turn_discs
from poise.kernels.forward import ROTATION_VECTOR, SWING
from poise.kernels.groups import fold_vector, spread_vector
from poise.kernels.hessian import COMPOSITE_SIZE, chart_curvature, local_moment, moment_change
from poise.kernels.layout import (
    ANGLES,
    AXES,
    CHARTS,
    COMPOSITES,
    DISC_DOF,
    GRADIENT,
    HELD,
    HIGH,
    JACOBIAN,
    LOW,
    MOBILITY,
    MOTION_DOF,
    MOTION_KIND,
    MOTION_SIGN,
    POSTURE_WEIGHT,
    RESIDUAL,
    ROWS,
    SCALARS,
    SEGMENT_DOFS,
    SEGMENT_MOTIONS,
    SEGMENT_PARENT,
    START_RESIDUAL,
    STEP,
    SWEEPS,
    TRIAL,
    VALUE,
    VECTORS,
    WRENCHES,
    floats_at,
    ints_at,
)
from poise.kernels.linear import dot

MOST_PRODUCTS = 200


@kernel
def add_curvature_product(floats, ints, x, result):
    """result += C x with the curvature C of hessian.py, by one sweep down and one up the tree.

    (Cx)_i = ω_i · Σ_{j at or below i} x_j μ_j + μ_i · Σ_{j above i} x_j ω_j, μ = v x F + Kω.
    """
    parent = ints_at(ints, SEGMENT_PARENT)
    dofs = ints_at(ints, SEGMENT_DOFS)
    axes = floats_at(floats, ints, AXES)
    forces = floats_at(floats, ints, WRENCHES)
    composites = floats_at(floats, ints, COMPOSITES)
    sweeps = floats_at(floats, ints, SWEEPS)
    n = x.size
    for s in range(parent.size):  # down: Σ x ω of all DOFs above and at the segment
        px = py = pz = 0.0
        if parent[s] >= 0:
            at = 6 * parent[s]
            px, py, pz = sweeps[at], sweeps[at + 1], sweeps[at + 2]
        c = COMPOSITE_SIZE * s + 21
        for j in range(dofs[s], dofs[s + 1]):
            mx, my, mz = moment_change(axes, n, j, forces, composites[c : c + 9], s)
            result[j] += mx * px + my * py + mz * pz
            px += x[j] * axes[3 * n + j]
            py += x[j] * axes[4 * n + j]
            pz += x[j] * axes[5 * n + j]
        sweeps[6 * s], sweeps[6 * s + 1], sweeps[6 * s + 2] = px, py, pz
        sweeps[6 * s + 3] = sweeps[6 * s + 4] = sweeps[6 * s + 5] = 0.0
    for s in range(parent.size - 1, -1, -1):  # up: Σ x μ of all DOFs at and below
        px, py, pz = sweeps[6 * s + 3], sweeps[6 * s + 4], sweeps[6 * s + 5]
        c = COMPOSITE_SIZE * s + 21
        for j in range(dofs[s + 1] - 1, dofs[s] - 1, -1):
            mx, my, mz = moment_change(axes, n, j, forces, composites[c : c + 9], s)
            px, py, pz = px + x[j] * mx, py + x[j] * my, pz + x[j] * mz
            result[j] += axes[3 * n + j] * px + axes[4 * n + j] * py + axes[5 * n + j] * pz
        if parent[s] >= 0:
            at = 6 * parent[s] + 3
            sweeps[at] += px
            sweeps[at + 1] += py
            sweeps[at + 2] += pz
    add_chart_product(floats, ints, x, result)


@kernel
def add_chart_product(floats, ints, x, result):
    """The part of the curvature inside rotation vectors and swings."""
    first_motion = ints_at(ints, SEGMENT_MOTIONS)
    kind = ints_at(ints, MOTION_KIND)
    motion_dof = ints_at(ints, MOTION_DOF)
    sign = floats_at(floats, ints, MOTION_SIGN)
    angles = floats_at(floats, ints, ANGLES)
    charts = floats_at(floats, ints, CHARTS)
    forces = floats_at(floats, ints, WRENCHES)
    for s in range(first_motion.size - 1):
        for m in range(first_motion[s], first_motion[s + 1]):
            if kind[m] < ROTATION_VECTOR:
                continue
            d, g, size = motion_dof[m], sign[m], 3 if kind[m] != SWING else 2
            z = g * angles[d + 2] if size == 3 else 0.0
            moment = local_moment(charts, 12 * m, forces, 6 * s)
            for k in range(size):
                for j in range(k, size):
                    entry = chart_curvature(g * angles[d], g * angles[d + 1], z, k, j, moment)
                    result[d + k] += entry * x[d + j]
                    if j > k:
                        result[d + j] += entry * x[d + k]


@kernel
def multiply(floats, ints, x, result):
    """result <- H x = JᵀJ x + C x, in the (radial, tangential) coordinates of swings."""
    matrix = floats_at(floats, ints, JACOBIAN)
    posture = floats_at(floats, ints, POSTURE_WEIGHT)
    n = x.size
    spread_vector(floats, ints, x, False)
    for d in range(n):
        result[d] = posture[d] * x[d] if posture.size > 0 else 0.0
    add_custom_product(floats, ints, x, result)
    if ints_at(ints, DISC_DOF).size > 0:
        turn_discs(floats, ints, x, True)
        add_curvature_product(floats, ints, x, result)
        turn_discs(floats, ints, x, False)
        turn_discs(floats, ints, result, False)
    else:
        add_curvature_product(floats, ints, x, result)
    fold_vector(floats, ints, result)
    spread_vector(floats, ints, x, True)
    for i in range(floats_at(floats, ints, ROWS).size):
        row = matrix[i * n : i * n + n]
        value = dot(row, x, n)
        for d in range(n):
            result[d] += value * row[d]


@kernel
def krylov_step(floats, ints, damping):
    """The step into STEP, clamped to the bounds. Returns the model value f + g·d + dᵀHd."""
    held = ints_at(ints, HELD)
    scalars = floats_at(floats, ints, SCALARS)
    mobility = floats_at(floats, ints, MOBILITY)
    slope = floats_at(floats, ints, GRADIENT)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    step = floats_at(floats, ints, STEP)
    product = floats_at(floats, ints, TRIAL)
    vectors = floats_at(floats, ints, VECTORS)
    n = step.size
    rest, search = vectors[0:n], vectors[n : 2 * n]
    for d in range(n):  # in scaled variables z = d / s; the residual is -½ s g
        step[d] = 0.0
        rest[d] = -0.5 * mobility[d] * slope[d] if held[d] == 0 else 0.0
        search[d] = rest[d]
    squared = dot(rest, rest, n)
    # Solve more exactly the closer the pose is to its optimum: superlinear, and cheap far away.
    share = min(0.1, math.sqrt(scalars[RESIDUAL] / max(scalars[START_RESIDUAL], 1e-300)))
    goal = share * share * squared
    for turn in range(MOST_PRODUCTS):
        if squared <= goal:
            break
        for d in range(n):
            search[d] *= mobility[d]
        multiply(floats, ints, search, product)
        for d in range(n):
            search[d] = search[d] / mobility[d] if mobility[d] > 0.0 else 0.0
            product[d] = product[d] * mobility[d] + damping * search[d] if held[d] == 0 else 0.0
        bend = dot(search, product, n)
        if not bend > 0.0:  # a direction of negative curvature: go no further into it
            if turn == 0:
                for d in range(n):
                    step[d] = search[d]
            break
        length = squared / bend
        for d in range(n):
            step[d] += length * search[d]
            rest[d] -= length * product[d]
        before, squared = squared, dot(rest, rest, n)
        for d in range(n):
            search[d] = rest[d] + squared / before * search[d]
    for d in range(n):
        step[d] = min(max(mobility[d] * step[d], low[d]), high[d])
    multiply(floats, ints, step, product)
    model = scalars[VALUE]
    for d in range(n):
        model += (slope[d] + product[d]) * step[d]
    return model
