"""The ground of a walk as triangles, for the page to draw."""

from __future__ import annotations

import itertools
import struct

import numpy as np
from numpy.typing import NDArray

from poise.kernels.terrain import KIND, PROFILE
from poise.walk.terrain import Terrain

Array = NDArray[np.float64]

HALF = 22.0
"""Half the side of the square that is drawn [m]."""
SPACING = 0.4
"""Of points where the ground is curved [m]."""
SQUARE = 4.0
"""Meshes are made about multiples of this, so that the squares on them stay in place [m]."""


def ground_mesh(terrain: Terrain, axes: Array, x: float, z: float) -> bytes:
    """u32 points, u32 triangles, then f32 x y z of the points and u32[3] of the triangles.

    About (x, z) under canonical axes; the points are in the figure's world. Where the ground is
    made of planes they share no points, so that its edges are sharp.
    """
    middle = SQUARE * np.round(np.array([x, z]) / SQUARE)
    if terrain.shape[KIND] == PROFILE:
        points, triangles = _planes(terrain, *middle)
    else:
        points, triangles = _grid(terrain, *middle)
    placed = np.asarray(points @ axes.T, "<f4")
    head = struct.pack("<II", len(placed), len(triangles))
    return head + placed.tobytes() + np.asarray(triangles, "<u4").tobytes()


def _planes(terrain: Terrain, x: float, z: float) -> tuple[Array, NDArray[np.int64]]:
    """A strip across between every two knots."""
    knots = terrain.values.reshape(-1, 2)
    inner = knots[(knots[:, 0] > z - HALF) & (knots[:, 0] < z + HALF)]
    ends = [(end, terrain.at(x, end)[0]) for end in (z - HALF, z + HALF)]
    line = np.array([ends[0], *inner, ends[1]])
    points, triangles = [], []
    for (z0, y0), (z1, y1) in itertools.pairwise(line):
        at = len(points)
        points += [(x + a, y, b) for b, y in ((z0, y0), (z1, y1)) for a in (-HALF, HALF)]
        triangles += [(at, at + 2, at + 1), (at + 1, at + 2, at + 3)]
    return np.array(points), np.array(triangles)


def _grid(terrain: Terrain, x: float, z: float) -> tuple[Array, NDArray[np.int64]]:
    """Points on a square grid; two triangles where the ground is flat everywhere."""
    count = 2 if not terrain.values.any() else round(2 * HALF / SPACING) + 1
    along = np.linspace(-HALF, HALF, count)
    across, ahead = np.meshgrid(x + along, z + along)
    heights = terrain.height(across, ahead)
    points = np.stack([across, heights, ahead], axis=-1).reshape(-1, 3)
    corner = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    right, above = corner + 1, corner + count
    first = np.stack([corner, above, right], axis=-1)
    second = np.stack([right, above, above + 1], axis=-1)
    return points, np.concatenate([first, second])
