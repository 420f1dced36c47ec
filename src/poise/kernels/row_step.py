"""The bounded Gauss-Newton step when goal rows are fewer than DOFs: a rows x rows system.

minimise ‖e + Jd‖² + λ‖(d - p)/s‖² subject to low <= d <= high, with mobility s and pull p.
With some DOFs held at their bounds, y = (J̃J̃ᵀ + λI)⁻¹(-e - Jd₀), where d₀ is p for free DOFs and
the bound for held ones, gives the steps that all DOFs wish to take, d = p + s J̃ᵀy. A free DOF
that wishes to leave its bounds is held, a held one that wishes to come back is let go. When
nothing changes any more this is the exact solution (a primal-dual active set). All change at
once; where that does not help any more, only the last one does, which always ends (Murty).
Linear relations that are held are further rows, without damping.
"""

from poise.kernels.compiled import kernel
from poise.kernels.layout import (
    DUAL,
    GOAL_REACH,
    GOAL_ROW,
    GRAM,
    HELD,
    HIGH,
    JACOBIAN,
    LOW,
    MOBILITY,
    PULLED,
    RELATION_HELD,
    ROWS,
    SCALED,
    SCRATCH,
    STEP,
    SYSTEM,
    TRIAL,
    floats_at,
    ints_at,
)
from poise.kernels.linear import cholesky, dot, solve_cholesky
from poise.kernels.relation_step import (
    add_relation_forces,
    append_relations,
    held_count,
    spread_multipliers,
    update_relations,
)

PATIENCE = 4  # rounds without progress before DOFs change one at a time


@kernel
def prepare_rows(floats, ints):
    """SCALED = J s and GRAM = SCALED SCALEDᵀ, once a linearisation."""
    reach = ints_at(ints, GOAL_REACH)
    first_row = ints_at(ints, GOAL_ROW)
    mobility = floats_at(floats, ints, MOBILITY)
    matrix = floats_at(floats, ints, JACOBIAN)
    scaled = floats_at(floats, ints, SCALED)
    gram = floats_at(floats, ints, GRAM)
    n, goals = mobility.size, first_row.size - 1
    r = first_row[goals]
    for i in range(r):
        source, row = matrix[i * n : i * n + n], scaled[i * n : i * n + n]
        for d in range(n):
            row[d] = source[d] * mobility[d]
    for a in range(goals):
        for b in range(a + 1):
            columns = reach[a * goals + b]
            for i in range(first_row[a], first_row[a + 1]):
                left = scaled[i * n : i * n + n]
                for j in range(first_row[b], min(i + 1, first_row[b + 1])):
                    gram[i * r + j] = dot(left, scaled[j * n : j * n + n], columns)


@kernel
def add_column(gram, scaled, r, n, d, sign, column):
    """GRAM += sign · c cᵀ with column d of SCALED: a DOF is let go or held."""
    for i in range(r):
        column[i] = scaled[i * n + d]
    for i in range(r):
        factor = sign * column[i]
        if factor != 0.0:
            row = gram[i * r : i * r + r]
            for j in range(i + 1):
                row[j] += factor * column[j]


@kernel
def solve_rows(floats, ints, damping):
    """DUAL <- (GRAM + λI)⁻¹ (-e - J STEP), with the held relations below the goals' rows."""
    gram = floats_at(floats, ints, GRAM)
    system = floats_at(floats, ints, SYSTEM)
    rows = floats_at(floats, ints, ROWS)
    matrix = floats_at(floats, ints, JACOBIAN)
    step = floats_at(floats, ints, STEP)
    dual = floats_at(floats, ints, DUAL)
    has_relations = ints_at(ints, RELATION_HELD).size > 0
    r, n = rows.size, step.size
    size = r + held_count(ints) if has_relations else r
    for i in range(r):
        row, source = system[i * size : i * size + size], gram[i * r : i * r + r]
        for j in range(i + 1):
            row[j] = source[j]
        row[i] += damping
        dual[i] = -rows[i] - dot(matrix[i * n : i * n + n], step, n)
    if has_relations:
        append_relations(floats, ints, system, size, step, floats_at(floats, ints, TRIAL))
    if not cholesky(system, size):
        return False
    solve_cholesky(system, size, dual)
    if has_relations:
        spread_multipliers(floats, ints)
    return True


@kernel
def wish_steps(floats, ints):
    """SCRATCH <- p + s J̃ᵀy: the step that each DOF would take without its bounds."""
    mobility = floats_at(floats, ints, MOBILITY)
    scaled = floats_at(floats, ints, SCALED)
    pulled = floats_at(floats, ints, PULLED)
    dual = floats_at(floats, ints, DUAL)
    wish = floats_at(floats, ints, SCRATCH)
    n = mobility.size
    for d in range(n):
        wish[d] = 0.0
    for i in range(floats_at(floats, ints, ROWS).size):
        row, factor = scaled[i * n : i * n + n], dual[i]
        for d in range(n):
            wish[d] += factor * row[d]
    for d in range(n):
        wish[d] = pulled[d] + mobility[d] * wish[d]
    add_relation_wishes(floats, ints, wish)


@kernel
def add_relation_wishes(floats, ints, wish):
    """What the held relations ask of each DOF: s² Σ multiplier · a."""
    mobility = floats_at(floats, ints, MOBILITY)
    force = floats_at(floats, ints, TRIAL)
    if ints_at(ints, RELATION_HELD).size == 0:
        return
    for d in range(mobility.size):
        force[d] = 0.0
    add_relation_forces(floats, ints, 1.0, force)
    for d in range(mobility.size):
        wish[d] += mobility[d] * mobility[d] * force[d]


@kernel
def relations_change(floats, ints):
    """Whether relations must be held or let go after the present solution; done if so."""
    held = ints_at(ints, HELD)
    step = floats_at(floats, ints, STEP)
    wish = floats_at(floats, ints, SCRATCH)
    present = floats_at(floats, ints, TRIAL)
    if ints_at(ints, RELATION_HELD).size == 0:
        return False
    for d in range(held.size):
        present[d] = step[d] if held[d] != 0 else wish[d]
    return update_relations(floats, ints, present)


@kernel
def is_wrong(held, step, wish, low, high):
    """Whether a free DOF wishes to leave its bounds, or a held one to leave the bound it is at."""
    if held == 0:
        return wish < low or wish > high
    if low >= high:
        return False
    if step <= low:
        return wish > low
    return step < high or wish < high


@kernel
def exchange(floats, ints, d):
    """Hold a free DOF at the bound it wishes to leave by, or let a held one go."""
    held = ints_at(ints, HELD)
    scaled = floats_at(floats, ints, SCALED)
    gram = floats_at(floats, ints, GRAM)
    column = floats_at(floats, ints, DUAL)
    step = floats_at(floats, ints, STEP)
    wish = floats_at(floats, ints, SCRATCH)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    r = floats_at(floats, ints, ROWS).size
    if held[d] == 0:
        held[d] = 1
        step[d] = low[d] if wish[d] < low[d] else high[d]
        add_column(gram, scaled, r, held.size, d, -1.0, column)
    else:
        held[d] = 0
        step[d] = floats_at(floats, ints, PULLED)[d]
        add_column(gram, scaled, r, held.size, d, 1.0, column)


@kernel
def row_step(floats, ints, damping, rounds):
    """The step into STEP; HELD comes in as a guess and goes out as the DOFs at a bound.

    GRAM is left with the held DOFs taken out; `release_rows` puts them back.
    Returns the model value ‖e + Jd‖², or -1 if the system was not positive definite.
    """
    held = ints_at(ints, HELD)
    mobility = floats_at(floats, ints, MOBILITY)
    matrix = floats_at(floats, ints, JACOBIAN)
    scaled = floats_at(floats, ints, SCALED)
    gram = floats_at(floats, ints, GRAM)
    rows = floats_at(floats, ints, ROWS)
    pulled = floats_at(floats, ints, PULLED)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    step = floats_at(floats, ints, STEP)
    wish = floats_at(floats, ints, SCRATCH)
    column = floats_at(floats, ints, DUAL)
    r, n = rows.size, held.size
    for d in range(n):
        step[d] = pulled[d]
        if held[d] != 0:
            step[d] = min(max(0.0, low[d]), high[d])
            if mobility[d] > 0.0:
                add_column(gram, scaled, r, n, d, -1.0, column)
    fewest, patience = n + 1, PATIENCE
    for turn in range(rounds):
        if not solve_rows(floats, ints, damping):
            return -1.0
        wish_steps(floats, ints)
        wrong, last = 0, -1
        for d in range(n):
            if mobility[d] > 0.0 and is_wrong(held[d], step[d], wish[d], low[d], high[d]):
                wrong, last = wrong + 1, d
        if turn + 1 == rounds or (not relations_change(floats, ints) and wrong == 0):
            break
        if wrong < fewest:
            fewest, patience = wrong, PATIENCE
        else:
            patience -= 1
        for d in range(n if patience > 0 else 0):
            if mobility[d] > 0.0 and is_wrong(held[d], step[d], wish[d], low[d], high[d]):
                exchange(floats, ints, d)
        if patience <= 0 and last >= 0:
            exchange(floats, ints, last)
    model = 0.0
    for d in range(n):
        step[d] = min(max(wish[d], low[d]), high[d])
    for i in range(r):
        value = rows[i] + dot(matrix[i * n : i * n + n], step, n)
        model += value * value
    return model


@kernel
def release_rows(floats, ints):
    """Put the held DOFs back into GRAM, for another step from the same linearisation."""
    held = ints_at(ints, HELD)
    mobility = floats_at(floats, ints, MOBILITY)
    scaled = floats_at(floats, ints, SCALED)
    gram = floats_at(floats, ints, GRAM)
    column = floats_at(floats, ints, DUAL)
    n, r = held.size, floats_at(floats, ints, ROWS).size
    for d in range(n):
        if held[d] != 0 and mobility[d] > 0.0:
            add_column(gram, scaled, r, n, d, 1.0, column)
            held[d] = 0
