"""How many of an arm's goals one descent from mid-range reaches, on other goals than the study's.

One descent is one: no restart, no second pose to begin at, and the value never rises on the way.
500 goals are few: between sets of 500 the share differs by several points, so that one set alone
says little about a bar.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from peers_arm import GOALS, NEAR, ONE_START, TIP, TURNED, ArmTask, Chain

import poise
from poise.study.report import Table

SETS = 20


def one_start_table(urdf: Path, chain: Chain) -> Table:
    """A row for each of our settings: the least, mean and most of all sets. Set 0 is the study's.

    `urdf` is the file of the arm.
    """
    tasks = [ArmTask.of(chain, GOALS, number) for number in range(SETS)]
    rows = []
    for way, parameters in ONE_START.items():
        shares = np.array([100.0 * share(urdf, task, parameters) for task in tasks])
        rows.append((way, SETS, shares[0], shares.min(), shares.mean(), shares.max()))
    columns = ("way", "sets", "this study's set [%]", "worst set [%]", "mean [%]", "best set [%]")
    title = f"One descent on {SETS} sets of {GOALS} goals, reached"
    return Table("one_start", title, columns, tuple(rows))


def share(urdf: Path, task: ArmTask, parameters: dict[str, float]) -> float:
    """Of the goals that one descent from mid-range reaches."""
    figure = poise.load(urdf)
    start = figure.pose(task.chain.middle)
    solver = poise.Solver(
        figure,
        poise.Pose6D(TIP, start.position(TIP), start.rotation(TIP)),
        tolerance=poise.Tolerance(NEAR, TURNED),
        restarts=0,
        parameters=parameters,
    )
    reached = 0
    for number, place in enumerate(task.goals):
        wanted = (place[:3, 3], np.ascontiguousarray(place[:3, :3]))
        reached += task.is_reached(number, solver.solve({TIP: wanted}, start=start).angles)
    return reached / len(task.goals)
