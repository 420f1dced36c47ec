"""`jacobian-transpose`: PLS §4.2 and §5. The loop is in kernels/jacobian_transpose.py."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.kernels import layout
from poise.problem import Problem
from poise.solve.capabilities import SMOOTH, Capabilities, LimitRule
from poise.solve.method import Advance, Method, Parameter, choice
from poise.solve.projected_gradient import UNIT, step_scale


def _load() -> Advance:
    from poise.kernels.jacobian_transpose import advance_jacobian_transpose

    return advance_jacobian_transpose


def _sections(problem: Problem, parameters: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    scale = step_scale(problem, parameters["unit"])
    return {layout.VECTORS: scale, layout.STEP: scale.size}


def _scalars(_: Problem, parameters: Mapping[str, float]) -> dict[int, float]:
    from poise.kernels import jacobian_transpose as kernel

    return {kernel.TAU: parameters["tau"], kernel.BY_BUSS: parameters["step"]}


JACOBIAN_TRANSPOSE = Method(
    name="jacobian-transpose",
    summary="Steps along the gradient of a fixed length, or of Buss's; diverges when too long",
    source="Engell-Nørregård & Erleben, A Projected Back-tracking Line-search, §4.2 and §5",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    capabilities=Capabilities(LimitRule.AFTER_STEP, SMOOTH),
    follows_gradient=True,
    parameters={
        "step": choice(
            *("fixed", "buss"),
            meaning="the step length: tau always, or eᵀz/zᵀz with z = JJᵀe (28)",
        ),
        "tau": Parameter(0.005, "the fixed step length (27), in the paper's units", least=1e-12),
        "unit": UNIT,
    },
)
