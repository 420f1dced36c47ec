"""How large a body is whose markers sit nobody knows where: from how they move.

Offsets of markers make up for a wrong size in any single pose. In motion they cannot: joints turn
about points whose distances are those of the body. So offsets and size are fitted together, each
step by least squares from which the poses are eliminated, and the same sums say how sure the size
is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.scaling import scaled
from poise.motion.marker_map import MarkerMap
from poise.motion.marker_poses import placed, posed, replaced

Array = NDArray[np.float64]

ROUNDS = 30
NEAR_REST = 5e-6
"""As in calibration, but weaker: a pull to the rest pose is made up for by a wrong size."""
SETTLED = 5e-4
"""A step that changes the size by a smaller share, and offsets by fewer metres than ten times
that, is the last one."""
LARGEST = 0.05
"""No step changes the size by a larger share, nor an offset by more than twice as many metres."""
NOISE = 0.005
"""How far a marker is off, the body being right and the marker in its place [m]."""
ANYWHERE = 0.2
"""How far a marker may sit from where the map has it [m]."""
USUAL = 0.15
"""By which share people differ in size."""
SURE = 2.5
"""A size that differs from the given one by fewer of its standard errors is not believed."""
NUDGE = 1e-6


class Size(NamedTuple):
    """What motion tells."""

    ratio: float
    """How many times as large as the figure the body is;"""
    error: float
    """the standard error of that, as a share."""
    mapping: MarkerMap
    """The markers where they sit on the body in this size."""

    @property
    def is_sure(self) -> bool:
        """Whether the body clearly has another size than the figure."""
        return abs(float(np.log(self.ratio))) > SURE * self.error


def size_by_motion(figure: Figure, mapping: MarkerMap, points: Array, start: Array) -> Size:
    """Fit the size and the offsets of all markers to some frames (frames, markers, 3)."""
    first = offsets = _offsets(mapping)
    size, error = 0.0, np.inf
    for _ in range(ROUNDS):
        body = scaled(figure, float(np.exp(size)))
        mapping = _at(mapping, offsets)
        angles = posed(body, mapping, points, start, near_rest=NEAR_REST)
        start = angles[0]
        normal, right = _sums(body, mapping, angles, points)
        loose = np.r_[np.full(offsets.size, NOISE / ANYWHERE), NOISE / USUAL] ** 2
        normal += np.diag(loose)
        right += loose * np.r_[(first - offsets).ravel(), -size]
        step = np.linalg.solve(normal, right)
        error = NOISE * float(np.sqrt(np.linalg.inv(normal)[-1, -1]))
        change, moved = abs(step[-1]), np.abs(step[:-1]).max()
        step *= min(1.0, LARGEST / max(change, 0.5 * moved, NUDGE))
        offsets = offsets + step[:-1].reshape(offsets.shape)
        size += float(step[-1])
        if change < SETTLED and moved < 10.0 * SETTLED:
            break
    ratio = float(np.exp(size))
    return Size(ratio, error, replace(_at(mapping, offsets), scale=ratio * mapping.scale))


def _offsets(mapping: MarkerMap) -> Array:
    return np.array([offset for _, offset in mapping.effectors.values()])


def _at(mapping: MarkerMap, offsets: Array) -> MarkerMap:
    return replaced(mapping, dict(zip(mapping.effectors, offsets, strict=True)))


def _sums(figure: Figure, mapping: MarkerMap, angles: Array, points: Array) -> tuple[Array, Array]:
    """The normal equations of all offsets and the size, poses eliminated."""
    rotations, origins, places = placed(figure, mapping, angles)
    by_pose = _derivatives(figure, mapping, angles)
    free = (angles > figure.lower + NUDGE) & (angles < figure.upper - NUDGE)
    seen = ~np.isnan(points).reshape(len(points), -1)
    missed = np.where(np.isnan(points), 0.0, points - places).reshape(len(points), -1)
    count = missed.shape[1]
    normal, right = np.zeros((count + 1, count + 1)), np.zeros(count + 1)
    for f in range(len(points)):
        own = np.zeros((count, count + 1))
        for k, rotation in enumerate(rotations[f]):
            own[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = rotation
        own[:, -1] = origins[f].ravel()
        own, turned = own[seen[f]], by_pose[f][np.ix_(seen[f], free[f])]
        cross = own.T @ turned
        stiff = turned.T @ turned + NEAR_REST * np.eye(turned.shape[1])
        normal += own.T @ own - cross @ np.linalg.solve(stiff, cross.T)
        right += own.T @ missed[f][seen[f]]
    return normal, right


def _derivatives(figure: Figure, mapping: MarkerMap, angles: Array) -> Array:
    """(frames, 3 x markers, dofs) how fast markers move with each DOF."""
    columns = []
    for nudge in NUDGE * np.eye(angles.shape[1]):
        ahead = placed(figure, mapping, angles + nudge)[2]
        behind = placed(figure, mapping, angles - nudge)[2]
        columns.append((ahead - behind).reshape(len(angles), -1) / (2.0 * NUDGE))
    return np.stack(columns, axis=2)
