"""How far apart two effectors can ever be: a proof that some goals are out of reach.

Segments are rigid, so two effectors are never farther apart than the sum of the lengths between
the joints on the way from one to the other. Goals farther apart than that need no restarts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.segment import Segment
from poise.goals.goal import CENTER_OF_MASS, Atom
from poise.kernels import potentials


def goal_spans(figure: Figure, atoms: Sequence[Atom]) -> NDArray[np.float64]:
    """(atoms, atoms) the greatest distance [m] of two goals' points; infinite where unbounded.

    The diagonal holds the greatest distance of each from the root's origin at zero.
    """
    ways = [_way_down(figure, atom) if _is_point(atom) else None for atom in atoms]
    spans = np.full((len(atoms), len(atoms)), np.inf)
    for a, one in enumerate(ways):
        for b, other in enumerate(ways):
            if one is not None and other is not None:
                spans[a, b] = _from_root(one) if a == b else _span(one, other)
    return spans


Way = list[tuple[int, NDArray[np.float64], float]]
"""From the root down: a segment, the next joint (or the effector) in its frame, and how far its
own joint can shift it."""


def _is_point(atom: Atom) -> bool:
    """Whether the atom wants a point of the figure at a point of the world, whatever else holds."""
    at_point = atom.kind in (potentials.POSITION, potentials.POSE)
    return at_point and atom.effector != CENTER_OF_MASS and atom.alternatives is None


def _way_down(figure: Figure, atom: Atom) -> Way:
    site = figure.effector(atom.effector)
    at = figure.segment_index(site.segment)
    point = np.asarray(site.offset) + np.asarray(site.rotation) @ atom.offset
    way: Way = []
    while at >= 0:
        segment = figure.segments[at]
        way.append((at, point + np.asarray(segment.after_offset), _travel(segment)))
        point, at = np.asarray(segment.offset), figure.parents[at]
    return way[::-1]


def _travel(segment: Segment) -> float:
    ranges = [
        max(abs(dof.lower), abs(dof.upper))
        for dof in segment.joint.dofs
        if dof.kind == "translation"
    ]
    return float(np.sum(ranges))


def _span(one: Way, other: Way) -> float:
    shared = 0
    while shared < min(len(one), len(other)) and one[shared][0] == other[shared][0]:
        shared += 1
    # Both points are fixed in the last shared segment, whose own joint does not part them.
    apart = float(np.linalg.norm(one[shared - 1][1] - other[shared - 1][1]))
    return apart + _from_root(one[shared:]) + _from_root(other[shared:])


def _from_root(way: Way) -> float:
    return float(sum(np.linalg.norm(point) + travel for _, point, travel in way))
