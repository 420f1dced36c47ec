"""How readily each DOF moves: units, rigidity and the chains of the goals in one number a DOF."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.goals import Custom, Goal, Posture
from poise.goals.goal import CENTER_OF_MASS
from poise.problem.paths import runs_to


def characteristic_length(figure: Figure) -> float:
    """The mean distance of the segments from the root at rest [m]: 1 rad counts as so much."""
    origins = figure.rest().frames[1]
    length = float(np.linalg.norm(origins - origins[0], axis=1).mean())
    return length if length > 1e-9 else 1.0


def mobility(figure: Figure, goals: Sequence[Goal]) -> NDArray[np.float64]:
    """(dofs,) 1 - rigidity for rotations, times the characteristic length for translations.

    0 for DOFs that no chain allows. A DOF allowed for one goal is allowed for all whose path it
    lies on (the reconciliation of ZB §10), so chains add up to one set. A joint group moves as one:
    where one of its DOFs may, all do, by their leader; followers have 0.
    """
    slides = np.array([dof.kind == "translation" for dof in figure.dofs], bool)
    scale = (1.0 - figure.rigidity) * np.where(slides, characteristic_length(figure), 1.0)
    allowed = np.zeros(len(figure.dofs), bool)
    for goal in goals:
        on_path = _moved_by(figure, goal)
        if goal.chain is not None:
            chain = np.zeros_like(allowed)
            chain[figure.match_dofs(goal.chain)] = True
            on_path &= chain
        allowed |= on_path
    if all(isinstance(goal, Posture) and goal.chain is None for goal in goals):
        allowed[:] = True
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


def _moved_by(figure: Figure, goal: Goal) -> NDArray[np.bool_]:
    """The DOFs that can serve a goal: all, for one that the user wrote.

    A posture frees nothing of its own, unless it has a chain.
    """
    if isinstance(goal, Posture):
        return np.full(len(figure.dofs), goal.chain is not None)
    found = np.full(len(figure.dofs), isinstance(goal, Custom))
    for atom in goal.atoms():
        for name in (atom.effector, atom.other):
            if name == CENTER_OF_MASS:
                found[:] = True
            elif name is not None:
                segment = figure.segment_index(figure.effector(name).segment)
                for begin, end in runs_to(figure, segment):
                    found[begin:end] = True
    return found
