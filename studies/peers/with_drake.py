"""Drake: inverse kinematics as a nonlinear programme, solved by SNOPT."""

from __future__ import annotations

import math

import numpy as np
from pydrake.math import RotationMatrix
from pydrake.multibody.inverse_kinematics import InverseKinematics
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.solvers import SnoptSolver
from runner import Answer, Arm, Human, Make, Solve, main


def read(urdf: str, root: str | None) -> MultibodyPlant:
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(urdf)
    if root is not None:
        plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(root))
    plant.Finalize()
    return plant


def arm(task: Arm) -> dict[str, Make]:
    plant = read(task.urdf, task.base)
    tip, world = plant.GetFrameByName(task.tip), plant.world_frame()
    order = [plant.GetJointByName(name).position_start() for name in task.joints]
    solver, reach = SnoptSolver(), 0.99 * task.near / math.sqrt(3.0)

    def once(goal: int, start: np.ndarray) -> tuple[np.ndarray, bool]:
        problem = InverseKinematics(plant, True)
        place = task.positions[goal]
        problem.AddPositionConstraint(tip, np.zeros(3), world, place - reach, place + reach)
        turn = RotationMatrix(task.rotations[goal])
        problem.AddOrientationConstraint(world, turn, tip, RotationMatrix(), 0.9 * task.turned)
        first = np.zeros(plant.num_positions())
        first[order] = start
        found = solver.Solve(problem.prog(), first)
        return found.GetSolution(problem.q())[order], found.is_success()

    return {
        "one start": lambda: lambda goal: once(goal, task.start)[0],
        "restarts": lambda: task.again(once),
    }


def human(task: Human) -> dict[str, Make]:
    plant = read(task.rooted, "world_base")
    frames = [plant.GetFrameByName(name) for name in task.effectors]
    names = [*task.root_joints, *task.hinges]
    order = [plant.GetJointByName(name).position_start() for name in names]
    begin = np.zeros(plant.num_positions())
    begin[order] = task.rooted_start()
    reach = 0.99 * task.near / math.sqrt(3.0)

    def way() -> Solve:
        solver = SnoptSolver()
        state = {"q": begin}

        def solve(goal: int) -> Answer:
            problem = InverseKinematics(plant, True)
            for frame, place in zip(frames, task.targets[goal], strict=True):
                problem.AddPositionConstraint(
                    frame, np.zeros(3), plant.world_frame(), place - reach, place + reach
                )
            first = state["q"] if task.follows else begin
            state["q"] = q = solver.Solve(problem.prog(), first).GetSolution(problem.q())
            return lambda: task.rooted_configuration(q[order])

        return solve

    return {"SNOPT": way}


if __name__ == "__main__":
    main(("drake", "numpy"), arm, human)
