"""Linear relations inside a step: those that would break are held, as rows without damping.

A held relation keeps a·d at the room that is left to its side. Its multiplier is DUAL[r + i],
positive where it pushes a·d up. One that pulls is let go; equalities always hold.
"""

from poise.kernels.compiled import kernel
from poise.kernels.layout import (
    ANGLES,
    DUAL,
    GRADIENT,
    HELD,
    MOBILITY,
    PART_RELATION,
    RELATION_AT,
    RELATION_DOF,
    RELATION_FACTOR,
    RELATION_FIRST,
    RELATION_HELD,
    RELATION_HIGH,
    RELATION_LOW,
    RELATION_SCALE,
    ROWS,
    SCALED,
    floats_at,
    ints_at,
)
from poise.kernels.relations import MARGIN, is_equality, relation_value

RIDGE = 1e-12  # of a diagonal entry: relations that depend on each other share their multiplier


@kernel
def begin_relations(floats, ints):
    """RELATION_AT at ANGLES, and a first guess of RELATION_HELD: equalities, and those at a side
    that going down the slope would break."""
    first = ints_at(ints, RELATION_FIRST)
    dofs = ints_at(ints, RELATION_DOF)
    factors = floats_at(floats, ints, RELATION_FACTOR)
    held_dof = ints_at(ints, HELD)
    held = ints_at(ints, RELATION_HELD)
    at = floats_at(floats, ints, RELATION_AT)
    scale = floats_at(floats, ints, RELATION_SCALE)
    angles = floats_at(floats, ints, ANGLES)
    slope = floats_at(floats, ints, GRADIENT)
    mobility = floats_at(floats, ints, MOBILITY)
    for i in range(held.size):
        at[i] = relation_value(floats, ints, i, angles)
        held[i] = -1 if is_equality(floats, ints, i) else 0
        down = 0.0
        for entry in range(first[i], first[i + 1]):
            d = dofs[entry]
            if held_dof[d] == 0:
                down -= factors[entry] * mobility[d] * mobility[d] * slope[d]
        for side in (-1, 1):
            near = side * room(floats, ints, i, side) <= 10.0 * MARGIN * scale[i]
            if held[i] == 0 and near and side * down > 0.0:
                held[i] = side


@kernel
def held_count(ints):
    count = 0
    for side in ints_at(ints, RELATION_HELD):
        if side != 0:
            count += 1
    return count


@kernel
def room(floats, ints, i, side):
    """What a·d may be at least (side -1) or at most (side 1)."""
    at = floats_at(floats, ints, RELATION_AT)[i]
    kept = 0.0
    if not is_equality(floats, ints, i):
        kept = MARGIN * floats_at(floats, ints, RELATION_SCALE)[i]
    if side > 0:
        return floats_at(floats, ints, RELATION_HIGH)[i] - kept - at
    return floats_at(floats, ints, RELATION_LOW)[i] + kept - at


@kernel
def relation_dot(floats, ints, i, vector):
    """a·vector of relation i."""
    first = ints_at(ints, RELATION_FIRST)
    dofs = ints_at(ints, RELATION_DOF)
    factors = floats_at(floats, ints, RELATION_FACTOR)
    total = 0.0
    for at in range(first[i], first[i + 1]):
        total += factors[at] * vector[dofs[at]]
    return total


@kernel
def free_column(floats, ints, i, column):
    """column <- a s over the DOFs that are not held, and its squared length."""
    first = ints_at(ints, RELATION_FIRST)
    dofs = ints_at(ints, RELATION_DOF)
    factors = floats_at(floats, ints, RELATION_FACTOR)
    held = ints_at(ints, HELD)
    mobility = floats_at(floats, ints, MOBILITY)
    squares = 0.0
    for d in range(column.size):
        column[d] = 0.0
    for at in range(first[i], first[i + 1]):
        d = dofs[at]
        if held[d] == 0:
            column[d] = factors[at] * mobility[d]
            squares += column[d] * column[d]
    return squares


@kernel
def append_relations(floats, ints, system, size, step, column):
    """Rows of the held relations below those of the goals in `system`, right sides in DUAL."""
    first = ints_at(ints, RELATION_FIRST)
    dofs = ints_at(ints, RELATION_DOF)
    factors = floats_at(floats, ints, RELATION_FACTOR)
    held = ints_at(ints, RELATION_HELD)
    mobility = floats_at(floats, ints, MOBILITY)
    scaled = floats_at(floats, ints, SCALED)
    dual = floats_at(floats, ints, DUAL)
    n, r = mobility.size, floats_at(floats, ints, ROWS).size
    end = r
    for i in range(held.size):
        if held[i] == 0:
            continue
        row = system[end * size : end * size + size]
        squares = free_column(floats, ints, i, column)
        for j in range(end):
            row[j] = 0.0
        row[end] = squares * (1.0 + RIDGE) if squares > 0.0 else 1.0
        dual[end] = room(floats, ints, i, held[i]) - relation_dot(floats, ints, i, step)
        if squares == 0.0:  # none of its DOFs can move
            dual[end] = 0.0
        for j in range(r):
            for at in range(first[i], first[i + 1]):
                row[j] += column[dofs[at]] * scaled[j * n + dofs[at]]
        other = r
        for k in range(i):
            if held[k] != 0:
                for at in range(first[k], first[k + 1]):
                    row[other] += column[dofs[at]] * factors[at] * mobility[dofs[at]]
                other += 1
        end += 1


@kernel
def spread_multipliers(floats, ints):
    """From one after the other in DUAL to one for each relation, zero where it is not held."""
    held = ints_at(ints, RELATION_HELD)
    dual = floats_at(floats, ints, DUAL)
    r = floats_at(floats, ints, ROWS).size
    source = r + held_count(ints)
    for i in range(held.size - 1, -1, -1):
        if held[i] != 0:
            source -= 1
            dual[r + i] = dual[source]
        else:
            dual[r + i] = 0.0


@kernel
def add_relation_forces(floats, ints, scale, result):
    """result += scale Σ multiplier · a."""
    first = ints_at(ints, RELATION_FIRST)
    dofs = ints_at(ints, RELATION_DOF)
    factors = floats_at(floats, ints, RELATION_FACTOR)
    held = ints_at(ints, RELATION_HELD)
    dual = floats_at(floats, ints, DUAL)
    r = floats_at(floats, ints, ROWS).size
    for i in range(held.size):
        if held[i] != 0:
            for at in range(first[i], first[i + 1]):
                result[dofs[at]] += scale * dual[r + i] * factors[at]


@kernel
def update_relations(floats, ints, step):
    """Let go relations that pull; of every part hold the one that breaks most. True if changed."""
    part = ints_at(ints, PART_RELATION)
    held = ints_at(ints, RELATION_HELD)
    scale = floats_at(floats, ints, RELATION_SCALE)
    dual = floats_at(floats, ints, DUAL)
    r = floats_at(floats, ints, ROWS).size
    changed = False
    for p in range(part.size - 1):
        worst, breaking, breaking_side = 0.0, -1, 0
        for i in range(part[p], part[p + 1]):
            if held[i] != 0:
                if held[i] * dual[r + i] > 0.0 and not is_equality(floats, ints, i):
                    held[i] = 0
                    changed = True
                continue
            value = relation_dot(floats, ints, i, step)
            for side in (-1, 1):
                beyond = side * (value - room(floats, ints, i, side)) / scale[i]
                if beyond > max(worst, 0.5 * MARGIN):
                    worst, breaking, breaking_side = beyond, i, side
        if breaking >= 0:
            held[breaking] = breaking_side
            changed = True
    return changed
