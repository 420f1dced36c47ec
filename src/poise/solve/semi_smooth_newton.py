"""`semi-smooth-newton`: future work of PLS §6. The loop is in kernels/semi_smooth_newton.py."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.kernels import layout
from poise.kernels.custom import CUSTOM_VECTORS
from poise.problem import Problem
from poise.solve.method import Advance, Method, Parameter
from poise.solve.second_order import BOX_CAPABILITIES, model_sections


def _load() -> Advance:
    from poise.kernels.semi_smooth_newton import advance_semi_smooth_newton

    return advance_semi_smooth_newton


def _sections(problem: Problem, _: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    n = len(problem.figure.dofs)
    own = {
        layout.HELD: n,
        layout.SYSTEM: n * n,
        layout.VECTORS: (CUSTOM_VECTORS + 1) * n,
    }
    return model_sections(problem, always_dense=True) | own


def _scalars(_: Problem, parameters: Mapping[str, float]) -> dict[int, float]:
    from poise.kernels import semi_smooth_newton as kernel

    return {
        kernel.ALPHA: parameters["alpha"],
        kernel.BETA: parameters["beta"],
        kernel.C: parameters["c"],
        kernel.MU: parameters["mu"],
    }


SEMI_SMOOTH_NEWTON = Method(
    name="semi-smooth-newton",
    summary="Newton's method on the complementarity form of the optimality conditions",
    source="Qi & Sun, A Nonsmooth Version of Newton's Method (1993); Hintermüller, Ito & Kunisch,"
    " The Primal-Dual Active Set Strategy as a Semismooth Newton Method (2003)",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    capabilities=BOX_CAPABILITIES,
    parameters={
        "alpha": Parameter(
            1e-4, "sufficient decrease of the projected search", least=1e-12, most=1.0
        ),
        "beta": Parameter(0.5, "factor of a step's reduction", least=1e-3, most=0.999),
        "c": Parameter(
            1.0,
            "weight of the slope in the residual, in units of the largest curvature",
            least=1e-6,
            most=1e6,
        ),
        "mu": Parameter(
            1.0, "the first factor of the regularisation μ‖Φ‖, adapted by how steps fare", most=1e6
        ),
    },
)
