"""Where many poses of a figure put its segments and sites, in one compiled call."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.pose import pack_figure
from poise.figure.segment import Site
from poise.kernels.forward import forward_all

Array = NDArray[np.float64]


def site_positions(figure: Figure, angles: Array, sites: Sequence[Site]) -> Array:
    """(frames, sites, 3) world positions [m] for angles (frames, dofs)."""
    return _evaluated(figure, angles, sites, False)[0]


def site_frames(figure: Figure, angles: Array, sites: Sequence[Site]) -> tuple[Array, Array]:
    """Rotations (frames, sites, 3, 3) and positions (frames, sites, 3) [m] in the world."""
    points, rotations = _evaluated(figure, angles, sites, True)
    if sites:
        rotations = rotations @ np.array([site.rotation for site in sites])
    return rotations, points


def segment_frames(figure: Figure, angles: Array) -> tuple[Array, Array]:
    """Rotations (frames, segments, 3, 3) and origins (frames, segments, 3) [m] in the world."""
    return site_frames(figure, angles, [Site(name, name) for name in figure.segment_names])


def joint_rotations(figure: Figure, angles: Array) -> Array:
    """(frames, segments, 3, 3) how every joint turns, in its own frame: its motions alone."""
    world, _ = segment_frames(figure, angles)
    result = np.empty_like(world)
    for s, (segment, parent) in enumerate(zip(figure.segments, figure.parents, strict=True)):
        frame = segment.joint.frame
        before = np.asarray(segment.rotation) @ frame
        after = frame.T @ np.asarray(segment.after_rotation)
        local = world[:, s] if parent < 0 else np.swapaxes(world[:, parent], 1, 2) @ world[:, s]
        result[:, s] = before.T @ local @ after.T
    return result


def _evaluated(
    figure: Figure, angles: Array, sites: Sequence[Site], turned: bool
) -> tuple[Array, Array]:
    segments = np.array([figure.segment_index(site.segment) for site in sites], np.int64)
    offsets = np.array([site.offset for site in sites], float).reshape(-1, 3)
    points = np.empty((len(angles), len(sites), 3))
    rotations = np.empty((len(angles) if turned else 0, len(sites), 3, 3))
    ints, floats = pack_figure(figure)
    # A private, writable copy: a read-only array would compile the kernel a second time.
    forward_all(floats, ints, np.array(angles, order="C"), segments, offsets, points, rotations)
    return points, rotations
