"""A scene: a posed body, ghosts of other poses behind it, things that it handles, a camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import radians

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.view.body import Spheres, joined, rod, spheres
from poise.view.render import Camera, camera_on, render

Array = NDArray[np.float64]

SKIN = np.array([0.62, 0.68, 0.76])
LEFT = np.array([0.45, 0.68, 0.72])
RIGHT = np.array([0.76, 0.64, 0.56])
ELEVATION = radians(14.0)


@dataclass(frozen=True)
class Rod:
    """A round stick from one point to another [m]; a ball where they are the same."""

    start: ArrayLike
    end: ArrayLike
    radius: float
    color: tuple[float, float, float] = (0.85, 0.65, 0.25)


@dataclass(frozen=True, eq=False)
class Scene:
    """What one picture shows."""

    pose: Pose
    ghosts: Sequence[Pose] = ()
    rods: Sequence[Rod] = ()
    also: ArrayLike = ()
    """Further points (n, 3) that the camera must see [m]."""
    floor: bool = True
    """Whether there is a flat ground at height 0, where the figure is near it."""

    @property
    def up(self) -> int:
        return "XYZ".index(self.pose.figure.up)

    @cached_property
    def body(self) -> Spheres:
        """The body and the rods; rod i has the colour after those of the segments."""
        count = len(self.pose.figure.segments)
        rods = [rod(r.start, r.end, r.radius, count + i) for i, r in enumerate(self.rods)]
        return joined([spheres(self.pose), *rods])

    @cached_property
    def points(self) -> Array:
        """Corners around everything in the scene (n, 3) [m]."""
        bodies = [self.body, *(spheres(ghost) for ghost in self.ghosts)]
        around = [b.centers + sign * b.radii[:, None] for b in bodies for sign in (-1.0, 1.0)]
        return np.concatenate([*around, np.asarray(self.also, float).reshape(-1, 3)])

    def camera(
        self,
        azimuth: float,
        height: int,
        *,
        elevation: float = ELEVATION,
        points: ArrayLike | None = None,
    ) -> Camera:
        """A camera on the whole scene, or on `points` (n, 3); azimuth 0 looks it in the face."""
        seen = self.points if points is None else np.asarray(points, float)
        size = float(np.ptp(seen, axis=0).max())
        return camera_on(seen, self.up, azimuth, elevation, 0.07 * size, height)

    def image(self, camera: Camera) -> Array:
        """The picture (rows, columns, 3)."""
        colors = [segment_colors(self.pose.figure), *(np.atleast_2d(r.color) for r in self.rods)]
        ghosts = [spheres(ghost) for ghost in self.ghosts]
        return render(
            self.body, np.concatenate(colors), camera, self.up, self._ground(), ghosts=ghosts
        )

    def _ground(self) -> float | None:
        """Height of the ground, 0, unless the figure reaches below it or floats high above."""
        if not self.floor:
            return None
        size = float(np.ptp(self.points, axis=0).max())
        lowest = float((self.body.centers[:, self.up] - self.body.radii).min())
        return 0.0 if -0.06 * size < lowest < 0.5 * size else None


def segment_colors(figure: Figure) -> Array:
    """One colour a segment (segments, 3): its left and right sides differ."""
    sides = {"left": LEFT, "right": RIGHT}
    return np.array([sides.get(name.split("_")[0], SKIN) for name in figure.segment_names])
