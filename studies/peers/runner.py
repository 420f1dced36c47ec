"""What all peers share: reads the task, times each solve, and writes the answers as JSON.

Runs in the environment of a peer, which has NumPy and the peer, but not Poise. A peer's file gives
`main` a function that takes the task and returns its ways of solving by name: each is a function
of the number of a goal that returns the joint angles in the order of the task.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np

Solve = Callable[[int], np.ndarray]
PASSES = 3  # over all goals
PATIENCE = 60.0  # [s] for one way of solving; goals left over by then count as not reached


@dataclass(frozen=True, eq=False)
class Arm:
    """Poses that the tip of an arm must take, each from the same start."""

    urdf: str
    base: str
    tip: str
    """The link that must be there."""
    joints: list[str]
    lower: np.ndarray  # (joints,) [rad]
    upper: np.ndarray
    start: np.ndarray  # (joints,) the middle of the ranges
    positions: np.ndarray  # (goals, 3) [m]
    rotations: np.ndarray  # (goals, 3, 3)
    near: float  # [m]
    turned: float  # [rad]
    """A goal is reached within these."""
    tries: int
    """Starts that a goal is worth where restarts are allowed."""

    def matrices(self) -> np.ndarray:
        """(goals, 4, 4)"""
        made = np.tile(np.eye(4), (len(self.positions), 1, 1))
        made[:, :3, :3], made[:, :3, 3] = self.rotations, self.positions
        return made

    def is_there(self, place: np.ndarray, goal: int) -> bool:
        """Whether the tip at `place` (4, 4) reaches a goal."""
        if np.linalg.norm(place[:3, 3] - self.positions[goal]) > self.near:
            return False
        cosine = 0.5 * (np.einsum("ij,ij", place[:3, :3], self.rotations[goal]) - 1.0)
        return bool(cosine >= np.cos(self.turned))

    def again(self, solve: Callable[[int, np.ndarray], tuple[np.ndarray, bool]]) -> Solve:
        """Restarts for a solver without: from the start, then from random configurations."""
        draw = np.random.default_rng(1)

        def retried(goal: int) -> np.ndarray:
            angles, reached = solve(goal, self.start)
            for _ in range(self.tries - 1):
                if reached:
                    break
                angles, reached = solve(goal, draw.uniform(self.lower, self.upper))
            return angles

        return retried


def read_arm(folder: Path) -> Arm:
    with np.load(folder / "arm.npz", allow_pickle=False) as stored:
        values = {name: stored[name] for name in stored.files}
    plain = json.loads((folder / "arm.json").read_text())
    return Arm(**plain, **values)


def timed(solve: Solve, goals: int) -> dict:
    """Answers and times [s] of some passes over all goals, after one that is not counted."""
    began = time.perf_counter()
    for goal in range(min(5, goals)):
        solve(goal)
    passes: list[dict] = []
    while len(passes) < PASSES and time.perf_counter() - began < PATIENCE:
        angles, times = [], []
        for goal in range(goals):
            before = time.perf_counter()
            found = solve(goal)
            times.append(time.perf_counter() - before)
            angles.append(np.asarray(found, float).tolist())
            if time.perf_counter() - began > PATIENCE:
                break
        if passes and len(times) < goals:
            break
        passes.append({"angles": angles, "times": times})
    return {"passes": passes}


def main(packages: tuple[str, ...], **tasks: Callable) -> None:
    """`python with_PEER.py TASK FOLDER OUT`: solve a task of the folder."""
    name, folder, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    task = READERS[name](folder)
    found = {}
    for way, solve in tasks[name](task).items():
        found[way] = timed(solve, len(task.positions))
    versions = {package: version(package) for package in packages}
    out.write_text(json.dumps({"versions": versions, "ways": found}))


READERS = {"arm": read_arm}
