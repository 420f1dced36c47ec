"""The Crawler: a figure on many legs, driven over a ground as a Walker is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from poise.errors import OptionError
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.goals import Goal, Pose6D, Position
from poise.motion.roles import way_up
from poise.solve import Solution, Solver
from poise.walk.crawl_build import FEWEST, CrawlBuild, feet_of
from poise.walk.crawl_gait import CrawlGait
from poise.walk.frame import Rocker
from poise.walk.gait import Command, Place
from poise.walk.terrain import Terrain, flat
from poise.walk.walker import FootState, Walker, WalkState, commanded

BODY_WEIGHT = 0.02
"""Against 1 of a foot: where not all can be had the body gives way."""
HOMING, HOMING_SHARE = 1.5, 0.1
"""How fast joints that the feet leave free go back to where they are at rest [1/s], and the share
of a joint's largest velocity that this takes."""


class Crawler:
    """A figure on three legs or more that crawls where it is driven, half of its feet at a time.

    >>> crawler = poise.Crawler(poise.figures.spider(), poise.terrain.hills(3))
    >>> crawler.drive(speed=0.6)
    >>> state = crawler.step(1 / 60)

    `feet` are names of sites or segments where names do not tell them; `standing` is the pose it
    stands in, its rest pose if not given. It owns its memory: use one a thread.
    """

    def __init__(
        self,
        figure: Figure,
        terrain: Terrain | None = None,
        *,
        feet: Sequence[str] | None = None,
        standing: Pose | None = None,
        max_velocity: float = 20.0,
        start: Place = Place(),  # noqa: B008 -- a frozen value
    ) -> None:
        self.figure, self.terrain = figure, terrain or flat()
        build = self.build = CrawlBuild.of(figure, feet, standing)
        self.gait = CrawlGait(build, self.terrain)
        self.gait.reset(start)
        self.command, self.time = Command(), 0.0
        zero = np.zeros(3)
        goals: list[Goal] = [Pose6D(build.body, zero, np.eye(3), name="body", weight=BODY_WEIGHT)]
        goals += [Position(name, zero) for name in build.feet]
        root = set(figure.segments[0].dof_names)
        self._max_velocity = max_velocity
        followed = (1.0 - HOMING_SHARE) * max_velocity
        self._solver = Solver(
            _freed(build),
            goals,
            start=build.standing,
            restarts=0,
            tolerance=1e-4,
            max_iterations=60,
            max_velocity={n: followed for n in figure.dof_names if n not in root},
            dt=1.0,
        )
        self._targets = self._solver.solve().targets.copy()
        self._rest = build.standing.angles
        self._legs = np.array([name not in root for name in figure.dof_names])
        self._body = build.axes.T @ build.standing.rotation(build.body)
        self._angles = self._rest
        self._solve(math.inf)

    def drive(
        self,
        speed: float | None = None,
        heading: float | None = None,
        *,
        turn: float | None = None,
    ) -> None:
        """Say how to go on, as `Walker.drive` does."""
        self.command = commanded(self.command, speed=speed, heading=heading, turn=turn)

    def step(self, dt: float) -> WalkState:
        """Go on by `dt` [s]."""
        if not (math.isfinite(dt) and dt > 0.0):
            raise OptionError(f"dt {dt!r} of a step must be seconds above 0")
        self.gait.advance(self.command, dt)
        solution = self._solve(dt)
        self.time += dt
        pose = Pose(self.figure, self._angles)
        feet = tuple(
            FootState(name, bool(down), Rocker.SOLE if down else Rocker.NONE, at)
            for name, down, at in zip(
                self.build.feet,
                self.gait.in_contact,
                self.gait.feet @ self.build.axes.T,
                strict=True,
            )
        )
        return WalkState(pose, self.time, self.gait.phase, feet, solution, self.gait.stopped)

    def _solve(self, dt: float) -> Solution:
        axes, gait = self.build.axes, self.gait
        self._targets[0, :3] = axes @ gait.body
        self._targets[0, 3:] = (axes @ gait.turn @ self._body).ravel()
        self._targets[1:, :3] = gait.feet @ axes.T
        home = 1.0 - math.exp(-HOMING * dt) if math.isfinite(dt) else 0.0
        most = HOMING_SHARE * self._max_velocity * dt
        away = np.clip(home * (self._rest - self._angles), -most, most)
        start = self._angles + np.where(self._legs, away, 0.0)
        self._solver.set_time_step(dt)
        solution = self._solver.solve_table(self._targets, start=start)
        self._angles = solution.angles
        return solution


def walker_of(
    figure: Figure, terrain: Terrain | None, *, start: Place, **two_legged: Any
) -> Walker | Crawler:
    """A Crawler if a figure has three feet or more that its names tell, else a Walker.

    `two_legged` are what only a Walker takes, as it takes them.
    """
    given = [name for name, value in two_legged.items() if value not in (None, "natural")]
    if "legs" in given or len(feet_of(figure)) < FEWEST:
        return Walker(figure, terrain, start=start, **two_legged)
    if given:
        raise OptionError(f"{given[0]} is for walkers on two legs; {figure.name} has more")
    return Crawler(figure, terrain, start=start)


def _freed(build: CrawlBuild) -> Figure:
    """The figure with nothing free but the root and the legs."""
    figure = build.figure
    ways = {s for name in build.feet for s in way_up(figure, figure.effector(name).segment)}
    free = {n for segment in figure.segments if segment.name in ways for n in segment.dof_names}
    return figure.with_rigidity({name: 1.0 for name in figure.dof_names if name not in free})
