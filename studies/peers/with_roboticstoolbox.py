"""The Robotics Toolbox for Python: its C++ Levenberg-Marquardt, `ik_LM`, with its own restarts.

Its error counts metres and radians alike, unless weighed: a weight of (1 mm / 0.01 rad)² on the
rotation makes its tolerance ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import roboticstoolbox
from runner import Arm, Make, Solve, main


def arm(task: Arm) -> dict[str, Make]:
    robot = roboticstoolbox.Robot.URDF(task.urdf)
    chain = robot.ets(end=task.tip)
    goals = list(task.matrices())
    settings = {
        "Chan 0.1": {"method": "chan", "k": 0.1},
        "Wampler 1e-4": {"method": "wampler", "k": 1e-4},
        "Sugihara 1e-4": {"method": "sugihara", "k": 1e-4},
    }

    def way(setting: dict, searches: int) -> Solve:
        ratio = (task.near / task.turned) ** 2
        options = {
            "q0": task.start,
            "slimit": searches,
            "ilimit": 30,
            "tol": 0.5 * task.near**2,
            "mask": np.array([1.0, 1.0, 1.0, ratio, ratio, ratio]),
        } | setting
        return lambda goal: np.asarray(chain.ik_LM(goals[goal], **options)[0])

    found = {}
    for name, setting in settings.items():
        found[f"one start, {name}"] = partial(way, setting, 1)
        found[f"restarts, {name}"] = partial(way, setting, task.tries)
    return found


if __name__ == "__main__":
    main(("roboticstoolbox-python", "numpy"), arm=arm)
