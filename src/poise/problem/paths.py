"""Which DOFs lie between the root and a goal's effector."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure

Runs = list[tuple[int, int]]
"""DOF ranges [begin, end) in ascending order."""


def runs_above(figure: Figure) -> list[Runs]:
    """For each segment the DOFs that move its parent."""
    first = dof_offsets(figure)
    above: list[Runs] = []
    for parent in figure.parents:
        above.append(
            [] if parent < 0 else _joined(above[parent], int(first[parent]), int(first[parent + 1]))
        )
    return above


def runs_to(figure: Figure, segment: int) -> Runs:
    """The DOFs that move `segment`: those of its own joint and of all above it."""
    first = dof_offsets(figure)
    return _joined(runs_above(figure)[segment], int(first[segment]), int(first[segment + 1]))


def _joined(runs: Runs, begin: int, end: int) -> Runs:
    if begin == end:
        return runs
    if runs and runs[-1][1] == begin:
        return [*runs[:-1], (runs[-1][0], end)]
    return [*runs, (begin, end)]


def dof_offsets(figure: Figure) -> NDArray[np.int64]:
    """The first DOF of each segment, and the number of DOFs at the end."""
    return np.cumsum([0] + [len(segment.joint.dofs) for segment in figure.segments])


def shared_columns(runs: list[Runs], dofs: int) -> NDArray[np.int64]:
    """For each pair of goals an index below which all DOFs common to their paths lie."""
    masks = np.zeros((len(runs), dofs), bool)
    for k, path in enumerate(runs):
        for begin, end in path:
            masks[k, begin:end] = True
    shared = np.zeros((len(runs), len(runs)), np.int64)
    for a in range(len(runs)):
        both = masks[a] & masks
        if dofs > 0:
            last = dofs - np.argmax(both[:, ::-1], axis=1)
            shared[a] = np.where(both.any(1), last, 0)
    return shared
