"""`bfgs-rosen`: ZB, appendix. The loop is in kernels/bfgs_rosen.py."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.kernels import layout
from poise.problem import Problem
from poise.solve.capabilities import SMOOTH, Capabilities, LimitRule
from poise.solve.method import Advance, Method, Parameter


def _load() -> Advance:
    from poise.kernels.bfgs_rosen import advance_bfgs_rosen

    return advance_bfgs_rosen


def _sections(problem: Problem, _: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    from poise.kernels.bfgs_rosen import BFGS_ROSEN_VECTORS

    n, relations = len(problem.figure.dofs), len(problem.figure.relation_tables.rows)
    return {
        layout.HELD: n,
        layout.HESSIAN: n * n,  # its inverse
        layout.LOW: n,
        layout.HIGH: n,
        layout.STEP: n,
        layout.VECTORS: BFGS_ROSEN_VECTORS * n,
        layout.RELATION_HELD: relations,
        layout.RELATION_AT: relations,
        layout.RELATION_STEPS: relations * n,
        layout.RELATION_SYSTEM: relations**2,
        layout.DUAL: 2 * relations,
    }


def _scalars(_: Problem, parameters: Mapping[str, float]) -> dict[int, float]:
    from poise.kernels import bfgs_rosen as kernel

    return {
        kernel.SIGMA_1: parameters["sigma_1"],
        kernel.SIGMA_2: parameters["sigma_2"],
        kernel.H_0: parameters["H_0"],
    }


BFGS_ROSEN = Method(
    name="bfgs-rosen",
    summary="Quasi-Newton steps projected onto the active limits, with a line search",
    source="Zhao & Badler, Inverse Kinematics Positioning Using Nonlinear Programming, appendix",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    capabilities=Capabilities(LimitRule.INSIDE, SMOOTH, monotone=True),
    parameters={
        "sigma_1": Parameter(
            1e-4, "sufficient decrease of the line search (31)", least=1e-12, most=0.499
        ),
        "sigma_2": Parameter(
            0.5, "share of the slope that the line search leaves (31)", least=1e-6, most=0.999
        ),
        "H_0": Parameter(
            0.1,
            "the first inverse Hessian, a multiple of the identity, in units of 2f/‖g‖²; larger"
            " ones are faster, smaller ones stay nearer to the start",
            least=1e-9,
            most=1e9,
        ),
    },
)
