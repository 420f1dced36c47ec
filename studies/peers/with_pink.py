"""pink: a quadratic programme a step on Pinocchio, solved by DAQP."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pink
import pinocchio
from runner import Answer, Arm, Human, Make, Solve, main

STEPS, DAMPING, LM = 50, 1e-6, 1e-3


def step(configuration: pink.Configuration, tasks: list, limits: list) -> None:
    velocity = pink.solve_ik(
        configuration, tasks, 1.0, "daqp", damping=DAMPING, limits=limits, safety_break=False
    )
    configuration.integrate_inplace(velocity, 1.0)


def arm(task: Arm) -> dict[str, Make]:
    model = pinocchio.buildModelFromUrdf(task.urdf)
    goals = [pinocchio.SE3(goal) for goal in task.matrices()]
    configuration = pink.Configuration(model, model.createData(), task.start.copy())
    limits = [pink.limits.ConfigurationLimit(model, config_limit_gain=1.0)]
    tip = pink.FrameTask(task.tip, position_cost=1.0, orientation_cost=0.3, lm_damping=LM)

    def once(goal: int, start: np.ndarray) -> tuple[np.ndarray, bool]:
        configuration.update(start.copy())
        tip.set_target(goals[goal])
        for _ in range(STEPS):
            place = configuration.get_transform_frame_to_world(task.tip).homogeneous
            if task.is_there(place, goal):
                return configuration.q.copy(), True
            try:
                step(configuration, [tip], limits)
            except pink.exceptions.PinkError:
                break
        return configuration.q.copy(), False

    return {
        "one start": lambda: lambda goal: once(goal, task.start)[0],
        "restarts": lambda: task.again(once),
    }


def human(task: Human) -> dict[str, Make]:
    model = pinocchio.buildModelFromUrdf(task.urdf, pinocchio.JointModelFreeFlyer())
    frames = [model.getFrameId(name) for name in task.effectors]
    order = [model.joints[model.getJointId(name)].idx_q for name in task.hinges]
    start = pinocchio.neutral(model)
    start[:3], start[3:7], start[order] = (
        task.start[:3],
        np.roll(task.start[3:7], -1),
        task.start[7:],
    )

    def way() -> Solve:
        data = model.createData()
        configuration = pink.Configuration(model, data, start.copy())
        limits = [pink.limits.ConfigurationLimit(model, config_limit_gain=1.0)]
        tasks = [
            pink.FrameTask(name, position_cost=1.0, orientation_cost=0.0, lm_damping=LM)
            for name in task.effectors
        ]
        for one in tasks:
            one.set_target(pinocchio.SE3.Identity())
        until_near = task.stepped(
            lambda: step(configuration, tasks, limits),
            lambda: np.array([configuration.data.oMf[f].translation for f in frames]),
        )

        def solve(goal: int) -> Answer:
            if not task.follows:
                configuration.update(start.copy())
            for one, target in zip(tasks, task.targets[goal], strict=True):
                one.transform_target_to_world.translation = target
            with suppress(pink.exceptions.PinkError):  # no solution of its programme
                until_near(goal)
            q = configuration.q.copy()
            return np.concatenate([q[:3], np.roll(q[3:7], 1), q[order]])

        return solve

    return {"DAQP": way}


if __name__ == "__main__":
    main(("pin-pink", "pin", "daqp", "numpy"), arm, human)
