"""`fabrik`: Aristidou & Lasenby 2011. The loop is in kernels/fabrik.py."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.kernels import layout
from poise.problem import Problem
from poise.problem.paths import dof_offsets
from poise.solve.capabilities import Capabilities, Feature, LimitRule
from poise.solve.ccd import ease
from poise.solve.method import Advance, Method, Parameter

_NONE = -1


def _load() -> Advance:
    from poise.kernels.fabrik import advance_fabrik

    return advance_fabrik


def _sections(problem: Problem, parameters: Mapping[str, float]) -> dict[int, np.ndarray | int]:
    from poise.kernels.fabrik import NODE_FLOATS, PASSENGERS
    from poise.kernels.turns import PULL_SIZE

    share = ease(problem, parameters["relaxation"])
    joints, parents = _tree(problem, share > 0)
    carried = _carried(len(joints), parents)
    most = PASSENGERS + max([len(near) + len(far) for near, far in carried], default=0)
    floats = NODE_FLOATS * len(parents) + PULL_SIZE * most
    return {
        layout.INDICES: _lists(joints, parents, carried, most),
        layout.VECTORS: np.concatenate([share, np.zeros(floats)]),
    }


def _tree(problem: Problem, moves: np.ndarray) -> tuple[list[int], list[int]]:
    """The segments whose joints may move an effector, and the node above each node.

    Nodes are those joints, then the effectors of all atoms.
    """
    figure, first = problem.figure, dof_offsets(problem.figure)
    ends = [figure.segment_index(figure.effector(a.effector).segment) for a in problem.table.atoms]
    useful = {s for end in ends for s in _up(problem, end)}
    joints = [s for s in sorted(useful) if moves[first[s] : first[s + 1]].any()]
    node = {s: i for i, s in enumerate(joints)}

    def above(segments: list[int]) -> int:
        return next((node[s] for s in segments if s in node), _NONE)

    parents = [above(_up(problem, s)[1:]) for s in joints]
    return joints, parents + [above(_up(problem, end)) for end in ends]


def _up(problem: Problem, segment: int) -> list[int]:
    """A segment and all above it."""
    found = []
    while segment >= 0:
        found.append(segment)
        segment = problem.figure.parents[segment]
    return found


def _carried(joint_count: int, parents: list[int]) -> list[tuple[list[int], list[int]]]:
    """For each joint its own node and the next ones, and those after next."""
    children: list[list[int]] = [[] for _ in parents]
    for i, parent in enumerate(parents):
        if parent != _NONE:
            children[parent].append(i)
    return [
        ([i, *children[i]], [far for near in children[i] for far in children[near]])
        for i in range(joint_count)
    ]


def _lists(
    joints: list[int],
    parents: list[int],
    carried: list[tuple[list[int], list[int]]],
    most: int,
) -> np.ndarray:
    """The lists that the kernel goes through."""
    rows: list[list[int]] = []
    flat: list[int] = []
    for i, parent in enumerate(parents):
        if i >= len(joints):
            rows.append([i - len(joints), parent, 0, 0, 0])
            continue
        near, far = carried[i]
        begin = len(flat)
        flat += near + far
        rows.append([joints[i], parent, begin, begin + len(near), len(flat)])
    parts = ([len(joints), len(parents)], *rows, flat, range(most))
    return np.concatenate([np.asarray(part, np.int64) for part in parts])


def _scalars(_: Problem, parameters: Mapping[str, float]) -> dict[int, float]:
    from poise.kernels import fabrik as kernel

    return {kernel.TWIST: parameters["twist"]}


FABRIK = Method(
    name="fabrik",
    summary="Forward and backward reaching of joint positions, fitted to the joints each time",
    source="Aristidou & Lasenby, FABRIK: A fast, iterative solver for the IK problem, 2011",
    load=_load,
    sections=_sections,
    scalars=_scalars,
    capabilities=Capabilities(
        LimitRule.AFTER_STEP,
        frozenset({Feature.POSITION, Feature.WEIGHTS, Feature.SLIDES, Feature.CONES}),
        one_by_one=True,
    ),
    parameters={
        "twist": Parameter(
            1.0, "how much nodes after next count when a joint is moved; 0: the paper", most=1.0
        ),
        "relaxation": Parameter(
            1.0,
            "the share of its best step that a DOF takes when it is moved",
            least=1e-3,
            most=1.0,
        ),
    },
)
