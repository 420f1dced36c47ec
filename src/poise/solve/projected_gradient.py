"""`projected-gradient`: PLS §4 as printed. The loop is in kernels/projected_gradient.py."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.kernels import layout
from poise.problem import Problem
from poise.solve.method import Advance, Method, Parameter


def _load() -> Advance:
    from poise.kernels.projected_gradient import advance_projected_gradient

    return advance_projected_gradient


def _sections(problem: Problem, parameters: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    """The step of each DOF per unit of slope: the paper's steps in its unit of length.

    With lengths in units u, f is 1/u² and slides are 1/u as large, so that a rotation moves by
    τ ∇f / u² [rad] and a slide by τ ∇f [m].
    """
    figure = problem.figure
    slides = np.array([dof.kind == "translation" for dof in figure.dofs], bool)
    scale = np.where(slides, 1.0, 1.0 / parameters["unit"] ** 2)
    return {layout.VECTORS: scale * (1.0 - figure.rigidity) ** 2 * (problem.mobility > 0)}


def _scalars(_: Problem, parameters: Mapping[str, float]) -> dict[int, float]:
    from poise.kernels import projected_gradient as kernel

    return {
        kernel.ALPHA: parameters["alpha"],
        kernel.BETA: parameters["beta"],
        kernel.FIRST_STEP: parameters["tau"],
        kernel.LEAST_STEP: 1e-16,
    }


PROJECTED_GRADIENT = Method(
    name="projected-gradient",
    summary="Steepest descent with a projected Armijo back-tracking line search",
    source="Engell-Nørregård & Erleben, A Projected Back-tracking Line-search, §4",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    parameters={
        "alpha": Parameter(
            1e-4, "sufficient decrease of the Armijo test (39)", least=1e-12, most=1.0
        ),
        "beta": Parameter(0.5, "factor of a step's reduction (34)", least=1e-3, most=0.999),
        "tau": Parameter(1.0, "first step length of every search", least=1e-12),
        "unit": Parameter(0.2, "the paper's unit of length [m]: 9 units are 1.80 m", least=1e-6),
    },
)
