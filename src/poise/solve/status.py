"""Status: why a solve ended. Every member explains itself."""

from __future__ import annotations

from enum import Enum

from poise.kernels import layout


class Status(Enum):
    """Why a solve ended; `str(status)` is a sentence."""

    REACHED = "every goal is met within its tolerance"
    OPTIMAL = "not every goal can be met from here: the pose is a proven local optimum"
    STALLED = "no step lowers the value any more, though optimality is not proven"
    OUT_OF_ITERATIONS = "the iteration budget ran out before the best pose was found"
    OUT_OF_TIME = "the time budget ran out before the best pose was found"

    def __str__(self) -> str:
        return self.value


FROM_CODE = {
    layout.RUNNING: Status.OUT_OF_TIME,
    layout.REACHED: Status.REACHED,
    layout.OPTIMAL: Status.OPTIMAL,
    layout.STALLED: Status.STALLED,
    layout.OUT_OF_ITERATIONS: Status.OUT_OF_ITERATIONS,
}
"""The kernels' codes; a kernel that was stopped while running ran out of time."""
