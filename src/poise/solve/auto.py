"""`auto`, the default method. The loop is in kernels/auto.py."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.kernels import layout
from poise.kernels.custom import CUSTOM_VECTORS
from poise.kernels.hessian import COMPOSITE_SIZE
from poise.problem import Problem
from poise.solve.capabilities import SMOOTH, Capabilities, Feature, LimitRule
from poise.solve.method import Advance, Method, Parameter

DENSE_DOFS = 600
"""Above this many DOFs the Newton steps work without a Hessian matrix."""


def _load() -> Advance:
    from poise.kernels.auto import advance_auto

    return advance_auto


def _sections(problem: Problem, _: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    n, r = len(problem.figure.dofs), problem.row_count
    segments = len(problem.figure.segments)
    dense = n if n <= DENSE_DOFS else 0
    relations = len(problem.figure.relation_tables.rows)
    custom = problem.table.custom.size > 0
    return {
        layout.HELD: n,
        layout.COMPOSITES: COMPOSITE_SIZE * segments,
        layout.SCALED: r * n,
        layout.GRAM: r * r,
        layout.HESSIAN: dense**2,
        layout.SYSTEM: max(r + relations, dense) ** 2,
        layout.VECTORS: CUSTOM_VECTORS * n if custom else 0 if dense else 2 * n,
        layout.CUSTOM_CURVATURE: (dense**2 or n) if custom else 0,
        layout.SWEEPS: 6 * segments,
        layout.STEP: n,
        layout.PULLED: n,
        layout.LOW: n,
        layout.HIGH: n,
        layout.DUAL: r + relations,
        layout.RELATION_HELD: relations,
        layout.RELATION_AT: relations,
        layout.RELATION_STEPS: relations * dense,
        layout.RELATION_SYSTEM: relations**2,
    }


def _scalars(_: Problem, parameters: Mapping[str, float]) -> dict[int, float]:
    from poise.kernels import auto_step

    return {
        auto_step.PULL_STRENGTH: parameters["pull"],
        auto_step.FREE_RANGE: parameters["free_range"],
        auto_step.STEP_CAP: parameters["step_cap"],
    }


def _exact_phase() -> int:
    from poise.kernels.auto_phases import NEWTON

    return NEWTON


AUTO = Method(
    name="auto",
    summary="Bounded Gauss-Newton steps, exact Newton steps for goals out of reach, restarts",
    source="this project; METHOD §4, 'going beyond'",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    capabilities=Capabilities(LimitRule.INSIDE, SMOOTH | {Feature.RESTARTS}, monotone=True),
    parameters={
        "pull": Parameter(
            0.2, "how strongly spare freedom returns from the ends of a range", most=1.0
        ),
        "free_range": Parameter(
            0.5, "the middle part of a range in which nothing is pulled", most=1.0
        ),
        "step_cap": Parameter(1.2, "longest step of a joint in one iteration [rad]", least=1e-3),
    },
    restarts=40,
    exact_phase=_exact_phase,
)
