"""`trust-region`: future work of PLS §6. The loop is in kernels/trust_region.py."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.kernels import layout
from poise.problem import Problem
from poise.solve.method import Advance, Method, Parameter, choice
from poise.solve.second_order import BOX_CAPABILITIES, model_sections


def _load() -> Advance:
    from poise.kernels.trust_region import advance_trust_region

    return advance_trust_region


def _sections(problem: Problem, _: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    from poise.kernels.trust_region import TRUST_REGION_VECTORS

    vectors = {layout.VECTORS: TRUST_REGION_VECTORS * len(problem.figure.dofs)}
    return model_sections(problem) | vectors


def _scalars(_: Problem, parameters: Mapping[str, float]) -> dict[int, float]:
    from poise.kernels import trust_region as kernel

    return {
        kernel.MU_0: parameters["mu_0"],
        kernel.ETA_0: parameters["eta_0"],
        kernel.ETA_1: parameters["eta_1"],
        kernel.ETA_2: parameters["eta_2"],
        kernel.SIGMA_1: parameters["sigma_1"],
        kernel.SIGMA_2: parameters["sigma_2"],
        kernel.SIGMA_3: parameters["sigma_3"],
        kernel.XI: parameters["xi"],
        kernel.DELTA_0: parameters["Delta_0"],
        kernel.GAUSS_NEWTON: parameters["model"],
    }


TRUST_REGION = Method(
    name="trust-region",
    summary="Truncated Newton steps on the face of a Cauchy step, within a region of trust",
    source="Lin & Moré, Newton's Method for Large Bound-Constrained Optimization Problems (1999);"
    " Conn, Gould & Toint, Global Convergence of a Class of Trust Region Algorithms (1988)",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    capabilities=BOX_CAPABILITIES,
    parameters={
        "mu_0": Parameter(1e-2, "share of the linear fall that the model must fall", most=0.5),
        "eta_0": Parameter(1e-4, "least ratio of falls of a step that is taken", most=0.25),
        "eta_1": Parameter(0.25, "ratio of falls below which the region shrinks", most=1.0),
        "eta_2": Parameter(0.75, "ratio of falls above which the region grows", most=1.0),
        "sigma_1": Parameter(0.25, "least factor of the region's size", least=0.01, most=0.5),
        "sigma_2": Parameter(0.5, "factor of a region that shrinks", least=0.01, most=0.99),
        "sigma_3": Parameter(4.0, "largest factor of the region's size", least=1.01, most=100.0),
        "xi": Parameter(0.1, "share of the slope at which conjugate gradients end", most=1.0),
        "Delta_0": Parameter(1.0, "the first radius of the region [rad]", least=1e-6, most=1e6),
        "model": choice(
            *("exact", "gauss-newton"), meaning="the Hessian of the model, exact or Gauss-Newton's"
        ),
    },
)
