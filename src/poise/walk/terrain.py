"""The ground that a walker walks on: a height and a normal anywhere.

Terrain lies under canonical axes, those of the built-in human: x to the left, y up, z forward.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import OptionError
from poise.figure.arrays import float_array
from poise.kernels.terrain import (
    COLUMNS,
    GRID,
    KIND,
    MESH,
    PROFILE,
    ROWS,
    SHAPE_COUNT,
    WAVES,
    surfaces,
)
from poise.walk.triangles import packed

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Terrain:
    """A ground. Make one with `flat`, `hills`, `stairs`, `ramp`, `profile`, `height_map` or
    `mesh`."""

    name: str
    values: Array
    """What the kernels read; see `poise.kernels.terrain`."""
    shape: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<Terrain {self.name}>"

    def height(self, x: ArrayLike, z: ArrayLike) -> Array:
        """The height [m] at points, of the shape of x and z together."""
        return self._found(x, z)[..., 0]

    def normal(self, x: ArrayLike, z: ArrayLike) -> Array:
        """(..., 3) the unit vector that stands on the ground at points."""
        found = self._found(x, z)
        normals = np.stack([-found[..., 1], np.ones(found.shape[:-1]), -found[..., 2]], axis=-1)
        return normals / np.linalg.norm(normals, axis=-1, keepdims=True)

    def at(self, x: float, z: float) -> tuple[float, float, float]:
        """(height, slope along x, slope along z) at one point."""
        found = self._found(x, z)
        return float(found[0]), float(found[1]), float(found[2])

    def _found(self, x: ArrayLike, z: ArrayLike) -> Array:
        across, along = np.broadcast_arrays(np.asarray(x, float), np.asarray(z, float))
        points = np.column_stack([across.ravel(), along.ravel()])
        if not np.isfinite(points).all():
            raise OptionError("a point of the ground is not finite; give x and z in metres")
        found = np.empty((len(points), 3))
        surfaces(self.values, self.shape, points, found)
        return found.reshape(*across.shape, 3)


def ground(terrain: Terrain | None) -> Terrain:
    """What someone walks on: flat if nothing is given."""
    if terrain is None:
        return flat()
    if not isinstance(terrain, Terrain):
        raise OptionError(
            f"terrain {terrain!r} is no ground; make one, such as poise.terrain.stairs(), or of"
            " heights of your own by poise.terrain.height_map()"
        )
    return terrain


def flat() -> Terrain:
    """Height 0 everywhere."""
    return _terrain("flat", WAVES, 0, 0, np.zeros(4))


def hills(seed: int = 0, *, height: float = 0.15, length: float = 4.0, count: int = 6) -> Terrain:
    """A sum of `count` waves in random directions.

    The tops are about `height` [m] above the mean, and the waves between 0.7 and 1.5 times
    `length` [m] long. The point (0, 0) has height 0.
    """
    _positive(height=height, length=length, count=count)
    rng = np.random.default_rng(seed)
    heading = rng.uniform(0.0, 2.0 * math.pi, count)
    wave = 2.0 * math.pi / (length * rng.uniform(0.7, 1.5, count))
    size = height * math.sqrt(1.0 / count) * rng.uniform(0.6, 1.0, count)
    phase = rng.uniform(0.0, 2.0 * math.pi, count)
    terms = np.column_stack([size, wave * np.cos(heading), wave * np.sin(heading), phase])
    level = [-float(np.sum(size * np.sin(phase))), 0.0, 0.0, 0.5 * math.pi]
    return _terrain(f"hills:{seed}", WAVES, count + 1, 0, np.vstack([terms, level]))


def stairs(
    *, rise: float = 0.17, run: float = 0.29, count: int = 8, start: float = 2.0, top: float = 3.0
) -> Terrain:
    """`count` steps up from z = `start`, a landing `top` metres long, and as many steps down."""
    _positive(run=run, count=count, top=top, rise=rise)
    knots = [(start - 1.0, 0.0)]
    for i in range(count):
        knots += [(start + i * run, i * rise), (start + i * run, (i + 1) * rise)]
    end = start + (count - 1) * run + top
    for i in range(count):
        knots += [(end + i * run, (count - i) * rise), (end + i * run, (count - i - 1) * rise)]
    return profile(knots, name="stairs")


def ramp(*, angle: float = 0.14, length: float = 4.0, start: float = 2.0) -> Terrain:
    """Up by `angle` [rad] from z = `start` over `length` [m] of ground, then level."""
    _positive(length=length)
    if not (math.isfinite(angle) and abs(angle) < 1.2):
        raise OptionError(f"angle {angle!r} of the ramp must be radians between -1.2 and 1.2")
    return profile([(start, 0.0), (start + length, length * math.tan(angle))], name="ramp")


def profile(knots: ArrayLike, *, name: str = "profile") -> Terrain:
    """Heights along z: `knots` (n, 2) of z and height [m], straight in between, level beyond.

    A step is two knots at the same z.
    """
    table = float_array(knots)
    if table.ndim != 2 or table.shape[1] != 2 or len(table) < 1 or not np.isfinite(table).all():
        raise OptionError("knots of a profile must be finite pairs of z and height, (n, 2)")
    if (np.diff(table[:, 0]) < 0.0).any():
        raise OptionError("knots of a profile must be in the order of their z")
    return _terrain(name, PROFILE, len(table), 0, table)


def height_map(
    heights: ArrayLike,
    *,
    spacing: float,
    origin: tuple[float, float] = (0.0, 0.0),
    name: str = "height map",
) -> Terrain:
    """Heights [m] on a grid, (rows along z, columns along x), `spacing` [m] apart.

    The first height is at `origin` (x, z); between points it is bilinear, and constant beyond.
    """
    table = np.asarray(heights, float)
    if table.ndim != 2 or min(table.shape) < 2 or not np.isfinite(table).all():
        raise OptionError(f"a height map needs at least 2x2 finite heights, not {table.shape}")
    _positive(spacing=spacing)
    head = [float(origin[0]), float(origin[1]), float(spacing)]
    rows, columns = table.shape
    return _terrain(name, GRID, rows, columns, np.concatenate([head, table.ravel()]))


def mesh(vertices: ArrayLike, faces: ArrayLike, *, up: str = "Y", name: str = "mesh") -> Terrain:
    """A mesh of triangles: `vertices` (n, 3) [m] and `faces` (m, 3), which are their numbers.

    Where triangles lie above each other the highest is the ground; beyond them all it is as low as
    the lowest. `up` is "Y" or "Z", as the mesh has it.
    """
    points, corners = np.asarray(vertices, float), np.asarray(faces)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise OptionError("vertices of a mesh must be finite points x, y, z, (n, 3)")
    if corners.ndim != 2 or corners.shape[1:] != (3,) or corners.dtype.kind not in "iu":
        raise OptionError("faces of a mesh must be triples of numbers of vertices, (m, 3)")
    if len(corners) == 0 or corners.min() < 0 or corners.max() >= len(points):
        raise OptionError(f"a mesh of {len(points)} vertices needs faces that name those, from 0")
    if up not in ("Y", "Z"):
        raise OptionError(f'up {up!r} of the mesh must be "Y" or "Z"')
    if up == "Z":
        points = points[:, (0, 2, 1)] * [1.0, 1.0, -1.0]
    values, cells, rows, columns = packed(points[corners])
    ground = _terrain(name, MESH, rows, columns, values)
    return replace(ground, shape=np.concatenate([ground.shape, cells]))


def _terrain(name: str, kind: int, rows: int, columns: int, values: ArrayLike) -> Terrain:
    shape = np.zeros(SHAPE_COUNT, np.int64)
    shape[[KIND, ROWS, COLUMNS]] = kind, rows, columns
    return Terrain(name, np.array(values, float).ravel(), shape)


def _positive(**numbers: float) -> None:
    for name, value in numbers.items():
        if not (math.isfinite(value) and value > 0):
            raise OptionError(f"{name} {value!r} of the terrain must be a number above 0")
