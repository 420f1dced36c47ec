"""Calibration: where markers sit on a body, and how large it is, from a few of their frames.

The pose is solved with rough places of the markers, then each marker is put where it is seen in
the frame of its segment, in the mean over the frames; and so on until nothing moves. A subject who
stands still in a plain pose is enough; frames with motion also move places that were wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.errors import MotionError
from poise.figure.figure import Figure
from poise.figure.scaling import scaled
from poise.motion.marker_exchange import Pairs, exchange_doubt, exchanged_pairs
from poise.motion.marker_map import MarkerMap
from poise.motion.marker_poses import placed, posed, replaced
from poise.motion.marker_size import SURE, size_by_motion
from poise.motion.markers import Markers
from poise.motion.root import Ground, moved_root
from poise.motion.rotations import euler_matrices

Array = NDArray[np.float64]

SIZE_ROUNDS, FIRST_ROUNDS, ROUNDS = 25, 10, 20
MOST_FRAMES = 16
STILL = 1e-5
"""Offsets that change less than this [m] have settled."""
SAME_SIZE = 1e-4
SIZES = (0.3, 3.0)
"""A subject smaller or larger than this, against the figure, is a mistake."""
FEWEST = 4
"""A frame with fewer markers is of no use, nor are fewer with a known offset for the size."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """What was found."""

    figure: Figure
    """The figure in the size of the subject."""
    mapping: MarkerMap
    """Every marker where it sits, and how much larger the subject is."""
    errors: Mapping[str, float]
    """By marker, the root mean square of what is left in those frames [m]."""
    exchanged: Pairs = ()
    """Left and right markers whose names look exchanged; they were taken as they are."""


def calibrate(
    markers: Markers,
    figure: Figure,
    mapping: MarkerMap | None = None,
    *,
    scale: bool = True,
) -> Calibration:
    """Fit the places of markers, and with `scale` the size of the figure, to some frames.

    markers: of a static trial, or a part of one with motion; evenly spread frames are used.
    mapping: which marker is on which segment, and roughly where; by their names if not given.
    """
    given = mapping or MarkerMap.guessed(markers.names, figure)
    known = _seen_ones(given.checked(figure, markers.names), markers)
    points = _frames(markers, list(known.effectors))
    found = _fitted(figure, known, points, scale)
    pairs = exchanged_pairs(
        known, found.errors, lambda other: _fitted(figure, other, points, scale).errors
    )
    if not pairs:
        return found
    doubts = (*found.mapping.doubts, exchange_doubt(known, pairs))
    return replace(found, mapping=replace(found.mapping, doubts=doubts), exchanged=pairs)


def start_pose(figure: Figure, mapping: MarkerMap, markers: Markers) -> Array:
    """(dofs,) the rest pose turned and moved to where markers are first seen, for `track`."""
    points = markers.points[:, [markers.index(name) for name in mapping.effectors]]
    seen = (~np.isnan(points).any(2)).sum(1)
    if not seen.any():
        raise MotionError("no marker that the map knows is seen in any frame")
    return _aligned(figure, mapping, points[int(np.argmax(seen >= 0.7 * seen.max()))])


def _fitted(figure: Figure, mapping: MarkerMap, points: Array, scale: bool) -> Calibration:
    """The map and the figure that fit to the points (frames, markers, 3)."""
    body = scaled(figure, mapping.scale)
    start = _aligned(body, mapping, points[0])
    rough = sum(mapping.places[name].sure for name in mapping.effectors) >= FEWEST
    if scale and rough:
        body, mapping, start = _sized(body, mapping, points, start)
    elif scale:
        mapping, start = _settled(body, mapping, points, start, FIRST_ROUNDS, rough)
        body, mapping = _sized_by_motion(body, mapping, points, start)
    mapping, start = _settled(body, mapping, points, start, ROUNDS, rough)
    places = {name: replace(place, sure=True) for name, place in mapping.places.items()}
    mapping = replace(mapping, places=places, figure=figure.name)
    left = _misses(body, mapping, posed(body, mapping, points, start), points)
    return Calibration(body, mapping, left)


def _sized(
    figure: Figure, mapping: MarkerMap, points: Array, start: Array
) -> tuple[Figure, MarkerMap, Array]:
    """The figure in the size of the markers, which are where the map has them."""
    for _ in range(SIZE_ROUNDS):
        start = posed(figure, mapping, points, start, rough=True)
        ratio = _ratio(figure, mapping, start, points)
        if not SIZES[0] < mapping.scale * ratio < SIZES[1]:
            raise MotionError(
                f"the markers make the subject {mapping.scale * ratio:.2g} times as large as"
                f" {figure.name}; is their unit right, and each on its segment?"
            )
        figure, start = scaled(figure, ratio), _resized(figure, start[0], ratio)
        offsets = {n: ratio * np.asarray(o) for n, (_, o) in mapping.effectors.items()}
        mapping = replace(replaced(mapping, offsets), scale=ratio * mapping.scale)
        if abs(ratio - 1.0) < SAME_SIZE:
            break
    return figure, mapping, start


def _sized_by_motion(
    figure: Figure, mapping: MarkerMap, points: Array, start: Array
) -> tuple[Figure, MarkerMap]:
    """The same where the map does not know, if motion tells the size clearly."""
    found = size_by_motion(figure, mapping, points, start)
    size, doubt = found.mapping.scale, 100.0 * SURE * found.error
    told = (
        f"too few offsets of markers are known for the size: by how they move it is {size:.3f} of"
        f" {mapping.figure or figure.name}'s, give or take {doubt:.0f} %"
    )
    if found.is_sure:
        return scaled(figure, found.ratio), replace(found.mapping, doubts=(*mapping.doubts, told))
    told += (
        f", which may as well be {mapping.scale:.3f}: that is kept. More motion, or offsets of"
        f" {FEWEST} markers in the map, tell it better; a size that is known goes into the map as"
        ' "scale", with --no-scale'
    )
    return figure, replace(mapping, doubts=(*mapping.doubts, told))


def _settled(
    figure: Figure, mapping: MarkerMap, points: Array, start: Array, rounds: int, rough: bool
) -> tuple[MarkerMap, Array]:
    """Every marker where it is seen, in a few rounds, and the first pose."""
    for _ in range(rounds):
        angles = posed(figure, mapping, points, start, rough=rough)
        found = _seen(figure, mapping, angles, points)
        changes = [found[n] - np.asarray(o) for n, (_, o) in mapping.effectors.items()]
        mapping, start = replaced(mapping, found), angles[0]
        if np.abs(changes).max() < STILL:
            break
    return mapping, start


def _seen_ones(mapping: MarkerMap, markers: Markers) -> MarkerMap:
    """The map without markers that are missing in every frame."""
    unseen = np.all(np.isnan(markers.points).any(2), axis=0)
    lost = [n for n in mapping.effectors if unseen[markers.index(n)]]
    if not lost or len(lost) == len(mapping.effectors):
        return mapping
    told = f"missing in all frames of the calibration and left out: {', '.join(lost)}"
    places = {n: place for n, place in mapping.places.items() if n not in lost}
    return replace(mapping, places=places, doubts=(*mapping.doubts, told))


def _frames(markers: Markers, names: list[str]) -> Array:
    """(frames, names, 3) some frames in which most markers are seen."""
    points = markers.points[:, [markers.index(name) for name in names]]
    seen = np.logical_not(np.any(np.isnan(points), axis=2))
    good = np.flatnonzero(seen.sum(1) >= max(FEWEST, 0.9 * seen.sum(1).max()))
    if not len(good):
        raise MotionError(f"no frame has {FEWEST} markers or more that the map knows")
    spread = good[np.unique(np.linspace(0, len(good) - 1, MOST_FRAMES).round().astype(int))]
    lacking = [n for n, there in zip(names, seen[spread].any(0), strict=True) if not there]
    more = [int(np.flatnonzero(seen[:, names.index(n)])[0]) for n in lacking]
    return points[np.unique([*spread, *more])]


def _aligned(figure: Figure, mapping: MarkerMap, points: Array) -> Array:
    """(dofs,) the rest pose turned about the up axis and moved to where the markers are."""
    rest = figure.rest()
    seen = ~np.isnan(points).any(1)
    model = np.array([rest.position(on) + rest.rotation(on) @ np.asarray(o)
                      for on, o in mapping.effectors.values()])[seen]  # fmt: skip
    there = points[seen]
    up = "XYZ".index(figure.up)
    a, b = ((p - p.mean(0))[:, [(up + 1) % 3, (up + 2) % 3]] for p in (model, there))
    sine = float(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]))
    heading = float(np.arctan2(sine, float(np.sum(a * b))))
    turn = euler_matrices(figure.up, np.array([heading]))
    step = Ground(figure.up, heading, there.mean(0) - turn @ model.mean(0))
    return moved_root(figure, figure.rest_angles[None], [step])[0]


def _ratio(figure: Figure, mapping: MarkerMap, angles: Array, points: Array) -> float:
    """How much larger the markers are than the figure, in the same pose."""
    _, _, model = placed(figure, mapping, angles)
    model = np.where(np.isnan(points), np.nan, model)
    a = model - np.nanmean(model, axis=1, keepdims=True)
    b = points - np.nanmean(points, axis=1, keepdims=True)
    return float(np.nansum(a * b) / np.nansum(a * a))


def _resized(figure: Figure, angles: Array, ratio: float) -> Array:
    """A pose on the figure after it was scaled: what slides is longer too."""
    slides = np.array([dof.kind == "translation" for dof in figure.dofs])
    return np.where(slides, ratio * angles, angles)


def _seen(figure: Figure, mapping: MarkerMap, angles: Array, points: Array) -> dict[str, Array]:
    """By marker, where it is in the frame of what carries it, in the mean."""
    rotations, origins, _ = placed(figure, mapping, angles)
    local = np.einsum("fkji,fkj->fki", rotations, points - origins)
    return dict(zip(mapping.effectors, np.nanmean(local, axis=0), strict=True))


def _misses(figure: Figure, mapping: MarkerMap, angles: Array, points: Array) -> dict[str, float]:
    _, _, model = placed(figure, mapping, angles)
    squares = np.nanmean(np.sum((model - points) ** 2, axis=2), axis=0)
    return {n: float(v) for n, v in zip(mapping.effectors, np.sqrt(squares), strict=True)}
