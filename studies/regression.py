"""Has something become slower? The main tasks, measured in forward kinematics, beside a baseline.

    python studies/regression.py [--quick] [--update] [--only WORD]

Every task is timed in several rounds, all tasks in turns, so that a busy moment of the machine
meets all alike; its shortest processor time counts, divided by that of one forward kinematics of
the human in the same run. That ratio is compared with studies/regression.json. Exit code 1 when
one is more than 25 % above the baseline; `--update` writes the ratios of this run as the new one.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmark import repeat_forward
from constraints import Bench
from motions import SIX_GOALS, Effectors, motion, random_poses

import poise
from poise.kernels import layout
from poise.study.report import made_with

BASELINE = Path(__file__).with_suffix(".json")
ALLOWED = 0.25
"""A task may take so much longer than the baseline says, as a share of it."""
ROUNDS = 60
REPEATS = 1000
"""Forward kinematics in one timing of the unit."""

Job = tuple[Callable[[], object], int]
"""Something to run, and how many units of the task (solves, frames) it makes."""


@dataclass(frozen=True)
class Outcome:
    """What a task costs now, and what it cost."""

    task: str
    microseconds: float
    ratio: float
    """Over one forward kinematics."""
    before: float | None
    """The same in the baseline; None for a new task."""

    @property
    def change(self) -> float:
        return 0.0 if self.before is None else self.ratio / self.before - 1.0

    @property
    def is_slower(self) -> bool:
        return self.change > ALLOWED

    def line(self) -> str:
        if self.before is None:
            verdict = "       new"
        else:
            verdict = f"{100 * self.change:+9.0f} %" + ("  SLOWER" if self.is_slower else "")
        return f"{self.task:34}{self.microseconds:12.1f} µs{self.ratio:12.1f}{verdict}"


def forward_job() -> Job:
    figure = poise.figures.human()
    rest = figure.rest()
    problem = poise.Problem(figure, poise.Position("head", rest.position("head")))
    ints, floats = layout.pack(problem.sections())
    angles = rest.angles.copy()
    return lambda: repeat_forward(floats, ints, angles, REPEATS), REPEATS


def solver_for(figure: poise.Figure) -> poise.Solver:
    rest = figure.rest()
    return poise.Solver(figure, [poise.Position(n, rest.position(n)) for n in SIX_GOALS])


def named(positions: np.ndarray) -> dict[str, tuple[float, ...]]:
    return {name: tuple(p) for name, p in zip(SIX_GOALS, positions.tolist(), strict=True)}


def tracking_job(spacing: float, frames: int) -> Job:
    """Frame after frame by `solver.solve`, as a program does that drags."""
    figure = poise.figures.human()
    solver = solver_for(figure)
    made = list(motion(figure, SIX_GOALS, spacing, frames, np.random.default_rng(1)))
    first, targets = made[0][0], [named(positions) for _, positions in made]

    def run() -> None:
        solver.solve(targets[0], start=first)
        for target in targets[1:]:
            solver.solve(target)

    return run, frames


def cold_job(count: int, stretch: float) -> Job:
    """From rest to the goals of random poses, spread about their centre by `stretch`."""
    figure = poise.figures.human()
    solver, rest, effectors = solver_for(figure), figure.rest(), Effectors(figure, SIX_GOALS)
    targets = []
    for angles in random_poses(figure, count, np.random.default_rng(2)):
        positions = effectors.positions(angles)
        centre = positions.mean(0)
        targets.append(named(centre + stretch * (positions - centre)))

    def run() -> None:
        for target in targets:
            solver.solve(target, start=rest)

    return run, count


def markers_job() -> Job:
    """60 markers on the human, frame after frame in one call."""
    figure, rng = poise.figures.human(), np.random.default_rng(5)
    clip = poise.motions.gymnastics()
    names = [figure.segment_names[k % len(figure.segment_names)] for k in range(60)]
    offsets = rng.normal(0.0, 0.04, (60, 3))
    turned = np.einsum("fkij,kj->fki", clip.rotations(names), offsets)
    points = clip.positions(names) + turned + rng.normal(0.0, 0.002, turned.shape)
    goals = [
        poise.Position(name, (0.0, 0.0, 0.0), offset=offset, name=f"marker {k}")
        for k, (name, offset) in enumerate(zip(names, offsets, strict=True))
    ]
    solver = poise.Solver(figure, goals, restarts=0)
    return lambda: solver.solve_sequence(points, start=clip.angles[0]), len(clip)


def switch_job(count: int) -> Job:
    """One of twenty constraints off and on, each time with the solve that follows."""
    bench = Bench()

    def run() -> None:
        for k in range(count):
            (bench.set.switch_on if k % 2 else bench.set.switch_off)("left_knee")
            bench.set.solve()

    return run, count


def load_job(folder: Path) -> Job:
    """Reading a BVH file of a motion of our own."""
    path = folder / "gymnastics.bvh"
    clip = poise.motions.gymnastics()
    poise.save(clip, path)
    return lambda: poise.load(path, unit=0.01), len(clip)


def clip_job() -> Job:
    """`poise.track` of a clip, from effectors to report."""
    clip = poise.motions.gymnastics()
    return lambda: poise.track(clip), len(clip)


def walk_job(steps: int) -> Job:
    """A step of the walker on hills, which goes on from where it is."""
    walker = poise.Walker(poise.figures.human(), poise.terrain.hills(3))
    walker.drive(speed=1.3)

    def walk() -> None:
        for _ in range(steps):
            walker.step(1.0 / 60.0)

    return walk, steps


def jobs(folder: Path, quick: bool) -> dict[str, Job]:
    share = 4 if quick else 1
    return {
        "track, goals 1 cm apart": tracking_job(0.01, 200 // share),
        "track, goals 10 cm apart": tracking_job(0.10, 120 // share),
        "track, goals 30 cm apart": tracking_job(0.30, 80 // share),
        "cold, from rest": cold_job(80 // share, 1.0),
        "out of reach": cold_job(20 // share, 2.0),
        "60 markers, a frame": markers_job(),
        "switch a constraint of twenty": switch_job(100 // share),
        "load a BVH, a frame": load_job(folder),
        "track a clip, a frame": clip_job(),
        "a step of the walker": walk_job(120 // share),
    }


def measure(wanted: dict[str, Job], rounds: int) -> dict[str, float]:
    """[µs] of one unit of each: the shortest of some rounds, all in turns."""
    best = dict.fromkeys(wanted, np.inf)
    for name in wanted:
        wanted[name][0]()
    for _ in range(rounds):
        for name, (run, units) in wanted.items():
            began = time.thread_time()
            run()
            best[name] = min(best[name], 1e6 * (time.thread_time() - began) / units)
    return best


def outcomes(times: dict[str, float], once: float, before: dict[str, float]) -> list[Outcome]:
    return [Outcome(n, t, t / once, before.get(n)) for n, t in times.items()]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer solves and rounds")
    parser.add_argument("--update", action="store_true", help="write the baseline")
    parser.add_argument("--only", default="", help="tasks whose name has this word")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        chosen = jobs(Path(folder), options.quick)
        chosen = {name: job for name, job in chosen.items() if options.only in name}
        times = measure({"": forward_job()} | chosen, ROUNDS // (3 if options.quick else 1))
    once = times.pop("")
    known = json.loads(BASELINE.read_text(encoding="utf-8")) if BASELINE.exists() else {}
    found = outcomes(times, once, known.get("ratios", {}))
    print(f"one forward kinematics of the human: {once:.3f} µs\n")
    print(f"{'task':34}{'shortest':>15}{'÷ FK':>12}{'baseline':>11}")
    print("\n".join(one.line() for one in found))
    if options.update:
        ratios = known.get("ratios", {}) | {one.task: round(one.ratio, 2) for one in found}
        document = made_with() | {"forward": round(once, 4), "ratios": ratios}
        BASELINE.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        return 0
    slower = [one.task for one in found if one.is_slower]
    if slower:
        print(f"\nmore than {100 * ALLOWED:.0f} % slower: {', '.join(slower)}", file=sys.stderr)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
