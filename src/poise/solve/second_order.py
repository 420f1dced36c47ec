"""What the methods with a quadratic model share: their memory and capabilities."""

from __future__ import annotations

import numpy as np

from poise.kernels import layout
from poise.kernels.hessian import COMPOSITE_SIZE
from poise.problem import Problem
from poise.solve.auto import DENSE_DOFS
from poise.solve.capabilities import SMOOTH, Capabilities, Feature, LimitRule

BOX_CAPABILITIES = Capabilities(LimitRule.INSIDE, SMOOTH - {Feature.RELATIONS}, monotone=True)
"""All goals; bounds, cones and joint groups, but no linear relations between several DOFs."""


def model_sections(problem: Problem, always_dense: bool = False) -> dict[int, np.ndarray | int]:
    """The sections of kernels/quadratic_model.py.

    Above DENSE_DOFS there is no Hessian matrix, unless the method cannot do without one.
    """
    n, segments = len(problem.figure.dofs), len(problem.figure.segments)
    dense = n if always_dense or n <= DENSE_DOFS else 0
    return {
        layout.COMPOSITES: COMPOSITE_SIZE * segments,
        layout.SWEEPS: 6 * segments,
        layout.HESSIAN: dense**2,
        layout.CUSTOM_CURVATURE: (dense**2 or n) if problem.table.custom.size else 0,
        layout.STEP: n,
        layout.LOW: n,
        layout.HIGH: n,
    }
