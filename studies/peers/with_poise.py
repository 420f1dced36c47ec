"""Ours, run like every peer."""

from __future__ import annotations

from runner import Arm, Solve, main

import poise


def arm(task: Arm) -> dict[str, Solve]:
    figure = poise.load(task.urdf)
    goals = list(zip(task.positions, task.rotations, strict=True))
    start = figure.pose(task.start)

    def way(restarts: int) -> Solve:
        solver = poise.Solver(
            figure,
            poise.Pose6D(task.tip, *goals[0]),
            tolerance=poise.Tolerance(task.near, task.turned),
            restarts=restarts,
        )
        return lambda goal: solver.solve({task.tip: goals[goal]}, start=start).angles

    return {"one start": way(0), "restarts": way(task.tries - 1)}


if __name__ == "__main__":
    main(("poise", "numpy", "numba"), arm=arm)
