"""`pseudo-inverse`: JPI §2.5–2.6, PLS §2. The loop is in kernels/pseudo_inverse.py."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.problem import Problem
from poise.solve.method import Advance, Method, Parameter
from poise.solve.row_methods import FARTHEST, LONGEST, ROW_CAPABILITIES, row_sections


def _load() -> Advance:
    from poise.kernels.pseudo_inverse import advance_pseudo_inverse

    return advance_pseudo_inverse


def _sections(problem: Problem, _: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    return row_sections(problem, vectors=3 * problem.row_count)


def _scalars(_: Problem, parameters: Mapping[str, float]) -> dict[int, float]:
    from poise.kernels import pseudo_inverse as kernel

    return {
        kernel.CUT: parameters["cut"],
        kernel.DT: parameters["dt"],
        kernel.FARTHEST: parameters["D_max"],
        kernel.LONGEST: parameters["max_step"],
    }


PSEUDO_INVERSE = Method(
    name="pseudo-inverse",
    summary="Steps by the pseudo-inverse of the Jacobian, with small singular values cut",
    source="the Jacobian pseudo-inverse tutorial, §2.5-2.6; Engell-Nørregård & Erleben, §2",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    capabilities=ROW_CAPABILITIES,
    parameters={
        "cut": Parameter(
            1e-3, "singular values below this share of the largest count as 0", least=1e-6, most=1.0
        ),
        "dt": Parameter(0.5, "the step size: the share of J⁺e that a step takes", least=1e-6),
        "D_max": FARTHEST,
        "max_step": LONGEST,
    },
)
