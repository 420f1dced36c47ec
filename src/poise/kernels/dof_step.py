"""The bounded Newton step in a DOFs x DOFs system: for many goals, and for the exact Hessian.

minimise g·d + dᵀHd + λ‖(d - p)/s‖² subject to low <= d <= high, by the active set of row_step.
H couples a DOF only with those above it in the tree, so H = LᵀL, eliminated from the leaves to
the root, has no fill-in (Featherstone's LTL factorisation); ABOVE_RUNS says what is coupled.
Linear relations that are held come in by their multipliers: a small Schur complement.
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.layout import (
    ABOVE_FIRST,
    ABOVE_RUNS,
    DUAL,
    GRADIENT,
    HELD,
    HESSIAN,
    HIGH,
    LOW,
    MOBILITY,
    PULLED,
    RELATION_DOF,
    RELATION_FIRST,
    RELATION_HELD,
    RELATION_STEPS,
    RELATION_SYSTEM,
    ROWS,
    SCALARS,
    SCALE,
    SCRATCH,
    SEGMENT_DOFS,
    STEP,
    SYSTEM,
    TRIAL,
    VALUE,
    floats_at,
    ints_at,
)
from poise.kernels.linear import cholesky, solve_cholesky
from poise.kernels.relation_step import (
    RIDGE,
    add_relation_forces,
    free_column,
    held_count,
    relation_dot,
    room,
    spread_multipliers,
    update_relations,
)

RELATION_STIFFNESS = 10.0  # across a held relation, in units of the matrix


@kernel
def run_of(first, runs, dofs, s, k, index):
    """Range `index` of the DOFs coupled with DOF k of segment s, k itself at its end excluded."""
    count = first[s + 1] - first[s]
    if index < count:
        at = 2 * (first[s] + index)
        return runs[at], runs[at + 1]
    return dofs[s], k


@kernel
def multiply_hessian(floats, ints, x, result):
    """result <- H x."""
    first = ints_at(ints, ABOVE_FIRST)
    runs = ints_at(ints, ABOVE_RUNS)
    dofs = ints_at(ints, SEGMENT_DOFS)
    hessian = floats_at(floats, ints, HESSIAN)
    n = x.size
    for d in range(n):
        result[d] = 0.0
    for s in range(dofs.size - 1):
        for k in range(dofs[s], dofs[s + 1]):
            row = hessian[k * n : k * n + n]
            value = x[k]
            total = row[k] * value
            for index in range(first[s + 1] - first[s] + 1):
                begin, end = run_of(first, runs, dofs, s, k, index)
                for i in range(begin, end):
                    total += row[i] * x[i]
                    result[i] += row[i] * value
            result[k] += total


@kernel
def factorise(floats, ints, damping):
    """SYSTEM <- L with LᵀL = s H s + λI over the DOFs that are not held (identity for those).

    The diagonal holds inverses. False if not positive definite.
    """
    first = ints_at(ints, ABOVE_FIRST)
    runs = ints_at(ints, ABOVE_RUNS)
    dofs = ints_at(ints, SEGMENT_DOFS)
    held = ints_at(ints, HELD)
    mobility = floats_at(floats, ints, MOBILITY)
    hessian = floats_at(floats, ints, HESSIAN)
    system = floats_at(floats, ints, SYSTEM)
    scale = floats_at(floats, ints, SCRATCH)
    n = held.size
    for d in range(n):
        scale[d] = mobility[d] if held[d] == 0 else 0.0
    for s in range(dofs.size - 1):
        for k in range(dofs[s], dofs[s + 1]):
            row, source = system[k * n : k * n + n], hessian[k * n : k * n + n]
            for index in range(first[s + 1] - first[s] + 1):
                begin, end = run_of(first, runs, dofs, s, k, index)
                for i in range(begin, end):
                    row[i] = source[i] * scale[i] * scale[k]
            row[k] = source[k] * scale[k] * scale[k] + damping if scale[k] > 0.0 else 1.0
    stiffen_relations(floats, ints, system)
    for s in range(dofs.size - 2, -1, -1):
        for k in range(dofs[s + 1] - 1, dofs[s] - 1, -1):
            row = system[k * n : k * n + n]
            if not row[k] > 0.0:
                return False
            row[k] = 1.0 / math.sqrt(row[k])
            if scale[k] > 0.0:
                eliminate(system, n, row, k, first, runs, dofs, s)
    return True


@kernel
def eliminate(system, n, row, k, first, runs, dofs, s):
    """Subtract the outer product of row k from the rows of the DOFs above it."""
    count = first[s + 1] - first[s] + 1
    inverse = row[k]
    for index in range(count):
        begin, end = run_of(first, runs, dofs, s, k, index)
        for i in range(begin, end):
            row[i] *= inverse
    for index in range(count):
        begin, end = run_of(first, runs, dofs, s, k, index)
        for i in range(begin, end):
            factor = row[i]
            if factor != 0.0:
                target = system[i * n : i * n + n]
                for other in range(index + 1):
                    start, stop = run_of(first, runs, dofs, s, k, other)
                    for j in range(start, min(stop, i + 1)):
                        target[j] -= factor * row[j]


@kernel
def solve_factorised(floats, ints, x):
    """x <- (LᵀL)⁻¹ x."""
    first = ints_at(ints, ABOVE_FIRST)
    runs = ints_at(ints, ABOVE_RUNS)
    dofs = ints_at(ints, SEGMENT_DOFS)
    system = floats_at(floats, ints, SYSTEM)
    n = x.size
    for s in range(dofs.size - 2, -1, -1):
        for k in range(dofs[s + 1] - 1, dofs[s] - 1, -1):
            row = system[k * n : k * n + n]
            x[k] *= row[k]
            value = x[k]
            for index in range(first[s + 1] - first[s] + 1):
                begin, end = run_of(first, runs, dofs, s, k, index)
                for i in range(begin, end):
                    x[i] -= row[i] * value
    for s in range(dofs.size - 1):
        for k in range(dofs[s], dofs[s + 1]):
            row = system[k * n : k * n + n]
            total = x[k]
            for index in range(first[s + 1] - first[s] + 1):
                begin, end = run_of(first, runs, dofs, s, k, index)
                for i in range(begin, end):
                    total -= row[i] * x[i]
            x[k] = total * row[k]


@kernel
def dof_step(floats, ints, damping, rounds):
    """The step into STEP; HELD comes in as a guess and goes out as the DOFs at a bound.

    Returns (positive definite, model value f + g·d + dᵀHd).
    """
    held = ints_at(ints, HELD)
    mobility = floats_at(floats, ints, MOBILITY)
    slope = floats_at(floats, ints, GRADIENT)
    pulled = floats_at(floats, ints, PULLED)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    step = floats_at(floats, ints, STEP)
    product = floats_at(floats, ints, TRIAL)
    n = held.size
    solution = floats_at(floats, ints, SCRATCH)[:n]
    for d in range(n):
        step[d] = min(max(0.0, low[d]), high[d]) if held[d] != 0 else 0.0
    for turn in range(rounds):
        if not factorise(floats, ints, damping):
            return False, 0.0
        for d in range(n):
            if held[d] == 0:
                step[d] = 0.0
        multiply_hessian(floats, ints, step, product)
        for d in range(n):
            solution[d] = 0.0
            if held[d] == 0:
                pull = damping * pulled[d] / mobility[d]
                solution[d] = pull - mobility[d] * (0.5 * slope[d] + product[d])
        solve_factorised(floats, ints, solution)
        for d in range(n):
            if held[d] == 0:
                step[d] = mobility[d] * solution[d]
        hold_relations(floats, ints)
        multiply_hessian(floats, ints, step, product)
        if turn + 1 == rounds:
            break
        changed = update_held(floats, ints, damping, product)
        if not update_relations(floats, ints, step) and not changed:
            break
    for d in range(n):
        step[d] = min(max(step[d], low[d]), high[d])
    multiply_hessian(floats, ints, step, product)
    model = floats_at(floats, ints, SCALARS)[VALUE]
    for d in range(n):
        model += (slope[d] + product[d]) * step[d]
    return True, model


@kernel
def stiffen_relations(floats, ints, system):
    """Add to SYSTEM a stiffness across the held relations, along which no step will move.

    It changes the multipliers and nothing else; but a matrix that is positive definite only along
    the relations becomes so as a whole.
    """
    first = ints_at(ints, RELATION_FIRST)
    dofs = ints_at(ints, RELATION_DOF)
    held = ints_at(ints, RELATION_HELD)
    scale = floats_at(floats, ints, SCALARS)[SCALE]
    columns = floats_at(floats, ints, RELATION_STEPS)
    n = ints_at(ints, HELD).size
    for i in range(held.size):
        if held[i] == 0:
            continue
        squares = free_column(floats, ints, i, columns[0:n])
        for one in range(first[i], first[i + 1]):
            for other in range(first[i], one + 1):  # DOFs ascend
                a, b = dofs[one], dofs[other]
                if squares > 0.0:
                    stiffness = RELATION_STIFFNESS * scale / squares
                    system[a * n + b] += stiffness * columns[a] * columns[b]


@kernel
def hold_relations(floats, ints):
    """STEP, solved without the relations -> with those that are held; multipliers to DUAL."""
    scalars = floats_at(floats, ints, SCALARS)
    held = ints_at(ints, RELATION_HELD)
    held_dof = ints_at(ints, HELD)
    mobility = floats_at(floats, ints, MOBILITY)
    step = floats_at(floats, ints, STEP)
    columns = floats_at(floats, ints, RELATION_STEPS)
    system = floats_at(floats, ints, RELATION_SYSTEM)
    n, r = mobility.size, floats_at(floats, ints, ROWS).size
    count = held_count(ints)
    if count == 0:
        return
    multipliers = floats_at(floats, ints, DUAL)[r : r + count]
    at = 0
    for i in range(held.size):
        if held[i] == 0:
            continue
        column = columns[at * n : at * n + n]
        squares = free_column(floats, ints, i, column)
        solve_factorised(floats, ints, column)
        for d in range(n):  # how STEP answers to this multiplier
            column[d] = column[d] * mobility[d] if held_dof[d] == 0 else 0.0
        for b in range(at + 1):
            system[at * count + b] = relation_dot(floats, ints, i, columns[b * n : b * n + n])
        system[at * count + at] *= 1.0 + RIDGE
        multipliers[at] = room(floats, ints, i, held[i]) - relation_dot(floats, ints, i, step)
        if squares == 0.0:
            system[at * count + at], multipliers[at] = 1.0, 0.0
        at += 1
    if cholesky(system, count):
        solve_cholesky(system, count, multipliers)
        for a in range(count):
            for d in range(n):
                step[d] += multipliers[a] * columns[a * n + d]
    spread_multipliers(floats, ints)
    for i in range(held.size):  # what `stiffen_relations` added is no force of the relation
        if held[i] != 0:
            squares = free_column(floats, ints, i, columns[0:n])
            moved = 0.0
            for d in range(n):
                if held_dof[d] == 0 and columns[d] != 0.0:
                    moved += columns[d] * step[d] / mobility[d]
            if squares > 0.0:
                stiffness = RELATION_STIFFNESS * scalars[SCALE] / squares
                floats_at(floats, ints, DUAL)[r + i] -= stiffness * moved


@kernel
def update_held(floats, ints, damping, product):
    """Hold DOFs whose step leaves the bounds, let go those that wish back. True if any changed."""
    held = ints_at(ints, HELD)
    mobility = floats_at(floats, ints, MOBILITY)
    slope = floats_at(floats, ints, GRADIENT)
    pulled = floats_at(floats, ints, PULLED)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    step = floats_at(floats, ints, STEP)
    add_relation_forces(floats, ints, -1.0, product)
    changed = False
    for d in range(held.size):
        if mobility[d] == 0.0:
            continue
        if held[d] == 0:
            if step[d] < low[d] or step[d] > high[d]:
                held[d] = 1
                step[d] = min(max(step[d], low[d]), high[d])
                changed = True
        elif low[d] < high[d]:
            change = 0.5 * slope[d] + product[d]
            change += damping * (step[d] - pulled[d]) / (mobility[d] * mobility[d])
            if (step[d] <= low[d] and change < 0.0) or (step[d] >= high[d] and change > 0.0):
                held[d] = 0
                changed = True
    return changed
