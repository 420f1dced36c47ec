"""Footholds: where a whole sole lies on the ground near a place, and how high to step over it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.figure.rotation import from_vector, to_vector
from poise.walk.build import Build, FootBuild
from poise.walk.gait import Place
from poise.walk.terrain import Terrain

Array = NDArray[np.float64]

SHIFTS = np.linspace(-0.16, 0.16, 17)
"""How far a foot is set down ahead of or behind its place to lie on even ground [m]."""
UNEVEN = 12.0
"""How many metres of that shift one metre of unevenness under the sole is worth."""
SPARE = 0.02
"""Between a flying sole and the ground [m]."""
HIGHEST_RISE = 0.4
"""[m]"""


@dataclass(frozen=True, eq=False)
class Foothold:
    """A sole at rest on the ground."""

    at: Array
    """The origin of the sole's frame: the ankle's point [m]."""
    turn: Array
    """(3, 3) how the sole is turned."""

    def near(self, other: Foothold) -> bool:
        """Whether a foot here need not step to stand there."""
        turned = float(np.linalg.norm(to_vector(self.turn.T @ other.turn)))
        return float(np.linalg.norm(self.at - other.at)) < 0.03 and turned < 0.08

    def towards(self, other: Foothold, share: float) -> Array:
        """The turn a share of the way to the other's."""
        return self.turn @ from_vector(share * to_vector(self.turn.T @ other.turn))


def pitched(turn: Array, angle: float) -> Array:
    """A sole pitched about its own left axis: the heel up where `angle` [rad] is positive."""
    c, s = math.cos(angle), math.sin(angle)
    return turn @ np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def foothold_near(terrain: Terrain, build: Build, side: int, place: Place) -> Foothold:
    """Where a foot stands when the body is at `place`, shifted to where its sole lies evenly."""
    foot, hip = build.feet[side], build.hips[side]
    c, s = math.cos(place.heading), math.sin(place.heading)
    forward = np.array([s, c])
    middle = np.array([place.x, place.z]) + hip[0] * np.array([c, -s])
    # The middle of the sole under the hip, not the ankle.
    middle = middle - 0.5 * (foot.heel[2] + foot.ball[2]) * forward
    shifts = SHIFTS * build.scale
    samples = np.linspace(foot.heel[2], foot.toe[2], 6)
    along = shifts[:, None] + samples[None, :]
    heights = terrain.height(
        middle[0] + along * forward[0], middle[1] + along * forward[1]
    )  # (shifts, samples)
    line = np.polynomial.polynomial.polyfit(samples, heights.T, 1)
    off = np.abs(heights - (line[0][:, None] + line[1][:, None] * samples)).max(axis=1)
    off += np.maximum(np.abs(line[1]) - 0.7, 0.0)
    best = int(np.argmin(UNEVEN * off + np.abs(shifts)))
    at = middle + shifts[best] * forward
    return _laid(terrain, foot, at, place.heading, float(line[0][best]), float(line[1][best]))


def _laid(
    terrain: Terrain, foot: FootBuild, at: Array, heading: float, height: float, slope: float
) -> Foothold:
    """The sole on a slope along the heading; across it leans as the ground there does."""
    c, s = math.cos(heading), math.sin(heading)
    _, along_x, along_z = terrain.at(float(at[0]), float(at[1]))
    across = min(max(c * along_x - s * along_z, -0.4), 0.4)
    forward = np.array([s, slope, c]) / math.hypot(1.0, slope)
    left = np.array([c, across, -s])
    left -= (left @ forward) * forward
    left /= np.linalg.norm(left)
    turn = np.column_stack([left, np.cross(forward, left), forward])
    sole = turn @ [0.0, foot.ball[1], 0.0]
    return Foothold(np.array([at[0], height, at[1]]) - sole, turn)


def clearing_rise(
    terrain: Terrain, foot: FootBuild, start: Array, end: Array, least: float
) -> float:
    """How high the sine over the way from `start` to `end` must be for the sole to clear it [m]."""
    angles = np.linspace(0.2, 0.85, 8) * math.pi
    share = 0.5 - 0.5 * np.cos(angles)
    way = start + share[:, None] * (end - start)
    forward = np.array([end[0] - start[0], end[2] - start[2]])
    length = float(np.hypot(*forward))
    forward = forward / length if length > 1e-6 else np.zeros(2)
    rise = least
    for point in (foot.heel, foot.toe):
        ground = terrain.height(
            way[:, 0] + point[2] * forward[0], way[:, 2] + point[2] * forward[1]
        )
        needed = (ground + SPARE - (way[:, 1] + foot.ball[1])) / np.sin(angles)
        rise = max(rise, float(needed.max()))
    return min(rise, HIGHEST_RISE)
