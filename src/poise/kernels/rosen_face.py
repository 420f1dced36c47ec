"""The active set of `bfgs-rosen`: which bounds, cones and linear relations hold a pose, their
multipliers, the face that they make, and what blocks a step on it. rosen_inverse.py has H.

All vectors are in the DOF metric: z = θ/s with mobility s, slopes s∇f. A constraint is a unit
vector a with aᵀz <= b. A bound of DOF d is ±e_d, so that AᵀA has an identity block for the bounds,
and only the relations need a system of their own: with N their normals and F the free DOFs,

    λ of relations: (N_F N_Fᵀ)⁻¹ N_F g_F        λ of bounds: ±(g - Nᵀλ)
    diag (AᵀA)⁻¹: diag (N_F N_Fᵀ)⁻¹             and 1 + n_dᵀ(N_F N_Fᵀ)⁻¹n_d

A swing cone is not linear. Where one is held, its swings are turned to (radial, tangential) at the
iterate and the radial one is held, as Rosen does with the tangent plane of a curved constraint. The
frame goes along the rim with the iterate, and H with it.

HELD says what holds a DOF; RELATION_HELD is -1 or 1 where a relation is held at its low or high
side. A constraint is named by a number: d for what holds DOF d, n + i for relation i.
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.discs import disc_direction, is_on_edge, moves_freely, turn_pair
from poise.kernels.layout import (
    ANGLES,
    DISC_DOF,
    DISC_RADIUS,
    DUAL,
    HELD,
    HIGH,
    LOW,
    LOWER,
    MOBILITY,
    RELATION_AT,
    RELATION_DOF,
    RELATION_FACTOR,
    RELATION_FIRST,
    RELATION_HELD,
    RELATION_SCALE,
    RELATION_STEPS,
    RELATION_SYSTEM,
    UPPER,
    VECTORS,
    floats_at,
    ints_at,
    row_of,
)
from poise.kernels.linear import cholesky, dot, solve_cholesky
from poise.kernels.relation_step import held_count, room
from poise.kernels.relations import is_equality, relation_value

FREE, AT_LOWER, AT_UPPER, AT_CONE, FROZEN = range(5)  # HELD
SLOPE, WAY, IMAGE, NORMAL = range(4)  # VECTORS
FACE_VECTORS = 4

DEPENDENT = 1e-8  # squared share of a unit normal outside the others' span that counts as none
ALONG = 1e-12  # share of a direction's length across a relation that is rounding


@kernel
def bound_angles(floats, ints):
    """LOW and HIGH <- the bounds of the angles; a swing beside a frozen one has a chord."""
    angles = floats_at(floats, ints, ANGLES)
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    disc_dof = ints_at(ints, DISC_DOF)
    radius = floats_at(floats, ints, DISC_RADIUS)
    for d in range(angles.size):
        low[d], high[d] = lower[d], upper[d]
    for i in range(disc_dof.size):
        d = disc_dof[i]
        if not moves_freely(floats, ints, d):
            for k in range(d, d + 2):
                chord = math.sqrt(max(0.0, radius[i] ** 2 - angles[2 * d + 1 - k] ** 2))
                low[k], high[k] = max(low[k], -chord), min(high[k], chord)


@kernel
def scale_normals(floats, ints):
    """RELATION_STEPS <- the unit normals of the relations in the DOF metric."""
    first = ints_at(ints, RELATION_FIRST)
    dofs = ints_at(ints, RELATION_DOF)
    factors = floats_at(floats, ints, RELATION_FACTOR)
    mobility = floats_at(floats, ints, MOBILITY)
    normals = floats_at(floats, ints, RELATION_STEPS)
    n = mobility.size
    for i in range(ints_at(ints, RELATION_HELD).size):
        normal = row_of(normals, i, n)
        for d in range(n):
            normal[d] = 0.0
        for at in range(first[i], first[i + 1]):
            normal[dofs[at]] = factors[at] * mobility[dofs[at]]
        length = math.sqrt(dot(normal, normal, n))
        for d in range(n):
            normal[d] /= max(length, 1e-300)


@kernel
def note_relations(floats, ints):
    """RELATION_AT <- what the relations are at ANGLES."""
    at = floats_at(floats, ints, RELATION_AT)
    for i in range(at.size):
        at[i] = relation_value(floats, ints, i, floats_at(floats, ints, ANGLES))


@kernel
def factor_gram(floats, ints):
    """RELATION_SYSTEM <- the factor of N_F N_Fᵀ. False if the held relations depend on another."""
    held = ints_at(ints, HELD)
    held_relation = ints_at(ints, RELATION_HELD)
    normals = floats_at(floats, ints, RELATION_STEPS)
    system = floats_at(floats, ints, RELATION_SYSTEM)
    n, count = held.size, held_count(ints)
    a = 0
    for i in range(held_relation.size):
        if held_relation[i] == 0:
            continue
        b = 0
        for j in range(i + 1):
            if held_relation[j] != 0:
                total = 0.0
                for d in range(n):
                    if held[d] == FREE:
                        total += normals[i * n + d] * normals[j * n + d]
                system[a * count + b] = total
                b += 1
        a += 1
    if not cholesky(system, count):
        return False
    for a in range(count):  # the diagonal holds the inverses of the pivots' roots
        if system[a * count + a] ** -2 < DEPENDENT:
            return False
    return True


@kernel
def solve_relations(floats, ints, vector):
    """DUAL <- (N_F N_Fᵀ)⁻¹ N_F vector_F, one number a held relation. Returns how many."""
    held = ints_at(ints, HELD)
    held_relation = ints_at(ints, RELATION_HELD)
    normals = floats_at(floats, ints, RELATION_STEPS)
    dual = floats_at(floats, ints, DUAL)
    n, count = held.size, 0
    for i in range(held_relation.size):
        if held_relation[i] != 0:
            dual[count] = 0.0
            for d in range(n):
                if held[d] == FREE:
                    dual[count] += normals[i * n + d] * vector[d]
            count += 1
    if count > 0:
        solve_cholesky(floats_at(floats, ints, RELATION_SYSTEM), count, dual)
    return count


@kernel
def subtract_relations(floats, ints, vector):
    """vector -= Nᵀ DUAL."""
    held_relation = ints_at(ints, RELATION_HELD)
    normals = floats_at(floats, ints, RELATION_STEPS)
    dual = floats_at(floats, ints, DUAL)
    n, at = vector.size, 0
    for i in range(held_relation.size):
        if held_relation[i] != 0:
            for d in range(n):
                vector[d] -= dual[at] * normals[i * n + d]
            at += 1


@kernel
def project_to_face(floats, ints, vector):
    """vector <- P_q vector, P_q = I - A(AᵀA)⁻¹Aᵀ."""
    held = ints_at(ints, HELD)
    if solve_relations(floats, ints, vector) > 0:
        subtract_relations(floats, ints, vector)
    for d in range(vector.size):
        if held[d] != FREE:
            vector[d] = 0.0


@kernel
def spread_of_bound(floats, ints, d, count):
    """a_qq of what holds DOF d: 1 + n_dᵀ(N_F N_Fᵀ)⁻¹n_d."""
    held_relation = ints_at(ints, RELATION_HELD)
    normals = floats_at(floats, ints, RELATION_STEPS)
    column = floats_at(floats, ints, DUAL)[count : 2 * count]
    n, at, spread = ints_at(ints, HELD).size, 0, 1.0
    for i in range(held_relation.size):
        if held_relation[i] != 0:
            column[at] = normals[i * n + d]
            at += 1
    if dot(column, column, count) == 0.0:
        return spread
    solve_cholesky(floats_at(floats, ints, RELATION_SYSTEM), count, column)
    at = 0
    for i in range(held_relation.size):
        if held_relation[i] != 0:
            spread += normals[i * n + d] * column[at]
            at += 1
    return spread


@kernel
def spread_of_relation(floats, ints, at, count):
    """a_qq of the held relation number `at`."""
    column = floats_at(floats, ints, DUAL)[count : 2 * count]
    for k in range(count):
        column[k] = 1.0 if k == at else 0.0
    solve_cholesky(floats_at(floats, ints, RELATION_SYSTEM), count, column)
    return column[at]


@kernel
def strongest_multiplier(floats, ints, slope):
    """(λ_q a_qq^(-1/2), q) of the constraint that it pays most to drop; (0, -1) if none does."""
    held = ints_at(ints, HELD)
    held_relation = ints_at(ints, RELATION_HELD)
    dual = floats_at(floats, ints, DUAL)
    n = slope.size
    pull = row_of(floats_at(floats, ints, VECTORS), IMAGE, n)
    for d in range(n):
        pull[d] = slope[d]
    count = solve_relations(floats, ints, slope)
    subtract_relations(floats, ints, pull)
    strongest, found = 0.0, -1
    for d in range(n):
        outward = -pull[d] if held[d] == AT_LOWER else pull[d]
        if held[d] != FREE and held[d] != FROZEN and outward > strongest:
            strength = outward / math.sqrt(spread_of_bound(floats, ints, d, count))
            if strength > strongest:
                strongest, found = strength, d
    at = 0
    for i in range(held_relation.size):
        if held_relation[i] == 0:
            continue
        outward = held_relation[i] * dual[at]
        if outward > 0.0 and not is_equality(floats, ints, i):
            strength = outward / math.sqrt(spread_of_relation(floats, ints, at, count))
            if strength > strongest:
                strongest, found = strength, n + i
        at += 1
    return strongest, found


@kernel
def turn_held(floats, ints, vector, inverse):
    """Turn the swings whose cones are held to (radial, tangential) at ANGLES, or back."""
    held = ints_at(ints, HELD)
    disc_dof = ints_at(ints, DISC_DOF)
    angles = floats_at(floats, ints, ANGLES)
    for i in range(disc_dof.size):
        d = disc_dof[i]
        if held[d] == AT_CONE:
            cosine, sine = disc_direction(angles[d], angles[d + 1])
            turn_pair(vector, d, 1, cosine, -sine if inverse else sine)


@kernel
def first_blocked(floats, ints, way, most):
    """(length, q, side): how far ANGLES + length · way stays inside, at most `most`, and what ends
    it; q is -1 if nothing does."""
    held = ints_at(ints, HELD)
    angles = floats_at(floats, ints, ANGLES)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    disc_dof = ints_at(ints, DISC_DOF)
    radius = floats_at(floats, ints, DISC_RADIUS)
    n, length, q, side = angles.size, most, -1, 0
    longest = 0.0
    for d in range(n):
        longest = max(longest, abs(way[d]))
        if held[d] != FREE or (d > 0 and held[d - 1] == AT_CONE):
            continue
        there = high[d] if way[d] > 0.0 else low[d]
        if way[d] != 0.0 and (there - angles[d]) / way[d] < length:
            length = max(0.0, (there - angles[d]) / way[d])
            q, side = d, AT_UPPER if way[d] > 0.0 else AT_LOWER
    for i in range(disc_dof.size):
        d = disc_dof[i]
        if held[d] == AT_CONE or not moves_freely(floats, ints, d):
            continue
        room_left = way_to_rim(angles[d], angles[d + 1], way[d], way[d + 1], radius[i])
        if room_left < length:
            length, q, side = room_left, d, AT_CONE
            if held[d] != FREE or held[d + 1] != FREE:  # one is at its box: hold the other
                q = d if held[d] == FREE else d + 1
                side = AT_UPPER if way[q] > 0.0 else AT_LOWER
    for i in range(ints_at(ints, RELATION_HELD).size):
        if ints_at(ints, RELATION_HELD)[i] != 0:
            continue
        rise = relation_value(floats, ints, i, way)
        if abs(rise) > ALONG * floats_at(floats, ints, RELATION_SCALE)[i] * longest:
            at = 1 if rise > 0.0 else -1
            room_left = max(0.0, room(floats, ints, i, at) / rise)
            if room_left < length:
                length, q, side = room_left, n + i, at
    return length, q, side


@kernel
def way_to_rim(x, y, dx, dy, radius):
    """The length at which (x, y) + length · (dx, dy) leaves the disc."""
    a, b = dx * dx + dy * dy, x * dx + y * dy
    if a == 0.0:
        return math.inf
    if is_on_edge(math.sqrt(x * x + y * y), radius):
        return 0.0 if b > 0.0 else -2.0 * b / a
    c = x * x + y * y - radius * radius
    root = math.sqrt(max(0.0, b * b - a * c))
    return -c / (b + root) if b > 0.0 else (root - b) / a
