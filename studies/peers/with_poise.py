"""Ours, run like every peer."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np
from runner import Answer, Arm, Human, Make, Solve, main

import poise

sys.path.append(str(Path(__file__).parent.parent))


def arm(task: Arm) -> dict[str, Make]:
    from peers_arm import ONE_START

    figure = poise.load(task.urdf)
    goals = list(zip(task.positions, task.rotations, strict=True))
    start = figure.pose(task.start)

    def way(restarts: int, parameters: dict[str, float] | None = None) -> Solve:
        solver = poise.Solver(
            figure,
            poise.Pose6D(task.tip, *goals[0]),
            tolerance=poise.Tolerance(task.near, task.turned),
            restarts=restarts,
            parameters=parameters or {},
        )
        return lambda goal: solver.solve({task.tip: goals[goal]}, start=start).angles

    return {
        **{name: partial(way, 0, parameters) for name, parameters in ONE_START.items()},
        "one restart": lambda: way(1),
        "restarts": lambda: way(task.tries - 1),
    }


def human(task: Human) -> dict[str, Make]:
    from peers_human import Humanoid

    figure = Humanoid(tuple(task.bodies), task.mjcf).figure()
    frames = [
        dict(zip(task.effectors, map(tuple, own), strict=True)) for own in task.targets.tolist()
    ]
    root = task.bodies[0]["name"]
    start = figure.pose(np.concatenate([task.start[:3], vector(task.start[3:7]), task.start[7:]]))

    def way() -> Solve:
        goals = [poise.Position(name, point) for name, point in frames[0].items()]
        solver = poise.Solver(figure, goals, start=start, tolerance=task.near)

        def solve(goal: int) -> Answer:
            found = solver.solve(frames[goal], start=None if task.follows else start)
            return lambda: task.configuration(
                found.pose.position(root), found.pose.rotation(root), found.angles[6:]
            )

        return solve

    return {"auto": way}


def vector(quaternion: np.ndarray) -> np.ndarray:
    """The rotation vector of (w, x, y, z)."""
    length = float(np.linalg.norm(quaternion[1:]))
    return 2.0 * np.arctan2(length, quaternion[0]) / max(length, 1e-300) * quaternion[1:]


if __name__ == "__main__":
    main(("poise", "numpy", "numba"), arm, human)
