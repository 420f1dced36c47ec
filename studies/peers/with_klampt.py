"""Klampt: its Newton-Raphson solver in C++, which holds limits and iterates by itself."""

from __future__ import annotations

import math

import klampt
import numpy as np
from klampt.model import ik
from runner import Answer, Arm, Human, Make, Solve, main

STEPS = 100


def read(urdf: str) -> tuple:
    """The world, which must be kept, and the robot of a URDF file."""
    world = klampt.WorldModel()
    robot = world.loadRobot(urdf)
    names = [robot.link(k).getName() for k in range(robot.numLinks())]
    return world, robot, names


def driven(robot, joints: list[str]) -> list[int]:
    """The links that joints move, by the names of the joints."""
    found = {robot.driver(k).getName(): robot.driver(k).getAffectedLink()
             for k in range(robot.numDrivers())}  # fmt: skip
    return [found[name] for name in joints]


def arm(task: Arm) -> dict[str, Make]:
    world, robot, _ = read(task.urdf)
    order = driven(robot, task.joints)
    tip = robot.link(task.tip)
    goals = [
        ik.objective(tip, R=turn.T.ravel().tolist(), t=place.tolist())
        for place, turn in zip(task.positions, task.rotations, strict=True)
    ]
    whole = np.array(robot.getConfig())
    solver = ik.solver(goals[0])
    solver.setMaxIters(STEPS)
    solver.setTolerance(task.near / math.sqrt(6.0))

    def once(goal: int, start: np.ndarray) -> tuple[np.ndarray, bool]:
        whole[order] = start
        robot.setConfig(whole.tolist())
        solver.clear()
        solver.add(goals[goal])
        reached = solver.solve()
        return np.array(robot.getConfig())[order], reached

    _ = world
    return {
        "one start": lambda: lambda goal: once(goal, task.start)[0],
        "restarts": lambda: task.again(once),
    }


def human(task: Human) -> dict[str, Make]:
    def way() -> Solve:
        world, robot, _ = read(task.rooted)
        order = driven(robot, [*task.root_joints, *task.hinges])
        begin = np.array(robot.getConfig())
        begin[order] = task.rooted_start()
        links = [robot.link(name) for name in task.effectors]
        robot.setConfig(begin.tolist())
        solver = klampt.IKSolver(robot)
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

        _ = world
        return solve

    return {"Newton": way}


if __name__ == "__main__":
    main(("klampt", "numpy"), arm, human)
