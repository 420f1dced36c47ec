"""The inverse Hessian H of `bfgs-rosen`: what it learns, and how it follows the active set of
rosen_face.py, so that H a = 0 for every constraint a that is held.
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.discs import disc_direction, is_on_edge, turn_pair
from poise.kernels.layout import (
    ANGLES,
    DISC_DOF,
    DISC_RADIUS,
    HELD,
    HESSIAN,
    HIGH,
    LOW,
    MOBILITY,
    RELATION_HELD,
    RELATION_SCALE,
    RELATION_STEPS,
    VECTORS,
    floats_at,
    ints_at,
    row_of,
)
from poise.kernels.linear import dot
from poise.kernels.relation_step import room
from poise.kernels.relations import MARGIN, is_equality
from poise.kernels.rosen_face import (
    AT_CONE,
    AT_LOWER,
    AT_UPPER,
    FREE,
    FROZEN,
    IMAGE,
    NORMAL,
    bound_angles,
    factor_gram,
    note_relations,
    project_to_face,
    scale_normals,
)

LEAST_CURVATURE = 1e-12  # cosine of σ and y


@kernel
def multiply_inverse(floats, ints, x, result):
    """result <- H x."""
    matrix = floats_at(floats, ints, HESSIAN)
    n = x.size
    for d in range(n):
        result[d] = dot(row_of(matrix, d, n), x, n)


@kernel
def add_outer(matrix, x, factor):
    """matrix += factor x xᵀ."""
    n = x.size
    for i in range(n):
        if x[i] != 0.0:
            row, scaled = row_of(matrix, i, n), factor * x[i]
            for j in range(n):
                row[j] += scaled * x[j]


@kernel
def learn(floats, ints, step, change):
    """Step 5: σ and y, the change of the slope, teach H. False if they cannot."""
    matrix = floats_at(floats, ints, HESSIAN)
    n = step.size
    image = row_of(floats_at(floats, ints, VECTORS), IMAGE, n)
    along = dot(step, change, n)
    if not along > LEAST_CURVATURE * math.sqrt(dot(step, step, n) * dot(change, change, n)):
        return False
    multiply_inverse(floats, ints, change, image)
    bend = dot(change, image, n)
    if along >= bend:  # (33)
        add_outer(matrix, step, (1.0 + bend / along) / along)
        for i in range(n):
            row, a, b = row_of(matrix, i, n), step[i] / along, image[i] / along
            for j in range(n):
                row[j] -= a * image[j] + b * step[j]
    else:  # (34)
        add_outer(matrix, step, 1.0 / along)
        add_outer(matrix, image, -1.0 / bend)
    return True


@kernel
def turn_inverse(floats, ints, d, inverse):
    """Turn rows and columns d, d+1 of H to (radial, tangential) at ANGLES, or back."""
    matrix = floats_at(floats, ints, HESSIAN)
    mobility = floats_at(floats, ints, MOBILITY)
    angles = floats_at(floats, ints, ANGLES)
    cosine, sine = disc_direction(angles[d], angles[d + 1])
    n, turn = angles.size, -sine if inverse else sine
    ratio = mobility[d] / mobility[d + 1]  # angles turn, and not angles in the metric
    for at, stride, step in ((d * n, n, 1), (d, 1, n)):
        for k in range(n):
            matrix[at + k * step] *= ratio
            turn_pair(matrix, at + k * step, stride, cosine, turn)
            matrix[at + k * step] /= ratio


@kernel
def hold(floats, ints, q, side):
    """Add constraint q, held at `side`, to the active set (32), unless it depends on the others."""
    held = ints_at(ints, HELD)
    matrix = floats_at(floats, ints, HESSIAN)
    n = held.size
    image = row_of(floats_at(floats, ints, VECTORS), IMAGE, n)
    normal = row_of(floats_at(floats, ints, VECTORS), NORMAL, n)
    if q < n:
        if side == AT_CONE:
            turn_inverse(floats, ints, q, False)
        held[q] = side
        for d in range(n):
            normal[d] = 1.0 if d == q else 0.0
    else:
        ints_at(ints, RELATION_HELD)[q - n] = side
        if not factor_gram(floats, ints):
            ints_at(ints, RELATION_HELD)[q - n] = 0
            factor_gram(floats, ints)
            return
        for d in range(n):
            normal[d] = floats_at(floats, ints, RELATION_STEPS)[(q - n) * n + d]
    multiply_inverse(floats, ints, normal, image)
    bend = dot(normal, image, n)
    if bend > 0.0:
        add_outer(matrix, image, -1.0 / bend)
    if q < n:  # exactly, so that nothing moves what is held
        for d in range(n):
            matrix[q * n + d] = matrix[d * n + q] = 0.0
        factor_gram(floats, ints)


@kernel
def drop(floats, ints, q, scale):
    """Take constraint q out of the active set (30); nothing is known of the curvature across it
    but what H began with, `scale`."""
    held = ints_at(ints, HELD)
    matrix = floats_at(floats, ints, HESSIAN)
    n = held.size
    image = row_of(floats_at(floats, ints, VECTORS), IMAGE, n)
    normal = row_of(floats_at(floats, ints, VECTORS), NORMAL, n)
    side = 0
    if q < n:
        side = held[q]
        held[q] = FREE
        for d in range(n):
            normal[d] = 1.0 if d == q else 0.0
    else:
        ints_at(ints, RELATION_HELD)[q - n] = 0
        for d in range(n):
            normal[d] = floats_at(floats, ints, RELATION_STEPS)[(q - n) * n + d]
    factor_gram(floats, ints)
    for d in range(n):
        image[d] = normal[d]
    project_to_face(floats, ints, image)
    left = dot(normal, image, n)
    if left > 0.0:
        add_outer(matrix, image, scale / left)
    if side == AT_CONE:
        turn_inverse(floats, ints, q, True)


@kernel
def begin_face(floats, ints, scale):
    """Step 0: the constraints active at ANGLES, and H <- `scale` I projected onto them."""
    held = ints_at(ints, HELD)
    held_relation = ints_at(ints, RELATION_HELD)
    matrix = floats_at(floats, ints, HESSIAN)
    angles = floats_at(floats, ints, ANGLES)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    mobility = floats_at(floats, ints, MOBILITY)
    size = floats_at(floats, ints, RELATION_SCALE)
    n = angles.size
    bound_angles(floats, ints)
    scale_normals(floats, ints)
    for i in range(matrix.size):
        matrix[i] = 0.0
    for d in range(n):
        held[d] = FREE if mobility[d] > 0.0 and low[d] < high[d] else FROZEN
        matrix[d * n + d] = scale if held[d] == FREE else 0.0
    for i in range(held_relation.size):
        held_relation[i] = 0
    for d in range(n):
        if held[d] == FREE and (angles[d] <= low[d] or angles[d] >= high[d]):
            hold(floats, ints, d, AT_LOWER if angles[d] <= low[d] else AT_UPPER)
    for i in range(ints_at(ints, DISC_DOF).size):
        d = ints_at(ints, DISC_DOF)[i]
        out = math.sqrt(angles[d] ** 2 + angles[d + 1] ** 2)
        edge = is_on_edge(out, floats_at(floats, ints, DISC_RADIUS)[i])
        if edge and held[d] == FREE and held[d + 1] == FREE:
            hold(floats, ints, d, AT_CONE)
    note_relations(floats, ints)
    for equality in (True, False):  # equalities first: they always hold
        for i in range(held_relation.size):
            if is_equality(floats, ints, i) != equality:
                continue
            for side in (-1, 1):
                near = side * room(floats, ints, i, side) <= MARGIN * size[i]
                if near and held_relation[i] == 0:
                    hold(floats, ints, n + i, side)
