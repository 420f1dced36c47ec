"""A figure as a body: limbs made of spheres, for the eye only.

The built-in people have shapes of their own (shapes.py). The limbs of any other figure run from
a segment's joint to its children, or to the sites at its end; their thickness follows from the
segment's mass where it has one, else from its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.figure.builtin import built_in
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.view.shapes import SHAPED, shape_of, trunk_of

Array = NDArray[np.float64]

DENSITY = 1000.0
"""Of living tissue, about [kg/m³]."""
THICKNESS = 0.12
"""Radius over length of a limb without a mass."""


@dataclass(frozen=True)
class Limb:
    """A round cone in the frame of its segment [m]."""

    segment: int
    start: Array
    end: Array
    start_radius: float
    end_radius: float


@dataclass(frozen=True)
class Spheres:
    """A body in the world, as many spheres."""

    centers: Array  # (spheres, 3) [m]
    radii: Array  # (spheres,) [m]
    segments: NDArray[np.int64]  # (spheres,) index of the segment of each
    axes: Array  # (spheres, 3) direction of the limb; zero at its two ends


def limbs(figure: Figure) -> list[Limb]:
    """The limbs of a figure: shaped by hand for the built-in people, by rule for all others."""
    ends = _ends(figure)
    lengths = [float(np.linalg.norm(end)) for own in ends for end, _ in own]
    typical = float(np.median(lengths)) if lengths else 1.0
    radius = [_radius(figure, i, [e for e, _ in own], typical) for i, own in enumerate(ends)]
    scale = _times_as_large(figure)
    found = []
    for i, own in enumerate(ends):
        cones = shape_of(figure.name, figure.segments[i].name)
        found += [
            Limb(i, scale * np.array(a), scale * np.array(b), scale * r, scale * q)
            for a, r, b, q in cones
        ]
        if cones:
            continue
        for end, child in own or [(np.zeros(3), i)]:
            # Half way to the child's thickness at its joint, and as much thicker at our own.
            taper = np.clip(0.5 * (radius[child] - radius[i]), -0.3 * radius[i], 0.3 * radius[i])
            found.append(Limb(i, np.zeros(3), end, radius[i] - taper, radius[i] + taper))
    return found


def spheres(pose: Pose) -> Spheres:
    """The body of a figure in a pose."""
    rotations, origins = pose.frames
    placed = [
        replace(
            limb,
            start=origins[limb.segment] + rotations[limb.segment] @ limb.start,
            end=origins[limb.segment] + rotations[limb.segment] @ limb.end,
        )
        for limb in limbs(pose.figure)
    ]
    parts = [_filled(limb) for limb in placed + _skin(pose.figure, placed)]
    return Spheres(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def rod(start: ArrayLike, end: ArrayLike, radius: float, index: int) -> Spheres:
    """A round stick between two points of the world [m]; `index` in place of a segment's."""
    ends = np.array(start, float), np.array(end, float)
    return Spheres(*_filled(Limb(index, *ends, radius, radius)))


def joined(bodies: Sequence[Spheres]) -> Spheres:
    """Several bodies as one."""
    names = ("centers", "radii", "segments", "axes")
    return Spheres(*(np.concatenate([getattr(b, name) for b in bodies]) for name in names))


def _filled(limb: Limb) -> tuple[Array, Array, NDArray[np.int64], Array]:
    """Spheres along a limb in the world: centers, radii, segments, axes."""
    span = limb.end - limb.start
    length = float(np.linalg.norm(span))
    count = 2 + int(min(8.0 * length / min(limb.start_radius, limb.end_radius), 400.0))
    share = np.linspace(0.0, 1.0, count)[:, None]
    axes = np.tile(span / max(length, 1e-9), (count, 1))
    axes[[0, -1]] = 0.0
    radii = limb.start_radius + share[:, 0] * (limb.end_radius - limb.start_radius)
    return limb.start + share * span, radii, np.full(count, limb.segment), axes


def _skin(figure: Figure, placed: list[Limb], spacing: float = 0.006) -> list[Limb]:
    """Limbs between those of the trunk, so that it looks like one body."""
    first = {limb.segment: limb for limb in reversed(placed)}
    chain = [first[figure.segment_index(name)] for name in trunk_of(figure.name)]
    found = []
    for low, high in pairwise(chain):
        layers = 1 + int(np.linalg.norm(high.start - low.start) / spacing)
        for share in np.arange(1, layers) / layers:
            found.append(
                Limb(
                    high.segment,
                    (1.0 - share) * low.start + share * high.start,
                    (1.0 - share) * low.end + share * high.end,
                    (1.0 - share) * low.start_radius + share * high.start_radius,
                    (1.0 - share) * low.end_radius + share * high.end_radius,
                )
            )
    return found


def _ends(figure: Figure) -> list[list[tuple[Array, int]]]:
    """The far ends of every segment, in its own frame, and the segment that begins there.

    They are the joints of its children or, where it has none, its sites.
    """
    ends: list[list[tuple[Array, int]]] = [[] for _ in figure.segments]
    for i, (segment, parent) in enumerate(zip(figure.segments, figure.parents, strict=True)):
        if parent >= 0:
            ends[parent].append((np.asarray(segment.offset), i))
    for i, segment in enumerate(figure.segments):
        if not ends[i]:
            own = [site for site in figure.sites if site.segment == segment.name]
            ends[i] = [(np.asarray(site.offset), i) for site in own]
    return [[(e, i) for e, i in own if np.linalg.norm(e) > 1e-6] for own in ends]


def _times_as_large(figure: Figure) -> float:
    """How much larger than the built-in figure of its name this one is."""
    if figure.name not in SHAPED:
        return 1.0
    sizes = [
        sum(float(np.linalg.norm(segment.offset)) for segment in body.segments)
        for body in (figure, built_in(figure.name))
    ]
    return sizes[0] / sizes[1] if min(sizes) > 0.0 else 1.0


def _radius(figure: Figure, i: int, ends: list[Array], typical: float) -> float:
    """The radius that gives a segment's limbs together its mass; a share of their length if none.

    `typical` is the length of a limb of this figure [m].
    """
    length = sum(float(np.linalg.norm(e)) for e in ends)
    volume = figure.segments[i].mass / DENSITY
    if volume == 0.0:
        mean = length / max(len(ends), 1)
        return THICKNESS * float(np.clip(mean, 0.3 * typical, typical))
    if length == 0.0:
        return float((0.75 / np.pi * volume) ** (1.0 / 3.0))
    return float(min((volume / (np.pi * length)) ** 0.5, typical))
