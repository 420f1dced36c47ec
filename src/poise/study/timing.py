"""Times of solves that can be compared."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from poise.solve import Solution

REPEATS = 50
LONGEST = 2.0
"""A slow solve is repeated less often, to take about so long in all [s]."""


def timed(solve: Callable[[], Solution], repeats: int = REPEATS) -> tuple[Solution, float]:
    """A solution and the median time of solving it again from the same start [s].

    The first solve is not counted: it loads the compiled code.
    """
    solution = solve()
    times = [solve().time]
    while len(times) < repeats and sum(times) < LONGEST:
        times.append(solve().time)
    return solution, median(times)
