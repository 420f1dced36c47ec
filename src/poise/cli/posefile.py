"""pose.json: a solved pose as plain data, as docs/command-line.md describes it."""

from __future__ import annotations

from math import degrees
from typing import TYPE_CHECKING, Any

import numpy as np

from poise.goals import Position

if TYPE_CHECKING:
    from poise.figure.pose import Pose
    from poise.solve import ActiveLimit, Solution


def pose_document(solution: Solution) -> dict[str, Any]:
    """The pose as plain data: the same call gives the same document."""
    pose = solution.pose
    return {
        "format": "poise-pose",
        "version": 1,
        "figure": pose.figure.name,
        "status": solution.status.name.lower(),
        "message": str(solution.status),
        "reached": solution.reached,
        "goals": _goal_rows(solution),
        "limits_held": pose.is_inside_limits,
        "active_limits": [_limit_row(limit) for limit in solution.active_limits],
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


def _goal_rows(solution: Solution) -> list[dict[str, Any]]:
    problem = solution.problem
    rows = []
    for name, goal in zip(problem.goal_names, problem.goals, strict=True):
        assert isinstance(goal, Position)  # the one kind that the command line makes
        error = solution.errors[name].position
        rows.append(
            {
                "name": name,
                "target": np.asarray(goal.position).tolist(),
                "position": solution.pose.position(goal.effector).tolist(),
                "error": error,
                "reached": error <= problem.tolerance.position,
            }
        )
    return rows


def _limit_row(limit: ActiveLimit) -> dict[str, Any]:
    return {key: v if isinstance(v, str) else float(v) for key, v in limit._asdict().items()}


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
