"""Relations under load: random constraint sets that must not break anything, and what they cost.

    python studies/relations.py [--sets 10000] [-o FOLDER]

Every set mixes goals of all kinds, users' functions and levels among them, many contradictory, with
random joint groups, linear limits, equalities and polygons. It is solved with some goals off, and
once more with one of them switched. Checked at every iterate: boxes, cones, groups and DOFs that
no goal may use to the bit, linear limits as stored, equalities to 1e-9, and a value that never
rises. Then the time of a motion of the human with four groups and a shoulder polygon, as a ratio to
boxes alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from motions import SIX_GOALS, motion
from random_sets import RandomSet, figures, random_set

import poise
from poise import JointGroup, PolygonLimit

SHOULDER = np.radians([(-30, -40), (60, -60), (140, -20), (150, 40), (60, 70), (-20, 30)])


def broken(figure: poise.Figure, start: np.ndarray, solution: poise.Solution) -> str | None:
    """What does not hold at some iterate, or None. `start` is inside the limits."""
    tables, own = figure.relation_tables, np.array([(d.lower, d.upper) for d in figure.dofs])
    still = solution.problem.mobility == 0.0
    for follower in tables.followers:
        still[follower.dof] = still[follower.leader]
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
        if (angles[still] != start[still]).any():
            return "a DOF that no goal may use, which moved"
    for before, point in pairwise(solution.trace):
        same = point.evaluations > before.evaluations and point.attempt == before.attempt
        if same and point.value > before.value:
            return "the value, which rose"
    return None


def solve_twice(case: RandomSet) -> Iterator[tuple[str | None, poise.Solution]]:
    """Solve with some goals off, switch one, and solve on; with what does not hold each time."""
    constraints = poise.ConstraintSet(
        case.figure, case.goals, start=case.start, restarts=1, max_iterations=1000
    )
    for name in case.off:
        constraints.switch_off(name)
    start = case.figure.pose(case.start).clamped()
    for name in (None, case.goals[0].name):
        if name is not None:
            switch = constraints.switch_off if constraints.is_on(name) else constraints.switch_on
            switch(name)
        solution = constraints.solve(start=start, trace=True)
        yield broken(case.figure, start.angles, solution), solution
        start = solution.pose


def run_sets(count: int) -> dict:
    """Solve `count` sets; a seed that gives none is passed over."""
    choices, kinds = figures(), Counter()
    ended, unfinished = Counter(), []
    faults: list[str] = []
    solved = seed = 0
    while solved < count:
        case, seed = random_set(choices, seed), seed + 1
        if case is None:
            continue
        solved += 1
        kinds.update(type(goal).__name__ for goal in case.goals)
        kinds["with levels"] += len({goal.level for goal in case.goals}) > 1
        kinds["with cones"] += bool(case.figure.cones)
        for fault, solution in solve_twice(case):
            ended[solution.status.name] += 1
            if solution.status.name in ("STALLED", "OUT_OF_ITERATIONS"):
                unfinished.append(seed - 1)
            if fault is not None:
                faults.append(f"seed {seed - 1}: {fault}")
    return {
        "sets": count,
        "faults": faults,
        "ended": dict(ended),
        "kinds": dict(sorted(kinds.items())),
        "unfinished": sorted(set(unfinished)),
    }


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
    """Median compiled time [µs] of warm solves along a motion that the related human can do.

    Both figures solve each frame one after the other, so that the ratio is fair on a busy machine.
    """
    related = related_human()
    figures = {"boxes": poise.figures.human(), "four groups and a polygon": related}
    frames = motion(related, SIX_GOALS, 0.07, 2000, np.random.default_rng(3))
    poses = [related.pose(angles).clamped() for angles, _ in frames]
    goals = [poise.Position(e, poses[0].position(e)) for e in SIX_GOALS]
    solvers = {n: poise.Solver(f, goals, start=poses[0].angles) for n, f in figures.items()}
    solved: dict[str, list] = {name: [] for name in figures}
    for pose in poses:
        targets = {e: pose.position(e) for e in SIX_GOALS}
        for name, solver in solvers.items():
            solved[name].append(solver.solve(targets))
    result: dict = {
        name: {
            "median_us": 1e6 * float(np.median([solution.time for solution in solutions])),
            "missed": sum(not solution.reached for solution in solutions),
        }
        for name, solutions in solved.items()
    }
    boxes, groups = (row["median_us"] for row in result.values())
    return result | {"ratio": groups / boxes}


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
