"""The task of PLS §5: a figure follows six points of a motion, in a time slot a frame.

Hands, feet, pelvis and head of a reference motion are the goals. The motion is sampled every so
many seconds; each frame is solved from the answer before, in at most the slot. Since a long
interval leaves few frames in a clip, the clip is passed several times, each pass beginning a part
of the interval later and at the reference's own pose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from poise.errors import MotionError
from poise.figure.builtin import human
from poise.goals import Position
from poise.motion.clip import Clip
from poise.motion.retarget import retarget
from poise.motion.smoothing import jitter
from poise.motion.track_report import OFF
from poise.solve import Solver

Array = NDArray[np.float64]

GOALS = ("left_hand", "right_hand", "left_foot", "right_foot", "pelvis", "head")
UNIT = 0.2
"""The paper's unit of length [m]: 9 units are 1.80 m."""
TOLERANCE = 0.05 * UNIT
"""Where the paper's methods stop [m]."""
WHOLE_SLOT = 1e-6
"""Where methods stop that should use their slot: so close that nothing is left to gain [m]."""
INTERVALS = (0.05, 0.7, 1.0)
"""Between two frames [s]."""
SLOTS = (0.015, 0.001, 0.0001)
"""For a frame [s]."""
ENOUGH = 100
"""Frames that a setting should have at least,"""
MOST_PASSES = 10
"""and passes that it has at most."""
WARM_UP = 3
"""Solves that are not counted: the first ones of a method load its compiled code."""


def reference_of(clip: Clip) -> Clip:
    """The motion on the built-in human, inside its limits: every goal of it can be met exactly."""
    figure = human()
    same = clip.figure.dof_names == figure.dof_names
    found = clip.on(figure) if same else retarget(clip, figure).clip
    if not found.is_inside_limits:
        found = found.clamped()
    if found.duration < 3.0 * max(INTERVALS):
        raise MotionError(
            f"the clip lasts {found.duration:.2f} s; the study needs at least"
            f" {3.0 * max(INTERVALS):g} s, three frames at its longest interval"
        )
    return found


def passes_of(reference: Clip, interval: float) -> list[Clip]:
    """The reference every `interval` seconds, once for each of some evenly spaced beginnings."""
    frames = int(reference.duration / interval)
    count = int(np.clip(np.ceil(ENOUGH / frames), 1, MOST_PASSES))
    found = []
    for k in range(count):
        times = np.arange(k * interval / count, reference.duration + 1e-9, interval)
        found.append(Clip(reference.figure, reference.angles_at(times), interval, reference.name))
    return found


@dataclass(frozen=True)
class Setting:
    """The conditions that a method works under."""

    interval: float
    """Between two frames [s]."""
    slot: float
    """For one frame [s]."""
    stop: float
    """How close to all goals is close enough [m]."""


@dataclass(frozen=True, eq=False)
class Followed:
    """What a method made of a setting: arrays over the frames of all passes."""

    setting: Setting
    method: str
    passes: tuple[Clip, ...]
    """The answers, without the pose that a pass begins at."""
    references: tuple[Clip, ...]
    errors: Array
    """(frames, goals) [m]"""
    times: Array
    """(frames,) [s]"""

    @cached_property
    def values(self) -> Array:
        """(frames,) the sum of all squared errors, in the paper's units."""
        return np.square(self.errors / UNIT).sum(1)

    @property
    def frames_off(self) -> int:
        """Frames in which a goal is missed by more than 1 cm."""
        return int((self.errors > OFF).any(1).sum())

    @property
    def met(self) -> float:
        """The share of frames in which all goals are as close as they should be."""
        return float((self.errors <= self.setting.stop).all(1).mean())

    @property
    def limits_broken(self) -> int:
        """Frames with a DOF outside its limits."""
        return sum(not pose.is_inside_limits for clip in self.passes for pose in clip)

    @cached_property
    def jitter(self) -> float:
        """That of all points of the figure, over the reference's: 1 is as smooth."""
        both = [
            np.sqrt(np.mean([jitter(clip.positions()) ** 2 for clip in clips if len(clip) > 2]))
            for clips in (self.passes, self.references)
        ]
        return float(both[0] / both[1]) if both[1] > 0.0 else 0.0

    @cached_property
    def distance(self) -> float:
        """The mean distance of all joints from where the reference has them [m]."""
        apart = [
            np.linalg.norm(mine.positions(names) - theirs.positions(names), axis=-1).ravel()
            for mine, theirs in zip(self.passes, self.references, strict=True)
            for names in [mine.figure.segment_names]
        ]
        return float(np.concatenate(apart).mean())


def follow(references: Sequence[Clip], setting: Setting, method: str) -> Followed:
    """Let a method follow all passes of the reference."""
    answers, errors, times = [], [], []
    figure = references[0].figure
    _warm_up(references[0], method)
    for clip in references:
        points = clip.positions(GOALS)
        solver = _solver(clip, points[0], method, setting.stop, setting.slot)
        angles = []
        for targets in points[1:]:
            solution = solver.solve(dict(zip(GOALS, targets.tolist(), strict=True)))
            angles.append(solution.angles)
            errors.append(solution.goal_errors[:, 0])
            times.append(solution.time)
        answers.append(Clip(figure, angles, setting.interval, method))
    left = tuple(clip[1:] for clip in references)
    return Followed(setting, method, tuple(answers), left, np.array(errors), np.array(times))


def _solver(clip: Clip, points: Array, method: str, stop: float, slot: float) -> Solver:
    goals = [Position(name, point) for name, point in zip(GOALS, points, strict=True)]
    return Solver(
        clip.figure,
        goals,
        start=clip[0],
        method=method,
        tolerance=stop,
        max_time=slot,
        max_iterations=10**9,  # the slot alone decides
    )


def _warm_up(clip: Clip, method: str) -> None:
    """Solve for the second frame a few times."""
    solver = _solver(clip, clip.positions(GOALS)[1], method, TOLERANCE, SLOTS[0])
    for _ in range(WARM_UP):
        solver.solve(start=clip[0])
