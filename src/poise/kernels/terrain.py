"""The height of the ground anywhere, from flat tables.

The ground lies under canonical axes: x to the left, y up, z forward. `shape` has the kind and what
it counts, `values` the numbers of that kind:

WAVES    (terms, 4) a, kx, kz, phase: the sum of a sin(kx x + kz z + phase); no terms: flat
PROFILE  (knots, 2) z, height: lines between knots, constant beyond them; a jump is two knots at
         one z, and the higher one is the ground at the very edge
GRID     x0, z0, spacing, then (rows, columns) heights: rows along z, linear in between, constant
         beyond the rim
MESH     x0, z0, cell, floor, then (triangles, 9) x, z and height of a corner, the slopes along x
         and z, and two shares of the other corners as rows along x and z; `shape` goes on with
         where the triangles of each cell of a grid begin, and with those. The highest triangle is
         the ground, the floor where there is none
"""

import math

from poise.kernels.compiled import entry, kernel

WAVES, PROFILE, GRID, MESH = range(4)
KIND, ROWS, COLUMNS, SHAPE_COUNT = range(4)
GRID_HEAD = 3
MESH_HEAD, TRIANGLE = 4, 9
RIM = 1e-9  # of a triangle that still belongs to it: neighbours leave no gap


@kernel
def _waves(values, count, x, z):
    height, along_x, along_z = 0.0, 0.0, 0.0
    for i in range(count):
        a, kx, kz = values[4 * i], values[4 * i + 1], values[4 * i + 2]
        phase = kx * x + kz * z + values[4 * i + 3]
        height += a * math.sin(phase)
        slope = a * math.cos(phase)
        along_x += kx * slope
        along_z += kz * slope
    return height, along_x, along_z


@kernel
def _profile(values, count, z):
    """By bisection: the last knot at or before z."""
    if z < values[0]:
        return values[1], 0.0, 0.0
    low, high = 0, count - 1
    if z >= values[2 * high]:
        edge = values[2 * high + 1]
        if high > 0 and z == values[2 * high] and values[2 * high - 2] == z:
            edge = max(edge, values[2 * high - 1])
        return edge, 0.0, 0.0
    while high - low > 1:
        middle = (low + high) // 2
        if values[2 * middle] <= z:
            low = middle
        else:
            high = middle
    z0, h0 = values[2 * low], values[2 * low + 1]
    z1, h1 = values[2 * low + 2], values[2 * low + 3]
    slope = (h1 - h0) / (z1 - z0) if z1 > z0 else 0.0
    height = h0 + slope * (z - z0)
    if z == z0 and low > 0 and values[2 * low - 2] == z0:
        height = max(height, values[2 * low - 1])
    return height, 0.0, slope


@kernel
def _grid(values, rows, columns, x, z):
    spacing = values[2]
    across = min(max((x - values[0]) / spacing, 0.0), columns - 1.0)
    along = min(max((z - values[1]) / spacing, 0.0), rows - 1.0)
    j, i = min(int(across), columns - 2), min(int(along), rows - 2)
    u, v = across - j, along - i
    at = GRID_HEAD + i * columns + j
    h00, h01 = values[at], values[at + 1]
    h10, h11 = values[at + columns], values[at + columns + 1]
    near, far = h00 + u * (h01 - h00), h10 + u * (h11 - h10)
    along_x = ((1.0 - v) * (h01 - h00) + v * (h11 - h10)) / spacing
    return near + v * (far - near), along_x, (far - near) / spacing


@kernel
def _mesh(values, shape, x, z):
    """The highest triangle over or under a point."""
    height, along_x, along_z = values[3], 0.0, 0.0
    rows, columns = shape[ROWS], shape[COLUMNS]
    across, along = (x - values[0]) / values[2], (z - values[1]) / values[2]
    if across < 0.0 or along < 0.0 or across >= columns or along >= rows:
        return height, along_x, along_z
    cell = SHAPE_COUNT + int(along) * columns + int(across)
    for k in range(shape[cell], shape[cell + 1]):
        at = MESH_HEAD + TRIANGLE * shape[k]
        dx, dz = x - values[at], z - values[at + 1]
        u = values[at + 5] * dx + values[at + 6] * dz
        v = values[at + 7] * dx + values[at + 8] * dz
        if u >= -RIM and v >= -RIM and u + v <= 1.0 + RIM:
            there = values[at + 2] + values[at + 3] * dx + values[at + 4] * dz
            if there > height:
                height, along_x, along_z = there, values[at + 3], values[at + 4]
    return height, along_x, along_z


@kernel
def surface(values, shape, x, z):
    """(height, its slope along x, its slope along z) of the ground at a point."""
    if shape[KIND] == WAVES:
        return _waves(values, shape[ROWS], x, z)
    if shape[KIND] == PROFILE:
        return _profile(values, shape[ROWS], z)
    if shape[KIND] == MESH:
        return _mesh(values, shape, x, z)
    return _grid(values, shape[ROWS], shape[COLUMNS], x, z)


@kernel
def height_at(values, shape, x, z):
    return surface(values, shape, x, z)[0]


@entry
def surfaces(values, shape, points, found):
    """found (points, 3) <- height and slopes at points (points, 2) x, z."""
    for i in range(points.shape[0]):
        found[i, 0], found[i, 1], found[i, 2] = surface(values, shape, points[i, 0], points[i, 1])
