"""`half-jacobian`: Meredith & Maddock's solver. The loop is in kernels/half_jacobian.py."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.kernels import layout, potentials
from poise.problem import Problem
from poise.problem.paths import runs_to
from poise.solve.capabilities import JOINTS, Capabilities, Feature, LimitRule
from poise.solve.method import Advance, Method, Parameter, choice

_HALF, _FULL, _HYBRID = range(3)  # mode
_TURNED, _FREE = range(2)  # last_link

Stage = tuple[int, int, int, list[int]]
"""What it moves, its goal, whether another stage serves the same goal, and its DOFs."""


def _load() -> Advance:
    from poise.kernels.half_jacobian import advance_half_jacobian

    return advance_half_jacobian


def _sections(problem: Problem, parameters: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    from poise.kernels.half_jacobian import FIRST_STAGE

    n = len(problem.figure.dofs)
    stages = _stages(problem, int(parameters["mode"]), parameters["last_link"] == _TURNED)
    ends = np.cumsum([0] + [len(dofs) for *_, dofs in stages])
    rows = [(*stage[:3], ends[i], ends[i + 1], 0) for i, stage in enumerate(stages)]
    head = [0] * (FIRST_STAGE - 1) + [len(stages)]
    listed = [dofs for *_, dofs in stages]
    return {
        layout.INDICES: np.concatenate([np.asarray(part, int) for part in (head, *rows, *listed)]),
        layout.GRAM: 36,
        layout.SYSTEM: 36,
        layout.DUAL: 12,
        layout.STEP: n,
        layout.VECTORS: 7 * n,
    }


def _stages(problem: Problem, mode: int, by_last_link: bool) -> list[Stage]:
    """The chains in the order of the goals; those that nothing can move are left out."""
    from poise.kernels.chain_rows import BOTH, JOINT, POINT, ROTATION

    stages: list[Stage] = []
    for k, atom in enumerate(problem.table.atoms):
        path = _mobile_path(problem, k)
        full = mode == _FULL or (mode == _HYBRID and k == 0)
        if atom.kind == potentials.ORIENTATION:
            stages.append((ROTATION, k, 0, path))
        elif atom.kind == potentials.POSE and full:
            stages.append((BOTH, k, 0, path))
        elif atom.kind == potentials.POSE and by_last_link and (own := _own_ball(problem, k)):
            stages.append((JOINT, k, 1, [d for d in path if d not in own]))
            stages.append((ROTATION, k, 1, own))
        else:
            stages.append((POINT, k, 0, path))
    return [stage for stage in stages if stage[3]]


def _effector_segment(problem: Problem, k: int) -> int:
    figure = problem.figure
    return figure.segment_index(figure.effector(problem.table.atoms[k].effector).segment)


def _mobile_path(problem: Problem, k: int) -> list[int]:
    """The DOFs that move the effector of atom `k`, from the root on."""
    runs = runs_to(problem.figure, _effector_segment(problem, k))
    return [d for begin, end in runs for d in range(begin, end) if problem.mobility[d] > 0]


def _own_ball(problem: Problem, k: int) -> list[int]:
    """The DOFs of the effector's own joint if it can turn any way and cannot slide, else none."""
    figure, segment = problem.figure, _effector_segment(problem, k)
    dofs = figure.segments[segment].joint.dofs
    end = runs_to(figure, segment)[-1][1] if dofs else 0
    own = list(range(end - len(dofs), end))
    turns = len(dofs) == 3 and all(dof.kind == "rotation" for dof in dofs)
    return own if turns and (problem.mobility[own] > 0).all() else []


def _scalars(_: Problem, parameters: Mapping[str, float]) -> dict[int, float]:
    from poise.kernels import half_jacobian as kernel

    return {
        kernel.ERROR: parameters["e"],
        kernel.MAX_OUTER: parameters["max_outer"],
        kernel.MAX_INNER: parameters["max_inner"],
        kernel.ROUNDS: parameters["rounds"],
    }


HALF_JACOBIAN = Method(
    name="half-jacobian",
    summary="Steps by the right inverse of a 3- or 6-row Jacobian, one chain after the other",
    source="Meredith & Maddock, Using a Half-Jacobian for Real-Time Inverse Kinematics",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    capabilities=Capabilities(
        LimitRule.AFTER_STEP,
        JOINTS | {Feature.POSITION, Feature.ORIENTATION, Feature.POSE6D, Feature.DYNAMIC_LIMITS},
    ),
    parameters={
        "mode": choice(
            *("half", "full", "hybrid"),
            meaning="rows of a Pose6D: its position, position and orientation, or these for the"
            " first goal and that for the others",
        ),
        "last_link": choice(
            *("turned", "free"),
            meaning="a Pose6D by its position: its last joint, where it is a ball, is placed and"
            " then turned (the penultimate-link trick), or its orientation is left as it comes",
        ),
        "e": Parameter(
            0.01, "largest ‖(I - JJ⁺)dX‖ of a step [m, rad]; the paper gives none", least=1e-12
        ),
        "max_outer": Parameter(200, "cap on the iterations of a chain", least=1, most=1e9),
        "max_inner": Parameter(20, "cap on the halvings of dX in one iteration", most=1000),
        "rounds": Parameter(1, "how often all chains are solved; once in the paper", least=1),
    },
)
