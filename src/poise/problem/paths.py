"""Which DOFs lie between the root and a goal's effector, and where two such paths part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.once import once_a_figure

MOST_IN_A_TABLE = 600
"""Segments of a figure for which all pairs are looked at once and for all."""

Runs = list[tuple[int, int]]
"""DOF ranges [begin, end) in ascending order."""


@once_a_figure
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


@once_a_figure
def dof_offsets(figure: Figure) -> NDArray[np.int64]:
    """The first DOF of each segment, and the number of DOFs at the end."""
    return np.cumsum([0] + [len(segment.joint.dofs) for segment in figure.segments])


def common_ancestors(figure: Figure, segments: Sequence[int]) -> NDArray[np.int64]:
    """(k, k) of k segments the last segment that is on the ways from the root to both."""
    if len(figure.parents) <= MOST_IN_A_TABLE:
        return all_common_ancestors(figure)[np.ix_(segments, segments)]
    parents = figure.parents
    common = np.empty((len(segments),) * 2, np.int64)
    for i, one in enumerate(segments):
        for j, other in enumerate(segments[: i + 1]):
            common[i, j] = common[j, i] = _meeting(parents, one, other)
    return common


def _meeting(parents: Sequence[int], one: int, other: int) -> int:
    """Up from both; a parent comes before its children."""
    while one != other:
        if one > other:
            one = parents[one]
        else:
            other = parents[other]
    return one


@once_a_figure
def all_common_ancestors(figure: Figure) -> NDArray[np.int64]:
    """(segments, segments) the same of all segments."""
    common = np.zeros((len(figure.parents),) * 2, np.int64)
    for s, parent in enumerate(figure.parents):  # depth first: nothing before s hangs on s
        if s > 0:
            common[s, :s] = common[:s, s] = common[parent, :s]
        common[s, s] = s
    return common


def shared_columns(figure: Figure, segments: Sequence[int]) -> NDArray[np.int64]:
    """(k, k) an index below which all DOFs common to the paths of two segments lie."""
    return _last_columns(figure)[common_ancestors(figure, segments)]


@once_a_figure
def _last_columns(figure: Figure) -> NDArray[np.int64]:
    """Where the path to each segment ends."""
    ends = [
        max((end for _, end in runs_to(figure, s)), default=0) for s in range(len(figure.parents))
    ]
    return np.array(ends, np.int64)
