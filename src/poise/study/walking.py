"""What can be measured of a walk: slip, penetration, rates, and the curves of gait analysis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.figure.segment import Site
from poise.motion.clip import Clip
from poise.motion.roles import SIDES
from poise.motion.world import site_positions
from poise.walk.build import Build
from poise.walk.frame import Rocker
from poise.walk.terrain import Terrain
from poise.walk.walker import Walker, WalkState

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Record:
    """A walk as it was made: every frame's pose, and what each foot was to do."""

    clip: Clip
    build: Build
    terrain: Terrain
    rockers: NDArray[np.int64]
    """(frames, 2)"""
    phases: Array
    """(frames,) of the left foot."""
    solve_times: Array
    """(frames,) [s]"""
    stopped: str | None

    @classmethod
    def of(cls, walker: Walker, seconds: float, fps: float = 120.0, drive=None) -> Record:  # noqa: ANN001
        """Let a walker walk; `drive(walker, time)` may tell it what to do before every step."""
        states: list[WalkState] = []
        for i in range(round(seconds * fps)):
            if drive is not None:
                drive(walker, i / fps)
            states.append(walker.step(1.0 / fps))
        return cls(
            Clip(walker.figure, [s.pose.angles for s in states], 1.0 / fps, "walk"),
            walker.build,
            walker.terrain,
            np.array([[int(foot.rocker) for foot in s.feet] for s in states]),
            np.array([s.phase for s in states]),
            np.array([s.solution.time for s in states]),
            states[-1].stopped,
        )

    def soles(self) -> Array:
        """(frames, 2, 3, 3) heel, ball and toe of both feet, under canonical axes [m]."""
        sites = [s for f in self.build.feet for s in (f.heel_site, f.ball_site, f.toe_site)]
        points = site_positions(self.clip.figure, self.clip.angles, sites)
        return (points @ self.build.axes).reshape(-1, 2, 3, 3)

    # -- the bars --------------------------------------------------------------------------------

    def slip(self) -> float:
        """The farthest that a rocker strays from where it came down [m]."""
        soles, worst = self.soles(), 0.0
        used = {Rocker.HEEL: (0,), Rocker.SOLE: (0, 1), Rocker.BALL: (1,)}
        for side in range(2):
            for point in (0, 1):
                held = np.isin(self.rockers[:, side], [r for r, on in used.items() if point in on])
                for run in _runs(held):
                    way = soles[run, side, point] - soles[run[0], side, point]
                    worst = max(worst, float(np.linalg.norm(way, axis=1).max()))
        return worst

    def penetration(self) -> float:
        """The deepest that a sole is in the ground, at heel, ball, toe or between [m]."""
        heel, ball, toe = np.moveaxis(self.soles(), 2, 0)
        points = np.stack([heel, 0.5 * (heel + ball), ball, 0.5 * (ball + toe), toe])
        return float(self._depth(points).max())

    def _depth(self, points: Array) -> Array:
        """How far points (..., 3) are from free air, upwards or to a side [m]; 0 outside."""
        best = np.full(points.shape[:-1], np.inf)
        for angle in np.arange(0.0, 2.0 * np.pi, np.pi / 4.0):
            for away in (0.0, 0.002, 0.004, 0.006, 0.01, 0.02, 0.04):
                x = points[..., 0] + away * np.sin(angle)
                z = points[..., 2] + away * np.cos(angle)
                depth = np.maximum(self.terrain.height(x, z) - points[..., 1], 0.0)
                best = np.minimum(best, np.hypot(away, depth))
        inside = self.terrain.height(points[..., 0], points[..., 2]) > points[..., 1]
        return np.where(inside, best, 0.0)

    def rate(self) -> float:
        """The fastest turn of a joint [rad/s], but for the root."""
        return float(np.abs(np.diff(self._joints(), axis=0)).max() / self.clip.frame_time)

    def jump(self) -> float:
        """The largest change of a joint's speed from one frame to the next where a foot comes down,
        leaves, or changes its rocker [rad/s]."""
        change = np.abs(np.diff(self._joints(), n=2, axis=0)).max(1) / self.clip.frame_time
        events = np.flatnonzero((np.diff(self.rockers, axis=0) != 0).any(1))
        near = {int(k) + d for k in events for d in (-1, 0) if 0 <= int(k) + d < len(change)}
        return float(max((change[k] for k in near), default=0.0))

    def broken_limits(self) -> int:
        """In how many frames a limit is broken."""
        return sum(not pose.is_inside_limits for pose in self.clip)

    def duty(self) -> float:
        """The share of its cycle in which a foot stands, over whole cycles."""
        shares = []
        for side in range(2):
            down = self.rockers[:, side] != Rocker.NONE
            strikes = np.flatnonzero(down[1:] & ~down[:-1]) + 1
            if len(strikes) > 2:
                shares.append(down[strikes[1] : strikes[-1]].mean())
        return float(np.mean(shares)) if shares else 1.0

    def _joints(self) -> Array:
        """(frames, dofs) the turns of all joints but the root's."""
        root = set(self.clip.figure.segments[0].dof_names)
        figure = self.clip.figure
        kept = [
            i
            for i, dof in enumerate(figure.dofs)
            if dof.kind == "rotation" and figure.dof_names[i] not in root
        ]
        return self.clip.angles[:, kept]


def _runs(held: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """The runs of frames in which something holds."""
    frames = np.flatnonzero(held)
    return [r for r in np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1) if len(r)]


@dataclass(frozen=True, eq=False)
class Curves:
    """Angles of gait analysis, in the plane of travel [degrees], (frames, 2): left and right."""

    hip: Array
    """Of the thigh against the vertical, forward."""
    knee: Array
    ankle: Array
    """Of the shank against the sole, 0 at right angles, dorsiflexion positive."""
    pelvis: Array
    """(frames,) height of the middle of the hips [m]."""


def curves_of(clip: Clip, build: Build) -> Curves:
    """Measured from where the joints are, so that every figure is measured alike."""
    roles = build.body.roles
    names = [roles[f"{side}_{part}"] for side in SIDES for part in ("thigh", "shank", "foot")]
    sites = [Site(name, name) for name in names]
    sites += [site for foot in build.feet for site in (foot.heel_site, foot.ball_site)]
    points = site_positions(clip.figure, clip.angles, sites) @ build.axes
    hips = points[:, (0, 3)]
    middle = hips.mean(1)
    travel = np.gradient(middle, axis=0) * [1.0, 0.0, 1.0]
    travel = travel / np.maximum(np.linalg.norm(travel, axis=1, keepdims=True), 1e-9)
    found = []
    for i in range(2):
        thigh, shank, foot = points[:, 3 * i], points[:, 3 * i + 1], points[:, 3 * i + 2]
        upper, lower = thigh - shank, shank - foot
        sole = points[:, 7 + 2 * i] - points[:, 6 + 2 * i]
        ahead = -np.sum(upper * travel, axis=1)
        found.append(
            (
                np.degrees(np.arctan2(ahead, upper[:, 1])),
                _between(upper, lower),
                90.0 - _between(lower, sole),
            )
        )
    hip, knee, ankle = (np.stack(column, 1) for column in zip(*found, strict=True))
    return Curves(hip, knee, ankle, middle[:, 1])


def _between(one: Array, other: Array) -> Array:
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return np.degrees(np.arccos(np.clip(np.sum(one * other, axis=1) / lengths, -1.0, 1.0)))


@dataclass(frozen=True)
class Normal:
    """The measures of a walk on the flat that textbooks give [degrees, m]."""

    duty: float
    knee_stance: float
    knee_swing: float
    hip_range: float
    ankle_range: float
    rise: float


def normal_of(record: Record, skip: float = 3.0) -> Normal:
    """Of a steady walk, without its first seconds."""
    first = round(skip / record.clip.frame_time)
    curves = curves_of(record.clip, record.build)
    stance, swing = [], []
    for side in range(2):
        down = record.rockers[first:, side] != Rocker.NONE
        knee = curves.knee[first:, side]
        for run in _runs(down)[1:-1]:
            stance.append(knee[run[: len(run) // 2]].max())
        swing.append(knee[~down].max())
    hip, ankle = curves.hip[first:], curves.ankle[first:]
    return Normal(
        record.duty(),
        float(np.max(stance)),
        float(np.max(swing)),
        float(np.ptp(hip, axis=0).max()),
        float(np.ptp(ankle, axis=0).max()),
        float(np.ptp(curves.pelvis[first:])),
    )
