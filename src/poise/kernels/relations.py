"""Linear relations among DOFs, LOW <= Σ factor · angle <= HIGH: the nearest pose that holds them.

Relations fall into parts that share no DOF, each a few DOFs with their boxes. The projection onto
a part is a small quadratic programme, solved exactly by the dual method of Goldfarb & Idnani
(1983) with the identity as its Hessian. "Sides" are numbered: 2i and 2i+1 are the low and high
side of the part's relation i, then come the two bounds of each of its DOFs.

Relations hold as they are stored: projections aim at sides moved inwards by a margin, a share of
the relation's scale, so that rounding does not matter. Equalities hold to EQUALITY_SLACK.
"""

import math

from poise.kernels.compiled import entry, exact_kernel, kernel
from poise.kernels.layout import (
    ANGLES,
    LOWER,
    MOBILITY,
    PART_DOF,
    PART_FIRST,
    PART_RELATION,
    PROJECTION,
    PROJECTION_ACTIVE,
    RELATION_DOF,
    RELATION_FACTOR,
    RELATION_FIRST,
    RELATION_HIGH,
    RELATION_LOW,
    RELATION_SCALE,
    UPPER,
    floats_at,
    ints_at,
)
from poise.kernels.linear import cholesky, dot, solve_cholesky

MARGIN = 1e-12
_ROOM = 1e-9  # share of a relation's scale that must be left between its sides
EQUALITY_SLACK = 1e-10
_DEPENDENT = 1e-18  # squared share of a normal outside the others' span that counts as none
_MOST_ROUNDS = 60  # a DOF


@exact_kernel
def relation_value(floats, ints, i, angles):
    """Σ factor · angle of relation i."""
    first = ints_at(ints, RELATION_FIRST)
    dofs = ints_at(ints, RELATION_DOF)
    factors = floats_at(floats, ints, RELATION_FACTOR)
    total = 0.0
    for at in range(first[i], first[i + 1]):
        total += factors[at] * angles[dofs[at]]
    return total


@kernel
def is_equality(floats, ints, i):
    return floats_at(floats, ints, RELATION_LOW)[i] == floats_at(floats, ints, RELATION_HIGH)[i]


@exact_kernel
def part_holds(floats, ints, part, angles):
    """Whether the DOFs of a part are inside their boxes and relations, as these are stored."""
    relation = ints_at(ints, PART_RELATION)
    first = ints_at(ints, PART_FIRST)
    dofs = ints_at(ints, PART_DOF)
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    low = floats_at(floats, ints, RELATION_LOW)
    high = floats_at(floats, ints, RELATION_HIGH)
    scale = floats_at(floats, ints, RELATION_SCALE)
    for at in range(first[part], first[part + 1]):
        value = angles[dofs[at]]
        if value < lower[dofs[at]] or value > upper[dofs[at]]:
            return False
    for i in range(relation[part], relation[part + 1]):
        value = relation_value(floats, ints, i, angles)
        slack = EQUALITY_SLACK * scale[i] if low[i] == high[i] else 0.0
        if value < low[i] - slack or value > high[i] + slack:
            return False
    return True


@kernel
def side_gap(floats, ints, part, side, margin, angles):
    """How far inside a side the pose is; below zero: outside. And what counts as zero."""
    relation = ints_at(ints, PART_RELATION)
    count = relation[part + 1] - relation[part]
    high_side = side % 2 == 1
    if side < 2 * count:
        i = relation[part] + side // 2
        scale = floats_at(floats, ints, RELATION_SCALE)[i]
        value = relation_value(floats, ints, i, angles)
        kept = 0.0 if is_equality(floats, ints, i) else margin
        small = max(0.25 * kept, 1e-15) * scale
        if high_side:
            return floats_at(floats, ints, RELATION_HIGH)[i] - kept * scale - value, small
        return value - floats_at(floats, ints, RELATION_LOW)[i] - kept * scale, small
    d = ints_at(ints, PART_DOF)[ints_at(ints, PART_FIRST)[part] + side // 2 - count]
    if high_side:
        bound = floats_at(floats, ints, UPPER)[d]
        return bound - angles[d], 1e-15 * (1.0 + abs(angles[d]))
    return angles[d] - floats_at(floats, ints, LOWER)[d], 1e-15 * (1.0 + abs(angles[d]))


@kernel
def side_normal(floats, ints, part, side, whole, normal):
    """The inward normal of a side over the part's DOFs. Frozen DOFs count as 0 unless `whole`."""
    relation = ints_at(ints, PART_RELATION)
    part_first = ints_at(ints, PART_FIRST)
    part_dof = ints_at(ints, PART_DOF)
    mobility = floats_at(floats, ints, MOBILITY)
    begin, count = part_first[part], relation[part + 1] - relation[part]
    size = part_first[part + 1] - begin
    sign = -1.0 if side % 2 == 1 else 1.0
    for k in range(size):
        normal[k] = 0.0
    if side >= 2 * count:
        normal[side // 2 - count] = sign
    else:
        i = relation[part] + side // 2
        first = ints_at(ints, RELATION_FIRST)
        dofs = ints_at(ints, RELATION_DOF)
        factors = floats_at(floats, ints, RELATION_FACTOR)
        for at in range(first[i], first[i + 1]):
            k = 0
            while part_dof[begin + k] != dofs[at]:
                k += 1
            normal[k] = sign * factors[at]
    if not whole and mobility.size > 0:
        for k in range(size):
            if mobility[part_dof[begin + k]] == 0.0:
                normal[k] = 0.0


@kernel
def most_violated(floats, ints, part, margin, angles, count):
    """The side farthest outside among the first `count`, and its gap; -1 if all hold."""
    worst, side, gap_there = 0.0, -1, 0.0
    for candidate in range(count):
        gap, small = side_gap(floats, ints, part, candidate, margin, angles)
        if gap < -small and gap < worst:
            worst, side, gap_there = gap, candidate, gap
    return side, gap_there


@kernel
def decompose(normals, gram, size, active, normal, weights, direction):
    """`weights` on the active normals, and what of `normal` they leave over: `direction`."""
    for a in range(active):
        row = normals[a * size : a * size + size]
        for b in range(a + 1):
            gram[a * active + b] = dot(row, normals[b * size : b * size + size], size)
        weights[a] = dot(row, normal, size)
    if active > 0 and cholesky(gram, active):
        solve_cholesky(gram, active, weights)
    for k in range(size):
        direction[k] = normal[k]
        for a in range(active):
            direction[k] -= weights[a] * normals[a * size + k]


@kernel
def project_part(floats, ints, part, margin, whole, angles):
    """Move the DOFs of a part to the nearest point inside its sides. False if there is none."""
    relation = ints_at(ints, PART_RELATION)
    first = ints_at(ints, PART_FIRST)
    dofs = ints_at(ints, PART_DOF)
    reached = ints_at(ints, PROJECTION_ACTIVE)
    scratch = floats_at(floats, ints, PROJECTION)
    size = first[part + 1] - first[part]
    relations = relation[part + 1] - relation[part]
    m = reached.size
    normal, direction = scratch[0:m], scratch[m : 2 * m]
    multiplier, weights = scratch[2 * m : 3 * m], scratch[3 * m : 4 * m]
    normals, gram = scratch[4 * m : 4 * m + m * m], scratch[4 * m + m * m : 4 * m + 2 * m * m]
    active, side, pressure = 0, -1, 0.0
    for _ in range(_MOST_ROUNDS * (size + relations)):
        if side < 0:  # take up another side
            side, gap = most_violated(floats, ints, part, margin, angles, 2 * (relations + size))
            if side < 0:
                return True
            side_normal(floats, ints, part, side, whole, normal)
            pressure = 0.0
        gap, _ = side_gap(floats, ints, part, side, margin, angles)
        decompose(normals, gram, size, active, normal, weights, direction)
        left, whole_length = dot(direction, direction, size), dot(normal, normal, size)
        full = -gap / left if left > _DEPENDENT * whole_length and left > 0.0 else math.inf
        blocked, drop = math.inf, -1
        for a in range(active):
            bound = reached[a] >= 2 * relations
            if (bound or not is_equality(floats, ints, relation[part] + reached[a] // 2)) and (
                weights[a] > 0.0 and multiplier[a] < blocked * weights[a]
            ):
                blocked, drop = multiplier[a] / weights[a], a
        length = min(full, blocked)
        if length == math.inf:
            return False
        if full < math.inf:
            for k in range(size):
                angles[dofs[first[part] + k]] += length * direction[k]
        for a in range(active):
            multiplier[a] -= length * weights[a]
        pressure += length
        if full <= blocked:
            if active == m:
                return False
            for k in range(size):
                normals[active * size + k] = normal[k]
            multiplier[active], reached[active] = pressure, side
            active += 1
            side = -1
        else:
            active -= 1
            for a in range(drop, active):
                multiplier[a], reached[a] = multiplier[a + 1], reached[a + 1]
                for k in range(size):
                    normals[a * size + k] = normals[(a + 1) * size + k]
    return False


@kernel
def project_relations(floats, ints, angles, whole):
    """Move the DOFs of all parts inside their boxes and relations. Returns the parts moved.

    DOFs that are frozen in this problem stay, unless `whole`. Where not even rounding leaves room
    between a relation and frozen DOFs, the part stays where the iterate is.
    """
    first = ints_at(ints, PART_FIRST)
    dofs = ints_at(ints, PART_DOF)
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    iterate = floats_at(floats, ints, ANGLES)
    scratch = floats_at(floats, ints, PROJECTION)
    m = ints_at(ints, PROJECTION_ACTIVE).size
    given = scratch[4 * m + 2 * m * m : 5 * m + 2 * m * m]
    moved = 0
    for part in range(first.size - 1):
        if part_holds(floats, ints, part, angles):
            continue
        moved += 1
        begin, end = first[part], first[part + 1]
        for at in range(begin, end):
            given[at - begin] = angles[dofs[at]]
        margin, held = MARGIN, False
        for attempt in range(3):
            if attempt > 0:  # rounding: aim further inside; or the part has no inside: aim at it
                margin = 100.0 * MARGIN if attempt == 1 else 0.0
                for at in range(begin, end):
                    angles[dofs[at]] = given[at - begin]
            project_part(floats, ints, part, margin, whole, angles)
            for at in range(begin, end):
                d = dofs[at]
                angles[d] = min(max(angles[d], lower[d]), upper[d])
            held = part_holds(floats, ints, part, angles)
            if held:
                break
        if not held and not whole and iterate.size > 0:
            for at in range(begin, end):
                angles[dofs[at]] = iterate[dofs[at]]
    return moved


@entry
def has_room(floats, ints, part, angles):
    """Whether the sides of a part have points between them; `angles` moves there."""
    return project_part(floats, ints, part, _ROOM, True, angles)
