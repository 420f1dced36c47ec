"""Momentum: Gauss-Newton in C++ over model parameters, limits as an error with a weight.

Its readers take neither the MJCF nor the URDF file of this study, so the character is built here:
a joint a hinge, turned so that the hinge is about its x axis. Parameters are single precision. Its
limits may be broken, so after each call they are imposed here. The settings are the fastest of
some 150 that reached all goals.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import pymomentum.geometry as geometry
import pymomentum.solver2 as solver2
from runner import Answer, Human, Make, Solve, main, quaternion, rotation

LIMIT_WEIGHT = 10.0
INSIDE = 1e-6
"""[rad] how far inside the limits an answer is clamped: single precision rounds."""


class Setting(NamedTuple):
    steps: int
    """Of a call; then the limits are imposed and nearness is looked at."""
    regularization: float
    searches: bool
    """Along the step, which unrelated poses need and a motion does not."""


SETTINGS = {
    "2 steps a call, clamped": Setting(2, 1e-3, searches=False),
    "4 steps with line search, clamped": Setting(4, 3e-4, searches=True),
}


def human(task: Human) -> dict[str, Make]:
    character, effectors = built(task)
    free = np.full(6, np.inf)
    lower = np.concatenate([-free, task.lower + INSIDE]).astype(np.float32)
    upper = np.concatenate([free, task.upper - INSIDE]).astype(np.float32)
    start = task.rooted_start()[TO_PARAMETERS + list(range(6, 6 + len(task.hinges)))]
    start = start.astype(np.float32)
    here = np.zeros((len(effectors), 3), np.float32)
    targets = task.targets.astype(np.float32)

    def way(setting: Setting) -> Solve:
        options = solver2.GaussNewtonSolverQROptions()
        options.min_iterations = options.max_iterations = setting.steps
        options.regularization = setting.regularization
        options.do_line_search = setting.searches
        positions = solver2.PositionErrorFunction(character)
        limits = solver2.LimitErrorFunction(character, weight=LIMIT_WEIGHT)
        function = solver2.SkeletonSolverFunction(character, [positions, limits])
        solver = solver2.GaussNewtonSolverQR(function, options)
        now = start

        def solve(goal: int) -> Answer:
            nonlocal now
            positions.clear_constraints()
            positions.add_constraints(effectors, target=targets[goal], offset=here)
            found = now if task.follows else start
            for _ in range(task.patience // setting.steps):
                at = geometry.model_parameters_to_positions(character, found, effectors, here)
                if task.is_near(np.asarray(at), goal):
                    break
                found = np.clip(solver.solve(found), lower, upper)
            now = found
            return lambda: configuration(task, found)

        return solve

    return {name: partial(way, setting) for name, setting in SETTINGS.items()}


TO_PARAMETERS = [0, 1, 2, 5, 4, 3]
"""Momentum's x, y, z, then turns about x, y, z, from those of the `rooted` file."""


def configuration(task: Human, parameters: np.ndarray) -> np.ndarray:
    """MuJoCo's."""
    joints = np.asarray(parameters, float)
    return task.rooted_configuration(np.concatenate([joints[TO_PARAMETERS], joints[6:]]))


def built(task: Human) -> tuple[geometry.Character, np.ndarray]:
    """The character, whose parameters are the root's six and the hinges; the effectors' joints."""
    root = task.bodies[0]["name"]
    joints = [geometry.Joint(root, -1, np.array([0, 0, 0, 1], np.float32), np.zeros(3, np.float32))]
    rows, index, turned = list(range(6)), {root: 0}, {root: np.eye(3)}
    for body in task.bodies[1:]:
        parent = index[body["parent"]]
        back = turned[body["parent"]].T
        place, turn = (
            back @ np.array(body["position"]),
            back @ rotation(np.array(body["quaternion"])),
        )
        axes = [np.array(hinge["axis"]) for hinge in body["hinges"]] or [None]
        for k, axis in enumerate(axes):
            along = np.eye(3) if axis is None else first_axis(axis)
            w, *xyz = quaternion(turn @ along)
            name = body["name"] if k == len(axes) - 1 else f"{body['name']}_{k}"
            turning, moved = np.array([*xyz, w], np.float32), place.astype(np.float32)
            joints.append(geometry.Joint(name, parent, turning, moved))
            parent, place, turn = len(joints) - 1, np.zeros(3), along.T
            if axis is not None:
                rows.append(7 * parent + 3)
        index[body["name"]], turned[body["name"]] = parent, along
    skeleton = geometry.Skeleton(joints)
    moves = np.zeros((7 * len(joints), len(rows)), np.float32)
    moves[rows, range(len(rows))] = 1.0
    names = [*task.root_joints, *task.hinges]
    transform = geometry.ParameterTransform(names, skeleton, moves)
    limits = [
        geometry.ParameterLimit.create_minmax(6 + i, float(low), float(high))
        for i, (low, high) in enumerate(zip(task.lower, task.upper, strict=True))
    ]
    character = geometry.Character("humanoid", skeleton, transform).with_parameter_limits(limits)
    return character, np.array([index[name] for name in task.effectors], np.int32)


def first_axis(axis: np.ndarray) -> np.ndarray:
    """(3, 3) a rotation whose first column is the axis."""
    x = axis / np.linalg.norm(axis)
    y = np.cross(np.eye(3)[np.argmin(np.abs(x))], x)
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)])


if __name__ == "__main__":
    main(("pymomentum-cpu", "numpy"), human=human)
