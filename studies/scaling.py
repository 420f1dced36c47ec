"""What a solve costs against DOFs, goals, crowd and threads, beside what it cannot do without.

    python studies/scaling.py [--quick] [-o docs/studies/scaling]

The floor is one forward kinematics, one Jacobian and one factorisation of the step's system: no
method that steps by derivatives does with less. Times are the shortest of several rounds:
processor times of one thread, but for the crowd, whose times are those of the clock. Writes tables
and a figure into the folder.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from motions import SIX_GOALS, Effectors, random_poses
from scaling_floor import Floor, floor_of
from scaling_plots import scaling_figure

import poise
from poise.study.report import Table, ready_folder, write_report

DOFS = (10, 30, 100, 300, 1000, 3000, 10_000)
GOALS = (1, 2, 5, 10, 20, 50, 100, 200)
CROWDS = (1, 10, 100, 1000, 10_000)
STEP = 0.01
"""How far goals move from frame to frame [m]."""
FRAMES = 40
TURN = 0.02
"""How far the joints of a member of the crowd have to turn (standard deviation) [rad or m]."""

TEXT = """\
# What a solve costs

The **floor** is one forward kinematics, one Jacobian and one factorisation of the system that the
step solves (rows × rows while goals have fewer rows than the figure has DOFs, DOFs × DOFs beyond;
above 600 DOFs and rows the step is found without a matrix, and nothing is factorised). A **frame**
is a solve to 1 mm from the answer before, goals about 1 cm away: the start is evaluated, each
iteration takes one step and evaluates it. Frame over floor, per iteration, is what there would be
left to gain.

![Cost against DOFs, goals, crowd and threads](scaling.png)

## Degrees of freedom

Snakes of as many hinges, whose head follows a point.

{dofs}
From 100 DOFs on the time of a frame grows with their number to the power of {{dofs_slope}}.

## Goals

The 71-DOF human, with as many points on its segments.

{goals}
From 10 goals on the time of a frame grows with their number to the power of {{goals_slope}}.

## Crowd and threads

`poise.solve_many`: humans with six goals each, on average {{leap}} cm from where they
stand; each is a solve of its own. A call that makes few solves mostly prepares them. The machine
has {{cores}} cores.

{crowd}
"""


@dataclass(frozen=True)
class Cost:
    """A warm frame of a problem, and its floor [µs]."""

    size: int
    floor: Floor
    frame: float
    iterations: float

    def row(self) -> tuple[float, ...]:
        one = self.floor
        per_step = self.frame / max(self.iterations, 1.0) / one.whole
        parts = (one.forward, one.jacobian, one.factorisation)
        return (self.size, *parts, one.whole, self.frame, self.iterations, per_step)


@dataclass(frozen=True)
class Crowd:
    size: int
    threads: int
    each: float
    """[µs] a solve."""


def shortest(run: Callable[[], object], rounds: int, clock: Callable[[], float]) -> float:
    """[s] of the shortest of some rounds."""
    run()
    times = []
    for _ in range(rounds):
        began = clock()
        run()
        times.append(clock() - began)
    return min(times)


def cost(size: int, figure: poise.Figure, goals: list[poise.Position], rounds: int) -> Cost:
    """A frame whose goals follow a smooth motion of the figure about the middle of its ranges."""
    frames = FRAMES if len(figure.dofs) <= 1000 else FRAMES // 4
    start, points = wander(figure, goals, frames)
    placed = [goal.moved(point) for goal, point in zip(goals, points[0], strict=True)]
    solver = poise.Solver(figure, placed, start=start, restarts=0)
    answers = solver.solve_sequence(points, start=start)
    seconds = shortest(lambda: solver.solve_sequence(points, start=start), rounds, time.thread_time)
    floor = floor_of(solver.problem, answers.angles[-1], rounds)
    return Cost(size, floor, 1e6 * seconds / frames, float(answers.iterations.mean()))


def wander(
    figure: poise.Figure, goals: Sequence[poise.Position], frames: int
) -> tuple[np.ndarray, np.ndarray]:
    """A pose, and where the goals' points are (frames, goals, 3) on a smooth way from it."""
    rng = np.random.default_rng(len(goals) + len(figure.dofs))
    middle = inside(figure, figure.middle_angles)
    aim = inside(figure, middle + rng.normal(0.0, 0.3, middle.size))
    clip = poise.Clip(figure, [middle, aim], 1.0)
    ends = clip.positions([goal.effector for goal in goals])
    reach = np.linalg.norm(ends[1] - ends[0], axis=-1).mean()
    share = min(1.0, STEP * frames / max(reach, 1e-9))
    poses = middle + np.linspace(0.0, share, frames + 1)[1:, None] * (aim - middle)
    moved = poise.Clip(figure, [inside(figure, p) for p in poses], 1.0)
    offsets = np.array([goal.offset for goal in goals])
    names = [goal.effector for goal in goals]
    turned = np.einsum("fkij,kj->fki", moved.rotations(names), offsets)
    return middle, moved.positions(names) + turned


def snakes(sizes: Sequence[int], rounds: int) -> list[Cost]:
    goal = poise.Position("head", (0.0, 0.0, 0.0))
    return [cost(n, poise.figures.snake(n), [goal], rounds) for n in sizes]


def many_goals(counts: Sequence[int], rounds: int) -> list[Cost]:
    """Points spread over the segments of the human, the ends of its limbs first."""
    human, rng = poise.figures.human(), np.random.default_rng(6)
    names = list(SIX_GOALS) + [
        human.segment_names[k % len(human.segment_names)] for k in range(194)
    ]
    offsets = np.vstack([np.zeros((6, 3)), rng.normal(0.0, 0.04, (194, 3))])
    goals = [
        poise.Position(name, (0.0, 0.0, 0.0), offset=offset, name=f"goal {k}")
        for k, (name, offset) in enumerate(zip(names, offsets, strict=True))
    ]
    return [cost(n, human, goals[:n], rounds) for n in counts]


def crowds(sizes: Sequence[int], threads: Sequence[int], rounds: int) -> tuple[list[Crowd], float]:
    """And how far the goals are from where the members stand, on average [m]."""
    human, rng = poise.figures.human(), np.random.default_rng(7)
    effectors = Effectors(human, SIX_GOALS)
    starts = np.array([inside(human, pose) for pose in random_poses(human, max(sizes), rng)])
    moved = starts + rng.normal(0.0, TURN, starts.shape)
    points = np.array([effectors.positions(inside(human, pose)) for pose in moved])
    leap = float(np.linalg.norm(points - [effectors.positions(p) for p in starts], axis=-1).mean())
    goals = [poise.Position(name, (0.0, 0.0, 0.0)) for name in SIX_GOALS]
    found = []
    for count in threads:
        for size in sizes:

            def run(size: int = size, count: int = count) -> object:
                return poise.solve_many(
                    human, goals, points[:size], starts=starts[:size], threads=count, restarts=0
                )

            found.append(Crowd(size, count, 1e6 * shortest(run, rounds, time.perf_counter) / size))
    return found, leap


def inside(figure: poise.Figure, angles: np.ndarray) -> np.ndarray:
    return figure.pose(angles).clamped().angles


def slope(costs: Sequence[Cost], least: int) -> float:
    """How steeply frames grow, in a plot with two logarithmic axes."""
    some = [one for one in costs if one.size >= least]
    sizes, times = np.log([one.size for one in some]), np.log([one.frame for one in some])
    return float(np.polyfit(sizes, times, 1)[0])


def tables(dofs: list[Cost], goals: list[Cost], crowd: list[Crowd]) -> list[Table]:
    parts = ("forward kinematics [µs]", "Jacobian [µs]", "factorisation [µs]", "floor [µs]",
             "frame [µs]", "iterations", "frame ÷ floor, an iteration")  # fmt: skip
    sizes = list(dict.fromkeys(one.size for one in crowd))
    threads = list(dict.fromkeys(one.threads for one in crowd))
    by = {(one.size, one.threads): one.each for one in crowd}
    return [
        Table("dofs", "A snake, one goal", ("DOFs", *parts), tuple(c.row() for c in dofs)),
        Table("goals", "The human", ("goals", *parts), tuple(c.row() for c in goals)),
        Table(
            "crowd",
            "Time of a solve [µs]",
            ("solves", *(f"{count} thread{'s' * (count > 1)}" for count in threads)),
            tuple((size, *(by[size, count] for count in threads)) for size in sizes),
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, fewer rounds")
    parser.add_argument("-o", "--out", type=Path, default=Path("docs/studies/scaling"))
    options = parser.parse_args()
    ready_folder(options.out)
    cut, rounds = (4, 3) if options.quick else (None, 9)
    cores = os.cpu_count() or 1
    dofs, goals = snakes(DOFS[:cut], rounds), many_goals(GOALS[:cut], rounds)
    threads = sorted({1, 2, cores, 2 * cores})
    crowd, leap = crowds(CROWDS[:cut], threads, max(2, rounds // 3))
    text = TEXT
    facts = {
        "dofs_slope": f"{slope(dofs, 100):.2f}" if len(dofs) > 3 else "",
        "goals_slope": f"{slope(goals, 10):.2f}" if len(goals) > 4 else "",
        "leap": f"{100 * leap:.1f}",
        "cores": cores,
    }
    for name, value in facts.items():
        text = text.replace(f"{{{{{name}}}}}", str(value))
    figure = scaling_figure(dofs, goals, crowd)
    made = tables(dofs, goals, crowd)
    write_report(options.out, "scaling", text, made, {"scaling": figure})
    for table in made:
        print(f"{table.title}\n{table.markdown()}")


if __name__ == "__main__":
    main()
