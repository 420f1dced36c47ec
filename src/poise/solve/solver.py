"""The Solver, warm-started and allocation-free, and `solve`, the same in one call."""

from __future__ import annotations

import math
from collections import abc
from collections.abc import Mapping
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import GoalError, OptionError, unknown_name
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.goals import Goal, Pose6D, Position
from poise.kernels.layout import TARGET_SIZE
from poise.problem import Problem
from poise.solve.levels import Levels
from poise.solve.method import methods
from poise.solve.prepare import prepare_quietly
from poise.solve.sequence import Answers, FrameSolver, Report, Wanted
from poise.solve.settings import Options, Settings
from poise.solve.solution import Solution
from poise.solve.workspace import Workspace

_ORTHONORMAL = 1e-7
"""How far a matrix may be from a rotation that needs no closer look."""


class Solver:
    """Solves for the same goals again and again, each time from the last answer.

    >>> solver = Solver(human, [Position("left_hand", (0.3, 1.2, 0.4))])
    >>> solution = solver.solve({"left_hand": (0.3, 1.3, 0.4)})

    It owns its memory: use one Solver a thread.
    """

    def __init__(
        self,
        figure: Figure,
        goals: Goal | abc.Sequence[Goal],
        *,
        start: Pose | ArrayLike | None = None,
        **options: Unpack[Options],
    ) -> None:
        settings = Settings.of(figure, options)
        problem = Problem(
            figure,
            goals,
            tolerance=settings.tolerance,
            weight_matrix=settings.weight_matrix,
            dynamic_limits=settings.dynamic_limits,
        )
        self._fill(problem, settings, start_angles(figure, start))

    @classmethod
    def of(cls, problem: Problem, settings: Settings, start: NDArray[np.float64]) -> Solver:
        """A solver of a problem that is made already, from `start` (dofs,)."""
        made = cls.__new__(cls)
        made._fill(problem, settings, start)
        return made

    def _fill(self, problem: Problem, settings: Settings, start: NDArray[np.float64]) -> None:
        method = settings.method
        method.check(problem, settings.restarts)
        prepare_quietly()
        self.problem = problem
        self._workspace = Workspace(problem, method, settings.parameters)
        self._levels: Levels | None = None
        if problem.level_count > 1:
            if method.exact_phase is None:
                able = [name for name, known in methods().items() if known.exact_phase is not None]
                raise OptionError(
                    f"method {method.name!r} solves goals of one level only; give all goals the"
                    f" same level, or use {' or '.join(map(repr, able))}"
                )
            self._levels = Levels(self._workspace, method.exact_phase())
        self._targets = self._workspace.target_view()
        self._limits, self._reach = settings.limits, settings.reach
        self._velocity = None if settings.reach is None else settings.reach / settings.dt
        self._angles = start
        self._answer: NDArray[np.float64] | None = None
        self._index = {name: k for k, name in enumerate(problem.goal_names)}
        self._goals = list(problem.goals)
        self._points = {
            name: problem.table.ranges[k].start * TARGET_SIZE
            for name, k in self._index.items()
            if type(problem.goals[k]) is Position
        }
        self._has_custom = bool(problem.table.custom.size)

    @property
    def pose(self) -> Pose:
        """Where the next solve starts: the last answer."""
        return Pose(self.problem.figure, self._angles)

    def solve(
        self,
        targets: Mapping[str, object] | None = None,
        *,
        start: Pose | ArrayLike | None = None,
        trace: bool = False,
    ) -> Solution:
        """Move the goals named in `targets` and solve from the last answer, or from `start`."""
        angles = self._angles if start is None else start_angles(self.problem.figure, start)
        if self._has_custom:
            return self._solve_or_undo(targets, angles, trace)
        if targets is not None:
            self.move(targets)
        return self._run(angles, trace)

    def _solve_or_undo(
        self, targets: Mapping[str, object] | None, angles: NDArray[np.float64], trace: bool
    ) -> Solution:
        """As `solve`; when a function of the user fails, all is as it was before."""
        rows, goals, problem = self._workspace.targets.copy(), list(self._goals), self.problem
        try:
            if targets is not None:
                self.move(targets)
            return self._run(angles, trace)
        except BaseException:
            self._workspace.targets[:] = rows
            self._goals = goals
            self._replace(problem)
            raise

    def _run(self, angles: NDArray[np.float64], trace: bool) -> Solution:
        if self._reach is not None:
            figure, workspace = self.problem.figure, self._workspace
            # The last answer is inside, so only another start needs to be brought there.
            inside = angles if angles is self._answer else Pose(figure, angles).clamped().angles
            np.maximum(inside - self._reach, figure.lower, out=workspace.lower)
            np.minimum(inside + self._reach, figure.upper, out=workspace.upper)
        run = self._workspace.run if self._levels is None else self._levels.run
        windowed = self._reach is not None
        solution = run(angles, trace=trace, windowed=windowed, **self._limits)
        self._angles = self._answer = solution.angles
        return solution

    def solve_table(
        self,
        targets: NDArray[np.float64],
        weights: NDArray[np.float64] | None = None,
        *,
        start: Pose | ArrayLike | None = None,
    ) -> Solution:
        """As `solve`, with all targets as a `Solution.targets` has them.

        `weights` (atoms,) are factors of the goals' own for this solve.
        """
        work = self._workspace
        work.targets[:] = targets
        if weights is None:
            return self.solve(start=start)
        own = work.weights.copy()
        work.weights *= np.sqrt(weights)[:, None]
        try:
            return self.solve(start=start)
        finally:
            work.weights[:] = own

    def solve_sequence(
        self,
        targets: ArrayLike,
        weights: ArrayLike | None = None,
        *,
        start: Pose | ArrayLike | None = None,
        starts: ArrayLike | None = None,
        lead: float = 0.0,
        acceptable: float = 1.0,
        report: Report | None = None,
    ) -> Answers:
        """Solve for many frames in one compiled call, each from the answer before, or from `start`.

        `targets` (frames, atoms, columns) has the first columns of `Solution.targets`, for all or
        the first of its atoms; a goal whose target is NaN is off in that frame. `weights` (frames,
        atoms) are factors of the goals' own, 0: off. With `starts` (frames, dofs) every solve has
        a start of its own, and the answer nearest to it wins; without it starts at the last
        answer carried on by `lead` times the last motion. Restarts, which are jumps, are made
        only where a goal misses by more than `acceptable` times its tolerance.
        """
        wanted = Wanted.checked(self._workspace, targets, weights, starts)
        frames = FrameSolver(self._workspace, reach=self._reach, **self._limits)
        figure = self.problem.figure
        first = self._angles if start is None else start_angles(figure, start)
        history = np.tile(Pose(figure, first).clamped().angles, (2, 1))
        answers = frames.solve(wanted, history, lead, acceptable, report)
        self._angles = float_array(history[0])
        return answers

    def set_time_step(self, dt: float) -> None:
        """The time between two solves from now on [s], which `max_velocity` counts by."""
        if self._velocity is None:
            raise OptionError("the solver has no max_velocity; give one, and dt, when it is made")
        self._reach = self._velocity * dt

    def move(self, targets: Mapping[str, object]) -> None:
        """Move the goals named, without solving; all are checked before any is moved."""
        if not isinstance(targets, Mapping):
            raise GoalError(
                f"targets are {targets!r}; give them by name, e.g. {{'left_hand': (x, y, z)}}"
            )
        points: list[tuple[int, float, float, float]] = []
        poses: list[tuple[int, list[float]]] = []
        moved: dict[int, Goal] = {}
        problem, plain = self.problem, self._points
        for name, target in targets.items():
            if name in plain:
                x, y, z = _three(name, target)
                points.append((plain[name], x, y, z))
                continue
            k = self._index.get(name)
            if k is None:
                raise GoalError(unknown_name("goal", name, self._index))
            goal, atoms = self._goals[k], self.problem.table.ranges[k]
            if type(goal) is Pose6D and (row := _plain_pose(name, target)) is not None:
                poses.append((atoms.start, row))
                continue
            moved[k] = self.goal(name).moved(target)
            if atoms.start == atoms.stop:  # a posture or a function of the user
                problem = problem.with_goal(k, moved[k])
        if problem is not self.problem:
            self._replace(problem)
        table = self._targets
        for at, x, y, z in points:
            table[at], table[at + 1], table[at + 2] = x, y, z
        for atom, row in poses:
            self._workspace.targets[atom] = row
        for k, goal in moved.items():
            for i, atom in enumerate(goal.atoms(), self.problem.table.ranges[k].start):
                self._workspace.targets[i, : atom.target.size] = atom.target
            self._goals[k] = goal

    def set_weight(self, name: str, weight: float) -> None:
        """Let the goal of that name count more or less from now on."""
        goal = self.goal(name).changed(weight=weight)
        k = self._index[name]
        self._replace(self.problem.with_goal(k, goal))
        self._goals[k] = goal

    def goal(self, name: str) -> Goal:
        """The goal of that name, with the target that it has now."""
        k = self._index.get(name)
        if k is None:
            raise GoalError(unknown_name("goal", name, self._index))
        goal = self._goals[k]
        if type(goal) is Position or type(goal) is Pose6D:
            # `move` writes only the table, which is quicker.
            row = self._workspace.targets[self.problem.table.ranges[k].start]
            if (row != goal.target_row()).any():
                return goal.moved(
                    row[:3] if goal.row_count == 3 else (row[:3], row[3:].reshape(3, 3))
                )
        return goal

    def _replace(self, problem: Problem) -> None:
        self._workspace.replace(problem)
        if self._levels is not None:
            self._levels.replace(problem)
        self.problem = problem


def solve(
    figure: Figure,
    goals: Goal | abc.Sequence[Goal],
    *,
    start: Pose | ArrayLike | None = None,
    trace: bool = False,
    **options: Unpack[Options],
) -> Solution:
    """Pose `figure` so that it meets `goals`, inside its limits, from `start` (its rest pose).

    Always answers: with the closest pose found, and the reason why it is not closer.
    """
    return Solver(figure, goals, start=start, **options).solve(trace=trace)


def _three(name: str, target: object) -> tuple[float, float, float]:
    try:
        x, y, z = target  # type: ignore[misc]
        if math.isfinite(x) and math.isfinite(y) and math.isfinite(z):
            return x, y, z
    except (TypeError, ValueError, OverflowError):
        pass
    raise GoalError(f"target of goal {name!r} needs three finite numbers [m], not {target!r}")


def _plain_pose(name: str, target: object) -> list[float] | None:
    """The row of a (position, rotation) whose rotation is an array of floats and fit to be one.

    Ten times as fast as a new goal, which all other targets are left to: it says what is wrong.
    """
    if type(target) is not tuple or len(target) != 2:
        return None
    rotation = target[1]
    if type(rotation) is not np.ndarray or rotation.shape != (3, 3) or rotation.dtype != float:
        return None
    a, b, c, d, e, f, g, h, i = turn = rotation.ravel().tolist()
    off = (  # a sum, because `max` may lose a number that is none
        abs(a * a + b * b + c * c - 1.0)
        + abs(d * d + e * e + f * f - 1.0)
        + abs(a * d + b * e + c * f)
        + abs(b * f - c * e - g)
        + abs(c * d - a * f - h)
        + abs(a * e - b * d - i)
    )
    return [*_three(name, target[0]), *turn] if off < _ORTHONORMAL else None


def start_angles(figure: Figure, start: Pose | ArrayLike | None) -> NDArray[np.float64]:
    """Where to start (dofs,): the figure's rest pose when nothing is given."""
    if start is None:
        return figure.rest().angles
    if isinstance(start, Pose):
        if start.figure.dof_names != figure.dof_names:
            raise OptionError(
                f"start is a pose of {start.figure.name!r}, not of {figure.name!r};"
                " give a pose of the same figure"
            )
        return start.angles
    return figure.pose(start).angles
