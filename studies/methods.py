"""All methods side by side: time, success, limits and jitter; and the path each one takes.

    python studies/methods.py [--quick] [-o docs]

Two tasks on the 71-DOF human with six position goals and its limits on, each to 1 cm and to 1 mm.
Tracking: frames of a motion that touches limits (seed 3), goals 3 cm apart, each solved from the
answer before. Cold: random poses inside the limits (seed 4), each solved from rest. Every solve
has at most SLOT seconds. Jitter is the root mean square of the second difference of all angles,
over that of the motion that the goals were taken from.

Writes FOLDER/benchmark/methods.json, the table into FOLDER/methods.md, and the picture
FOLDER/images/methods.png: a planar arm of three links, from the same start to the same goal.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import matplotlib

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # or the threads of lbfgs-b wait for each other
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from motions import SIX_GOALS, Effectors, motion, random_poses

import poise
from poise.figure.joint import revolute
from poise.solve.capabilities import LimitRule
from poise.solve.method import Method
from poise.study.report import made_with

SLOT = 0.015
"""Seconds that a solve may take: the time slot of PLS §5."""
BEGIN, END = "<!-- table: studies/methods.py -->", "<!-- end of table -->"


@dataclass
class Measured:
    """What one method did in one task."""

    median: float
    """[s]"""
    reached: float
    """Share of the solves that met all goals."""


@dataclass
class Row:
    method: str
    limits: str
    tracking: dict[str, Measured]
    """By tolerance."""
    cold: dict[str, Measured]
    jitter: float


TOLERANCES = {"1 cm": 1e-2, "1 mm": 1e-3}
LIMITS = {
    LimitRule.INSIDE: "in the step",
    LimitRule.AFTER_STEP: "after the step",
    LimitRule.AFTER_SOLVE: "in the answer",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a fifth of the solves")
    parser.add_argument("-o", "--out", type=Path, default=Path("docs"))
    arguments = parser.parse_args()
    frames, poses = (40, 20) if arguments.quick else (200, 100)
    human = poise.figures.human()
    source = list(motion(human, SIX_GOALS, 0.03, frames, np.random.default_rng(3)))
    effectors = Effectors(human, SIX_GOALS)
    angles = random_poses(human, poses, np.random.default_rng(4))
    targets = [effectors.positions(pose) for pose in angles]
    rows = []
    for method in poise.methods().values():
        rows.append(measure(human, method, source, targets))
        print(line(rows[-1]), flush=True)
    record = {"made with": made_with(), "slot": SLOT, "frames": frames, "poses": poses}
    record["methods"] = [asdict(row) for row in rows]
    (arguments.out / "benchmark").mkdir(parents=True, exist_ok=True)
    (arguments.out / "benchmark" / "methods.json").write_text(json.dumps(record, indent=2) + "\n")
    write_table(arguments.out / "methods.md", rows)
    draw_paths(arguments.out / "images" / "methods.png")


def measure(human: poise.Figure, method: Method, source: list, targets: list) -> Row:
    tracking, cold, jitter = {}, {}, 0.0
    for name, tolerance in TOLERANCES.items():
        solver = six_goals(human, method, tolerance, start=source[0][0])
        solutions = [solver.solve(by_name(positions)) for _, positions in source[1:]]
        tracking[name] = measured(solutions)
        moved = np.array([solution.angles for solution in solutions])
        jitter = roughness(moved) / roughness(np.array([angles for angles, _ in source[1:]]))
        solver, rest = six_goals(human, method, tolerance), human.rest()
        cold[name] = measured([solver.solve(by_name(one), start=rest) for one in targets])
    return Row(method.name, LIMITS[method.capabilities.limits], tracking, cold, jitter)


def six_goals(
    human: poise.Figure, method: Method, tolerance: float, start: np.ndarray | None = None
) -> poise.Solver:
    goals = [poise.Position(name, (0.0, 0.0, 0.0)) for name in SIX_GOALS]
    return poise.Solver(
        human, goals, method=method.name, tolerance=tolerance, max_time=SLOT, start=start
    )


def by_name(positions: np.ndarray) -> dict[str, tuple]:
    return dict(zip(SIX_GOALS, map(tuple, positions), strict=True))


def measured(solutions: list[poise.Solution]) -> Measured:
    later = solutions[1:]  # the first one loads the compiled code
    times = [solution.time for solution in later]
    return Measured(float(np.median(times)), float(np.mean([one.reached for one in later])))


def roughness(angles: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.diff(angles, 2, axis=0) ** 2)))


def line(row: Row) -> str:
    cells = [f"`{row.method}`", row.limits]
    for task in (row.tracking, row.cold):
        for name in TOLERANCES:
            cells.append(f"{1e3 * task[name].median:.3g} ms, {100 * task[name].reached:.0f} %")
    return "| " + " | ".join([*cells, f"{row.jitter:.1f}"]) + " |"


def write_table(page: Path, rows: list[Row]) -> None:
    """Replace what stands between the marks of the page."""
    tasks = [f"{task}, {name}" for task in ("tracking", "cold") for name in TOLERANCES]
    header = ["method", "limits", *tasks, "jitter"]
    ruler = ["---", "---", *["--:"] * (len(tasks) + 1)]
    table = [f"| {' | '.join(header)} |", f"| {' | '.join(ruler)} |", *map(line, rows)]
    before, rest = page.read_text().split(BEGIN)
    after = rest.split(END)[1]
    page.write_text("\n".join([before + BEGIN, *table, END + after]))


# -- the picture -----------------------------------------------------------------------------------

LENGTHS = (0.40, 0.35, 0.25)
START, LEAST, MOST = (0.2, 0.5, 0.6), -0.6, 2.2
GOAL = (-0.35, 0.62, 0.0)


def planar_arm() -> poise.Figure:
    """Three hinges in a plane, the way PLS and JPI draw them."""
    segments = [
        poise.Segment(
            f"link_{i}",
            parent=f"link_{i - 1}" if i else None,
            offset=(LENGTHS[i - 1] if i else 0.0, 0.0, 0.0),
            joint=revolute("Z", (LEAST, MOST)),
        )
        for i in range(3)
    ]
    tip = poise.Site("tip", "link_2", offset=(LENGTHS[2], 0.0, 0.0))
    return poise.Figure("planar arm", segments, [tip])


def draw_paths(path: Path) -> None:
    figure, known = planar_arm(), poise.methods()
    columns = 5
    count = -(-len(known) // columns)
    page, axes = plt.subplots(
        count, columns, figsize=(12.5, 2.75 * count), layout="constrained", sharex=True, sharey=True
    )
    for axis in axes.flat[len(known) :]:
        axis.set_visible(False)
    for axis, method in zip(axes.flat, known, strict=False):
        solution = poise.solve(
            figure,
            poise.Position("tip", GOAL),
            start=figure.pose(START),
            method=method,
            max_iterations=2000,
            trace=True,
        )
        poses = [figure.pose(point.angles) for point in solution.trace] + [solution.pose]
        for pose, colour in ((figure.pose(START), "0.75"), (poses[-1], "#2a6f97")):
            points = [pose.position(name) for name in (*figure.segment_names, "tip")]
            axis.plot(*np.array(points)[:, :2].T, "-o", color=colour, linewidth=2.5, markersize=4)
        tips = np.array([pose.position("tip") for pose in poses])
        axis.plot(*tips[:, :2].T, ".-", color="#c44e52", linewidth=1, markersize=3)
        axis.plot(*GOAL[:2], "o", color="#2e8b57", markersize=11, fillstyle="none")
        axis.set_title(f"{method}\n{solution.iterations} iterations", fontsize=10)
        axis.set_aspect("equal")
        axis.set_xlim(-0.75, 1.0)
        axis.set_ylim(-0.3, 1.1)
        axis.set_xticks([])
        axis.set_yticks([])
        axis.spines[:].set_color("0.85")
    path.parent.mkdir(parents=True, exist_ok=True)
    page.savefig(path, dpi=100)


if __name__ == "__main__":
    main()
