"""Taking jitter out of a tracked clip as a whole, without leaving its limits or its goals.

In turns the whole clip is smoothed (one banded solve) and every frame is brought back to its goals
by the shortest way inside its limits. Spare freedom becomes smooth; what the goals fix stays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.errors import MotionError
from poise.motion.equivalent import unwrapped
from poise.motion.smoothing import jitter, smoothed, strength_of
from poise.solve import Solver
from poise.solve.sequence import Answers

Array = NDArray[np.float64]

WORTH = 0.99
"""A round that leaves more than this share of the jitter is the last one."""


def refine(
    solver: Solver,
    answers: Answers,
    targets: Array,
    weights: Array,
    *,
    frame_time: float,
    cutoff: float,
    acceptable: float,
    rounds: int = 8,
) -> Answers:
    """`answers` with less jitter, each frame no farther from its goals than it was, or than
    `acceptable` [tolerances]. `solver` must not restart."""
    if not (np.isfinite(cutoff) and cutoff > 0):
        raise MotionError(f"cutoff {cutoff!r} of a refinement must be above 0 [Hz]")
    figure = solver.problem.figure
    strength = strength_of(cutoff, frame_time)
    best = answers._replace(angles=unwrapped(figure, answers.angles))
    allowed = np.maximum(_worst(solver, best, weights), acceptable)
    for _ in range(rounds):
        starts = smoothed(best.angles, strength)
        found = solver.solve_sequence(targets, weights, starts=starts)
        kept = _worst(solver, found, weights) <= allowed
        mixed = Answers(*(_chosen(kept, new, old) for new, old in zip(found, best, strict=True)))
        mixed = mixed._replace(angles=unwrapped(figure, mixed.angles))
        if not jitter(mixed.angles) < WORTH * jitter(best.angles):
            break
        best = mixed
    return best


def _worst(solver: Solver, answers: Answers, weights: Array) -> Array:
    """(frames,) the worst error of a goal that is on, in tolerances."""
    ratios = (answers.errors / np.array(solver.problem.tolerance)).max(2)
    return np.where(weights > 0, ratios, 0.0).max(1, initial=0.0)


def _chosen(kept: NDArray[np.bool_], new: NDArray, old: NDArray) -> NDArray:
    return np.where(kept.reshape(-1, *[1] * (new.ndim - 1)), new, old)
