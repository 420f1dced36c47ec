"""`ccd`: cyclic coordinate descent. The loop is in kernels/ccd.py."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.kernels import layout, potentials
from poise.problem import Problem
from poise.solve.capabilities import JOINTS, Capabilities, Feature, LimitRule
from poise.solve.method import Advance, Method, Parameter

_POINT = -1
_PULLS = {
    potentials.POSITION: (_POINT,),
    potentials.ORIENTATION: (0, 1),
    potentials.POSE: (_POINT, 0, 1, 2),
}
"""What of an effector each kind of goal pulls: its point, or its axes."""


def _load() -> Advance:
    from poise.kernels.ccd import advance_ccd

    return advance_ccd


def ease(problem: Problem, relaxation: float) -> np.ndarray:
    """(dofs,) the share of its best step that each DOF takes: less for stiffer ones."""
    share = relaxation * (1.0 - problem.figure.rigidity) ** 2
    return np.where(problem.mobility > 0, share, 0.0)


def _sections(problem: Problem, parameters: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    from poise.kernels.turns import PULL_SIZE

    pulls = [(k, axis) for k, atom in enumerate(problem.table.atoms) for axis in _PULLS[atom.kind]]
    share = ease(problem, parameters["relaxation"])
    return {
        layout.INDICES: _visits(problem, pulls, share > 0),
        layout.VECTORS: np.concatenate([share, np.zeros(PULL_SIZE * len(pulls))]),
    }


def _visits(problem: Problem, pulls: list[tuple[int, int]], moves: np.ndarray) -> np.ndarray:
    """The lists that the kernel goes through, motions from the effectors to the root."""
    figure = problem.figure
    carried: list[list[int]] = [[] for _ in figure.segments]
    for i, (k, _) in enumerate(pulls):
        at = figure.segment_index(figure.effector(problem.table.atoms[k].effector).segment)
        while at >= 0:
            carried[at].append(i)
            at = figure.parents[at]
    visits: list[tuple[int, int, int]] = []
    listed: list[int] = []
    motion = sum(len(segment.joint.motions) for segment in figure.segments)
    dof = len(figure.dofs)
    for s in range(len(figure.segments) - 1, -1, -1):
        begin = len(listed)
        listed += carried[s]
        for one in reversed(figure.segments[s].joint.motions):
            motion, dof = motion - 1, dof - len(one.dofs)
            if carried[s] and moves[dof : dof + len(one.dofs)].any():
                visits.append((motion, begin, len(listed)))
    parts = ([len(pulls), len(visits)], *pulls, *visits, listed)
    return np.concatenate([np.asarray(part, np.int64) for part in parts])


def _scalars(_: Problem, __: Mapping[str, float]) -> dict[int, float]:
    return {}


CCD = Method(
    name="ccd",
    summary="Cyclic coordinate descent: one DOF after the other goes to its own optimum",
    source="Wang & Chen 1991; Welman 1993; named in all three papers",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    capabilities=Capabilities(
        LimitRule.INSIDE,
        JOINTS | {Feature.POSITION, Feature.ORIENTATION, Feature.POSE6D, Feature.WEIGHTS},
        monotone=True,
        one_by_one=True,
    ),
    parameters={
        "relaxation": Parameter(
            1.0, "the share of its best step that a DOF takes", least=1e-3, most=1.0
        ),
    },
)
