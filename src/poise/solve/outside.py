"""Solving with a loop of another library: what it may ask, and when it must end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.kernels import layout

if TYPE_CHECKING:
    from poise.solve.workspace import Workspace

Array = NDArray[np.float64]


class Ended(Exception):  # noqa: N818 - no error
    """The solve has its answer, or its time is over: leave the loop."""


class OutsideLoop:
    """A solve as a bounded problem in z, the DOFs that may move in their metric.

    The loop starts at `start` (variables,), asks for values and slopes by `evaluate`, and tells by
    `accept` which of the poses it goes on from; both raise `Ended` when the solve is over.
    """

    def __init__(
        self, workspace: Workspace, max_time: float | None, record: Callable[[], None]
    ) -> None:
        from poise.kernels import outside

        self._kernel, self._workspace = outside, workspace
        self._floats, self._ints = workspace.floats, workspace.ints
        self._end = None if max_time is None else time.perf_counter() + max_time
        self._record, self._unrecorded = record, False
        self._trial = workspace.section(layout.TRIAL)
        self._slope = workspace.section(layout.STEP)
        self._scalars = workspace.section(layout.SCALARS)
        mobility = workspace.problem.mobility
        self._free = np.flatnonzero(mobility > 0)
        self._scale = mobility[self._free]
        bounds = workspace.lower[self._free], workspace.upper[self._free]
        self._bounds = bounds[0].copy(), bounds[1].copy()
        self.lower, self.upper = self._bounds[0] / self._scale, self._bounds[1] / self._scale
        self._evaluate_trial()
        self._kernel.accept(self._floats, self._ints)
        self.start = np.clip(self._trial[self._free] / self._scale, self.lower, self.upper)
        self._last = self.start.copy()

    @property
    def is_over(self) -> bool:
        counters = layout.ints_at(self._ints, layout.COUNTERS)
        return bool(counters[layout.STATUS] != layout.RUNNING)

    def evaluate(self, z: Array) -> tuple[float, Array]:
        """f and its gradient by z (variables,)."""
        if not np.array_equal(z, self._last):
            if self._end is not None and time.perf_counter() >= self._end:
                raise Ended
            angles = z * self._scale
            for bound, at in zip(self._bounds, (self.lower, self.upper), strict=True):
                angles = np.where(z == at, bound, angles)
            self._trial[self._free] = angles
            self._evaluate_trial()
            self._last = z.copy()
        value = float(self._scalars[self._kernel.TRIAL_VALUE])
        return value, self._scale * self._slope[self._free]

    def accept(self, z: Array) -> None:
        """Go on from z."""
        self.evaluate(z)
        if self._kernel.accept(self._floats, self._ints) != layout.RUNNING:
            raise Ended

    def finish(self) -> None:
        """The loop has ended, by itself or by `Ended`; it is out of time if that was why."""
        if self._unrecorded:
            self._record()
        if self._end is None or time.perf_counter() < self._end:
            self._kernel.give_up(self._floats, self._ints)

    def _evaluate_trial(self) -> None:
        """Evaluate TRIAL. The trace gets its point when it is known what came of it."""
        if self._unrecorded:
            self._record()
        self._kernel.place(self._floats, self._ints)
        self._workspace.ask_custom()
        self._kernel.advance_outside(self._floats, self._ints, 1)
        self._unrecorded = True
