"""How readily each DOF moves: units, rigidity and the chains of the goals in one number a DOF."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.errors import GoalError
from poise.figure.figure import Figure
from poise.figure.once import once_a_figure
from poise.goals import Custom, Goal, Posture
from poise.problem.paths import Runs

if TYPE_CHECKING:
    from poise.problem.goal_rows import GoalRows


@once_a_figure
def characteristic_length(figure: Figure) -> float:
    """The mean distance of the segments from the root at rest [m]: 1 rad counts as so much."""
    origins = figure.rest().frames[1]
    length = float(np.linalg.norm(origins - origins[0], axis=1).mean())
    return length if length > 1e-9 else 1.0


@once_a_figure
def _own_mobility(figure: Figure) -> NDArray[np.float64]:
    """(dofs,) how readily each DOF would move if all chains allowed it."""
    slides = np.array([dof.kind == "translation" for dof in figure.dofs], bool)
    return (1.0 - figure.rigidity) * np.where(slides, characteristic_length(figure), 1.0)


def mobility(figure: Figure, goal_rows: Sequence[GoalRows]) -> NDArray[np.float64]:
    """(dofs,) 1 - rigidity for rotations, times the characteristic length for translations.

    0 for DOFs that no chain allows. A DOF allowed for one goal is allowed for all whose path it
    lies on (the reconciliation of ZB §10), so chains add up to one set. A joint group moves as one:
    where one of its DOFs may, all do, by their leader; followers have 0.
    """
    allowed = np.zeros(len(figure.dofs), bool)
    for rows in goal_rows:
        allowed |= rows.allowed
    goals = [rows.goal for rows in goal_rows]
    if goals and all(isinstance(goal, Posture) and goal.chain is None for goal in goals):
        allowed[:] = True
    scale = _own_mobility(figure)
    return _by_leaders(figure, np.where(allowed, scale, 0.0), scale)


def _by_leaders(
    figure: Figure, allowed: NDArray[np.float64], scale: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The metric 1 / mobility² of a leader's motion is the sum over its group's."""
    result = allowed.copy()
    for leader, followers in figure.relation_tables.groups().items():
        members = [leader, *(follower.dof for follower in followers)]
        ratios = np.array([1.0, *(follower.ratio for follower in followers)])
        result[members] = 0.0
        if allowed[members].any() and (scale[members] > 0).all():
            result[leader] = 1.0 / np.linalg.norm(ratios / scale[members])
    return result


def allowed_dofs(figure: Figure, goal: Goal, paths: Sequence[Runs]) -> NDArray[np.bool_]:
    """(dofs,) the DOFs that may move for a goal: those that can serve it and are in its chain.

    All can serve a goal that the user wrote. A posture frees nothing of its own, unless it has a
    chain. `paths` are the runs of DOFs that move the goal's atoms.
    """
    chained = goal.chain is not None
    everywhere = isinstance(goal, Custom) or (isinstance(goal, Posture) and chained)
    serving = np.full(len(figure.dofs), everywhere)
    for path in paths:
        for begin, end in path:
            serving[begin:end] = True
    return _within_chain(figure, goal, serving) if chained else serving


def _within_chain(figure: Figure, goal: Goal, serving: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The DOFs of a chain that can serve its goal; an error if there are none."""
    assert goal.chain is not None
    chain = np.zeros_like(serving)
    chain[figure.match_dofs(goal.chain)] = True
    if not chain.any():
        raise GoalError(
            f"the chain of goal {goal.name!r} is empty, so that nothing could move for it;"
            " name some joints, leave chain= out for all of them, or leave the goal out"
        )
    if not (chain & serving).any():
        able = [name for name, serves in zip(figure.dof_names, serving, strict=True) if serves]
        shown = ", ".join(able[-6:]) or "none"
        raise GoalError(
            f"no DOF of the chain {goal.chain!r} moves goal {goal.name!r}; of"
            f" {figure.name!r} these do: {'…, ' if len(able) > 6 else ''}{shown}"
        )
    return chain & serving
