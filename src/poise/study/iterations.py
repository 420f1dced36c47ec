"""Time of an iteration of the half-Jacobian method: half and full in turns within one run, so that
the machine's mood falls on both, and without what a solve costs besides."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.goals import Pose6D, Position
from poise.solve import Solver
from poise.study.flops import MODES, chain, goal_at
from poise.study.report import Table

Array = NDArray[np.float64]

SIZES = (6, 12, 30)
"""DOFs of the chains."""


def solver_of(figure: Figure, goal: Pose6D, mode: str, **options: Any) -> Solver:
    """Half solves for the position alone, full for position and orientation."""
    wanted = goal if mode == "full" else Position("tip", goal.position)
    options = {"tolerance": 1e-9, "optimality": 0.0, **options}
    chosen = {"method": "half-jacobian", "parameters": {"mode": mode}}
    return Solver(figure, wanted, **chosen, **options)


def seconds_an_iteration(
    figure: Figure, mode: str, goals: list[Pose6D], starts: list[Array]
) -> float:
    """A whole iteration: step, forward kinematics, residual, best pose. What a solve costs without
    iterations is taken off."""
    spent, iterations = 0.0, 0
    for sign, options in ((1.0, {}), (-1.0, {"max_iterations": 0})):
        solver = solver_of(figure, goals[0], mode, **options)
        for goal, start in zip(goals, starts, strict=True):
            whole = (goal.position, goal.rotation)
            target = {"tip": whole if mode == "full" else goal.position}
            began = time.perf_counter()
            solution = solver.solve(target, start=start)
            spent += sign * (time.perf_counter() - began)
            iterations += solution.iterations
    return spent / iterations


def time_ratio(dofs: int, solves: int = 300, repeats: int = 9) -> dict[str, float]:
    """Median times [µs] of an iteration, half and full in turns, and the median of their ratios."""
    figure, rng = chain(dofs), np.random.default_rng(1)
    goals = [goal_at(figure, rng.uniform(-1.0, 1.0, dofs)) for _ in range(solves)]
    starts = [rng.uniform(-1.0, 1.0, dofs) for _ in range(solves)]
    taken: dict[str, list[float]] = {mode: [] for mode in MODES}
    for _ in range(repeats):
        for mode in MODES:
            taken[mode].append(1e6 * seconds_an_iteration(figure, mode, goals, starts))
    ratios = [full / half for half, full in zip(*taken.values(), strict=True)]
    return {mode: statistics.median(taken[mode]) for mode in MODES} | {
        "ratio": statistics.median(ratios)
    }


def iteration_table(solves: int = 300, repeats: int = 9) -> Table:
    """By the number of DOFs, beside the paper's."""
    rows: list[tuple[str | float, ...]] = [("paper", 13.0, 31.0, 2.385)]
    for dofs in SIZES:
        found = time_ratio(dofs, solves, repeats)
        rows.append((f"ours, {dofs} DOFs", found["half"], found["full"], found["ratio"]))
    columns = ("chain", "half [µs]", "full [µs]", "full / half")
    return Table("iteration", "Time of an iteration alone", columns, tuple(rows))
