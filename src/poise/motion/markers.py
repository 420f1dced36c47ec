"""Markers: named points over time, whatever they come from, some of them missing at times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import MotionError, unknown_name
from poise.figure.arrays import float_array
from poise.figure.rotation import checked_rotation

if TYPE_CHECKING:
    from poise.motion.clip import Clip

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Markers:
    """`positions` (frames, names, 3) [m] in the world, NaN where a sample is missing.

    `weights` (names,) or (frames, names) say how much each counts; 0: not at all.
    """

    names: Sequence[str]
    positions: ArrayLike
    frame_time: float = 1.0 / 30.0
    weights: ArrayLike | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        names = (self.names,) if isinstance(self.names, str) else tuple(self.names)
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise MotionError(f"marker {twice!r} is given twice; names must differ")
        points = float_array(self.positions)
        if points.ndim != 3 or points.shape[1:] != (len(names), 3):
            raise MotionError(
                f"positions of {len(names)} markers have shape {points.shape};"
                f" give (frames, {len(names)}, 3)"
            )
        if np.isinf(points).any():
            frame, marker = np.argwhere(np.isinf(points))[0][:2]
            raise MotionError(
                f"marker {names[marker]!r} is infinite in frame {frame}; give metres, or NaN where"
                " it was not seen"
            )
        if not (np.isfinite(self.frame_time) and self.frame_time > 0):
            raise MotionError(f"frame time {self.frame_time!r} of markers must be seconds above 0")
        set_(self, "names", names)
        set_(self, "positions", points)
        set_(self, "frame_time", float(self.frame_time))
        set_(self, "weights", self._checked_weights(points.shape[:2]))

    def _checked_weights(self, shape: tuple[int, ...]) -> Array:
        given = np.ones(shape[1]) if self.weights is None else float_array(self.weights)
        if given.shape not in (shape, shape[1:]):
            raise MotionError(
                f"weights of markers have shape {given.shape}; give {shape[1:]} or {shape}"
            )
        if not (np.isfinite(given).all() and (given >= 0).all()):
            raise MotionError("weights of markers must be numbers from 0")
        return float_array(np.broadcast_to(given, shape))

    @classmethod
    def of_clip(cls, clip: Clip, effectors: Sequence[str] | Mapping[str, str]) -> Markers:
        """Sites or segments of a clip; a mapping gives them other names: {name: effector}."""
        if not isinstance(effectors, Mapping):
            names = [effectors] if isinstance(effectors, str) else effectors
            effectors = {name: name for name in names}
        return cls(tuple(effectors), clip.positions(effectors.values()), clip.frame_time)

    @classmethod
    def of_functions(
        cls,
        functions: Mapping[str, Callable[[float], ArrayLike]],
        duration: float,
        fps: float = 30.0,
    ) -> Markers:
        """Points given as functions of time [s]; NaN where one is missing."""
        if not (np.isfinite(duration) and duration >= 0 and np.isfinite(fps) and fps > 0):
            raise MotionError(
                f"duration {duration!r} [s] must be 0 or more, and fps {fps!r} above 0"
            )
        times = np.arange(int(np.floor(duration * fps + 1e-6)) + 1) / fps
        points = np.empty((len(times), len(functions), 3))
        for k, (name, function) in enumerate(functions.items()):
            for i, time in enumerate(times):
                point = float_array(function(float(time)))
                if point.shape != (3,):
                    raise MotionError(
                        f"the function of {name!r} gives {point!r} at {time:g} s; it must give"
                        " three numbers [m]"
                    )
                points[i, k] = point
        return cls(tuple(functions), points, 1.0 / fps)

    def __len__(self) -> int:
        return len(self.points)

    @property
    def points(self) -> Array:
        """`positions`, checked."""
        return self.positions  # type: ignore[return-value]

    @property
    def factors(self) -> Array:
        """`weights`, checked, for every frame."""
        return self.weights  # type: ignore[return-value]

    def index(self, name: str) -> int:
        """Which marker has this name."""
        if name not in self.names:
            raise MotionError(unknown_name("marker", name, self.names))
        return list(self.names).index(name)

    def every(self, interval: float) -> Markers:
        """Sampled anew every `interval` seconds, in a straight line between two frames; missing
        where either is."""
        times = np.arange(sample_count(self.frame_time * (len(self) - 1), interval)) * interval
        place = np.clip(times / self.frame_time, 0.0, max(len(self) - 1, 0))
        whole = np.round(place)
        place = np.where(np.abs(place - whole) < 1e-3, whole, place)
        before = np.floor(place).astype(int)
        after = np.ceil(place).astype(int)
        share = (place - before)[:, None]
        points = (1 - share[..., None]) * self.points[before] + share[..., None] * self.points[
            after
        ]
        weights = (1 - share) * self.factors[before] + share * self.factors[after]
        return Markers(self.names, points, interval, weights=weights)

    def turned(self, rotation: ArrayLike) -> Markers:
        """All points turned about the origin by a rotation (3x3)."""
        matrix = checked_rotation(rotation, "rotation of markers")
        return Markers(self.names, self.points @ matrix.T, self.frame_time, weights=self.factors)

    def with_up(self, up: str, own: str | None = None) -> tuple[Markers, str]:
        """With `up` ("Y" or "Z") as the axis that is up, and which one was: `own`, or the one
        along which the markers of a frame are spread the most."""
        was = own or self._tallest()
        if was == up:
            return self, was
        about_x = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
        return self.turned(about_x if up == "Y" else about_x.T), was

    def _tallest(self) -> str:
        seen = self.points[~np.isnan(self.points).all((1, 2))]
        if not len(seen):
            return "Y"
        spread = np.median(np.nanmax(seen, axis=1) - np.nanmin(seen, axis=1), axis=0)
        return "Y" if spread[1] >= spread[2] else "Z"

    def joined(self, other: Markers) -> Markers:
        """Those of another with as many frames added."""
        return Markers(
            (*self.names, *other.names),
            np.concatenate([self.points, other.points], 1),
            self.frame_time,
            weights=np.concatenate([self.factors, other.factors], 1),
        )


def sample_count(duration: float, interval: float) -> int:
    """How many samples `interval` apart fit into a duration, both ends counted."""
    if not (np.isfinite(interval) and interval > 0):
        raise MotionError(f"interval {interval!r} must be seconds above 0")
    return int(np.floor(duration / interval * (1 + 1e-12) + 1e-3)) + 1
