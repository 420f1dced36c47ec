"""How readily each DOF moves: units, rigidity and the chains of the goals in one number a DOF."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.goals import Goal
from poise.problem.paths import runs_to


def characteristic_length(figure: Figure) -> float:
    """The mean distance of the segments from the root at rest [m]: 1 rad counts as so much."""
    origins = figure.rest().frames[1]
    length = float(np.linalg.norm(origins - origins[0], axis=1).mean())
    return length if length > 1e-9 else 1.0


def mobility(figure: Figure, goals: Sequence[Goal]) -> NDArray[np.float64]:
    """(dofs,) 1 - rigidity for rotations, times the characteristic length for translations.

    0 for DOFs that no chain allows. A DOF allowed for one goal is allowed for all whose path it
    lies on (the reconciliation of ZB §10), so chains add up to one set.
    """
    slides = np.array([dof.kind == "translation" for dof in figure.dofs], bool)
    scale = (1.0 - figure.rigidity) * np.where(slides, characteristic_length(figure), 1.0)
    allowed = np.zeros(len(figure.dofs), bool)
    for goal in goals:
        on_path = np.zeros_like(allowed)
        for begin, end in runs_to(figure, figure.segment_index(figure.effector(goal.effector).segment)):
            on_path[begin:end] = True
        if goal.chain is not None:
            chain = np.zeros_like(allowed)
            chain[figure.match_dofs(goal.chain)] = True
            on_path &= chain
        allowed |= on_path
    return np.where(allowed, scale, 0.0)
