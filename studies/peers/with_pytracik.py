"""TRAC-IK, whose two solvers race in two threads and restart until the time is up.

Called below its Python wrapper, with quaternions made beforehand. Its tolerance is one number for
each component of position and rotation.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytracik
from runner import Arm, Make, main

TIME = 0.05  # [s] at most


def quaternion(turn: np.ndarray) -> tuple[float, ...]:
    """(x, y, z, w) of a rotation matrix."""
    k = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    full = np.zeros((4, 4))
    full[:3, :3] = turn + turn.T - np.trace(turn) * np.eye(3)
    full[:3, 3] = full[3, :3] = k
    full[3, 3] = np.trace(turn)
    return tuple(map(float, np.linalg.eigh(full)[1][:, -1]))


def arm(task: Arm) -> dict[str, Make]:
    text = Path(task.urdf).read_text()
    tolerance = task.near / math.sqrt(3.0)
    solver = pytracik.TRAC_IK(task.base, task.tip, text, TIME, tolerance, pytracik.SolveType.Speed)
    goals = [
        (*map(float, position), *quaternion(turn))
        for position, turn in zip(task.positions, task.rotations, strict=True)
    ]
    nothing = np.full(len(task.joints), np.nan)

    def solve(goal: int) -> np.ndarray:
        found = pytracik.ik(solver, task.start, *goals[goal])
        return found[1:] if found[0] >= 0 else nothing

    return {"restarts": lambda: solve}


if __name__ == "__main__":
    main(("pytracik", "numpy"), arm=arm)
