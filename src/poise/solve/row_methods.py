"""What the methods that invert a Jacobian share: their memory, capabilities and clamps."""

from __future__ import annotations

import numpy as np

from poise.kernels import layout
from poise.problem import Problem
from poise.solve.capabilities import JOINTS, RELATED, ROW_GOALS, WEIGHING, Capabilities, LimitRule
from poise.solve.method import Parameter

ROW_CAPABILITIES = Capabilities(LimitRule.AFTER_STEP, ROW_GOALS | JOINTS | RELATED | WEIGHING)
"""All goals that have rows; steps are projected onto boxes, cones and relations."""

FARTHEST = Parameter(0.0, "clamp on a goal's displacement that a step sees [m]; 0: none")
LONGEST = Parameter(0.0, "clamp on a step's length ‖Δθ‖ [rad]; 0: none")


def row_sections(problem: Problem, vectors: int) -> dict[int, np.ndarray | int]:
    """The sections of a rows x rows system, and `vectors` floats of scratch."""
    n, r = len(problem.figure.dofs), problem.row_count
    return {
        layout.SCALED: r * n,
        layout.GRAM: r * r,
        layout.SYSTEM: r * r,
        layout.DUAL: r,
        layout.STEP: n,
        layout.VECTORS: vectors,
    }
