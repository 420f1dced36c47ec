"""`selectively-damped`: Buss & Kim 2005. The loop is in kernels/selectively_damped.py."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from poise.problem import Problem
from poise.solve.method import Advance, Method, Parameter
from poise.solve.row_methods import FARTHEST, ROW_CAPABILITIES, row_sections


def _load() -> Advance:
    from poise.kernels.selectively_damped import advance_selectively_damped

    return advance_selectively_damped


def _sections(problem: Problem, _: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    n, r = len(problem.figure.dofs), problem.row_count
    return row_sections(problem, vectors=3 * r + 2 * n)


def _scalars(_: Problem, parameters: Mapping[str, float]) -> dict[int, float]:
    from poise.kernels import selectively_damped as kernel

    return {kernel.MOST_TURN: parameters["gamma_max"], kernel.FARTHEST: parameters["D_max"]}


SELECTIVELY_DAMPED = Method(
    name="selectively-damped",
    summary="Damping for every singular vector of its own, by how far it swings the effectors",
    source="Buss & Kim, Selectively Damped Least Squares for Inverse Kinematics, 2005",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    capabilities=ROW_CAPABILITIES,
    parameters={
        "gamma_max": Parameter(
            math.pi / 4, "the most that a DOF turns in one step [rad]", least=1e-6
        ),
        "D_max": FARTHEST,
    },
)
