"""`projected-gradient`: PLS §4 as printed. The loop is in kernels/projected_gradient.py."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.kernels import layout
from poise.problem import Problem
from poise.solve.capabilities import SMOOTH, Capabilities, LimitRule
from poise.solve.method import Advance, Method, Parameter, choice


def _load() -> Advance:
    from poise.kernels.projected_gradient import advance_projected_gradient

    return advance_projected_gradient


def step_scale(problem: Problem, unit: float) -> np.ndarray:
    """(dofs,) the step of each DOF per unit of slope: the paper's steps in its unit of length [m].

    With lengths in units u, f is 1/u² and slides are 1/u as large, so that a rotation moves by
    τ ∇f / u² [rad] and a slide by τ ∇f [m].
    """
    figure = problem.figure
    slides = np.array([dof.kind == "translation" for dof in figure.dofs], bool)
    scale = np.where(slides, 1.0, 1.0 / unit**2)
    return scale * (1.0 - figure.rigidity) ** 2 * (problem.mobility > 0)


UNIT = Parameter(0.2, "the paper's unit of length [m]: 9 units are 1.80 m", least=1e-6)


def _sections(problem: Problem, parameters: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    scale = step_scale(problem, parameters["unit"])
    return {layout.VECTORS: np.concatenate([scale, np.zeros(2 * scale.size)])}


def _scalars(_: Problem, parameters: Mapping[str, float]) -> dict[int, float]:
    from poise.kernels import projected_gradient as kernel

    return {
        kernel.ALPHA: parameters["alpha"],
        kernel.BETA: parameters["beta"],
        kernel.FIRST_STEP: parameters["tau"],
        kernel.LEAST_STEP: 1e-16,
        kernel.SPECTRAL: parameters["first_step"],
    }


PROJECTED_GRADIENT = Method(
    name="projected-gradient",
    summary="Steepest descent with a projected Armijo back-tracking line search",
    source="Engell-Nørregård & Erleben, A Projected Back-tracking Line-search, §4",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    capabilities=Capabilities(LimitRule.INSIDE, SMOOTH, monotone=True),
    follows_gradient=True,
    parameters={
        "alpha": Parameter(
            1e-4, "sufficient decrease of the Armijo test (39)", least=1e-12, most=1.0
        ),
        "beta": Parameter(0.5, "factor of a step's reduction (34)", least=1e-3, most=0.999),
        "tau": Parameter(1.0, "first step length of every search", least=1e-12),
        "first_step": choice(
            *("tau", "spectral"),
            meaning="where a search begins: at tau as printed, or at the Barzilai-Borwein step",
        ),
        "unit": UNIT,
    },
)
