"""What a solve of several searches may use, and what it has used."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from poise.kernels import layout
from poise.solve.solution import TracePoint

_CUT_SHORT = (layout.RUNNING, layout.OUT_OF_ITERATIONS)


@dataclass
class Budget:
    """Iterations, time and the trace, over all searches of one solve."""

    optimality: float
    max_iterations: int
    max_time: float | None
    seed: int
    points: list[TracePoint] | None
    """The trace, if there is one."""
    began: float = field(default_factory=time.perf_counter)
    used: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Iterations, evaluations and restarts."""
    start_moved: int | None = None
    cut: int | None = None
    """The status of a search that was cut short: out of iterations, or still running."""
    stalled: bool = False

    @property
    def iterations_left(self) -> int:
        return self.max_iterations - self.used[0]

    @property
    def is_over(self) -> bool:
        """Whether nothing is left for another search."""
        if self.iterations_left <= 0:
            return True
        return self.max_time is not None and self.time_left() <= 0.0

    def time_left(self) -> float:
        assert self.max_time is not None
        return self.began + self.max_time - time.perf_counter()

    def share(self, is_last: bool) -> float | None:
        """Time for a search [s]: half of what is left, all of it for the last level."""
        if self.max_time is None:
            return None
        return max(self.time_left() * (1.0 if is_last else 0.5), 1e-9)

    def spend(self, status: int, counters: Any) -> None:
        """Add what a search used."""
        for k, counter in enumerate(_COUNTED):
            self.used[k] += int(counters[counter])
        if self.start_moved is None:
            self.start_moved = int(counters[layout.START_MOVED])
        if status in _CUT_SHORT:
            self.cut = status

    def write(self, counters: Any, is_met: bool, is_complete: bool) -> None:
        """The sums and the status of the whole solve, where a single search has its own.

        `is_complete` says that nothing was left to improve once all goals were met.
        """
        for k, counter in enumerate(_COUNTED):
            counters[counter] = self.used[k]
        counters[layout.START_MOVED] = self.start_moved or 0
        if is_met and is_complete:
            counters[layout.STATUS] = layout.REACHED
        elif self.cut is not None:
            counters[layout.STATUS] = self.cut
        else:
            counters[layout.STATUS] = layout.STALLED if self.stalled else layout.OPTIMAL


_COUNTED = (layout.ITERATIONS, layout.EVALUATIONS, layout.RESTARTS_USED)
