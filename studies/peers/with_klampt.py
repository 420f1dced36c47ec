"""Klampt: its Newton-Raphson solver in C++, which holds limits and iterates by itself."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree

import klampt
import numpy as np
from klampt.model import ik
from runner import Answer, Arm, Human, Make, Solve, main

STEPS = 100


def read(urdf: str, joints: list[str]) -> tuple:
    """The world, which must be kept, the robot of a URDF file, and the links that joints move."""
    world = klampt.WorldModel()
    robot = world.loadRobot(urdf)
    child = {joint.get("name"): joint.find("child").get("link")
             for joint in ElementTree.parse(urdf).iter("joint")}  # fmt: skip
    return world, robot, [robot.link(child[name]).getIndex() for name in joints]


def arm(task: Arm) -> dict[str, Make]:
    world, robot, order = read(task.urdf, task.joints)
    tip = robot.link(task.tip)
    goals = [
        ik.objective(tip, R=turn.T.ravel().tolist(), t=place.tolist())
        for place, turn in zip(task.positions, task.rotations, strict=True)
    ]
    whole = np.array(robot.getConfig())
    solver = ik.solver(goals[0])
    solver.setActiveDofs(order)  # it gives every URDF a free base
    solver.setMaxIters(STEPS)
    solver.setTolerance(task.near / math.sqrt(6.0))

    def once(goal: int, start: np.ndarray) -> tuple[np.ndarray, bool]:
        whole[order] = start
        robot.setConfig(whole.tolist())
        solver.clear()
        solver.add(goals[goal])
        reached = solver.solve()
        return np.array(robot.getConfig())[order], reached

    once.world = world  # which would be freed
    return {
        "one start": lambda: lambda goal: once(goal, task.start)[0],
        "restarts": lambda: task.again(once),
    }


def human(task: Human) -> dict[str, Make]:
    def way() -> Solve:
        world, robot, order = read(task.rooted, [*task.root_joints, *task.hinges])
        begin = np.array(robot.getConfig())
        begin[order] = task.rooted_start()
        links = [robot.link(name) for name in task.effectors]
        robot.setConfig(begin.tolist())
        solver = klampt.IKSolver(robot)
        solver.setActiveDofs(order)
        solver.setMaxIters(task.patience)
        solver.setTolerance(task.near / math.sqrt(3.0))
        goals = [
            [ik.objective(link, local=[0, 0, 0], world=point) for link, point in pairs]
            for own in task.targets.tolist()
            for pairs in [list(zip(links, own, strict=True))]
        ]

        def solve(goal: int) -> Answer:
            if not task.follows:
                robot.setConfig(begin.tolist())
            solver.clear()
            for one in goals[goal]:
                solver.add(one)
            solver.solve()
            found = robot.getConfig()
            return lambda: task.rooted_configuration(np.array(found)[order])

        solve.world = world  # which would be freed
        return solve

    return {"Newton": way}


if __name__ == "__main__":
    main(("klampt", "numpy"), arm, human)
