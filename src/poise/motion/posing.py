"""Poses of a document: pose(t) is a function of the document and of t, of nothing else.

It starts from A(t) and is solved by levels: pins first, then goals, then posture towards A(t).
Where A(t) itself is as good, it is the pose, bit for bit: that is why a key reproduces its pose.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.figure.pose import Pose
from poise.goals import Goal, HalfSpace, Line, Orientation, Plane, Pose6D, Posture, Relative
from poise.motion.clip import Clip
from poise.motion.demands import (
    POSTURE,
    balance_goals,
    demand,
    flattened,
    goal_name,
    ground_goals,
    levelled,
    posture,
)
from poise.motion.document import Document, KeyedGoal, Target
from poise.motion.keys import angles_between, target_between
from poise.motion.offsets import with_offset
from poise.problem import Problem, Tolerance
from poise.solve import Solution, Solver
from poise.solve.capabilities import Feature
from poise.solve.method import method_named

Array = NDArray[np.float64]

TOLERANCE = Tolerance(position=5e-5, angle=5e-4)
"""When a goal of a document counts as met by the solver."""
AS_GOOD = np.array([1e-5, 1e-4])
"""A(t) is as good as the answer if no goal is worse by more than this [m, rad]."""


@dataclass(frozen=True)
class Posed:
    """A pose of a document."""

    time: float
    pose: Pose
    solution: Solution | None
    """What the solver says; None where nothing was asked."""
    errors: dict[int, tuple[float, float]]
    """By the goal's id: position [m] and angle [rad] errors."""
    names: dict[int, str]
    """What the solution calls the goals, by id."""


class Posing:
    """Makes poses of one document. Keeps its solvers, one for each set of goals that are on."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._solvers: dict[tuple, tuple[Solver, Solver]] = {}
        clip = document.clip
        self._clip = None if clip is None else clip.on(document.figure).unwrapped()

    # -- what the document says ----------------------------------------------------------------

    def angles(self, time: float, without_fix: int = -1) -> Array:
        """(dofs,) A(t), inside the limits. `without_fix`: as if the fix of that id were not."""
        document = self.document
        if self._clip is not None:
            values = self._fixed(self._of_clip(time), time, without_fix)
        elif document.angle_keys:
            values = angles_between(document.figure, document.angle_keys, time)
        else:
            values = np.asarray(document.angles)
        return Pose(document.figure, values).clamped().angles

    def target(self, goal: KeyedGoal, time: float) -> Target:
        """The target of a goal at a time, in the goal's own space."""
        keys = self.document.keys_of(goal.id)
        return target_between(keys, goal.id, time) if keys else goal.target

    def _of_clip(self, time: float) -> Array:
        clip = self._clip
        assert clip is not None
        if len(clip) == 0:
            return np.asarray(self.document.angles)
        # Two frames are enough, and quicker than the whole clip.
        first = int(np.clip(time / clip.frame_time, 0, max(len(clip) - 2, 0)))
        pair: Clip = clip[first : first + 2]
        return pair.angles_at([time - first * clip.frame_time])[0]

    def _fixed(self, values: Array, time: float, without: int) -> Array:
        """The clip's angles with the offsets of all fixes near."""
        active = [(fix, fix.share(time)) for fix in self.document.fixes if fix.id != without]
        for fix, share in active:
            if share > 0.0:
                values = with_offset(self.document.figure, values, fix.offset, share)
        return values

    # -- solving -------------------------------------------------------------------------------

    def at(self, time: float, start: Pose | None = None) -> Posed:
        """The pose at a time; with `start` the one that it would be if A(t) were that pose."""
        start = start or Pose(self.document.figure, self.angles(time))
        goals, names = self.demands(time, start)
        if not goals:
            return Posed(time, start, None, {}, names)
        solver, probe = self._solvers_for(goals, start)
        targets = {goal.name: moved_target(goal) for goal in goals}
        before = probe.solve(targets, start=start)
        allowed = self._allowed(before, names)
        if (before.goal_errors <= allowed + 0.1 * AS_GOOD).all():
            return Posed(time, start, before, errors_by_id(before, names), names)
        if POSTURE in solver.problem.goal_names:
            targets[POSTURE] = start
        solution = solver.solve(targets, start=start)
        least = np.maximum(solution.goal_errors, allowed)
        as_good = (before.goal_errors <= least + AS_GOOD).all()
        pose = start if as_good else solution.pose
        return Posed(time, pose, solution, errors_by_id(solution, names), names)

    def ended(self, posed: Posed) -> Posed:
        """A pose solved on to the end: what explains one that is kept where a drag has left it."""
        goals, names = self.demands(posed.time, posed.pose)
        solver, _ = self._solvers_for(goals, posed.pose)
        targets = {goal.name: moved_target(goal) for goal in goals}
        if POSTURE in solver.problem.goal_names:
            targets[POSTURE] = posed.pose
        solution = solver.solve(targets, start=posed.pose)
        return Posed(posed.time, solution.pose, solution, errors_by_id(solution, names), names)

    def errors(self, time: float, pose: Pose) -> dict[int, tuple[float, float]]:
        """How far the goals that are on at a time are from being met by a pose, by their ids."""
        goals, names = self.demands(time, pose)
        if not names:
            return {}
        _, probe = self._solvers_for(goals, pose)
        targets = {goal.name: moved_target(goal) for goal in goals}
        return errors_by_id(probe.solve(targets, start=pose), names)

    def _allowed(self, solution: Solution, names: dict[int, str]) -> Array:
        """(atoms, 2) the errors with which strained pins were dropped; zero for all else."""
        allowed = np.zeros_like(solution.goal_errors)
        problem = solution.problem
        for goal in self.document.goals:
            if goal.strained is not None and goal.id in names:
                rows = problem.table.ranges[problem.goal_names.index(names[goal.id])]
                allowed[rows.start : rows.stop] = goal.strained
        return allowed

    def demands(self, time: float, start: Pose, but: int = -1) -> tuple[list[Goal], dict[int, str]]:
        """The goals that are on at a time, without posture, and what they are called by id.

        `but`: as if the goal of that id were not.
        """
        document = self.document
        on = [(goal, self.target(goal, time)) for goal in document.goals if goal.id != but]
        on = [(goal, target) for goal, target in on if target.on and target.blend > 0.0]
        names = {goal.id: goal_name(goal, document.goals) for goal, _ in on}
        goals = [demand(goal, target, start, names[goal.id]) for goal, target in on]
        firm = [goal for goal, _ in on if goal.pinned and goal.strained is None]
        pinned = [goal.effector for goal in firm if goal.kind == "pose"]
        goals += self._held(time)
        method = method_named(document.settings.method)
        if document.settings.ground and method.takes(Feature.HALF_SPACE):
            goals += ground_goals(document.figure, pinned)
        if document.settings.balance:
            goals += balance_goals(start, pinned)
        return goals, names

    def _held(self, time: float) -> list[Goal]:
        """What fixes hold where the clip has it."""
        near = [fix for fix in self.document.fixes if fix.share(time) > 0.0]
        names = dict.fromkeys(name for fix in near for name in fix.held)
        if not names:
            return []
        clip = Pose(self.document.figure, self._of_clip(time)).clamped()
        return [
            Pose6D(name, clip.position(name), clip.rotation(name), name=f"{name} as in the clip")
            for name in names
        ]

    def _solvers_for(self, goals: list[Goal], start: Pose) -> tuple[Solver, Solver]:
        """The solver of a set of goals, and one that only looks at a pose."""
        key = tuple((type(goal), goal.name) for goal in goals)
        if key not in self._solvers:
            figure, settings = self.document.figure, self.document.settings
            self._solvers[key] = (
                solver_for(goals, posture(figure, start, settings), start, settings.method),
                Solver(
                    figure, flattened(goals, method_named("auto")), max_iterations=0, restarts=0
                ),
            )
        return self._solvers[key]


def solver_for(goals: list[Goal], near: Posture, start: Pose, method: str) -> Solver:
    """A solver of goals and a posture, with levels where the method has them."""
    chosen = method_named(method)
    strict = chosen.exact_phase is not None
    wanted = levelled([*goals, near]) if strict else flattened([*goals, near], chosen)
    return Solver(start.figure, wanted, start=start, method=method, tolerance=TOLERANCE, restarts=0)


def moved_target(goal: Goal) -> object:
    """What `Solver.solve` takes to move a goal of the same name to where this one is."""
    if isinstance(goal, Relative):
        return goal.position if goal.rotation is None else (goal.position, goal.rotation)
    if isinstance(goal, Pose6D):
        return (goal.position, goal.rotation)
    if isinstance(goal, Line):
        return (goal.point, goal.direction)
    if isinstance(goal, Plane | HalfSpace):
        return (goal.point, goal.normal)
    if isinstance(goal, Orientation):
        x, y = np.asarray(goal.x), np.asarray(goal.y)
        return np.column_stack([x, y, np.cross(x, y)])
    for name in ("position", "at", "over"):
        if getattr(goal, name, None) is not None:
            return getattr(goal, name)
    raise AssertionError(f"no target of {goal!r}")


def errors_by_id(solution: Solution, names: dict[int, str]) -> dict[int, tuple[float, float]]:
    """The errors of the document's goals by their ids."""
    return errors_in(solution, rows_by_id(solution.problem, names))


def rows_by_id(problem: Problem, names: dict[int, str]) -> dict[int, range]:
    """Which rows of a solution's `goal_errors` are those of each goal, by their ids."""
    ranges = dict(zip(problem.goal_names, problem.table.ranges, strict=True))
    return {number: range(ranges[n].start, ranges[n].stop) for number, n in names.items()}


def errors_in(solution: Solution, rows: dict[int, range]) -> dict[int, tuple[float, float]]:
    """The largest position [m] and angle [rad] errors of some rows, by the goals' ids."""
    errors = solution.goal_errors.tolist()
    found = {}
    for number, own in rows.items():
        position, angle = errors[own.start]
        for row in own[1:]:
            position, angle = max(position, errors[row][0]), max(angle, errors[row][1])
        found[number] = position, angle
    return found
