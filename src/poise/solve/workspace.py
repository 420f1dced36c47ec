"""The memory of a solver: a problem's tables and a method's scratch in two arenas.

Nothing is allocated after construction. One workspace a thread.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np

from poise.kernels import layout
from poise.kernels.compiled import load
from poise.kernels.state import conclude
from poise.problem import Problem
from poise.solve.method import Method
from poise.solve.outside import OutsideLoop
from poise.solve.solution import Solution, TracePoint
from poise.solve.status import FROM_CODE

_CHUNK = 1 << 20  # evaluations of one compiled call when nothing else bounds it
_NO_VALUES = np.empty(0)
_SEED_MIX = 0x9E3779B97F4A7C15  # spreads small seeds over the generator's 64 bits


class Workspace:
    """Runs one method on one problem, as often as asked, from given starts."""

    def __init__(self, problem: Problem, method: Method, parameters: Mapping[str, float]) -> None:
        n, r = len(problem.figure.dofs), problem.row_count
        shared = {
            layout.COUNTERS: layout.COUNTER_COUNT,
            layout.SCALARS: layout.SCALAR_COUNT,
            layout.ANGLES: n,
            layout.BEST_ANGLES: n,
            layout.START: n,
            layout.TRIAL: n,
            layout.TRIAL_ROWS: r,
            layout.SCRATCH: max(n, r),
            layout.CUSTOM_TRIAL: problem.table.custom.size,
            layout.CUSTOM_BEST: problem.table.custom.size,
        }
        own = method.sections(problem, parameters)
        self.problem = problem
        self.ints, self.floats = layout.pack(problem.sections() | shared | own)
        self.targets = self.section(layout.GOAL_TARGET).reshape(-1, layout.TARGET_SIZE)
        self.weights = self.section(layout.GOAL_WEIGHT).reshape(-1, 4)
        self.lower, self.upper = self.section(layout.LOWER), self.section(layout.UPPER)
        self.advance, self.drive = method.load(), method.drive
        load(self.advance, conclude)  # before any clock runs: `max_time` is for solving
        self._parameters = parameters
        self._start = self.section(layout.START)
        self._angles = self.section(layout.ANGLES)
        self._best = self.section(layout.BEST_ANGLES)
        self._gradient = self.section(layout.GRADIENT)
        self._errors = self.section(layout.GOAL_ERRORS)
        self._scalars = self.section(layout.SCALARS)
        self._counters = layout.ints_at(self.ints, layout.COUNTERS)
        self._counter_view, self._scalar_view = _view(self._counters), _view(self._scalars)
        self._no_counts = _view(np.zeros_like(self._counters))
        self._custom = problem.table.custom
        self._custom_row = self.section(layout.CUSTOM)
        self._set_length()
        self._scalars[layout.STIFFNESS] = 1.0
        for index, value in method.scalars(problem, parameters).items():
            self._scalars[index] = value

    def run(
        self,
        start: np.ndarray,
        *,
        optimality: float,
        max_iterations: int,
        max_time: float | None,
        restarts: int,
        seed: int,
        trace: bool = False,
        windowed: bool = False,
    ) -> Solution:
        """Solve from `start` (dofs,), which is projected onto the limits first.

        `windowed` says that `lower` and `upper` are narrower than the figure's limits.
        """
        points: list[TracePoint] = []
        began = time.perf_counter()
        self.search(
            start,
            optimality=optimality,
            max_iterations=max_iterations,
            max_time=max_time,
            restarts=restarts,
            seed=seed,
            points=points if trace else None,
        )
        return self.solution(time.perf_counter() - began, windowed, points)

    def search(
        self,
        start: np.ndarray,
        *,
        optimality: float,
        max_iterations: int,
        max_time: float | None,
        restarts: int,
        seed: int,
        points: list[TracePoint] | None = None,
        phase: int = 0,
        level: int = 1,
    ) -> int:
        """Solve from `start` inside the arenas. Returns the status.

        `points` receives the trace. `phase` is the method's phase to begin in, 0 its usual one;
        `level` is what the trace says.
        """
        self._counter_view[:] = self._no_counts
        counters, scalars = self._counter_view, self._scalar_view
        counters[layout.MAX_ITERATIONS] = max_iterations
        counters[layout.RESTARTS_LEFT] = restarts
        counters[layout.RANDOM] = generator_state(seed)
        counters[layout.NEXT_PHASE] = phase
        scalars[layout.OPTIMALITY] = optimality
        self._start[:] = start
        if self.drive is not None:
            record = partial(self._record, points, level)
            self.drive(OutsideLoop(self, max_time, record), self._parameters)
        elif self._custom.size:
            self._run_with_custom(max_time, points, level)
        elif max_time is None and points is None:
            while self.advance(self.floats, self.ints, _CHUNK) == layout.RUNNING:
                pass
        else:
            self._run_in_pieces(max_time, points, level)
        conclude(self.floats, self.ints)
        return counters[layout.STATUS]

    def look(self, angles: np.ndarray) -> None:
        """Make `angles` the pose in the arenas, with its value, errors, gradient and residual."""
        self._best[:] = angles
        self._scalar_view[layout.BEST_VALUE] = -math.inf
        self._scalar_view[layout.BEST_WORST] = 0.0
        conclude(self.floats, self.ints)

    def solution(
        self,
        duration: float,
        windowed: bool,
        points: list[TracePoint],
        reached_errors: np.ndarray | None = None,
    ) -> Solution:
        """What the arenas hold, as a Solution of its own."""
        counters, scalars = self._counter_view, self._scalar_view
        return Solution.of(
            {
                "problem": self.problem,
                "angles": _frozen(self._angles),
                "status": FROM_CODE[counters[layout.STATUS]],
                "value": scalars[layout.VALUE],
                "residual": scalars[layout.RESIDUAL],
                "start_residual": scalars[layout.START_RESIDUAL],
                "numbers": (
                    self._gradient.tobytes(),
                    self._errors.tobytes(),
                    self.targets.tobytes(),
                ),
                "custom_values": _frozen(self._custom.values(self._custom_row))
                if self._custom.size
                else _NO_VALUES,
                "iterations": counters[layout.ITERATIONS],
                "evaluations": counters[layout.EVALUATIONS],
                "restarts": counters[layout.RESTARTS_USED],
                "time": duration,
                "window": (_frozen(self.lower), _frozen(self.upper)) if windowed else None,
                "start_was_projected": counters[layout.START_MOVED] > 0,
                "trace": tuple(points),
                "reached_errors": reached_errors,
            }
        )

    def replace(self, problem: Problem) -> None:
        """Go on with a problem that differs in weights, poses of postures and `Custom` goals."""
        weights = problem.table.weights()
        self.section(layout.GOAL_WEIGHT)[:] = weights.reshape(-1)
        for section, content in problem.table.posture_sections().items():
            self.section(section)[:] = content
        self.problem, self._custom = problem, problem.table.custom
        self._set_length()

    def _set_length(self) -> None:
        """LENGTH: the figure's size as a residual of the heaviest goal."""
        heaviest = self.weights.max(initial=0.0)
        heaviest = max([heaviest, *(goal.weight**0.5 for goal in self._custom.goals)]) or 1.0
        self._scalars[layout.LENGTH] = self.problem.characteristic_length * heaviest

    def _run_in_pieces(
        self, max_time: float | None, points: list[TracePoint] | None, level: int
    ) -> None:
        """Advance by pieces that fit the time left; one evaluation at a time for a trace."""
        began = time.perf_counter()
        piece = 1
        while True:
            attempt = self._counter_view[layout.RESTARTS_USED]
            before = time.perf_counter()
            status = self.advance(self.floats, self.ints, piece)
            now = time.perf_counter()
            if points is not None:
                points.append(self._trace_point(attempt, level))
            elif max_time is not None:
                each = max(now - before, 1e-9) / piece
                piece = max(1, int(min(4.0 * piece, 0.5 * (began + max_time - now) / each)))
            if status != layout.RUNNING or (max_time is not None and now - began >= max_time):
                return

    def _run_with_custom(
        self, max_time: float | None, points: list[TracePoint] | None, level: int
    ) -> None:
        """Ask the user's functions before each evaluation (reverse communication)."""
        began = time.perf_counter()
        status = self.advance(self.floats, self.ints, 0)  # makes the first TRIAL
        while status == layout.RUNNING:
            attempt = self._counter_view[layout.RESTARTS_USED]
            self.ask_custom()
            status = self.advance(self.floats, self.ints, 1)
            if points is not None:
                points.append(self._trace_point(attempt, level))
            if max_time is not None and time.perf_counter() - began >= max_time:
                return

    def _record(self, points: list[TracePoint] | None, level: int) -> None:
        if points is not None:
            points.append(self._trace_point(0, level))

    def ask_custom(self) -> None:
        """Let the user's functions say what they are at TRIAL."""
        if self._custom.size:
            self._custom.write(self.section(layout.TRIAL), self.section(layout.CUSTOM_TRIAL))

    def _trace_point(self, attempt: int, level: int) -> TracePoint:
        """The iterate after an evaluation; a restart is counted before its pose is evaluated."""
        counters = self._counters
        return TracePoint(
            int(counters[layout.EVALUATIONS]),
            int(counters[layout.ITERATIONS]),
            attempt,
            float(self._scalars[layout.VALUE]),
            self._angles.copy(),
            level,
        )

    def target_view(self) -> Any:
        """The targets as flat memory, `layout.TARGET_SIZE` floats an atom."""
        return _view(self.targets.reshape(-1))

    def section(self, section: int) -> np.ndarray:
        """A float section of the arenas (kernels/layout.py)."""
        return layout.floats_at(self.floats, self.ints, section)


def _view(values: np.ndarray) -> Any:
    """A memory view: single numbers are read and written three times as fast as in an array."""
    return memoryview(values)  # type: ignore[arg-type]


def _frozen(values: np.ndarray) -> np.ndarray:
    """A copy of a row that nobody can write to: its memory is that of bytes."""
    return np.frombuffer(values.tobytes())


@cache
def generator_state(seed: int) -> int:
    """A non-zero signed 64-bit state."""
    mixed = ((seed + 1) * _SEED_MIX) & 0xFFFFFFFFFFFFFFFF
    signed = mixed - (1 << 64) if mixed >= 1 << 63 else mixed
    return signed or 1
