"""Triangles as a ground: what the kernels read of a mesh, see MESH in `poise.kernels.terrain`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from poise.errors import OptionError
from poise.kernels.terrain import SHAPE_COUNT

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

LARGEST_GRID = 1 << 21
"""Cells of the grid in which triangles are found."""


def packed(corners: Array) -> tuple[Array, Integers, int, int]:
    """(values, cells, rows, columns) of triangles (n, 3 corners, x y z) that stand on a ground.

    Those that stand upright are no ground.
    """
    start, one, other = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = one[:, 0] * other[:, 2] - one[:, 2] * other[:, 0]
    lies = np.abs(area) > 1e-12
    if not lies.any():
        raise OptionError("a mesh without a triangle that lies is no ground; is `up` right?")
    corners, start, one, other = corners[lies], start[lies], one[lies], other[lies]
    inverse = (
        np.stack([other[:, 2], -other[:, 0], -one[:, 2], one[:, 0]], axis=1) / area[lies][:, None]
    )
    slopes = [one[:, 1] * inverse[:, k] + other[:, 1] * inverse[:, 2 + k] for k in range(2)]
    table = np.column_stack([start[:, 0], start[:, 2], start[:, 1], *slopes, inverse])
    low, high = corners[:, :, (0, 2)].min(axis=(0, 1)), corners[:, :, (0, 2)].max(axis=(0, 1))
    size = _cell(high - low, len(corners))
    columns, rows = (int(count) + 1 for count in (high - low) // size)
    cells = _cells(corners[:, :, (0, 2)], low, size, rows, columns)
    head = [low[0], low[1], size, float(corners[:, :, 1].min())]
    return np.concatenate([head, table.ravel()]), cells, rows, columns


def _cell(extent: Array, count: int) -> float:
    """The size of a cell [m]: about one for each triangle."""
    size = math.sqrt(max(float(extent.prod()), 1e-12) / min(count, LARGEST_GRID))
    return max(size, float(extent.max()) / 4096.0, 1e-6)


def _cells(flat: Array, low: Array, size: float, rows: int, columns: int) -> Integers:
    """Where the triangles of each cell begin, counted from the beginning of `shape`, then those."""
    limits = np.array([columns, rows]) - 1
    first = np.minimum((flat.min(axis=1) - low) // size, limits).astype(np.int64)
    last = np.minimum((flat.max(axis=1) - low) // size, limits).astype(np.int64)
    wide = last - first + 1
    counts = wide.prod(axis=1)
    triangles = np.repeat(np.arange(len(flat)), counts)
    nth = np.arange(len(triangles)) - np.repeat(np.cumsum(counts) - counts, counts)
    column = first[triangles, 0] + nth % wide[triangles, 0]
    row = first[triangles, 1] + nth // wide[triangles, 0]
    cell = row * columns + column
    order = np.argsort(cell, kind="stable")
    begins = np.searchsorted(cell[order], np.arange(rows * columns + 1))
    return np.concatenate([begins + SHAPE_COUNT + len(begins), triangles[order]])
