"""`damped-least-squares`: PLS 15. The loop is in kernels/damped_least_squares.py."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.problem import Problem
from poise.solve.method import Advance, Method, Parameter, choice
from poise.solve.row_methods import FARTHEST, LONGEST, ROW_CAPABILITIES, row_sections


def _load() -> Advance:
    from poise.kernels.damped_least_squares import advance_damped_least_squares

    return advance_damped_least_squares


def _sections(problem: Problem, _: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    return row_sections(problem, vectors=problem.row_count)


def _scalars(_: Problem, parameters: Mapping[str, float]) -> dict[int, float]:
    from poise.kernels import damped_least_squares as kernel

    return {
        kernel.LAMBDA: parameters["lambda"],
        kernel.ADAPTED: parameters["damping"],
        kernel.FARTHEST: parameters["D_max"],
        kernel.LONGEST: parameters["max_step"],
    }


DAMPED_LEAST_SQUARES = Method(
    name="damped-least-squares",
    summary="Levenberg-Marquardt steps with a fixed or an adapted damping",
    source="Engell-Nørregård & Erleben, A Projected Back-tracking Line-search, §2 (15)",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    capabilities=ROW_CAPABILITIES,
    parameters={
        "lambda": Parameter(
            0.1, "the damping λ, or the first one if adapted [m/rad]", least=1e-6, most=1e6
        ),
        "damping": choice(
            *("fixed", "adapted"),
            meaning="whether λ stays, or follows how well steps turn out",
        ),
        "D_max": FARTHEST,
        "max_step": LONGEST,
    },
)
