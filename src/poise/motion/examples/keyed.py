"""Motions from tables of keys: joint angles over time, and which site stands on the ground when.

Where the root is follows from the supports: the site that stands stays where it is, and what is
lowest of the soles is on the ground. Between two supports the body flies on a parabola.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.figure.builtin import human
from poise.figure.figure import Figure
from poise.motion.clip import Clip
from poise.motion.monotone import monotone_cubic
from poise.motion.rotations import euler_matrices, matrix_vectors
from poise.motion.world import site_positions

Array = NDArray[np.float64]
Track = Sequence[tuple[float, float]]
"""Times [s] and values [degrees]."""

GRAVITY = 9.81
SOLES = tuple(f"{side}_{part}" for side in ("left", "right") for part in ("heel", "ball", "toes"))
SOFT = 0.004
"""Metres within which the lowest of several points is a smooth function of them."""
SMOOTHING = 0.03
"""Seconds over which the way of the root is averaged, so that it makes no jerks."""
HANDOVER = 0.06
"""Seconds before and after a change of support in which the one fades into the other."""


class Support(NamedTuple):
    """A site that stands on the ground from one time to another [s]."""

    start: float
    end: float
    site: str
    flight: tuple[float, float] = (0.0, 0.0)
    """How far the body flies before it, along X and Z [m]."""


def clip_from_keys(
    name: str, tracks: Mapping[str, Track], supports: Sequence[Support], fps: float
) -> Clip:
    """The motion of the human with the DOFs of `tracks`; others stay at rest.

    A track is named by a DOF, a shell pattern, or without "left_" and "right_" for both sides.
    Those of the root are turns: root_ry about the up axis, then root_rx forward, then root_rz to
    its right.
    """
    figure = human()
    end = supports[-1].end
    times = np.arange(round(end * fps) + 1) / fps
    angles = np.repeat(figure.rest_angles[None], len(times), 0)
    angles[:, :3] = 0.0
    for pattern, track in tracks.items():
        at, degrees = np.array(track, float).T
        values = monotone_cubic(at, np.deg2rad(degrees)[:, None], times)
        angles[:, _dofs(figure, pattern)] = values
    angles[:, 3:6] = matrix_vectors(euler_matrices("YXZ", angles[:, [4, 3, 5]]))
    angles[:, :3] = _root_path(figure, angles, times, supports)
    return Clip(figure, angles, 1.0 / fps, name)


def gait_tracks(
    sides: Mapping[str, Track], trunk: Mapping[str, Track], cycle: float, cycles: int
) -> dict[str, Track]:
    """The tracks of a gait from those of one cycle [s], in shares of it.

    `sides` are of the left side; the right one does the same half a cycle later.
    """
    tracks = {name: _repeated(track, cycle, 0.0, cycles) for name, track in trunk.items()}
    for name, track in sides.items():
        tracks[f"left_{name}"] = _repeated(track, cycle, 0.0, cycles)
        tracks[f"right_{name}"] = _repeated(track, cycle, 0.5, cycles)
    return tracks


def _repeated(track: Track, cycle: float, shift: float, cycles: int) -> Track:
    """A track again and again, from a cycle before the start to one after the end [s]."""
    return [
        (cycle * (turn + shift + share), value)
        for turn in range(-2, cycles + 1)
        for share, value in track[:-1]
    ]


def _dofs(figure: Figure, pattern: str) -> list[int]:
    names = figure.dof_names
    found = [i for i, n in enumerate(names) if fnmatch.fnmatchcase(n, pattern)]
    if not found:
        sides = [f"left_{pattern}", f"right_{pattern}"]
        found = [i for i, n in enumerate(names) if any(fnmatch.fnmatchcase(n, s) for s in sides)]
    return found or figure.match_dofs(pattern)


def _root_path(figure: Figure, angles: Array, times: Array, supports: Sequence[Support]) -> Array:
    """(frames, 3) the root's translation that keeps every support where it came down."""
    sites = [figure.effector(support.site) for support in supports]
    # With the root at the origin, a site's place is what the root must be above it.
    relative = site_positions(figure, angles, sites)
    shares = np.stack([_share(times, supports, k) for k in range(len(supports))], 1)
    path = np.zeros((len(times), 3))
    paths = []
    for k, support in enumerate(supports):
        first = int(np.searchsorted(times, support.start - 1e-9))
        own = -relative[:, k]
        if k > 0:
            before = supports[k - 1]
            last = int(np.searchsorted(times, before.end + 1e-9)) - 1
            x, z = support.flight
            own += paths[-1][last] + relative[first, k] + [x, 0.0, z]
        paths.append(own)
        path += shares[:, k : k + 1] * own
    path[:, 1] = -_lowest(site_positions(figure, angles, [figure.effector(n) for n in SOLES]))
    standing = shares.sum(1) > 0.0
    path = np.where(standing[:, None], path, _flights(path, standing, times))
    # Who lands comes down hard: there, only the way over the ground is smooth.
    axes = [0, 1, 2] if standing.all() else [0, 2]
    path[:, axes] = _smoothed(path[:, axes], SMOOTHING / (times[1] - times[0]))
    return path


def _lowest(points: Array) -> Array:
    """(frames,) the height of the lowest of points (frames, n, 3), smoothly."""
    heights = points[:, :, 1]
    least = heights.min(1, keepdims=True)
    return least[:, 0] - SOFT * np.log(np.exp((least - heights) / SOFT).sum(1))


def _share(times: Array, supports: Sequence[Support], k: int) -> Array:
    """(frames,) how much a support counts: it fades where the next follows without a flight."""
    support = supports[k]
    inside = ((times >= support.start - 1e-9) & (times <= support.end + 1e-9)).astype(float)
    for other, edge in ((k - 1, support.start), (k + 1, support.end)):
        if 0 <= other < len(supports):
            touching = supports[other].end if other < k else supports[other].start
            if abs(touching - edge) < 1e-9:
                ramp = np.clip((times - edge) / (2.0 * HANDOVER) + 0.5, 0.0, 1.0)
                rise = ramp * ramp * (3.0 - 2.0 * ramp)
                near = np.abs(times - edge) <= HANDOVER
                inside = np.where(near, rise if other < k else 1.0 - rise, inside)
    return inside


def _smoothed(path: Array, width: float) -> Array:
    """Averaged by a bell of that width [frames]; the ends stay."""
    reach = max(1, round(3.0 * width))
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    # Point reflection at the ends keeps them, and their slopes, as they are.
    start, end = 2.0 * path[:1] - path[reach:0:-1], 2.0 * path[-1:] - path[-2 : -reach - 2 : -1]
    padded = np.concatenate([start, path, end])
    columns = [np.convolve(column, bell / bell.sum(), "valid") for column in padded.T]
    return np.stack(columns, 1)


def _flights(path: Array, standing: NDArray[np.bool_], times: Array) -> Array:
    """The path with every gap filled: straight on over the ground, a parabola in height."""
    result = path.copy()
    for gap in np.split(np.flatnonzero(~standing), np.flatnonzero(np.diff(
            np.flatnonzero(~standing)) > 1) + 1):  # fmt: skip
        if not len(gap):
            continue
        start, end = gap[0] - 1, gap[-1] + 1
        share = ((times[gap] - times[start]) / (times[end] - times[start]))[:, None]
        result[gap] = (1.0 - share) * path[start] + share * path[end]
        since, left = times[gap] - times[start], times[end] - times[gap]
        result[gap, 1] += 0.5 * GRAVITY * since * left
    return result
