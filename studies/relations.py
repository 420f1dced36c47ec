"""Relations under load: random constraint sets that must not break anything, and what they cost.

    python studies/relations.py [--sets 10000] [-o FOLDER]

Every set mixes goals of all kinds, many of them contradictory, with random joint groups, linear
limits, equalities and polygons. Checked at every iterate: boxes, cones and groups to the bit,
linear limits as stored, equalities to 1e-9, and a value that never rises. Then the time of a
motion of the human with four groups and a shoulder polygon, as a ratio to boxes alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from motions import SIX_GOALS, motion
from random_sets import RandomSet, random_set

import poise
from poise import JointGroup, PolygonLimit

SHOULDER = np.radians([(-30, -40), (60, -60), (140, -20), (150, 40), (60, 70), (-20, 30)])


def broken(case: RandomSet, solution: poise.Solution) -> str | None:
    """What does not hold at some iterate, or None."""
    figure = case.figure
    tables, own = figure.relation_tables, np.array([(d.lower, d.upper) for d in figure.dofs])
    for angles in [*(point.angles for point in solution.trace), solution.angles]:
        if not ((angles >= own[:, 0]) & (angles <= own[:, 1])).all():
            return "a box"
        for dof, radius in figure.cones:
            if angles[dof] * angles[dof] + angles[dof + 1] * angles[dof + 1] > radius * radius:
                return "a cone"
        for follower in tables.followers:
            if angles[follower.dof] != follower.at(angles[follower.leader]):
                return "a group"
        for row in tables.rows:
            value = sum(factor * angles[d] for d, factor in row.factors.items())
            slack = (1e-9 if row.low == row.high else 1e-15) * row.scale
            if not row.low - slack <= value <= row.high + slack:
                return "a linear limit"
    for attempt in {point.attempt for point in solution.trace}:
        values = [point.value for point in solution.trace if point.attempt == attempt]
        if (np.diff(values) > 0).any():
            return "the value, which rose"
    return None


def run_sets(count: int) -> dict:
    """Solve `count` sets; a seed that gives none is passed over."""
    figures = [
        poise.figures.human(),
        poise.figures.arm(),
        poise.figures.spider(),
        poise.figures.snake(12),
    ]
    ended: dict[str, int] = {}
    faults: list[str] = []
    solved = seed = 0
    while solved < count:
        case, seed = random_set(figures, seed), seed + 1
        if case is None:
            continue
        solved += 1
        solution = poise.solve(
            case.figure, case.goals, start=case.start, restarts=1, max_iterations=300, trace=True
        )
        ended[solution.status.name] = ended.get(solution.status.name, 0) + 1
        fault = broken(case, solution)
        if fault is not None:
            faults.append(f"seed {seed - 1}: {fault}")
    return {"sets": count, "faults": faults, "ended": ended}


def related_human() -> poise.Figure:
    """Four groups and the polygon of a shoulder."""
    pair = ("left_shoulder_elevation", "left_shoulder_horizontal_flexion")
    return poise.figures.human().with_relations(
        JointGroup("spine flexion", {"spine_*_flexion": 1.0}),
        JointGroup("spine bending", {"spine_*_lateral_bending": 1.0}),
        JointGroup("spine rotation", {"spine_*_axial_rotation": 1.0}),
        JointGroup("nod", {"neck_flexion": 1.0, "head_flexion": 0.5}),
        PolygonLimit("left shoulder", pair, SHOULDER),
    )


def compare_times() -> dict:
    """Median compiled time [µs] of warm solves along a motion that the related human can do."""
    boxes, related = poise.figures.human(), related_human()
    frames = motion(related, SIX_GOALS, 0.07, 2000, np.random.default_rng(3))
    poses = [related.pose(angles).clamped() for angles, _ in frames]
    medians = {}
    for name, figure in (("boxes", boxes), ("four groups and a polygon", related)):
        goals = [poise.Position(e, poses[0].position(e)) for e in SIX_GOALS]
        solver = poise.Solver(figure, goals, start=poses[0].angles)
        times, missed = [], 0
        for pose in poses:
            solution = solver.solve({e: pose.position(e) for e in SIX_GOALS})
            times.append(solution.time)
            missed += not solution.reached
        medians[name] = {"median_us": 1e6 * float(np.median(times)), "missed": missed}
    medians["ratio"] = (
        medians["four groups and a polygon"]["median_us"] / medians["boxes"]["median_us"]
    )
    return medians


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--sets", type=int, default=10_000)
    parser.add_argument("-o", "--out", type=Path, default=None, help="folder for relations.json")
    options = parser.parse_args()
    result = {"random sets": run_sets(options.sets), "times": compare_times()}
    text = json.dumps(result, indent=2)
    print(text)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "relations.json").write_text(text + "\n")
    return 1 if result["random sets"]["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
