"""Arrays in, arrays out: many solves that know nothing of each other, on a pool of threads."""

from __future__ import annotations

import os
import threading
from collections import abc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import GoalError, OptionError
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.goals import Goal
from poise.problem import Problem
from poise.solve.prepare import prepare_quietly
from poise.solve.sequence import Answers, FrameSolver, Report, Wanted
from poise.solve.settings import Options, Settings
from poise.solve.solver import start_angles
from poise.solve.workspace import Workspace

Array = NDArray[np.float64]

ROWS_PER_UNIT = 64
"""Solves that a thread takes at a time: few enough that no thread waits long for the last one."""


def solve_many(
    figure: Figure | abc.Sequence[Figure],
    goals: Goal | abc.Sequence[Goal],
    targets: ArrayLike,
    *,
    starts: Pose | ArrayLike | None = None,
    weights: ArrayLike | None = None,
    threads: int | None = None,
    report: Report | None = None,
    **options: Unpack[Options],
) -> Answers:
    """Solve the same goals for many targets at once, on all cores.

    figure: one for all, or one a row (a track) of `targets`, all with the same DOFs.
    targets: (rows, goals, 3) [m]: every row is a solve of its own, with the bits that
        `poise.solve` gives. (tracks, frames, goals, 3): the frames of a track follow each other,
        each from the answer before; tracks know nothing of each other. NaN: the goal is off.
        Goals with rotations take twelve columns, as `Solution.targets` has them.
    starts: where to start: one pose for all, or (rows, dofs), (tracks, dofs); the rest pose if
        not given.
    weights: (rows, goals) or (tracks, frames, goals) factors of the goals' own, 0: off.
    threads: how many; as many as there are cores if not given. The bits do not depend on it.
    report: called with how many rows (tracks) are done, and of how many.
    options: as `Solver` takes them.

    The answers are arrays with rows, or tracks and frames, as their first axes.
    """
    wanted = float_array(targets)
    if wanted.ndim not in (3, 4):
        raise GoalError(
            f"targets have shape {wanted.shape}; give (rows, goals, 3) for solves that stand"
            " alone, or (tracks, frames, goals, 3)"
        )
    figures = _figures(figure, len(wanted))
    if options.get("max_velocity") is not None and wanted.ndim == 3:
        raise OptionError("max_velocity bounds frames of a track; give targets with four axes")
    factors = None if weights is None else float_array(weights)
    if factors is not None and factors.shape != wanted.shape[:-1]:
        raise GoalError(f"weights have shape {factors.shape}; give {wanted.shape[:-1]}")
    prepare_quietly()
    kind = _Alone if wanted.ndim == 3 else _Tracks
    job = kind(figures, _Makers(goals, options), wanted, factors, starts)
    _run(job, thread_count(threads), report)
    return job.answers


def _figures(figure: Figure | abc.Sequence[Figure], rows: int) -> list[Figure]:
    """One a row."""
    if isinstance(figure, Figure):
        return [figure] * max(rows, 1)
    listed = list(figure)
    if len(listed) != rows or not listed:
        raise GoalError(
            f"{len(listed)} figures for {rows} rows of targets; give one for all, or one a row"
        )
    odd = next((f for f in listed if f.dof_names != listed[0].dof_names), None)
    if odd is not None:
        raise GoalError(
            f"{odd.name} has other DOFs than {listed[0].name}; solve figures with other DOFs in"
            " another call"
        )
    return listed


def thread_count(threads: int | None) -> int:
    """How many threads, as asked: as many as there are cores if not."""
    if threads is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    if not isinstance(threads, int) or threads < 1:
        raise OptionError(f"threads={threads!r} must be a whole number from 1")
    return threads


class _Maker(NamedTuple):
    """What makes a workspace of one figure: each thread has its own."""

    problem: Problem
    settings: Settings

    def sequence(self, each_alone: bool) -> tuple[Workspace, FrameSolver]:
        settings = self.settings
        settings.method.check(self.problem, settings.restarts)
        workspace = Workspace(self.problem, settings.method, settings.parameters)
        reach = settings.reach
        return workspace, FrameSolver(
            workspace, reach=reach, each_alone=each_alone, **settings.limits
        )


@dataclass
class _Makers:
    """Problems by figure, each made once."""

    goals: Goal | abc.Sequence[Goal]
    options: Options
    made: dict[int, _Maker] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, figure: Figure) -> _Maker:
        with self.lock:
            found = self.made.get(id(figure))
            if found is None:
                settings = Settings.of(figure, self.options)
                problem = Problem(
                    figure,
                    self.goals,
                    tolerance=settings.tolerance,
                    weight_matrix=settings.weight_matrix,
                    dynamic_limits=settings.dynamic_limits,
                )
                found = self.made[id(figure)] = _Maker(problem, settings)
            return found


class _Job:
    """Units of work, and the arrays that they fill."""

    each_alone: bool
    answers: Answers

    def __init__(
        self,
        figures: list[Figure],
        makers: _Makers,
        targets: Array,
        weights: Array | None,
        starts: Pose | ArrayLike | None,
    ) -> None:
        self.figures, self.makers = figures, makers
        self.total = len(targets)
        workspace, _ = makers.of(figures[0]).sequence(self.each_alone)
        dofs, atoms = len(figures[0].dofs), len(workspace.targets)
        self.starts = _starts(figures, starts, self.total)
        self.fill(workspace, targets, weights)
        shape = targets.shape[:-2]
        status, iterations, evaluations, restarts = (np.empty(shape, np.int64) for _ in range(4))
        self.answers = Answers(
            np.empty((*shape, dofs)),
            np.empty((*shape, atoms, 2)),
            status,
            iterations,
            evaluations,
            restarts,
            np.empty(shape),
            np.empty(shape),
        )

    def fill(self, workspace: Workspace, targets: Array, weights: Array | None) -> None:
        raise NotImplementedError

    def units(self) -> list[slice]:
        """Rows that one thread solves on one workspace."""
        raise NotImplementedError

    def solve(self, frames: FrameSolver, unit: slice) -> Answers:
        raise NotImplementedError

    def work(self, units: SimpleQueue[slice], stop: threading.Event, done: abc.Callable) -> None:
        """Take units until there are none; one workspace at a time."""
        held: tuple[Figure, FrameSolver] | None = None
        try:
            while not stop.is_set():
                unit = units.get_nowait()
                figure = self.figures[unit.start]
                if held is None or held[0] is not figure:
                    held = figure, self.makers.of(figure).sequence(self.each_alone)[1]
                for place, found in zip(self.answers, self.solve(held[1], unit), strict=True):
                    place[unit] = found
                done(unit.stop - unit.start)
        except Empty:
            return
        except BaseException:
            stop.set()
            raise


class _Alone(_Job):
    """Every row a solve of its own."""

    each_alone = True

    def fill(self, workspace: Workspace, targets: Array, weights: Array | None) -> None:
        self.wanted = Wanted.checked(workspace, targets, weights, self.starts)

    def units(self) -> list[slice]:
        cuts = [i for i in range(1, self.total) if self.figures[i] is not self.figures[i - 1]]
        ends = [*cuts, self.total]
        return [
            slice(first, min(first + ROWS_PER_UNIT, end))
            for begin, end in zip([0, *cuts], ends, strict=True)
            for first in range(begin, end, ROWS_PER_UNIT)
        ]

    def solve(self, frames: FrameSolver, unit: slice) -> Answers:
        part = Wanted(*(table[unit] for table in self.wanted))
        history = np.zeros((2, self.starts.shape[1]))
        return frames.solve(part, history)


class _Tracks(_Job):
    """Every row a track, whose frames follow each other."""

    each_alone = False

    def fill(self, workspace: Workspace, targets: Array, weights: Array | None) -> None:
        factors = [None] * self.total if weights is None else list(weights)
        self.wanted = [
            Wanted.checked(workspace, rows, counts, None)
            for rows, counts in zip(targets, factors, strict=True)
        ]

    def units(self) -> list[slice]:
        return [slice(i, i + 1) for i in range(self.total)]

    def solve(self, frames: FrameSolver, unit: slice) -> Answers:
        first = Pose(self.figures[unit.start], self.starts[unit.start]).clamped().angles
        return frames.solve(self.wanted[unit.start], np.tile(first, (2, 1)))


def _starts(figures: list[Figure], starts: Pose | ArrayLike | None, rows: int) -> Array:
    """(rows, dofs)"""
    if starts is None:
        return np.array([figure.rest_angles for figure in figures[:rows]]).reshape(rows, -1)
    if isinstance(starts, Pose) or np.ndim(starts) == 1:
        return np.tile(start_angles(figures[0], starts), (rows, 1))
    given = float_array(starts)
    dofs = len(figures[0].dofs)
    if given.shape != (rows, dofs):
        raise GoalError(
            f"starts have shape {given.shape}; give one pose ({dofs},), or ({rows}, {dofs})"
        )
    if not np.isfinite(given).all():
        raise GoalError("starts need finite angles [rad or m] in every row")
    return given


def _run(job: _Job, threads: int, report: Report | None) -> None:
    units: SimpleQueue[slice] = SimpleQueue()
    listed = job.units()
    for unit in listed:
        units.put(unit)
    stop, lock, count = threading.Event(), threading.Lock(), 0

    def done(rows: int) -> None:
        nonlocal count
        with lock:
            count += rows
            if report is not None:
                report(count, job.total)

    threads = min(threads, len(listed))
    if threads <= 1:
        job.work(units, stop, done)
        return
    with ThreadPoolExecutor(threads) as pool:
        running = [pool.submit(job.work, units, stop, done) for _ in range(threads)]
        try:
            for one in running:
                one.result()
        except BaseException:  # Ctrl+C ends all threads after the unit that each is at
            stop.set()
            raise
