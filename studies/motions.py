"""Motions and targets that the benchmarks share: where goals are, and how far apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import poise
from poise.figure.pose import pack_figure
from poise.kernels import layout
from poise.kernels.forward import forward

Array = NDArray[np.float64]

SIX_GOALS = ("left_hand", "right_hand", "left_foot", "right_foot", "head", "pelvis")
ROOT_RANGE = 1.0
"""The root of a random pose lies within ±1 m and its rotation vector within ±1 rad."""


class Effectors:
    """World positions of some sites of a figure, for many poses."""

    def __init__(self, figure: poise.Figure, names: tuple[str, ...]) -> None:
        self._ints, self._floats = pack_figure(figure)
        frames = layout.floats_at(self._floats, self._ints, layout.FRAMES)
        self._frames = frames.reshape(-1, 12)
        sites = [figure.effector(name) for name in names]
        self._segments = [figure.segment_index(site.segment) for site in sites]
        self._offsets = np.array([site.offset for site in sites])

    def positions(self, angles: Array) -> Array:
        """(sites, 3) [m]."""
        forward(self._floats, self._ints, np.ascontiguousarray(angles))
        rows = self._frames[self._segments]
        rotated = np.einsum("kij,kj->ki", rows[:, :9].reshape(-1, 3, 3), self._offsets)
        return rows[:, 9:] + rotated


def ranges(figure: poise.Figure) -> tuple[Array, Array]:
    """Lower and upper limits, with ROOT_RANGE where a DOF has none."""
    lower = np.where(np.isfinite(figure.lower), figure.lower, -ROOT_RANGE)
    upper = np.where(np.isfinite(figure.upper), figure.upper, ROOT_RANGE)
    return lower, upper


def random_poses(figure: poise.Figure, count: int, rng: np.random.Generator) -> Array:
    """(count, dofs) uniform inside the limits."""
    lower, upper = ranges(figure)
    return rng.uniform(lower, upper, (count, lower.size))


def motion(
    figure: poise.Figure,
    names: tuple[str, ...],
    spacing: float,
    frames: int,
    rng: np.random.Generator,
) -> Iterator[tuple[Array, Array]]:
    """(angles, positions) along a motion whose goals are on average `spacing` [m] apart.

    The motion eases between random key poses inside the limits; in every key a quarter of the
    DOFs lie exactly on a limit. The root turns and travels within a third of ROOT_RANGE.
    """
    effectors = Effectors(figure, names)
    key, following = _key(figure, rng), _key(figure, rng)
    time, here = 0.0, effectors.positions(key)
    yield key, here
    for _ in range(frames - 1):
        step = 1e-3
        while True:  # grow, then bisect the step in time until the goals are that far apart
            angles = _between(key, following, time + step)
            there = effectors.positions(angles)
            if np.linalg.norm(there - here, axis=1).mean() >= spacing or time + step >= 1.0:
                break
            step *= 1.5
        if time + step >= 1.0:
            key, following, time = following, _key(figure, rng), 0.0
            here = effectors.positions(key)
            yield key, here
            continue
        low, high = step / 1.5, step
        for _ in range(12):
            middle = 0.5 * (low + high)
            angles = _between(key, following, time + middle)
            there = effectors.positions(angles)
            if np.linalg.norm(there - here, axis=1).mean() < spacing:
                low = middle
            else:
                high = middle
        time, here = time + high, there
        yield angles, there


def _key(figure: poise.Figure, rng: np.random.Generator) -> Array:
    lower, upper = ranges(figure)
    pose = rng.uniform(lower, upper)
    side = np.where(rng.random(pose.size) < 0.5, lower, upper)
    limited = np.isfinite(figure.lower)
    pose = np.where(limited & (rng.random(pose.size) < 0.25), side, pose)
    return np.where(limited, pose, pose / 3.0)


def _between(a: Array, b: Array, share: float) -> Array:
    weight = 0.5 * (1.0 - np.cos(np.pi * share))
    return np.clip(a + weight * (b - a), np.minimum(a, b), np.maximum(a, b))
