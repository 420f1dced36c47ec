"""The spider that crawls: slip, depth, rates and limits on every ground, and a film strip.

    python studies/crawl.py [--guide docs]

`--guide` writes the picture, and the table into walking.md.
"""

from __future__ import annotations

import argparse
import time
from math import radians
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from walking_page import put_table

import poise
from poise.view.body import spheres
from poise.view.render import camera_on, render
from poise.view.scene import segment_colors

GROUNDS = {
    "flat": poise.terrain.flat(),
    "hills": poise.terrain.hills(3),
    "stairs": poise.terrain.stairs(rise=0.1, run=0.3, count=4, start=1.5, top=1.5),
}
SPEED, SECONDS, DT = 0.8, 8.0, 1.0 / 60.0
MOMENTS, FIRST, EVERY = 6, 130, 8
"""Frames of the strip."""


def main() -> None:
    parser = argparse.ArgumentParser(description="The spider that crawls.")
    parser.add_argument("--guide", type=Path)
    guide = parser.parse_args().guide
    spider = poise.figures.spider()
    lines = [
        "| ground | slip [mm] | below the ground [mm] | fastest joint [rad/s] |"
        " frames outside limits | feet met [%] | a step [µs] |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, ground in GROUNDS.items():
        lines.append(_row(name, spider, ground))
    print("\n".join(lines))
    if guide:
        _strip(spider, guide / "images" / "walk_spider.png")
        put_table(guide, "spider", lines)


def _row(name: str, spider: poise.Figure, ground) -> str:
    crawler = poise.Crawler(spider, ground)
    crawler.drive(speed=SPEED)
    slip, depth, outside, met, times = 0.0, 0.0, 0, 0, []
    angles: list[np.ndarray] = []
    held: dict[str, np.ndarray] = {}
    for _ in range(round(SECONDS / DT)):
        began = time.perf_counter()
        state = crawler.step(DT)
        times.append(time.perf_counter() - began)
        angles.append(state.pose.angles)
        outside += not state.pose.is_inside_limits
        met += state.solution.status is poise.Status.REACHED
        for foot in state.feet:
            at = state.pose.position(foot.side)
            depth = max(depth, float(ground.height(at[0], at[2])) - at[1])
            if not foot.in_contact:
                held.pop(foot.side, None)
                continue
            slip = max(slip, float(np.linalg.norm(at - held.setdefault(foot.side, at))))
    fastest = np.abs(np.diff(np.array(angles)[:, 6:], axis=0)).max() / DT
    return (
        f"| {name} | {1e3 * slip:.2f} | {1e3 * depth:.1f} | {fastest:.1f} | {outside} |"
        f" {100.0 * met / len(times):.1f} | {1e6 * np.median(times):.0f} |"
    )


def _strip(spider: poise.Figure, path: Path) -> None:
    """A cycle up the stairs, from the side and from ahead above; feet that stand are marked."""
    ground = GROUNDS["stairs"]
    crawler = poise.Crawler(spider, ground)
    crawler.drive(speed=SPEED)
    states = [crawler.step(DT) for _ in range(FIRST + EVERY * MOMENTS)][FIRST::EVERY]
    figure, rows = plt.subplots(2, MOMENTS, figsize=(2.0 * MOMENTS, 3.6), dpi=90)
    for row, (azimuth, elevation) in zip(rows, ((90.0, 4.0), (25.0, 45.0)), strict=True):
        for axes, state in zip(row, states, strict=True):
            _panel(axes, state, ground, radians(azimuth), radians(elevation))
    figure.subplots_adjust(0, 0, 1, 1, 0, 0)
    figure.savefig(path)


def _panel(axes, state: poise.WalkState, ground, azimuth: float, elevation: float) -> None:
    body = state.pose.position("body")
    corners = body + 0.72 * np.array(
        [(x, y, z) for x in (-1, 1) for y in (-0.55, 0.4) for z in (-1, 1)]
    )
    camera = camera_on(corners, 1, azimuth, elevation, 0.0, 340)
    axes.imshow(render(spheres(state.pose), segment_colors(state.pose.figure), camera, 1, None))
    for across in np.linspace(-0.7, 0.7, 2 if elevation < 0.2 else 8):
        z = body[2] + np.linspace(-0.8, 0.8, 200)
        x = np.full_like(z, body[0] + across)
        right, down, _ = camera.project(np.stack([x, ground.height(x, z), z], 1)).T
        axes.plot(right, down, color="#334", lw=0.5, zorder=0.5)
    standing = np.array([foot.target for foot in state.feet if foot.in_contact])
    right, down, _ = camera.project(standing).T
    axes.plot(right, down, "o", color="#2fa84f", ms=3)
    axes.set_xlim(0, camera.shape[1])
    axes.set_ylim(camera.shape[0], 0)
    axes.axis("off")


if __name__ == "__main__":
    main()
