"""The Solver, warm-started and allocation-free, and `solve`, the same in one call."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import GoalError, OptionError, unknown_name
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.goals import Goal, Position
from poise.kernels.layout import TARGET_SIZE
from poise.problem import DynamicLimit, Problem, Tolerance
from poise.solve.levels import Levels
from poise.solve.method import method_named, methods
from poise.solve.prepare import prepare_quietly
from poise.solve.solution import Solution
from poise.solve.workspace import Workspace

_MOST_WHOLE = 2**62
"""The largest whole number that an option may be; kernels count with 64 bits."""


class Options(TypedDict, total=False):
    """What `Solver` and `solve` take besides figure and goals."""

    method: str
    """A name of `poise.methods()`; "auto" by default."""
    parameters: Mapping[str, float | str]
    """The method's own, e.g. {"alpha": 1e-3}."""
    tolerance: Tolerance | float
    """When a goal is met; a number means metres, with ten times as many radians."""
    optimality: float
    """The residual counts as zero below this fraction of its start. Default 1e-6."""
    max_time: float | None
    """[s]"""
    max_iterations: int
    restarts: int | None
    """How often to begin again from a local minimum; the method's own number by default."""
    seed: int
    """Of the restarts: the same seed gives the same bits."""
    weight_matrix: ArrayLike | None
    """PLS's W over all residual rows: symmetric, positive definite."""
    dynamic_limits: Sequence[DynamicLimit]
    """Ranges that depend on the pose during the solve."""
    max_velocity: float | Mapping[str, float] | None
    """[rad/s or m/s] for all DOFs, or by name or pattern. Needs `dt`."""
    dt: float | None
    """Time between two solves [s]."""


class Solver:
    """Solves for the same goals again and again, each time from the last answer.

    >>> solver = Solver(human, [Position("left_hand", (0.3, 1.2, 0.4))])
    >>> solution = solver.solve({"left_hand": (0.3, 1.3, 0.4)})

    It owns its memory: use one Solver a thread.
    """

    def __init__(
        self,
        figure: Figure,
        goals: Goal | Sequence[Goal],
        *,
        start: Pose | ArrayLike | None = None,
        **options: Unpack[Options],
    ) -> None:
        given = _checked_options(options)
        method = method_named(given.get("method", "auto"))
        parameters = method.checked(given.get("parameters") or {})
        restarts = given.get("restarts")
        self.problem = Problem(
            figure,
            goals,
            tolerance=given.get("tolerance", 1e-3),
            weight_matrix=given.get("weight_matrix"),
            dynamic_limits=given.get("dynamic_limits", ()),
        )
        method.check(self.problem, restarts)
        prepare_quietly()
        self._workspace = Workspace(self.problem, method, parameters)
        self._levels: Levels | None = None
        if self.problem.level_count > 1:
            if method.exact_phase is None:
                able = [name for name, known in methods().items() if known.exact_phase is not None]
                raise OptionError(
                    f"method {method.name!r} solves goals of one level only; give all goals the"
                    f" same level, or use {' or '.join(map(repr, able))}"
                )
            self._levels = Levels(self._workspace, method.exact_phase())
        self._targets = self._workspace.target_view()
        self._limits = {
            "optimality": given.get("optimality", 1e-6),
            "max_iterations": given.get("max_iterations", 10_000),
            "max_time": given.get("max_time"),
            "restarts": method.restarts if restarts is None else restarts,
            "seed": given.get("seed", 0),
        }
        self._reach = _reach_per_solve(figure, given.get("max_velocity"), given.get("dt"))
        self._angles = _start_angles(figure, start)
        self._index = {name: k for k, name in enumerate(self.problem.goal_names)}
        self._goals = list(self.problem.goals)

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
        angles = self._angles if start is None else _start_angles(self.problem.figure, start)
        if self.problem.table.custom.size:
            return self._solve_or_undo(targets, angles, trace)
        if targets is not None:
            self._move(targets)
        return self._run(angles, trace)

    def _solve_or_undo(
        self, targets: Mapping[str, object] | None, angles: NDArray[np.float64], trace: bool
    ) -> Solution:
        """As `solve`; when a function of the user fails, all is as it was before."""
        rows, goals, problem = self._workspace.targets.copy(), list(self._goals), self.problem
        try:
            if targets is not None:
                self._move(targets)
            return self._run(angles, trace)
        except BaseException:
            self._workspace.targets[:] = rows
            self._goals = goals
            self._replace(problem)
            raise

    def _run(self, angles: NDArray[np.float64], trace: bool) -> Solution:
        if self._reach is not None:
            figure, workspace = self.problem.figure, self._workspace
            inside = Pose(figure, angles).clamped().angles
            np.clip(inside - self._reach, figure.lower, figure.upper, out=workspace.lower)
            np.clip(inside + self._reach, figure.lower, figure.upper, out=workspace.upper)
        windowed = self._reach is not None
        run = self._workspace.run if self._levels is None else self._levels.run
        solution = run(angles, trace=trace, windowed=windowed, **self._limits)
        self._angles = solution.angles
        return solution

    def solve_table(self, targets: NDArray[np.float64]) -> Solution:
        """As `solve`, with all targets as a `Solution.targets` has them."""
        self._workspace.targets[:] = targets
        return self.solve()

    def _move(self, targets: Mapping[str, object]) -> None:
        """Rewrite the targets' rows; all are checked before any is written."""
        if not isinstance(targets, Mapping):
            raise GoalError(
                f"targets are {targets!r}; give them by name, e.g. {{'left_hand': (x, y, z)}}"
            )
        changes: list[tuple[int, Sequence[float]]] = []
        moved: dict[int, Goal] = {}
        problem = self.problem
        for name, target in targets.items():
            k = self._index.get(name)
            if k is None:
                raise GoalError(unknown_name("goal", name, self._index))
            goal, atoms = self._goals[k], self.problem.table.ranges[k]
            if type(goal) is Position:
                changes.append((atoms.start * TARGET_SIZE, _three(name, target)))
                continue
            moved[k] = goal.moved(target)
            if atoms.start == atoms.stop:  # a posture or a function of the user
                problem = problem.with_goal(k, moved[k])
            for i, atom in enumerate(moved[k].atoms(), atoms.start):
                changes.append((i * TARGET_SIZE, atom.target.tolist()))
        if problem is not self.problem:
            self._replace(problem)
        table = self._targets
        for at, row in changes:
            for offset, value in enumerate(row):
                table[at + offset] = value
        for k, goal in moved.items():
            self._goals[k] = goal

    def _replace(self, problem: Problem) -> None:
        self._workspace.replace(problem)
        if self._levels is not None:
            self._levels.replace(problem)
        self.problem = problem


def solve(
    figure: Figure,
    goals: Goal | Sequence[Goal],
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


def _start_angles(figure: Figure, start: Pose | ArrayLike | None) -> NDArray[np.float64]:
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


def _checked_options(options: Options) -> Options:
    for name in options:
        if name not in Options.__annotations__:
            raise OptionError(unknown_name("option", name, Options.__annotations__))
    checked = dict(options)
    _check(
        checked, "max_time", "a number of seconds above 0, or None", lambda x: x is None or x > 0
    )
    _check(checked, "optimality", "a number from 0 to 1", lambda x: 0 <= x <= 1)
    _check_whole(checked, "max_iterations", least=0)
    if checked.get("restarts") is not None:
        _check_whole(checked, "restarts", least=0)
    _check_whole(checked, "seed", least=-_MOST_WHOLE)
    return checked  # type: ignore[return-value]


def _check(options: dict[str, object], name: str, wanted: str, valid) -> None:  # noqa: ANN001
    if name not in options:
        return
    try:
        good = bool(valid(options[name]))
    except (TypeError, ValueError, OverflowError):
        good = False
    if not good:
        raise OptionError(f"{name}={options[name]!r} must be {wanted}")


def _check_whole(options: dict[str, object], name: str, least: int) -> None:
    """Check a whole number and make it a plain int, whatever kind of number it came as."""
    wanted = f"a whole number from {least} to {_MOST_WHOLE}"
    _check(options, name, wanted, lambda x: least <= x <= _MOST_WHOLE and x == int(x))
    if name in options:
        options[name] = int(options[name])  # type: ignore[call-overload]


def _reach_per_solve(
    figure: Figure, max_velocity: float | Mapping[str, float] | None, dt: float | None
) -> NDArray[np.float64] | None:
    """How far each DOF may move in one solve; None when velocities are free."""
    if max_velocity is None:
        return None
    if not (isinstance(dt, Real) and math.isfinite(dt) and dt > 0):
        raise OptionError(f"max_velocity needs dt, the time between two solves [s]; dt is {dt!r}")
    by_name = max_velocity if isinstance(max_velocity, Mapping) else {"*": max_velocity}
    reach = np.full(len(figure.dofs), np.inf)
    for pattern, velocity in by_name.items():
        if not (isinstance(velocity, Real) and velocity > 0):
            raise OptionError(f"max_velocity of {pattern!r} is {velocity!r}; give a number above 0")
        reach[figure.match_dofs(pattern)] = velocity * dt
    for follower in figure.relation_tables.followers:
        allowed = reach[follower.dof] / abs(follower.ratio)
        reach[follower.leader] = min(reach[follower.leader], allowed)
    return reach
