"""The poses of a body that has markers, and where those are on it then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.goals import Posture
from poise.motion.following import Place
from poise.motion.marker_map import ROUGH, MarkerMap
from poise.motion.world import site_frames
from poise.solve import Solver

Array = NDArray[np.float64]

NEAR_REST = 1e-4
"""How much the rest pose counts [m²/rad²] where markers leave a choice."""


def posed(
    figure: Figure,
    mapping: MarkerMap,
    points: Array,
    start: Array,
    rough: bool = False,
    near_rest: float = NEAR_REST,
) -> Array:
    """(frames, dofs) the poses nearest to the markers."""
    solver = _solver(figure, mapping, rough, near_rest)
    return solver.solve_sequence(points, start=start).angles


def placed(figure: Figure, mapping: MarkerMap, angles: Array) -> tuple[Array, Array, Array]:
    """Rotations and origins of what carries each marker, and where that puts the marker."""
    carriers = [figure.effector(on) for on, _ in mapping.effectors.values()]
    rotations, origins = site_frames(figure, angles, carriers)
    offsets = np.array([np.asarray(o) for _, o in mapping.effectors.values()])
    return rotations, origins, origins + np.einsum("fkij,kj->fki", rotations, offsets)


def replaced(mapping: MarkerMap, offsets: Mapping[str, Array]) -> MarkerMap:
    """The map with other offsets of some markers."""
    places = {
        name: replace(place, offset=offsets[name]) if name in offsets else place
        for name, place in mapping.places.items()
    }
    return replace(mapping, places=places)


def _solver(figure: Figure, mapping: MarkerMap, rough: bool, near_rest: float) -> Solver:
    goals = []
    for name, (on, offset) in mapping.effectors.items():
        place = mapping.places[name]
        weight = place.weight * (ROUGH if rough and not place.sure else 1.0)
        goals.append(Place(on, np.asarray(offset)).goal(name).changed(weight=weight))
    loose = dict.fromkeys(figure.segments[0].dof_names, 0.0)
    near = Posture(figure.rest(), weight=near_rest, weights=loose)
    return Solver(figure, [*goals, near], restarts=0)
