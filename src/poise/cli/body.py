"""A figure as a body: tapered limbs made of spheres, for the eye only.

Limbs run from a segment's joint to its children and to the sites at its end. Their thickness
follows from the segment's mass where it has one, else from its length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.pose import Pose

Array = NDArray[np.float64]

DENSITY = 1000.0
"""Of living tissue, about [kg/m³]."""
THICKNESS = 0.12
"""Radius over length of a limb without a mass."""


@dataclass(frozen=True)
class Limb:
    """A tapered capsule in the frame of its segment [m]."""

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
    """The limbs of a figure; a segment without an end of its own is a ball."""
    ends = _ends(figure)
    size = max((float(np.linalg.norm(e)) for own in ends for e, _ in own), default=1.0)
    radius = [_radius(figure, i, [e for e, _ in own], size) for i, own in enumerate(ends)]
    found = []
    for i, own in enumerate(ends):
        for end, child in own or [(np.zeros(3), i)]:
            # Half way to the child's thickness at its joint, and as much thicker at our own.
            taper = np.clip(0.5 * (radius[child] - radius[i]), -0.3 * radius[i], 0.3 * radius[i])
            start = np.zeros(3)
            found.append(Limb(i, start, end, radius[i] - taper, radius[i] + taper))
    return found


def spheres(pose: Pose) -> Spheres:
    """The body of a figure in a pose."""
    rotations, origins = pose.frames
    parts = []
    for limb in limbs(pose.figure):
        span = rotations[limb.segment] @ (limb.end - limb.start)
        length = float(np.linalg.norm(span))
        count = 2 + int(min(8.0 * length / min(limb.start_radius, limb.end_radius), 400.0))
        share = np.linspace(0.0, 1.0, count)[:, None]
        start = origins[limb.segment] + rotations[limb.segment] @ limb.start
        axes = np.tile(span / max(length, 1e-9), (count, 1))
        axes[[0, -1]] = 0.0
        radii = limb.start_radius + share[:, 0] * (limb.end_radius - limb.start_radius)
        parts.append((start + share * span, radii, np.full(count, limb.segment), axes))
    return Spheres(*(np.concatenate(column) for column in zip(*parts, strict=True)))


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


def _radius(figure: Figure, i: int, ends: list[Array], size: float) -> float:
    """The radius of a segment's limbs together that gives them its mass."""
    length = sum(float(np.linalg.norm(e)) for e in ends)
    volume = figure.segments[i].mass / DENSITY
    if volume == 0.0:
        return THICKNESS * max(length / max(len(ends), 1), 0.3 * size)
    if length == 0.0:
        return float((0.75 / np.pi * volume) ** (1.0 / 3.0))
    return float(min((volume / (np.pi * length)) ** 0.5, 0.5 * size))
