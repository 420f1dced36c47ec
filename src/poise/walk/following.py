"""Following a path: what a walker is told from step to step so that it goes along it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import OptionError
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.motion.clip import Clip
from poise.walk.build import Legs
from poise.walk.crawler import Crawler, walker_of
from poise.walk.gait import Place
from poise.walk.manner import Manner
from poise.walk.terrain import Terrain
from poise.walk.walker import Walker, WalkState

Array = NDArray[np.float64]
Path = ArrayLike | Callable[[float], tuple[float, float]]
"""Points (n, 2) x, z [m] on the ground, or a function of time [s] that gives one."""

AHEAD = 0.7
"""How far before it on the path a walker of the human's size aims [m]."""
SLOWEST = 0.12
"""Slower than this share of the speed, a path takes for ever."""


class Route:
    """A path of points: where to aim from a place, and how far there still is to go."""

    def __init__(self, points: ArrayLike) -> None:
        table = float_array(points)
        if table.ndim != 2 or table.shape[1] != 2 or not np.isfinite(table).all():
            raise OptionError("a path must be finite pairs of x and z [m], (n, 2)")
        moved = np.ones(len(table), bool)
        moved[1:] = np.linalg.norm(np.diff(table, axis=0), axis=1) > 1e-9
        self.points = table[moved]
        if len(self.points) < 2:
            raise OptionError("a path needs at least two different points (x, z)")
        self._along = np.concatenate(
            [[0.0], np.cumsum(np.linalg.norm(np.diff(self.points, axis=0), axis=1))]
        )
        self._done = 0.0

    @property
    def length(self) -> float:
        """[m]"""
        return float(self._along[-1])

    @property
    def start(self) -> Place:
        """Its first point, looking along it."""
        (x, z), (x1, z1) = self.points[:2].tolist()
        return Place(x, z, math.atan2(x1 - x, z1 - z))

    def aim(self, place: Place, ahead: float) -> tuple[float, float]:
        """(heading [rad], what is left of the way [m]) from a place."""
        # The nearest point of what lies just before: a path may cross itself.
        near = np.linspace(self._done, min(self._done + 2.0 * ahead, self.length), 33)
        spots = self._at(near)
        gaps = np.hypot(spots[:, 0] - place.x, spots[:, 1] - place.z)
        self._done = float(near[int(gaps.argmin())])
        x, z = self._at(np.array([self._done + ahead]))[0].tolist()
        end = self.points[-1] - self.points[-2]
        beyond = max(self._done + ahead - self.length, 0.0) / float(np.linalg.norm(end))
        heading = math.atan2(x + beyond * end[0] - place.x, z + beyond * end[1] - place.z)
        return heading, self.length - self._done

    def _at(self, along: Array) -> Array:
        return np.stack([np.interp(along, self._along, column) for column in self.points.T], 1)


def follow(
    walker: Walker | Crawler,
    path: Path | Route,
    *,
    speed: float = 1.3,
    fps: float = 60.0,
    seconds: float | None = None,
) -> Iterator[WalkState]:
    """Drive a walker along a path, and give each state.

    Ends where the path does, where the walker cannot go on, or after `seconds`; a path that is a
    function of time needs those.
    """
    _check(speed, fps, seconds)
    if callable(path):
        if seconds is None:
            raise OptionError("a path that is a function of time needs seconds=, when it ends")
        yield from _chase(walker, path, speed, fps, seconds)
    else:
        route = path if isinstance(path, Route) else Route(path)
        yield from _along(walker, route, speed, fps, seconds)


def _along(
    walker: Walker | Crawler, route: Route, speed: float, fps: float, seconds: float | None
) -> Iterator[WalkState]:
    scale = walker.build.scale
    ahead = AHEAD * scale
    longest = seconds or 10.0 + route.length / (SLOWEST * speed)
    walker.drive(speed=speed, heading=route.start.heading)
    halted = 0
    for _ in range(math.ceil(longest * fps - 1e-9)):
        heading, left = route.aim(walker.gait.place, ahead)
        # The body goes on for as long as its speed takes to fall.
        arrived = left <= 0.06 * scale + 0.55 * math.sqrt(scale) * walker.gait.speed
        walker.drive(speed=0.0 if arrived else speed, heading=None if arrived else heading)
        if arrived:
            walker.drive(turn=0.0)
        state = walker.step(1.0 / fps)
        yield state
        still = not walker.gait.moving and (arrived or state.stopped is not None)
        halted = halted + 1 if still else 0
        if seconds is None and halted > 0.6 * fps:
            return


def _chase(
    walker: Walker | Crawler,
    path: Callable[[float], tuple[float, float]],
    speed: float,
    fps: float,
    seconds: float,
) -> Iterator[WalkState]:
    for i in range(math.ceil(seconds * fps - 1e-9)):
        at = i / fps
        x, z = _spot(path, at + 0.5)
        place = walker.gait.place
        gap = math.hypot(x - place.x, z - place.z)
        if gap > 0.15 * walker.build.scale:
            heading = math.atan2(x - place.x, z - place.z)
            walker.drive(speed=min(speed, 1.6 * gap), heading=heading)
        else:
            walker.drive(speed=0.0)
        yield walker.step(1.0 / fps)


def _spot(path: Callable[[float], tuple[float, float]], time: float) -> tuple[float, float]:
    x, z = path(time)
    if not (math.isfinite(x) and math.isfinite(z)):
        raise OptionError(f"the path is not finite at {time:.3g} s; give x and z in metres")
    return float(x), float(z)


def _check(speed: float, fps: float, seconds: float | None) -> None:
    given = {"speed": speed, "fps": fps, "seconds": 1.0 if seconds is None else seconds}
    for name, value in given.items():
        if not (math.isfinite(value) and value > 0.0):
            raise OptionError(f"{name} {value!r} of a walk must be a number above 0")


def walk(
    figure: Figure,
    path: Path = ((0.0, 0.0), (0.0, 6.0)),
    *,
    terrain: Terrain | None = None,
    speed: float = 1.3,
    fps: float = 60.0,
    seconds: float | None = None,
    stride: str = "natural",
    jacobian: str | None = None,
    manner: str | Manner | None = None,
    legs: Legs | None = None,
) -> Clip:
    """Walk a figure along a path over a ground, and give the clip.

    >>> clip = poise.walk(human, [(0, 0), (0, 4), (3, 7)], terrain=poise.terrain.hills(3))

    `path` is points (x, z) [m] or a function of time. The clip ends with the path, or where the
    figure cannot go on; `follow` tells why.
    """
    route = path if callable(path) else Route(path)
    start = route.start if isinstance(route, Route) else Place(*_spot(route, 0.0))
    walker = walker_of(
        figure, terrain, stride=stride, jacobian=jacobian, manner=manner, legs=legs, start=start
    )
    states = follow(walker, route, speed=speed, fps=fps, seconds=seconds)
    return clip_of(walker, states, fps)


def clip_of(walker: Walker | Crawler, states: Iterable[WalkState], fps: float) -> Clip:
    """The clip of a walk."""
    angles = [state.pose.angles for state in states]
    return Clip(walker.figure, np.array(angles), 1.0 / fps, f"walk on {walker.terrain.name}")
