"""How far apart two effectors can ever be: a proof that some goals are out of reach.

Segments are rigid, so two effectors are never farther apart than the sum of the lengths between
the joints on the way from one to the other. Goals farther apart than that need no restarts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.once import once_a_figure
from poise.figure.segment import Segment
from poise.goals.goal import CENTER_OF_MASS, Atom
from poise.kernels import potentials
from poise.problem.paths import common_ancestors

Array = NDArray[np.float64]


class Way(NamedTuple):
    """From the root down to an effector. Entries of segments that are not on it mean nothing."""

    segment: int
    points: Array
    """(segments, 3) where the next joint (or the effector) is in each segment's frame [m]."""
    beyond: Array
    """(segments,) the sum of the lengths after each segment, up to the effector [m]."""
    length: float
    """The whole sum, from the root's origin [m]."""


def way_to(figure: Figure, atom: Atom, segment: int, point: Array) -> Way | None:
    """The way to `point` of a segment; None for goals that do not bring a point to a point."""
    at_point = atom.kind in (potentials.POSITION, potentials.POSE)
    if not at_point or atom.effector == CENTER_OF_MASS or atom.alternatives is not None:
        return None
    after, joints, travels = _links(figure)
    points, beyond = np.zeros((len(travels), 3)), np.zeros(len(travels))
    length, at, there = 0.0, segment, point + after[segment]
    while at >= 0:
        points[at], beyond[at] = there, length
        length += math.hypot(*there) + travels[at]
        there, at = joints[at], figure.parents[at]
    return Way(segment, points, beyond, length)


@once_a_figure
def _links(figure: Figure) -> tuple[list[Array], list[Array], list[float]]:
    """Of each segment: `after_offset`; its joint in the parent's frame; how far that can shift."""
    after = [np.asarray(segment.after_offset) for segment in figure.segments]
    joints = [
        np.asarray(segment.offset) + (after[parent] if parent >= 0 else 0.0)
        for segment, parent in zip(figure.segments, figure.parents, strict=True)
    ]
    return after, joints, [_travel(segment) for segment in figure.segments]


def _travel(segment: Segment) -> float:
    ranges = [
        max(abs(dof.lower), abs(dof.upper))
        for dof in segment.joint.dofs
        if dof.kind == "translation"
    ]
    return float(np.sum(ranges))


def spans(figure: Figure, ways: Sequence[Way | None]) -> Array:
    """(atoms, atoms) the greatest distance [m] of two goals' points; infinite where unbounded.

    The diagonal holds the greatest distance of each from the root's origin at zero.
    """
    result = np.full((len(ways), len(ways)), np.inf)
    known = [k for k, way in enumerate(ways) if way is not None]
    if not known:
        return result
    found = [way for way in ways if way is not None]
    rows = np.arange(len(found))
    parting = common_ancestors(figure, [way.segment for way in found])
    points = np.array([way.points for way in found])[rows[:, None], parting]
    beyond = np.array([way.beyond for way in found])[rows[:, None], parting]
    # Both points are fixed in the last shared segment, whose own joint does not part them.
    apart = np.sqrt(((points - points.swapaxes(0, 1)) ** 2).sum(2)) + beyond + beyond.T
    apart[rows, rows] = [way.length for way in found]
    result[np.ix_(known, known)] = apart
    return result
