"""CenterOfMass: the figure's centre of mass at a point, or over a support polygon."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import GoalError
from poise.figure.hull import convex_hull
from poise.goals.goal import CENTER_OF_MASS, Array, Atom, Goal, padded
from poise.kernels import potentials

_FAR = 1e6  # [m]


@dataclass(frozen=True, eq=False)
class CenterOfMass(Goal):
    """The centre of mass should be at `at` [m], or over the polygon `over` (corners, 3).

    The polygon is the convex hull of the corners seen along `up`, shrunk by `margin` [m]: a
    figure that balances keeps its centre of mass over its feet. For a figure with Z up, give
    `up=(0, 0, 1)`.
    """

    at: ArrayLike | None = None
    over: ArrayLike | None = field(default=None, kw_only=True)
    margin: float = field(default=0.0, kw_only=True)
    up: ArrayLike = field(default=(0.0, 1.0, 0.0), kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.name:
            self._set("name", CENTER_OF_MASS)
        if (self.at is None) == (self.over is None):
            raise GoalError("a CenterOfMass goal needs either at= or over=")
        self._set("up", self._direction(self.up, "up"))
        if self.at is not None:
            self._set("at", self._vector(self.at, "at"))
        else:
            self._number(self.margin, "margin")
            self._set("over", self._corners(self.over))
            self._faces()

    def atoms(self) -> list[Atom]:
        weights = padded(math.sqrt(self.weight), size=4)
        if self.at is not None:
            return [Atom(potentials.POSITION, 3, CENTER_OF_MASS, padded(self.at), weights)]
        return [
            Atom(potentials.HALF_SPACE, 1, CENTER_OF_MASS, padded(point, normal), weights)
            for point, normal in self._faces()
        ]

    def moved(self, target: ArrayLike) -> CenterOfMass:
        if self.at is not None:
            return replace(self, at=target)
        if self._corners(target).shape != np.asarray(self.over).shape:
            raise GoalError("a moved support polygon needs as many corners as before")
        return replace(self, over=target)

    def _corners(self, corners: ArrayLike | None) -> Array:
        try:
            points = np.array(corners, float)
        except (TypeError, ValueError):
            points = np.empty((0, 0))
        if (
            points.ndim != 2
            or points.shape[1] != 3
            or len(points) < 3
            or not np.isfinite(points).all()
        ):
            raise GoalError(
                "over= of a CenterOfMass goal needs at least three finite corners (n, 3)"
            )
        points.flags.writeable = False
        return points

    def _faces(self) -> list[tuple[Array, Array]]:
        """Points on, and inward normals of, the upright faces over the hull's edges."""
        assert self.over is not None
        up, corners = np.asarray(self.up), np.asarray(self.over)
        side = np.cross(up, np.eye(3)[int(np.argmin(np.abs(up)))])
        side /= np.linalg.norm(side)
        flat = np.stack([corners @ np.cross(side, up), corners @ side], 1)
        hull = convex_hull(flat)
        if len(hull) < 3:
            raise GoalError(
                "the support polygon of a CenterOfMass goal has no interior: seen along"
                f" up={tuple(up.tolist())} its corners are in line; give other corners or another"
                " up="
            )
        faces = []
        for a, b in zip(hull, np.roll(hull, -1), strict=True):
            edge = corners[b] - corners[a]
            edge -= up * (edge @ up)
            normal = np.cross(up, edge)
            normal /= np.linalg.norm(normal)
            if (corners.mean(0) - corners[a]) @ normal < 0:
                normal = -normal
            faces.append((corners[a] + self.margin * normal, normal))
        if _area(_cut(corners[hull], faces), up) <= 1e-12:
            raise GoalError(
                "the support polygon of a CenterOfMass goal has no interior"
                f" with a margin of {self.margin} m; give a larger one or less margin"
            )
        # Always one face a corner, so that a moved polygon may have another hull: the spare ones
        # are so far out that they always hold.
        point, normal = faces[0]
        return faces + [(point - _FAR * normal, normal)] * (len(corners) - len(hull))


def _cut(polygon: Array, faces: list[tuple[Array, Array]]) -> Array:
    """What of a convex polygon (n, 3) is on the inner side of all faces (Sutherland-Hodgman)."""
    for point, normal in faces:
        heights = (polygon - point) @ normal
        kept = []
        for i, (corner, height) in enumerate(zip(polygon, heights, strict=True)):
            before, low = polygon[i - 1], heights[i - 1]
            if (height >= 0) != (low >= 0):
                kept.append(before + (corner - before) * (low / (low - height)))
            if height >= 0:
                kept.append(corner)
        if not kept:
            return np.empty((0, 3))
        polygon = np.array(kept)
    return polygon


def _area(polygon: Array, up: Array) -> float:
    """The area of a polygon (n, 3) seen along `up` [m²]."""
    arms = polygon - polygon[:1]
    return 0.5 * abs(float(np.sum(np.cross(arms, np.roll(arms, -1, axis=0)) @ up)))
