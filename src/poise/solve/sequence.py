"""Many frames in one call: targets in, angles, errors and statuses out, no Python in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import GoalError, OptionError
from poise.figure.arrays import float_array
from poise.kernels import layout
from poise.kernels.state import conclude
from poise.solve.workspace import Workspace, generator_state

Array = NDArray[np.float64]
Report = Callable[[int, int], None]
"""Called with how many frames are done, and of how many."""

ROWS_PER_CALL = 512
"""Frames of one compiled call: Ctrl+C and progress come in between."""


class Answers(NamedTuple):
    """What came of every frame."""

    angles: Array
    """(frames, dofs) inside all limits."""
    errors: Array
    """(frames, atoms, 2) position [m] and angle [rad]; of a goal that is off they mean nothing."""
    status: NDArray[np.int64]
    """(frames,) a code of `solve.status.FROM_CODE`."""
    iterations: NDArray[np.int64]
    evaluations: NDArray[np.int64]
    restarts: NDArray[np.int64]
    """(frames,) how often the solver began again from another pose; more than 0 may be a jump."""
    values: Array
    """(frames,) f at the answer."""
    residuals: Array
    """(frames,) how far the answer is from optimal."""

    @property
    def reached(self) -> NDArray[np.bool_]:
        """(frames,) whether every goal that is on is met within its tolerance."""
        return self.status == layout.REACHED


class Wanted(NamedTuple):
    """The goals of every frame."""

    targets: Array
    """(frames, some atoms, columns) the first columns of the first atoms; the others stay."""
    weights: Array
    """(frames, atoms) factors of the goals' weights, 0: off."""
    starts: Array
    """(frames, dofs) where each solve starts. With no rows at the last answer."""

    @classmethod
    def checked(
        cls,
        workspace: Workspace,
        targets: ArrayLike,
        weights: ArrayLike | None,
        starts: ArrayLike | None,
    ) -> Wanted:
        """Arrays that fit; a target with NaN in it is off, and stands where the goal was."""
        atoms, n = len(workspace.targets), len(workspace.problem.figure.dofs)
        given = float_array(targets)
        if given.ndim != 3 or given.shape[1] > atoms or given.shape[2] > layout.TARGET_SIZE:
            raise GoalError(
                f"targets have shape {given.shape}; give (frames, {atoms}, columns): three columns"
                " for positions, twelve for positions and rotations"
            )
        frames, count, columns = given.shape
        factors = np.ones((frames, atoms))
        if weights is not None:
            factors[:, :count] = _table(weights, (frames, count), "weights")
        begins = np.empty((0, n)) if starts is None else _table(starts, (frames, n), "starts")
        missing = np.any(np.isnan(given), axis=2)
        factors[:, :count][missing] = 0.0
        wanted = np.where(missing[:, :, None], workspace.targets[:count, :columns], given)
        if not (np.isfinite(wanted).all() and np.isfinite(factors).all() and (factors >= 0).all()):
            raise GoalError(
                "targets need finite numbers, or NaN where one is missing; weights numbers from 0"
            )
        if not np.isfinite(begins).all():
            raise GoalError("starts need finite angles [rad or m] in every frame")
        return cls(wanted, factors, begins)


def _table(values: ArrayLike, shape: tuple[int, int], what: str) -> Array:
    table = float_array(values)
    if table.shape != shape:
        raise GoalError(f"{what} have shape {table.shape}; give {shape}")
    return table


class FrameSolver:
    """Solves rows of targets on a workspace, each from the answer before."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        optimality: float,
        max_iterations: int,
        restarts: int,
        seed: int,
        max_time: float | None,
        reach: Array | None,
        each_alone: bool = False,
    ) -> None:
        """`each_alone`: no frame knows of another; all need starts of their own."""
        problem = workspace.problem
        if max_time is not None:
            raise OptionError("max_time bounds single solves; bound frames by max_iterations")
        if problem.table.custom.size or problem.level_count > 1:
            raise OptionError(
                "Custom goals and goals of several levels are solved one frame at a time:"
                " call Solver.solve in a loop, or leave them out"
            )
        if workspace.drive is not None:
            raise OptionError(
                "the method runs a loop from outside, one frame at a time: call Solver.solve in a"
                " loop, or use another method"
            )
        self._workspace = workspace
        self._settings = np.array(
            [max_iterations, restarts, generator_state(seed), each_alone], np.int64
        )
        self._optimality = optimality
        figure = problem.figure
        self._limits = (
            np.empty((0, len(figure.dofs)))
            if reach is None
            else np.stack([figure.lower, figure.upper, reach])
        )

    def solve(
        self,
        wanted: Wanted,
        history: Array,
        lead: float = 0.0,
        acceptable: float = 1.0,
        report: Report | None = None,
    ) -> Answers:
        """Solve every frame. `history` (2, dofs), the last answer and the one before, moves on;
        `lead` says how much of the last motion a start carries on with, `acceptable` how many
        tolerances a goal may miss by before restarts look for a pose elsewhere."""
        from poise.kernels import sequence

        work = self._workspace
        frames, atoms, n = len(wanted.targets), len(work.targets), history.shape[1]
        tables = (
            np.empty((frames, n)),
            np.empty((frames, 2 * atoms)),
            np.empty((frames, sequence.OUTCOME_COUNT), np.int64),
            np.empty((frames, sequence.VALUE_COUNT)),
        )
        base = work.weights.copy()
        layout.floats_at(work.floats, work.ints, layout.SCALARS)[layout.OPTIMALITY] = (
            self._optimality
        )
        try:
            for first in range(0, frames, ROWS_PER_CALL):
                part = slice(first, first + ROWS_PER_CALL)
                sequence.solve_sequence(
                    work.advance,
                    conclude,
                    work.floats,
                    work.ints,
                    self._settings,
                    (float(lead), float(acceptable)),
                    history,
                    self._limits,
                    _rows(work, wanted, base, part),
                    tuple(table[part] for table in tables),
                )
                if report is not None:
                    report(min(part.stop, frames), frames)
        finally:
            work.weights[:] = base
        return _answers(*tables)


def _rows(work: Workspace, wanted: Wanted, base: Array, part: slice) -> tuple[Array, Array, Array]:
    """Whole sections of targets and weights, and the starts, for some frames."""
    given = wanted.targets[part]
    targets = np.tile(work.targets, (len(given), 1, 1))
    targets[:, : given.shape[1], : given.shape[2]] = given
    weights = np.sqrt(wanted.weights[part])[:, :, None] * base
    return (
        targets.reshape(len(given), -1),
        weights.reshape(len(given), -1),
        np.array(wanted.starts[part]),
    )


def _answers(angles: Array, errors: Array, outcomes: NDArray[np.int64], values: Array) -> Answers:
    status, iterations, evaluations, restarts = outcomes.T.copy()
    value, residual = values.T.copy()
    shaped = errors.reshape(len(errors), -1, 2)
    return Answers(angles, shaped, status, iterations, evaluations, restarts, value, residual)
