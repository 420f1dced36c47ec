"""The ConstraintSet: goals of one figure that come, go and change by name, solved warm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import GoalError, unknown_name
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.goals import Goal
from poise.goals.goal import GoalSettings
from poise.problem import Problem
from poise.problem.given import checked_goals, free_name
from poise.problem.goal_rows import GoalRows
from poise.problem.levels import ranked
from poise.solve.settings import Options, Settings
from poise.solve.solution import Solution
from poise.solve.solver import Solver, start_angles

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _Constraint:
    rows: GoalRows
    is_on: bool


_Constraints = Mapping[str, _Constraint]


class ConstraintSet:
    """Goals by name on one figure. They are added, removed, switched, moved and changed one at a
    time; `solve` goes on from the last answer.

    >>> constraints = ConstraintSet(human)
    >>> constraints.add(Position("left_hand", (0.3, 1.2, 0.4)), name="reach")
    >>> constraints.add(Aim("head", (0.0, 1.5, 3.0)), name="look", on=False)
    >>> solution = constraints.solve()
    >>> constraints.move("reach", (0.3, 1.3, 0.4))
    >>> constraints.switch_on("look")
    >>> solution = constraints.solve()

    A constraint that is off has no say at all: it counts for no error and frees no joint. The
    answer is that of a new `Solver` with the goals that are on, to the bit; with levels, which know
    more of the last answer than its pose, within their guarantee. Levels order the goals that are
    on; here they may have gaps. `constraints["reach"]` is the goal as it is now.

    Every change is checked whole before anything changes: after an error, all is as it was.

    `weight_matrix` goes by the rows of all goals given here, on or off. Goals can be removed then,
    with their rows, but none can be added. It owns its memory: use one ConstraintSet a thread.
    """

    def __init__(
        self,
        figure: Figure,
        goals: Goal | Sequence[Goal] = (),
        *,
        start: Pose | ArrayLike | None = None,
        **options: Unpack[Options],
    ) -> None:
        self.figure = figure
        self._settings = Settings.of(figure, options)
        angles = start_angles(figure, start)
        self._weights: Array | None = None
        if self._settings.weight_matrix is not None:
            self._weights = float_array(self._settings.weight_matrix)
        self._constraints: dict[str, _Constraint] = {}
        for goal in checked_goals(goals):
            named = goal.changed(name=free_name(goal, self._constraints))
            self._constraints[named.name] = _Constraint(GoalRows(figure, named), True)
        self._stale: set[str] = set()
        """Constraints that are on and were moved or re-weighted since their rows were made."""
        problem = self._problem_of(self._constraints, self._weights)
        self._solver = Solver.of(problem, self._settings, angles)

    def __repr__(self) -> str:
        shown = (name if self.is_on(name) else f"({name})" for name in self._constraints)
        return f"<ConstraintSet: {self.figure.name}, {', '.join(shown) or 'empty'}>"

    # -- looking ---------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Goal:
        known = self._named(name).rows.goal
        if name not in self._stale:
            return known
        return self._solver.goal(name).changed(level=known.level)  # there levels have no gaps

    def __iter__(self) -> Iterator[str]:
        return iter(self._constraints)

    def __len__(self) -> int:
        return len(self._constraints)

    def __contains__(self, name: object) -> bool:
        return name in self._constraints

    def is_on(self, name: str) -> bool:
        """Whether a constraint has a say."""
        return self._named(name).is_on

    @property
    def pose(self) -> Pose:
        """Where the next solve starts: the last answer."""
        return self._solver.pose

    @property
    def problem(self) -> Problem:
        """What `solve` solves: the constraints that are on."""
        return self._solver.problem

    # -- changing --------------------------------------------------------------------------------

    def add(self, goal: Goal, *, name: str | None = None, on: bool = True) -> str:
        """Add a goal, under its own name or another. Returns the name."""
        (given,) = checked_goals(goal)
        if name is not None:
            given = given.changed(name=name)
            self._check_free(given.name)
        given = given.changed(name=free_name(given, self._constraints))
        if self._weights is not None:
            raise GoalError(
                f"the weight_matrix of this set has no rows for {given.name!r};"
                " make a new ConstraintSet with all goals and their matrix"
            )
        made = _Constraint(GoalRows(self.figure, given), bool(on))
        self._rebuild({**self._settled(), given.name: made}, None)
        return given.name

    def remove(self, name: str) -> None:
        """Take a constraint out."""
        self._named(name)
        settled = self._settled()
        left = {n: constraint for n, constraint in settled.items() if n != name}
        self._rebuild(left, _part(self._weights, settled, lambda n: n != name))

    def switch_on(self, name: str) -> None:
        """Let a constraint have its say again."""
        self._switch(name, True)

    def switch_off(self, name: str) -> None:
        """Keep a constraint, with no say."""
        self._switch(name, False)

    def _switch(self, name: str, on: bool) -> None:
        if self._named(name).is_on != on:
            settled = self._settled()
            self._rebuild({**settled, name: replace(settled[name], is_on=on)}, self._weights)

    def change(self, name: str, /, **settings: Unpack[GoalSettings]) -> None:
        """Give a constraint another `weight`, `chain`, `level` or `name`."""
        goal = self[name].changed(**settings)
        if settings.keys() <= {"weight"} and self._constraints[name].is_on:
            self._solver.set_weight(name, goal.weight)
            self._stale.add(name)
            return
        if goal.name != name:
            self._check_free(goal.name)
        settled = self._settled()
        made = replace(settled[name], rows=settled[name].rows.changed(self.figure, goal))
        renamed = {goal.name if n == name else n: c for n, c in settled.items()}
        self._rebuild({**renamed, goal.name: made}, self._weights)

    def move(self, name: str, target: object) -> None:
        """Give a constraint another target, as `Solver.solve` takes it: a point, a pose, …"""
        on, off = self._split({name: target})
        self._solver.move(on)
        self._note(on, off)

    def solve(
        self,
        targets: Mapping[str, object] | None = None,
        *,
        start: Pose | ArrayLike | None = None,
        trace: bool = False,
    ) -> Solution:
        """Move the constraints named in `targets` and solve from the last answer, or `start`.

        With nothing switched on the answer is the start.
        """
        if targets is None:
            return self._solver.solve(start=start, trace=trace)
        on, off = self._split(targets)
        solution = self._solver.solve(on, start=start, trace=trace)
        self._note(on, off)
        return solution

    # -- parts -----------------------------------------------------------------------------------

    def _split(
        self, targets: Mapping[str, object]
    ) -> tuple[dict[str, object], dict[str, _Constraint]]:
        """The targets of those that are on, and those that are off as they will be."""
        if not isinstance(targets, Mapping):
            raise GoalError(
                f"targets are {targets!r}; give them by name, e.g. {{'left_hand': (x, y, z)}}"
            )
        on, off = {}, {}
        for name, target in targets.items():
            known = self._named(name)
            if known.is_on:
                on[name] = target
            else:
                rows = known.rows.changed(self.figure, known.rows.goal.moved(target))
                off[name] = replace(known, rows=rows)
        return on, off

    def _note(self, on: Mapping[str, object], off: _Constraints) -> None:
        self._stale.update(on)
        self._constraints.update(off)

    def _named(self, name: str) -> _Constraint:
        found = self._constraints.get(name) if isinstance(name, str) else None
        if found is None:
            raise GoalError(unknown_name("constraint", name, self._constraints))
        return found

    def _check_free(self, name: str) -> None:
        if name in self._constraints:
            raise GoalError(
                f"a constraint is called {name!r} already; give this one another name,"
                " or remove the other"
            )

    def _settled(self) -> dict[str, _Constraint]:
        """All constraints, with rows of where their targets are now."""
        for name in self._stale:
            known = self._constraints[name]
            rows = known.rows.changed(self.figure, self[name])
            self._constraints[name] = replace(known, rows=rows)
        self._stale = set()
        return self._constraints

    def _rebuild(self, constraints: dict[str, _Constraint], weights: Array | None) -> None:
        """Go on with other constraints, from the last answer; nothing changes if that fails."""
        problem = self._problem_of(constraints, weights)
        self._solver = Solver.of(problem, self._settings, self._solver.pose.angles)
        self._constraints, self._weights = constraints, weights

    def _problem_of(self, constraints: _Constraints, weights: Array | None) -> Problem:
        on = [constraint.rows for constraint in constraints.values() if constraint.is_on]
        if len(on) < len(constraints):
            weights = _part(weights, constraints, lambda name: constraints[name].is_on)
        known = self._settings
        rows = ranked(self.figure, on)
        return Problem.of(self.figure, rows, known.tolerance, weights, known.dynamic_limits)


def _part(
    weights: Array | None, constraints: _Constraints, is_kept: Callable[[str], bool]
) -> Array | None:
    """The rows and columns of a weight matrix that belong to some of the constraints."""
    if weights is None:
        return None
    counts = [sum(constraint.rows.row_counts) for constraint in constraints.values()]
    kept = np.repeat([is_kept(name) for name in constraints], counts)
    return weights[np.ix_(kept, kept)] if kept.any() else None
