"""OpenSim: its inverse kinematics of markers, coordinates clamped to their ranges.

It reads neither the MJCF nor the URDF file of this study, so the model is built here: a custom
joint a body, whose rotations are its hinges. The points are markers.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import opensim
from runner import Answer, Human, Make, Solve, main, rotation

CONSTRAINT_WEIGHT = 20.0
"""The default of its tool; the model has no constraints."""
ACCURACIES = (1e-3, 1e-4, 1e-5)
"""Its own measure of when to stop; 1e-5 is its tool's default."""


def human(task: Human) -> dict[str, Make]:
    opensim.Logger.setLevelString("Off")

    def way(accuracy: float) -> Solve:
        model = built(task)
        state = model.initSystem()
        coordinates = model.getCoordinateSet()
        root = [coordinates.get(name) for name in ROOT]
        hinges = [coordinates.get(name) for name in task.hinges]
        solver = opensim.InverseKinematicsSolver(
            model, references(task), opensim.SimTKArrayCoordinateReference(), CONSTRAINT_WEIGHT
        )
        solver.setAccuracy(accuracy)
        start = [*euler(rotation(task.start[3:7])), *task.start[:3], *task.start[7:]]

        def begin() -> None:
            for coordinate, value in zip([*root, *hinges], start, strict=True):
                coordinate.setValue(state, float(value), False)
            model.realizePosition(state)

        def answer() -> np.ndarray:
            turns = [coordinate.getValue(state) for coordinate in root]
            place, angles = np.array(turns[3:]), [hinge.getValue(state) for hinge in hinges]
            return task.configuration(place, turned(turns[:3]), np.array(angles))

        begun = False

        def solve(goal: int) -> Answer:
            nonlocal begun
            state.setTime(float(goal))
            if begun and task.follows:
                solver.track(state)
            else:
                begin()
                solver.assemble(state)
                begun = True
            return answer

        return solve

    return {f"accuracy {accuracy:g}": partial(way, accuracy) for accuracy in ACCURACIES}


ROOT = ("turn_x", "turn_y", "turn_z", "move_x", "move_y", "move_z")


def references(task: Human) -> opensim.MarkersReference:
    """The targets as a table of markers; goal k is at k seconds."""
    table = opensim.TimeSeriesTableVec3()
    table.setColumnLabels(task.effectors)
    for goal, points in enumerate(task.targets):
        row = opensim.RowVectorVec3(len(points))
        for i, point in enumerate(points.tolist()):
            row[i] = opensim.Vec3(*point)
        table.appendRow(float(goal), row)
    table.addTableMetaDataString("DataRate", "1")
    table.addTableMetaDataString("Units", "m")
    return opensim.MarkersReference(table, opensim.SetMarkerWeights())


def built(task: Human) -> opensim.Model:
    model = opensim.Model()
    bodies = {}
    for given in task.bodies:
        inertia = opensim.Inertia(0.01, 0.01, 0.01)
        body = opensim.Body(given["name"], 1.0, opensim.Vec3(0.0), inertia)
        bodies[given["name"]] = body
        model.addBody(body)
        if given is task.bodies[0]:
            joint = opensim.FreeJoint("root", model.getGround(), body)
            for i, name in enumerate(ROOT):
                joint.upd_coordinates(i).setName(name)
        else:
            place = opensim.Vec3(*given["position"])
            turn = opensim.Vec3(*euler(rotation(np.array(given["quaternion"]))))
            joint = joined(given, bodies[given["parent"]], body, place, turn)
        model.addJoint(joint)
    for name in task.effectors:
        model.addMarker(opensim.Marker(name, bodies[name], opensim.Vec3(0.0)))
    model.finalizeConnections()
    coordinates = model.updCoordinateSet()
    for name, lower, upper in zip(task.hinges, task.lower, task.upper, strict=True):
        coordinate = coordinates.get(name)
        coordinate.setRangeMin(float(lower))
        coordinate.setRangeMax(float(upper))
        coordinate.setDefaultValue(float(np.clip(0.0, lower, upper)))
        coordinate.setDefaultClamped(True)
    return model


def joined(given: dict, parent, body, place, turn):
    """The joint of a body with its parent: fixed, or one rotation a hinge."""
    at = (parent, place, turn, body, opensim.Vec3(0.0), opensim.Vec3(0.0))
    if not given["hinges"]:
        return opensim.WeldJoint(given["name"], *at)
    transform = opensim.SpatialTransform()
    axes = [np.array(hinge["axis"]) for hinge in given["hinges"]]
    for i, axis in enumerate(completed(axes)):
        transform.updTransformAxis(i).setAxis(opensim.Vec3(*axis.tolist()))
        if i < len(axes):
            names = opensim.ArrayStr()
            names.append(given["hinges"][i]["name"])
            transform.updTransformAxis(i).setCoordinateNames(names)
            angle = opensim.LinearFunction(1.0, 0.0)
            angle.this.disown()  # the axis owns it from now on
            transform.updTransformAxis(i).setFunction(angle)
    return opensim.CustomJoint(given["name"], *at, transform)


def completed(axes: list[np.ndarray]) -> list[np.ndarray]:
    """Three independent axes that begin with these."""
    found = list(axes)
    while len(found) < 3:
        least = np.linalg.svd(np.array(found))[2][-1]
        found.append(least)
    return found


def euler(turn: np.ndarray) -> list[float]:
    """Angles about x, then the turned y, then the turned z."""
    return [
        float(np.arctan2(-turn[1, 2], turn[2, 2])),
        float(np.arcsin(np.clip(turn[0, 2], -1.0, 1.0))),
        float(np.arctan2(-turn[0, 1], turn[0, 0])),
    ]


def turned(angles: list[float]) -> np.ndarray:
    """(3, 3) of such angles."""
    (cx, cy, cz), (sx, sy, sz) = np.cos(angles), np.sin(angles)
    x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return x @ y @ z


if __name__ == "__main__":
    main(("opensim", "numpy"), human=human)
