"""pose.json: a solved pose as plain data, as docs/command-line.md describes it."""

from __future__ import annotations

from collections.abc import Sequence
from math import degrees
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from poise.figure.pose import Pose
    from poise.goals import Position
    from poise.solve import Solution


def pose_document(
    solution: Solution, goals: Sequence[Position], tolerance: float
) -> dict[str, Any]:
    """The pose as plain data: the same call gives the same document."""
    pose = solution.pose
    return {
        "format": "poise-pose",
        "version": 1,
        "figure": pose.figure.name,
        "status": solution.status.name.lower(),
        "message": str(solution.status),
        "reached": solution.reached,
        "goals": [_goal_row(goal, solution, tolerance) for goal in goals],
        "limits_held": pose.is_inside_limits,
        "active_limits": list(solution.active_limits),
        "dofs": _dof_values(pose),
        "sites": {s.name: pose.position(s.name).tolist() for s in pose.figure.sites},
    }


def effort_document(solution: Solution) -> dict[str, Any]:
    """What the solve cost. The time differs from run to run."""
    return {
        "iterations": solution.iterations,
        "evaluations": solution.evaluations,
        "seconds": solution.time,
        "residual": solution.residual,
    }


def _goal_row(goal: Position, solution: Solution, tolerance: float) -> dict[str, Any]:
    error = solution.errors[goal.name].position
    return {
        "name": goal.name,
        "target": [float(x) for x in goal.position],  # pyright: ignore
        "position": solution.pose.position(goal.effector).tolist(),
        "error": error,
        "reached": error <= tolerance,
    }


def _dof_values(pose: Pose) -> dict[str, dict[str, float]]:
    figure = pose.figure
    return {
        name: {"radians": value, "degrees": degrees(value)}
        if dof.kind == "rotation"
        else {"metres": value}
        for name, dof, value in zip(
            figure.dof_names, figure.dofs, pose.angles.tolist(), strict=True
        )
    }
