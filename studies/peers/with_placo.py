"""placo: a quadratic programme a step on Pinocchio, in C++."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import placo
from runner import Answer, Arm, Human, Make, Solve, main

STEPS = 50
REGULAR = 1e-6


def arm(task: Arm) -> dict[str, Make]:
    robot = placo.RobotWrapper(task.urdf, placo.Flags.ignore_collisions)
    solver = placo.KinematicsSolver(robot)
    solver.mask_fbase(True)
    solver.enable_joint_limits(True)
    tip = solver.add_frame_task(task.tip, np.eye(4))
    tip.configure("tip", "soft", 1.0, 0.3)
    solver.add_regularization_task(REGULAR)
    goals = list(task.matrices())

    def once(goal: int, start: np.ndarray) -> tuple[np.ndarray, bool]:
        for name, angle in zip(task.joints, start, strict=True):
            robot.set_joint(name, angle)
        robot.update_kinematics()
        tip.T_world_frame = goals[goal]
        reached = False
        for _ in range(STEPS):
            reached = task.is_there(robot.get_T_world_frame(task.tip), goal)
            if reached:
                break
            try:
                solver.solve(True)
            except RuntimeError:  # no solution of its programme
                break
            robot.update_kinematics()
        return np.array([robot.get_joint(name) for name in task.joints]), reached

    return {
        "one start": lambda: lambda goal: once(goal, task.start)[0],
        "restarts": lambda: task.again(once),
    }


def human(task: Human) -> dict[str, Make]:
    def way() -> Solve:
        robot = placo.RobotWrapper(task.urdf, placo.Flags.ignore_collisions)
        solver = placo.KinematicsSolver(robot)
        solver.enable_joint_limits(True)
        points = [solver.add_position_task(name, np.zeros(3)) for name in task.effectors]
        for name, point in zip(task.effectors, points, strict=True):
            point.configure(name, "soft", 1.0)
        solver.add_regularization_task(REGULAR)
        # The state is [place, quaternion (x, y, z, w), joints in the model's own order].
        order = [robot.get_joint_offset(name) for name in task.hinges]
        state = np.array(robot.state.q)
        state[:3], state[3:7] = task.start[:3], np.roll(task.start[3:7], -1)
        state[order] = task.start[7:]

        def begin() -> None:
            robot.state.q = state
            robot.update_kinematics()

        def step() -> None:
            solver.solve(True)
            robot.update_kinematics()

        until_near = task.stepped(
            step, lambda: np.array([robot.get_T_world_frame(n)[:3, 3] for n in task.effectors])
        )
        begin()

        def solve(goal: int) -> Answer:
            if not task.follows:
                begin()
            for point, target in zip(points, task.targets[goal], strict=True):
                point.target_world = target
            with suppress(RuntimeError):  # no solution of its programme
                until_near(goal)
            q = np.array(robot.state.q)
            return np.concatenate([q[:3], np.roll(q[3:7], 1), q[order]])

        return solve

    return {"own QP": way}


if __name__ == "__main__":
    main(("placo", "numpy"), arm, human)
