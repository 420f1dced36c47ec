"""Robots that walk: the bars of a walk for humanoids of URDF files, their legs found by name.

    python studies/walking_robots.py [--to ROBOT.urdf …] [--guide docs]

A robot of our own (tests/formats/humanoid.py), and those that `--to` names, as they come (the
package example-robot-data has some). Each walks at the speed that suits its legs, on the flat and
over hills. `--guide` writes the table into walking.md.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from walking_page import put_table

import poise
from poise.study.walking import Record, curves_of

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from formats.humanoid import humanoid

BRISK = 1.3
"""Of the built-in human [m/s]."""
SECONDS = 8.0


def main() -> None:
    parser = argparse.ArgumentParser(description="Robots that walk, measured.")
    parser.add_argument("--to", type=Path, nargs="+", default=[], help="more robots (.urdf)")
    parser.add_argument("--guide", type=Path)
    given = parser.parse_args()
    lines = [
        "| robot | ground | leg [m] | speed [m/s] | slip [mm] | in the ground [mm] |"
        " fastest joint [rad/s] | frames outside limits | knee bends by [°] |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    print("\n".join(lines), flush=True)
    for robot in robots(given.to):
        for ground in (poise.terrain.flat(), poise.terrain.hills(3, height=0.08)):
            lines.append(row(robot, ground))
            print(lines[-1], flush=True)
    if given.guide:
        put_table(given.guide, "robot", lines)


def robots(files: list[Path]) -> list[poise.Figure]:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", poise.FileWarning)
        own = Path(folder) / "humanoid.urdf"
        own.write_text(humanoid())
        return [poise.load(path, base="free") for path in (own, *files)]


def row(robot: poise.Figure, ground) -> str:
    walker = poise.Walker(robot, ground)
    speed = BRISK * walker.build.scale**0.5
    walker.drive(speed=speed)
    record = Record.of(walker, SECONDS)
    knee = float(np.max(curves_of(record.clip, record.build).knee[240:]))
    return (
        f"| {robot.name} | {ground.name} | {walker.build.leg:.2f} | {speed:.2f} |"
        f" {1e3 * record.slip():.2f} | {1e3 * record.penetration():.1f} | {record.rate():.1f} |"
        f" {record.broken_limits()} | {knee:.0f} |"
    )


if __name__ == "__main__":
    main()
