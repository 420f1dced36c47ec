"""PyBullet: damped least squares in C++, called until near. It holds no limits.

Its null-space form takes limits for one effector, but seldom converges for this arm.
"""

from __future__ import annotations

import numpy as np
import pybullet
from runner import Answer, Arm, Human, Make, Solve, main

STEPS = 50


def quaternion(turn: np.ndarray) -> list[float]:
    """(x, y, z, w)"""
    from runner import quaternion as scalar_first

    return np.roll(scalar_first(turn), -1).tolist()


def read(urdf: str) -> tuple[int, dict[str, int], dict[str, int]]:
    """The body of a URDF file, and its links and joints by name."""
    pybullet.connect(pybullet.DIRECT)
    body = pybullet.loadURDF(urdf, useFixedBase=True)
    told = [pybullet.getJointInfo(body, k) for k in range(pybullet.getNumJoints(body))]
    return body, {t[12].decode(): t[0] for t in told}, {t[1].decode(): t[0] for t in told}


def place(body: int, link: int) -> np.ndarray:
    """(4, 4) of a link's frame."""
    state = pybullet.getLinkState(body, link, computeForwardKinematics=True)
    found = np.eye(4)
    found[:3, 3] = state[4]
    found[:3, :3] = np.reshape(pybullet.getMatrixFromQuaternion(state[5]), (3, 3))
    return found


def arm(task: Arm) -> dict[str, Make]:
    body, links, joints = read(task.urdf)
    tip, order = links[task.tip], [joints[name] for name in task.joints]
    goals = [
        (p.tolist(), quaternion(r)) for p, r in zip(task.positions, task.rotations, strict=True)
    ]

    def once(goal: int, start: np.ndarray) -> tuple[np.ndarray, bool]:
        angles = start
        for _ in range(STEPS):
            for joint, angle in zip(order, angles, strict=True):
                pybullet.resetJointState(body, joint, angle)
            if task.is_there(place(body, tip), goal):
                inside = (angles >= task.lower).all() and (angles <= task.upper).all()
                return np.array(angles), bool(inside)
            angles = np.array(
                pybullet.calculateInverseKinematics(
                    body, tip, *goals[goal], maxNumIterations=20, residualThreshold=1e-4
                )
            )
        return np.array(angles), False

    return {
        "one start": lambda: lambda goal: once(goal, task.start)[0],
        "restarts": lambda: task.again(once),
    }


def human(task: Human) -> dict[str, Make]:
    def way() -> Solve:
        body, links, joints = read(task.rooted)
        order = [joints[name] for name in [*task.root_joints, *task.hinges]]
        ends = [links[name] for name in task.effectors]
        # Its answers are in the order of its joints that move.
        moving = sorted(order)
        ours = [moving.index(joint) for joint in order]

        def put(angles) -> None:
            for joint, angle in zip(moving, angles, strict=True):
                pybullet.resetJointState(body, joint, angle)

        begin = np.empty(len(order))
        begin[ours] = task.rooted_start()
        put(begin)
        state = {"angles": begin}

        def points() -> np.ndarray:
            states = pybullet.getLinkStates(body, ends, computeForwardKinematics=True)
            return np.array([one[4] for one in states])

        def solve(goal: int) -> Answer:
            if not task.follows:
                state["angles"] = begin
                put(begin)
            targets = task.targets[goal].tolist()
            for _ in range(task.patience):
                if task.is_near(points(), goal):
                    break
                found = pybullet.calculateInverseKinematics2(
                    body, ends, targets, maxNumIterations=20, residualThreshold=1e-4
                )
                state["angles"] = np.array(found)
                put(found)
            found = np.array(state["angles"])
            return lambda: task.rooted_configuration(found[ours])

        return solve

    return {"damped least squares": way}


if __name__ == "__main__":
    main(("pybullet", "numpy"), arm, human)
