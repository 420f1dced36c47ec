"""Manners of walking: what each keeps of the bars of a walk, how it differs, and film strips.

    python studies/manners.py [--guide docs]

`--guide` writes the pictures, and the table into walking.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from walk import panel
from walking_page import put_table

import poise
from poise.study.walking import Record, curves_of
from poise.walk.manner import MANNERS

MOMENTS = 10
SECONDS = 8.0
SETTLED = 360
"""Frames until it walks evenly."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Manners of walking, measured and drawn.")
    parser.add_argument("--guide", type=Path)
    guide = parser.parse_args().guide
    human = poise.figures.human()
    records = {}
    lines = [
        "| manner | slip [mm] | in the ground [mm] | fastest joint [rad/s] | knees bend by [°] |"
        " left foot stands | right foot stands | speed [m/s] |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name in (None, *MANNERS):
        walker = poise.Walker(human, manner=name)
        walker.drive(speed=1.3)
        record = records[name] = Record.of(walker, SECONDS)
        lines.append(_row(name or "none", record))
    print("\n".join(lines))
    if guide:
        _strips(records, guide / "images" / "walk_manners.png")
        put_table(guide, "manner", lines)


def _row(name: str, record: Record) -> str:
    knees = curves_of(record.clip, record.build).knee[SETTLED:].max(0)
    left, right = (_stance(record, side) for side in range(2))
    pelvis = record.clip.positions(["pelvis"])[SETTLED:, 0, 2]
    speed = (pelvis[-1] - pelvis[0]) / ((len(pelvis) - 1) * record.clip.frame_time)
    return (
        f"| {name} | {1e3 * record.slip():.2f} | {1e3 * record.penetration():.1f} |"
        f" {record.rate():.1f} | {knees[0]:.0f}, {knees[1]:.0f} | {left:.2f} s | {right:.2f} s |"
        f" {speed:.2f} |"
    )


def _stance(record: Record, side: int) -> float:
    """How long a foot stands alone, on average [s]."""
    down = record.rockers[SETTLED:] != 0
    alone = down[:, side] & ~down[:, 1 - side]
    return float(
        alone.sum() * record.clip.frame_time / max((np.diff(alone.astype(int)) > 0).sum(), 1)
    )


def _strips(records: dict, path: Path) -> None:
    """A cycle of every manner, from the side and from before."""
    figure, rows = plt.subplots(
        2 * len(MANNERS), MOMENTS, figsize=(1.15 * MOMENTS, 5.0 * len(MANNERS)), dpi=80
    )
    for k, name in enumerate(MANNERS):
        record = records[name]
        strikes = np.flatnonzero(np.diff(record.phases) < -0.5)
        first, last = strikes[-2:]
        frames = np.linspace(first, last, MOMENTS, endpoint=False).astype(int)
        for row, azimuth in zip(rows[2 * k : 2 * k + 2], (90.0, 0.0), strict=True):
            for axes, frame in zip(row, frames, strict=True):
                panel(axes, record.clip[int(frame)], record.terrain, azimuth)
        rows[2 * k][0].set_title(name, loc="left", fontsize=9, color="#334")
    figure.subplots_adjust(0, 0, 1, 0.985, 0, 0)
    figure.savefig(path)


if __name__ == "__main__":
    main()
