"""mink: a quadratic programme a step on MuJoCo, solved by DAQP."""

from __future__ import annotations

from pathlib import Path

import mink
import mujoco
import numpy as np
from runner import Answer, Arm, Human, Make, Solve, main

DAMPING = 1e-6


def arm(task: Arm) -> dict[str, Make]:
    model = mujoco.MjModel.from_xml_string(compiled(task.urdf))
    goals = [mink.SE3.from_matrix(goal) for goal in task.matrices()]

    def once(goal: int, start: np.ndarray) -> tuple[np.ndarray, bool]:
        configuration.update(start)
        tip.set_target(goals[goal])
        for _ in range(STEPS):
            place = configuration.get_transform_frame_to_world(task.tip, "body").as_matrix()
            if task.is_there(place, goal):
                return configuration.q.copy(), True
            step(configuration, [tip], limits)
        return configuration.q.copy(), False

    configuration, limits = mink.Configuration(model), [mink.ConfigurationLimit(model, gain=1.0)]
    tip = mink.FrameTask(task.tip, "body", position_cost=1.0, orientation_cost=0.3, lm_damping=LM)
    return {
        "one start": lambda: lambda goal: once(goal, task.start)[0],
        "restarts": lambda: task.again(once),
    }


STEPS, LM = 50, 1e-3


def compiled(urdf: str) -> str:
    """The URDF with what MuJoCo needs: links at ends without mass stay bodies of their own."""
    text = Path(urdf).read_text()
    settings = 'fusestatic="false" balanceinertia="true" boundmass="1e-3" boundinertia="1e-3"'
    option = f"<mujoco><compiler {settings}/></mujoco>"
    return text.replace("</robot>", option + "</robot>")


def step(configuration, tasks: list, limits: list) -> None:
    velocity = mink.solve_ik(
        configuration, tasks, 1.0, "daqp", damping=DAMPING, limits=limits, safety_break=False
    )
    configuration.integrate_inplace(velocity, 1.0)


def human(task: Human) -> dict[str, Make]:
    model = mujoco.MjModel.from_xml_path(task.mjcf)
    bodies = [model.body(name).id for name in task.effectors]
    goals = [[mink.SE3.from_translation(point) for point in points] for points in task.targets]

    def way() -> Solve:
        configuration = mink.Configuration(model, q=task.start.copy())
        limits = [mink.ConfigurationLimit(model, gain=1.0)]
        tasks = [
            mink.FrameTask(name, "body", position_cost=1.0, orientation_cost=0.0, lm_damping=LM)
            for name in task.effectors
        ]
        until_near = task.stepped(
            lambda: step(configuration, tasks, limits), lambda: configuration.data.xpos[bodies]
        )

        def solve(goal: int) -> Answer:
            if not task.follows:
                configuration.update(task.start.copy())
            for one, place in zip(tasks, goals[goal], strict=True):
                one.set_target(place)
            until_near(goal)
            return configuration.q.copy()

        return solve

    return {"DAQP": way}


if __name__ == "__main__":
    main(("mink", "mujoco", "daqp", "numpy"), arm, human)
