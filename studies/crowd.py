"""A crowd measured: leg solves a second of a thousand walkers, by threads and by ground, each
compared to the bit with walkers that walk alone.

    python studies/crowd.py [--walkers 1000] [--seconds 3] [--guide docs]

`--guide` writes the table into walking.md.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from walking_page import put_table

import poise
from poise.solve.many import thread_count
from poise.walk.gait import Place

DT = 1.0 / 60.0
GROUNDS = {
    "flat": poise.terrain.flat(),
    "hills": poise.terrain.hills(3),
    "stairs": poise.terrain.stairs(count=30, top=60.0),
}
ALONE = 3
"""How many are compared with walkers that walk alone."""


def main() -> None:
    arguments = _arguments()
    human = poise.figures.human()
    lines = [
        "| ground | threads | a step of all [ms] | leg solves a second |"
        " of a core, a leg solve [µs] | goals met | differ |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, ground in GROUNDS.items():
        for threads in sorted({1, thread_count(None)}):
            lines.append(_row(human, name, ground, threads, arguments))
            print(lines[-1], flush=True)
    if arguments.guide:
        put_table(arguments.guide, "crowd", lines)


def _row(human: poise.Figure, name: str, ground, threads: int, arguments) -> str:
    """Walk for a second, then measure the steps after it."""
    side = int(np.ceil(np.sqrt(arguments.walkers)))
    starts = [Place(0.8 * (i % side), 0.8 * (i // side)) for i in range(arguments.walkers)]
    speeds = np.linspace(0.8, 1.8, arguments.walkers)
    crowd = poise.Crowd(human, starts, terrain=ground, threads=threads)
    crowd.drive(speed=speeds)
    picked = np.linspace(0, arguments.walkers - 1, ALONE).astype(int)
    alone = [poise.Walker(human, ground, start=starts[i]) for i in picked]
    for walker, i in zip(alone, picked, strict=True):
        walker.drive(speed=float(speeds[i]))
    frames = 60 + round(arguments.seconds / DT)
    times, worked, met, differ = [], [], [], 0
    for frame in range(frames):
        began, busy = time.perf_counter(), time.process_time()
        crowd.step(DT)
        if frame >= 60:
            times.append(time.perf_counter() - began)
            worked.append(time.process_time() - busy)
            met.append(crowd.reached.mean())
        for walker, i in zip(alone, picked, strict=True):
            differ += not np.array_equal(walker.step(DT).pose.angles, crowd.pose(i).angles)
    step, work = float(np.median(times)), float(np.median(worked))
    return (
        f"| {name} | {threads} | {1e3 * step:.1f} | {2 * arguments.walkers / step:,.0f} |"
        f" {1e6 * work / (2 * arguments.walkers):.1f} |"
        f" {100.0 * np.mean(met):.1f} % | {differ} of {ALONE * frames} |"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="A crowd measured.")
    parser.add_argument("--walkers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--guide", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
