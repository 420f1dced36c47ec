"""A crowd: many walkers of one figure in arrays, stepped by threads in compiled code."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import OptionError
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.kernels import layout
from poise.kernels import walk_frame as frame_at
from poise.kernels import walk_state as at
from poise.problem import Problem
from poise.solve.many import thread_count
from poise.solve.prepare import prepare_quietly
from poise.solve.settings import Settings
from poise.solve.workspace import Workspace, generator_state
from poise.walk.build import Build, Legs
from poise.walk.drives import Responses
from poise.walk.frame import GaitFrame
from poise.walk.gait import Place
from poise.walk.natural import REASONS, SCRATCH_SIZE, build_row
from poise.walk.riding import Ride, goals_of
from poise.walk.terrain import Terrain, ground

Array = NDArray[np.float64]
Starts = Sequence[Place] | ArrayLike
"""Where each walker begins: places, or rows x, z [m] and heading [rad], (n, 3)."""

WALKERS_PER_UNIT = 32
"""Walkers that a thread takes at a time: few enough that no thread waits long for the last one."""


class Crowd:
    """Many walkers of one figure on one ground, a step of all in one call.

    >>> starts = [(x, z, 0.0) for x in range(25) for z in range(40)]
    >>> crowd = poise.Crowd(human, starts, terrain=poise.terrain.hills(3))
    >>> crowd.drive(speed=1.3)
    >>> crowd.step(1 / 60)
    >>> crowd.angles  # (1000, dofs)

    Each walks as a `Walker` that starts there and is driven like it, to the bit, for any number of
    `threads` (as many as there are cores if not given). They do not see each other. A crowd owns
    its memory: step it from one thread at a time.
    """

    def __init__(
        self,
        figure: Figure,
        starts: Starts,
        *,
        terrain: Terrain | None = None,
        legs: Legs | None = None,
        max_velocity: float = 20.0,
        threads: int | None = None,
    ) -> None:
        places = _places(starts)
        self._threads = min(thread_count(threads), len(places))
        self.figure = figure
        self.terrain = ground(terrain)
        self.build = Build.of(figure, legs)
        self.time = 0.0
        responses = Responses.of(self.build)
        n = len(places)
        self._states = np.zeros((n, at.STATE_SIZE))
        self._builds = np.tile(build_row(self.build), (n, 1))
        self._commands = np.zeros((n, at.COMMAND_SIZE))
        self._frames = np.tile(GaitFrame().values, (n, 1))
        self._angles = np.tile(responses.standing.angles, (n, 1))
        self._status = np.zeros(n, np.int64)
        self._max_velocity = max_velocity
        self._seats = _Seats(self.build, Ride.of(self.build, responses, max_velocity))
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None
        self._stand(places)
        self._go(math.inf)

    def __len__(self) -> int:
        return len(self._states)

    def __repr__(self) -> str:
        return f"<Crowd of {len(self)} {self.figure.name} on {self.terrain.name}>"

    @property
    def angles(self) -> Array:
        """(walkers, dofs) the poses of all, inside all limits."""
        return self._angles.copy()

    def pose(self, walker: int) -> Pose:
        """The pose of one."""
        return Pose(self.figure, self._angles[walker])

    @property
    def places(self) -> Array:
        """(walkers, 3) x, z [m] and heading [rad] of the bodies, without their sway."""
        return self._states[:, [at.X, at.Z, at.HEADING]]

    @property
    def speeds(self) -> Array:
        """(walkers,) how fast the bodies go forward [m/s]."""
        return self._states[:, at.SPEED].copy()

    @property
    def contacts(self) -> NDArray[np.bool_]:
        """(walkers, 2) whether the left and the right foot are on the ground."""
        first = frame_at.FEET + frame_at.CONTACT
        return self._frames[:, [first, first + frame_at.FOOT_SIZE]] > 0.0

    @property
    def reached(self) -> NDArray[np.bool_]:
        """(walkers,) whether every foot and the pelvis are where the gait has them."""
        return self._status == layout.REACHED

    @property
    def stopped(self) -> list[str | None]:
        """Why each cannot go on, e.g. before a cliff; None while it can."""
        return [REASONS.get(code) for code in self._states[:, at.BLOCKED].astype(int).tolist()]

    def drive(
        self,
        speed: ArrayLike | None = None,
        heading: ArrayLike | None = None,
        *,
        turn: ArrayLike | None = None,
        stride: ArrayLike | None = None,
    ) -> None:
        """Say how to go on, as `Walker.drive` does: a number for all, or one a walker (n,)."""
        given = {
            name: _one_each(name, value, len(self))
            for name, value in {
                "speed": speed,
                "heading": heading,
                "turn": turn,
                "stride": stride,
            }.items()
            if value is not None
        }
        columns = {
            "speed": at.WANTED_SPEED,
            "heading": at.WANTED_HEADING,
            "turn": at.WANTED_TURN,
            "stride": at.WANTED_STRIDE,
        }
        for name, values in given.items():
            self._commands[:, columns[name]] = values
        if turn is not None:
            self._commands[:, at.HAS_HEADING] = 0.0
        elif heading is not None:
            self._commands[:, at.HAS_HEADING] = 1.0
            self._commands[:, at.WANTED_TURN] = 0.0

    def step(self, dt: float) -> None:
        """Let all go on by `dt` [s]."""
        if not (math.isfinite(dt) and dt > 0.0):
            raise OptionError(f"dt {dt!r} of a step must be seconds above 0")
        self._go(float(dt))
        self.time += dt

    def _stand(self, places: Array) -> None:
        from poise.kernels.natural_gait import natural_reset

        ground, scratch = (self.terrain.values, self.terrain.shape), np.zeros(SCRATCH_SIZE)
        for i, (x, z, heading) in enumerate(places.tolist()):
            natural_reset(
                self._states[i], self._builds[i], *ground, x, z, heading, self._frames[i], scratch
            )

    def _go(self, dt: float) -> None:
        """A step of all, or with an infinite `dt` to where they stand."""
        walkers = (self._states, self._builds, self._commands, self._frames, self._angles)
        ground = (self.terrain.values, self.terrain.shape)
        reach = self._max_velocity * dt
        limits = self._seats.limits(dt)

        def work(who: NDArray[np.int64]) -> None:
            self._seats.own().step(who, dt, reach, walkers, self._status, ground, limits)

        everyone = np.arange(len(self))
        if self._pool is None:
            work(everyone)
            return
        units = np.array_split(everyone, max(len(self) // WALKERS_PER_UNIT, self._threads))
        for _ in self._pool.map(work, units):
            pass


class _Seats:
    """The workspaces of the threads that carry a crowd, each made when its thread first asks."""

    def __init__(self, build: Build, ride: Ride) -> None:
        prepare_quietly()
        self.ride = ride
        self.settings = Settings.of(ride.figure, ride.options)
        self.problem = Problem(ride.figure, goals_of(build), tolerance=self.settings.tolerance)
        self._local = threading.local()

    def own(self) -> _Seat:
        if not hasattr(self._local, "seat"):
            self._local.seat = _Seat(self)
        return self._local.seat

    def limits(self, dt: float) -> Array:
        """(LIMIT_ROWS, dofs) how far each DOF may go in a step."""
        figure, reach = self.ride.figure, self.settings.reach
        assert reach is not None  # a ride bounds velocities
        return np.stack([figure.lower, figure.upper, reach * dt])


class _Seat:
    """What one thread solves on."""

    def __init__(self, seats: _Seats) -> None:
        from poise.kernels.natural_gait import natural_advance
        from poise.kernels.state import conclude
        from poise.kernels.walk_crowd import crowd_step
        from poise.kernels.walk_pose import set_goals, set_start

        settings = seats.settings
        work = Workspace(seats.problem, settings.method, settings.parameters)
        limits = settings.limits
        work.section(layout.SCALARS)[layout.OPTIMALITY] = limits["optimality"]
        self._step = crowd_step
        self._parts = (natural_advance, set_goals, set_start, work.advance, conclude)
        state = generator_state(limits["seed"])
        counts = np.array([limits["max_iterations"], limits["restarts"], state, True], np.int64)
        self._work = (work.floats, work.ints, counts)
        self._tables = (work.targets, work.weights.copy())
        self._scratch = (np.zeros(SCRATCH_SIZE), np.ones(len(work.targets)))
        self._ride = seats.ride

    def step(
        self,
        who: NDArray[np.int64],
        dt: float,
        reach: float,
        walkers: tuple[Array, ...],
        status: NDArray[np.int64],
        ground: tuple[Any, ...],
        limits: Array,
    ) -> None:
        self._step(
            *self._parts,
            who,
            dt,
            reach,
            walkers,
            status,
            ground,
            self._ride.body,
            self._ride.upper,
            self._work,
            (*self._tables, limits),
            self._scratch,
        )


def _places(starts: Starts) -> Array:
    listed: Any = starts if isinstance(starts, Sequence) else np.atleast_1d(np.asarray(starts))
    table = float_array([(p.x, p.z, p.heading) if isinstance(p, Place) else p for p in listed])
    if table.ndim != 2 or table.shape[1:] != (3,) or not np.isfinite(table).all():
        raise OptionError(
            "starts of a crowd must be places, or finite rows of x, z [m] and heading [rad], (n, 3)"
        )
    return table


def _one_each(name: str, values: ArrayLike, count: int) -> Array:
    table = float_array(values)
    if table.shape not in ((), (count,)) or not np.isfinite(table).all():
        raise OptionError(
            f"{name} of a crowd of {count} must be a finite number, or {count} of them"
        )
    return table
