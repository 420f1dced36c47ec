"""What all peers share: reads the task, times each solve, and writes the answers as JSON.

Runs in the environment of a peer, which has NumPy and the peer, but not Poise. A peer's file gives
`main` a function that takes the task and returns its ways of solving by name: each is a function
of the number of a goal that returns the joint angles in the order of the task.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np

Answer = np.ndarray | Callable[[], np.ndarray]
"""An answer in the order of the task, or what makes it of the peer's own form: not timed."""
Solve = Callable[[int], Answer]
Make = Callable[[], Solve]
PASSES = 3  # over all goals
WARM_UP = 5
PATIENCE = 40.0  # [s] for one way of solving, warm; goals left over by then count as not reached


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


@dataclass(frozen=True, eq=False)
class Human:
    """Six points that a humanoid with a free root must take. Configurations are MuJoCo's: place of
    the root [m], its quaternion (w, x, y, z), hinges [rad]."""

    urdf: str
    rooted: str
    """A URDF file whose root stands on `root_joints`: three slides, three hinges (z, y, x)."""
    mjcf: str
    root_joints: list[str]
    effectors: list[str]  # bodies
    hinges: list[str]
    bodies: list[dict]
    start: np.ndarray  # (7 + hinges,)
    targets: np.ndarray  # (goals, effectors, 3) [m]
    lower: np.ndarray  # (hinges,) [rad]
    upper: np.ndarray
    near: float  # [m]
    follows: bool
    """Whether each solve starts from the answer before, instead of the start."""

    def configuration(self, place: np.ndarray, turn: np.ndarray, hinges: np.ndarray) -> np.ndarray:
        """From the root's place (3,) and rotation (3, 3), and the hinges in their order."""
        return np.concatenate([place, quaternion(turn), hinges])

    def rooted_configuration(self, joints: np.ndarray) -> np.ndarray:
        """From the root joints and hinges of the `rooted` file."""
        z, y, x = joints[3:6]
        turn = _about(2, z) @ _about(1, y) @ _about(0, x)
        return self.configuration(joints[:3], turn, joints[6:])

    def rooted_start(self) -> np.ndarray:
        """(6 + hinges,) the start for the `rooted` file."""
        turn = rotation(self.start[3:7])
        y = np.arcsin(np.clip(-turn[2, 0], -1.0, 1.0))
        z, x = np.arctan2(turn[1, 0], turn[0, 0]), np.arctan2(turn[2, 1], turn[2, 2])
        return np.concatenate([self.start[:3], [z, y, x], self.start[7:]])

    def stepped(
        self, step: Callable[[], None], points: Callable[[], np.ndarray]
    ) -> Callable[[int], None]:
        """For a peer that takes one step a call: until all points are near, or patience ends."""

        def until_near(goal: int) -> None:
            for _ in range(self.patience):
                if self.is_near(points(), goal):
                    break
                step()

        return until_near

    @property
    def patience(self) -> int:
        """Steps that a goal is worth for a peer that takes one step a call."""
        return 100 if self.follows else 500

    def is_near(self, points: np.ndarray, goal: int) -> bool:
        """Whether the effectors at `points` (effectors, 3) are all near enough."""
        return bool((np.square(points - self.targets[goal]).sum(1) <= self.near**2).all())


def read_human(folder: Path, name: str) -> Human:
    with np.load(folder / f"{name}.npz", allow_pickle=False) as stored:
        values = {key: stored[key] for key in stored.files}
    plain = json.loads((folder / f"{name}.json").read_text())
    return Human(**plain, **values)


def _about(axis: int, angle: float) -> np.ndarray:
    turn, (a, b) = np.eye(3), [k for k in range(3) if k != axis]
    s = np.sin(angle) * (1 if axis != 1 else -1)
    turn[a, a] = turn[b, b] = np.cos(angle)
    turn[a, b], turn[b, a] = -s, s
    return turn


def rotation(quaternion: np.ndarray) -> np.ndarray:
    """(3, 3) of (w, x, y, z)."""
    w, x, y, z = quaternion / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion(turn: np.ndarray) -> np.ndarray:
    """(w, x, y, z) of a rotation (3, 3)."""
    full = np.zeros((4, 4))
    full[1:, 1:] = turn + turn.T - np.trace(turn) * np.eye(3)
    full[0, 1:] = full[1:, 0] = [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0],
                                 turn[1, 0] - turn[0, 1]]  # fmt: skip
    full[0, 0] = np.trace(turn)
    return np.linalg.eigh(full)[1][:, -1]


def timed(make: Make, goals: int) -> dict:
    """Answers and times [s] of some passes over all goals, after a few solves that do not count.

    Each pass has a solver of its own, so that a motion begins at its start.
    """
    solve = make()
    for goal in range(min(WARM_UP, goals)):
        solve(goal)
    began = time.perf_counter()
    passes: list[dict] = []
    while len(passes) < PASSES and time.perf_counter() - began < PATIENCE:
        solve = make()
        angles, times = [], []
        for goal in range(goals):
            before = time.perf_counter()
            found = solve(goal)
            times.append(time.perf_counter() - before)
            found = found() if callable(found) else found
            angles.append(np.asarray(found, float).tolist())
            if time.perf_counter() - began > PATIENCE:
                break
        if passes and len(times) < goals:
            break
        passes.append({"answers": angles, "times": times})
    return {"passes": passes}


def main(
    packages: tuple[str, ...], arm: Callable | None = None, human: Callable | None = None
) -> None:
    """`python with_PEER.py TASK FOLDER OUT`: solve a task of the folder.

    `arm` and `human` take a task and return functions by name of a way to solve it; each makes a
    solver that is at the start, a function of the number of a goal.
    """
    name, folder, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    make, task = (arm, read_arm(folder)) if name == "arm" else (human, read_human(folder, name))
    goals = len(task.positions if name == "arm" else task.targets)
    found = {}
    for way, solver in ({} if make is None else make(task)).items():
        try:
            found[way] = timed(solver, goals)
        except Exception as error:  # whatever a peer raises is a result
            traceback.print_exc()
            found[way] = {"error": f"{type(error).__name__}: {error}"}
    versions = {package: version(package) for package in packages}
    out.write_text(json.dumps({"versions": versions, "ways": found}))
