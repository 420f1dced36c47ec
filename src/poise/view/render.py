"""A small software renderer: a body of spheres, shaded, on a ground with its shadow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.view.body import Spheres

Array = NDArray[np.float64]

LIGHT = np.array([-0.45, 0.70, 0.55]) / np.linalg.norm([-0.45, 0.70, 0.55])
"""Towards the light, in the axes of the screen: right, up, towards the eye."""
GROUND = np.array([0.935, 0.940, 0.950])
SHADOW = 0.30
GHOST = 0.22
"""How opaque a ghost is."""


@dataclass(frozen=True)
class Camera:
    """An orthographic view: `axes` are right, up and towards the eye, as rows in world axes."""

    axes: Array  # (3, 3)
    center: Array  # (3,) world point in the middle of the image [m]
    half_width: float  # [m]
    half_height: float  # [m]
    pixels_per_metre: float

    def project(self, points: Array) -> Array:
        """Points (..., 3) [m] to pixels right, pixels down, and depth towards the eye [m]."""
        seen = (np.asarray(points) - self.center) @ self.axes.T
        x = (seen[..., 0] + self.half_width) * self.pixels_per_metre
        y = (self.half_height - seen[..., 1]) * self.pixels_per_metre
        return np.stack([x, y, seen[..., 2]], -1)

    def scaled(self, factor: float) -> Camera:
        """The same view with more pixels."""
        return replace(self, pixels_per_metre=factor * self.pixels_per_metre)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the image."""
        scale = 2.0 * self.pixels_per_metre
        return int(scale * self.half_height), int(scale * self.half_width)


def camera_on(
    points: Array, up: int, azimuth: float, elevation: float, margin: float, height: int
) -> Camera:
    """A camera that sees all `points`; azimuth 0 looks the figure in the face [rad]."""
    vertical = np.eye(3)[up]
    face, left = (np.eye(3)[2], np.eye(3)[0]) if up == 1 else (np.eye(3)[0], np.eye(3)[1])
    level = np.cos(azimuth) * face + np.sin(azimuth) * left
    eye = np.cos(elevation) * level + np.sin(elevation) * vertical
    right = np.cross(vertical, eye) / np.linalg.norm(np.cross(vertical, eye))
    axes = np.array([right, np.cross(eye, right), eye], float)
    seen = points @ axes.T
    around = margin * np.array([2.0, 1.0, 0.0])  # names of goals stand to their side
    low, high = seen.min(0) - around, seen.max(0) + around
    width, tall, _ = (0.5 * (high - low)).tolist()
    return Camera(axes, 0.5 * (low + high) @ axes, width, tall, 0.5 * height / tall)


def render(
    body: Spheres,
    colors: Array,
    camera: Camera,
    up: int,
    ground: float | None,
    ghosts: Sequence[Spheres] = (),
) -> Array:
    """An image (rows, columns, 3) of the body; `colors` (segments, 3) in [0, 1].

    `ghosts` shine faintly behind it: where the body was before, or could be.
    """
    rows, columns = camera.shape
    image = np.ones((rows, columns, 3)) if ground is None else _ground(body, camera, up, ground)
    for ghost in ghosts:
        image = _over(GHOST * _smooth(ghost, colors, camera), image)
    return np.clip(_over(_smooth(body, colors, camera), image), 0.0, 1.0)


def _over(layer: Array, image: Array) -> Array:
    """A layer (rows, columns, 4) of colours times coverage, laid over an image."""
    return layer[..., :3] + (1.0 - layer[..., 3:]) * image


def _smooth(body: Spheres, colors: Array, camera: Camera) -> Array:
    """The body painted at twice the resolution and reduced, which smooths its edges."""
    rows, columns = camera.shape
    fine = _paint(body, colors, camera.scaled(2.0))[: 2 * rows, : 2 * columns]
    return fine.reshape(rows, 2, columns, 2, 4).mean((1, 3))


def _paint(body: Spheres, colors: Array, camera: Camera) -> Array:
    """The body alone (rows, columns, 4), its colours times its coverage, 0 or 1."""
    depth = np.full(camera.shape, -np.inf)
    owner = np.full(camera.shape, -1)
    places = camera.project(body.centers)
    for i, place in enumerate(places):
        _splat(depth, owner, i, place, float(body.radii[i]), camera.pixels_per_metre)
    hit = owner >= 0
    seen = owner[hit]
    y, x = np.nonzero(hit)
    normal = np.stack([x + 0.5 - places[seen, 0], places[seen, 1] - y - 0.5], -1)
    normal = normal / (body.radii[seen] * camera.pixels_per_metre)[:, None]
    out = (depth[hit] - places[seen, 2]) / body.radii[seen]
    shade = _shade(_along_limbs(np.column_stack([normal, out]), (body.axes @ camera.axes.T)[seen]))
    image = np.zeros((*camera.shape, 4))
    image[hit, :3] = colors[body.segments[seen]] * shade[:, :1] + shade[:, 1:]
    image[_edges(depth, hit), :3] *= 0.55
    image[hit, 3] = 1.0
    return image


def _splat(
    depth: Array, owner: NDArray[np.int64], sphere: int, place: Array, radius: float, scale: float
) -> None:
    """Draw one sphere into the buffers, where it is in front."""
    x, y, z = map(float, place)
    reach = radius * scale
    top, left = max(int(y - reach), 0), max(int(x - reach), 0)
    window = (slice(top, max(int(y + reach) + 2, 0)), slice(left, max(int(x + reach) + 2, 0)))
    old = depth[window]
    dx = (np.arange(left, left + old.shape[1]) + 0.5 - x) / reach
    dy = (y - np.arange(top, top + old.shape[0]) - 0.5) / reach
    bulge = (1.0 - dx * dx) - (dy * dy)[:, None]
    new = z + radius * np.sqrt(np.maximum(bulge, 0.0))
    front = (bulge > 0.0) & (new > old)
    np.copyto(old, new, where=front)
    owner[window][front] = sphere


def _along_limbs(normals: Array, axes: Array) -> Array:
    """Normals of the limbs that spheres stand for; of the spheres where `axes` is zero."""
    across = normals - np.einsum("ij,ij->i", normals, axes)[:, None] * axes
    return across / (np.linalg.norm(across, axis=1) + 1e-9)[:, None]


def _shade(normal: Array) -> Array:
    """Diffuse factor and highlight (pixels, 2) of surface normals in screen axes."""
    diffuse = np.maximum(normal @ LIGHT, 0.0)
    half = LIGHT + np.array([0.0, 0.0, 1.0])
    shine = np.maximum(normal @ (half / np.linalg.norm(half)), 0.0) ** 30
    sky = 0.5 + 0.5 * normal[:, 1]
    rim = (1.0 - normal[:, 2]) ** 3
    return np.stack([0.42 + 0.52 * diffuse + 0.14 * sky - 0.12 * rim, 0.12 * shine], -1)


def _edges(depth: Array, hit: NDArray[np.bool_], jump: float = 0.03) -> NDArray[np.bool_]:
    """Pixels of the body beside something at least `jump` [m] behind: its outline."""
    far = np.where(hit, depth, -1e9)
    around = far.copy()
    around[1:] = np.minimum(around[1:], far[:-1])
    around[:-1] = np.minimum(around[:-1], far[1:])
    around[:, 1:] = np.minimum(around[:, 1:], far[:, :-1])
    around[:, :-1] = np.minimum(around[:, :-1], far[:, 1:])
    return hit & (depth - around > jump)


def _ground(body: Spheres, camera: Camera, up: int, height: float) -> Array:
    """The ground as the camera sees it: tiles of half a metre, a soft shadow, a fading edge."""
    rows, columns = camera.shape
    right, above, eye = camera.axes
    x = (np.arange(columns) + 0.5) / camera.pixels_per_metre - camera.half_width
    y = camera.half_height - (np.arange(rows) + 0.5) / camera.pixels_per_metre
    flat = camera.center + x[None, :, None] * right + y[:, None, None] * above
    point = flat + ((height - flat[..., up]) / eye[up])[..., None] * eye  # (rows, columns, 3)
    level = [axis for axis in range(3) if axis != up]
    plane = point[..., level]
    middle = 0.5 * (body.centers.min(0) + body.centers.max(0))[level]
    size = max(float(np.ptp(body.centers, axis=0).max()), 0.5)
    away = np.linalg.norm(plane - middle, axis=-1) / size
    tile = (np.floor(plane / 0.5).sum(-1) % 2)[..., None]
    color = GROUND - 0.03 * tile - SHADOW * _shadow(body, up, height, plane, size)[..., None]
    fade = np.clip(1.6 - 1.3 * away, 0.0, 1.0)[..., None]
    return fade * color + (1.0 - fade)


def _shadow(body: Spheres, up: int, height: float, plane: Array, size: float) -> Array:
    """How dark the shadow is at points of the ground; higher parts cast a fainter one."""
    cells, level = 160, [axis for axis in range(3) if axis != up]
    low = body.centers[:, level].min(0) - 0.3 * size
    step = float((body.centers[:, level].max(0) + 0.3 * size - low).max()) / cells
    grid = np.zeros((cells + 1, cells + 1))
    axis = np.arange(cells + 1) * step
    for center, radius in zip(body.centers, body.radii, strict=True):
        a, b = center[level] - low
        radius = max(radius, step)
        strength = np.exp(-2.0 * max(center[up] - radius - height, 0.0) / size)
        near_a, near_b = np.abs(axis - a) < radius, np.abs(axis - b) < radius
        window = np.ix_(near_a, near_b)
        inside = ((axis[near_a] - a) ** 2)[:, None] + (axis[near_b] - b) ** 2 < radius**2
        grid[window] = np.maximum(grid[window], strength * inside)
    for _ in range(6):
        for k in (0, 1):
            grid = (grid + np.roll(grid, 1, k) + np.roll(grid, -1, k)) / 3.0
    place = np.clip((plane - low) / step, 0.0, cells - 1e-9)
    cell = place.astype(int)
    (i, j), (u, v) = np.moveaxis(cell, -1, 0), np.moveaxis(place - cell, -1, 0)
    near = (1.0 - u) * grid[i, j] + u * grid[i + 1, j]
    return (1.0 - v) * near + v * ((1.0 - u) * grid[i, j + 1] + u * grid[i + 1, j + 1])
