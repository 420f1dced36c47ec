"""Arenas for the tests of single kernels, and their sections by number."""

import numpy as np
from derivatives import GOALS, WEIGHABLE

from poise.kernels import derivatives, hessian, layout, rows
from poise.problem import Problem


class Arenas:
    """A pair of arenas: `arenas[layout.STEP]` is a view of that section."""

    def __init__(self, sections):
        self.ints, self.floats = layout.pack(sections)

    def __getitem__(self, section):
        if section < layout.FIRST_FLOAT_SECTION:
            return layout.ints_at(self.ints, section)
        return layout.floats_at(self.floats, self.ints, section)

    def call(self, kernel, *arguments):
        return kernel(self.floats, self.ints, *arguments)


def scratch(n, r, segments):
    """The sections that steps use."""
    return {
        layout.HELD: n,
        layout.COUNTERS: layout.COUNTER_COUNT,
        layout.SCALARS: layout.SCALAR_COUNT,
        layout.ANGLES: n,
        layout.BEST_ANGLES: n,
        layout.START: n,
        layout.TRIAL: n,
        layout.TRIAL_ROWS: r,
        layout.SCRATCH: max(n, r),
        layout.COMPOSITES: hessian.COMPOSITE_SIZE * segments,
        layout.SCALED: r * n,
        layout.GRAM: r * r,
        layout.HESSIAN: n * n,
        layout.SYSTEM: max(r, n) ** 2,
        layout.VECTORS: layout.VECTOR_COUNT * n,
        layout.SWEEPS: 6 * segments,
        layout.STEP: n,
        layout.PULLED: n,
        layout.LOW: n,
        layout.HIGH: n,
        layout.DUAL: r,
    }


def arenas_of(problem, angles=None, exact=True):
    """The arenas of a problem, linearised at `angles` with the exact Hessian or its JᵀJ part."""
    figure = problem.figure
    n = len(figure.dofs)
    arenas = Arenas(problem.sections() | scratch(n, problem.row_count, len(figure.segments)))
    if angles is not None:
        arenas[layout.ANGLES][:] = angles
        value, _ = arenas.call(rows.evaluate, arenas[layout.ANGLES], arenas[layout.ROWS])
        arenas[layout.SCALARS][layout.VALUE] = value
        arenas.call(derivatives.jacobian)
        arenas[layout.GRADIENT][:] = problem.gradient(angles)
        arenas.call(hessian.hessian, exact)
    return arenas


def symmetric(arenas, section=layout.HESSIAN):
    """A square section of which the lower triangle counts, as a whole matrix."""
    flat = arenas[section]
    n = int(np.sqrt(flat.size))
    lower = np.tril(flat.reshape(n, n))
    return lower + np.tril(lower, -1).T


def random_problem(figure, rng, count=4, spread=0.3):
    """Goals of all kinds on random effectors near a random pose, and that pose's angles."""
    angles = figure.rest().angles + rng.uniform(-spread, spread, len(figure.dofs))
    pose = figure.pose(angles).clamped()
    names = rng.choice(figure.effector_names, count, replace=False)
    kinds = rng.choice(WEIGHABLE, count)
    goals = [GOALS[kind](str(name), pose, rng) for kind, name in zip(kinds, names, strict=True)]
    return Problem(figure, goals), pose.angles.copy()
