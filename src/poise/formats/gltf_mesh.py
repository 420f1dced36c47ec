"""A simple body for a figure that brings no mesh: a thin octahedron along every bone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure

Array = NDArray[np.float64]
WAIST = 0.2
"""Where a bone is thickest, as a share of its length."""
THICKNESS = 0.1
SMALLEST = 1e-6
BALL = 0.02
"""Size of a segment without any length [m]."""


@dataclass(frozen=True)
class Mesh:
    """Triangles that each move with one segment."""

    points: Array  # (points, 3) in the world, in the pose that they were made for [m]
    normals: Array  # (points, 3)
    segments: NDArray[np.int64]  # (points,)


def bone_mesh(figure: Figure, rotations: Array, origins: Array) -> Mesh:
    """The bones of a figure whose segments are at rotations (segments, 3, 3) and origins."""
    bones = []
    for s in range(len(figure.segments)):
        ends = [origins[c] for c, parent in enumerate(figure.parents) if parent == s]
        for site in figure.sites:
            if site.segment == figure.segment_names[s]:
                ends.append(origins[s] + rotations[s] @ np.asarray(site.offset))
        long = [end for end in ends if np.linalg.norm(end - origins[s]) > SMALLEST]
        for end in long or [origins[s] + rotations[s] @ np.array([0.0, BALL, 0.0])]:
            bones.append((s, _octahedron(origins[s], end)))
    points = np.concatenate([triangles.reshape(-1, 3) for _, triangles in bones])
    corners = points.reshape(-1, 3, 3)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    owners = np.repeat([s for s, _ in bones], 24)
    return Mesh(points, np.repeat(normals, 3, axis=0), owners)


def _octahedron(start: Array, end: Array) -> Array:
    """(8, 3, 3) triangles, seen from outside anticlockwise."""
    along = end - start
    length = float(np.linalg.norm(along))
    helper = np.eye(3)[int(np.argmin(np.abs(along)))]
    side = np.cross(along, helper)
    side /= np.linalg.norm(side)
    other = np.cross(along / length, side)
    waist = start + WAIST * along
    radius = THICKNESS * length
    ring = [waist + radius * v for v in (side, other, -side, -other)]
    triangles = []
    for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
        triangles += [[end, a, b], [start, b, a]]
    return np.array(triangles)
