"""The walker measured: slip, penetration, rates and limits on every ground, the curves of gait
beside a captured walk, its time a step, ten minutes of random driving; and pictures for the guide.

    python studies/walk.py [--mocap FOLDER] [--minutes 10] [--guide docs]

`--guide` writes the pictures, and the table into walking.md. Without the captured clip 02_01.bvh
in FOLDER/bvh-cmu its curves are left out.
"""

from __future__ import annotations

import argparse
import re
import time
import warnings
from itertools import pairwise
from math import radians
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import poise
from poise.study.walking import Record, curves_of, normal_of
from poise.view.body import spheres
from poise.view.render import camera_on, render
from poise.view.scene import segment_colors
from poise.walk.build import Build

GROUNDS = {
    "flat": (poise.terrain.flat(), 1.3, 10.0),
    "hills": (poise.terrain.hills(3), 1.2, 16.0),
    "stairs, up and down": (poise.terrain.stairs(), 1.0, 24.0),
    "ramp up": (poise.terrain.ramp(), 1.2, 9.0),
    "ramp down": (poise.terrain.ramp(angle=-0.14), 1.2, 9.0),
    "run at 3 m/s": (poise.terrain.flat(), 3.0, 7.0),
}
INK = "#334"


def main() -> None:
    arguments = _arguments()
    human = poise.figures.human()
    records = {}
    lines = [
        "| ground | slip [mm] | in the ground [mm] | fastest joint [rad/s] | jump [rad/s] | frames"
        " outside limits |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, (ground, speed, seconds) in GROUNDS.items():
        walker = poise.Walker(human, ground)
        walker.drive(speed=speed)
        record = records[name] = Record.of(walker, seconds)
        lines.append(_row(name, record))
    lines.append(_row(f"{arguments.minutes:g} min of random driving", _random(human, arguments)))
    normal = normal_of(records["flat"])
    lines += [
        "",
        f"On the flat at 1.3 m/s: duty factor {normal.duty:.3f}, knee {normal.knee_stance:.0f}° in"
        f" stance and {normal.knee_swing:.0f}° in swing, range of the hip {normal.hip_range:.0f}°,"
        f" of the ankle {normal.ankle_range:.0f}°, rise of the pelvis"
        f" {100.0 * normal.rise:.1f} cm. One step of one walker takes"
        f" {_step_time(human):.0f} µs (median).",
    ]
    print("\n".join(lines))
    if arguments.guide:
        images = arguments.guide / "images"
        _curves(records["flat"], arguments.mocap, images / "walk_curves.png")
        _film(human, "hills", 1.2, 4.0, 0.16, images / "walk_hills.png")
        _film(human, "stairs", 1.0, 3.2, 0.2, images / "walk_stairs.png")
        page = arguments.guide / "walking.md"
        text = re.sub(
            r"<!-- walk table -->.*?(?=\n!\[Joint)",
            lambda _: "<!-- walk table -->\n\n" + "\n".join(lines) + "\n",
            page.read_text(),
            flags=re.DOTALL,
        )
        page.write_text(text)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--mocap", type=Path, default=Path("../shared/mocap"))
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--guide", type=Path)
    return parser.parse_args()


def _row(name: str, record: Record) -> str:
    return (
        f"| {name} | {1e3 * record.slip():.2f} | {1e3 * record.penetration():.1f} |"
        f" {record.rate():.1f} | {record.jump():.1f} | {record.broken_limits()} |"
    )


def _random(human: poise.Figure, arguments: argparse.Namespace) -> Record:
    """Speed, turn and stride change at random, on hills."""
    rng = np.random.default_rng(1)

    def drive(walker: poise.Walker, _: float) -> None:
        if rng.random() < 0.01:
            walker.drive(speed=rng.uniform(0.0, 1.8), turn=rng.uniform(-1.5, 1.5))

    walker = poise.Walker(human, poise.terrain.hills(1))
    return Record.of(walker, 60.0 * arguments.minutes, fps=60.0, drive=drive)


def _step_time(human: poise.Figure) -> float:
    """The median time of a step [µs]."""
    walker = poise.Walker(human, poise.terrain.hills(3))
    walker.drive(speed=1.3)
    times = []
    for _ in range(1500):
        began = time.perf_counter()
        walker.step(1.0 / 60.0)
        times.append(time.perf_counter() - began)
    return 1e6 * float(np.median(times[300:]))


def _curves(record: Record, mocap: Path, path: Path) -> None:
    """Hip, knee and ankle over a cycle, those of the captured walk behind."""
    figure, panels = plt.subplots(1, 3, figsize=(10.0, 2.9), dpi=130)
    ours = curves_of(record.clip, record.build)
    strikes = _strikes(record.rockers[:, 0] != 0)
    for panel, name in zip(panels, ("hip", "knee", "ankle"), strict=True):
        for label, color, cycles in (
            ("CMU 02_01", "#c58a3a", _captured(mocap, name)),
            ("walker", "#2a6f97", _cycles(getattr(ours, name)[:, 0], strikes[2:])),
        ):
            for i, (share, values) in enumerate(cycles):
                panel.plot(100 * share, values, color=color, lw=1.6, label=None if i else label)
        panel.set_title(name, fontsize=9, color=INK)
        panel.set_xlabel("% of the cycle", fontsize=8, color=INK)
        panel.tick_params(labelsize=8)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("degrees", fontsize=8, color=INK)
    panels[0].legend(fontsize=8, frameon=False)
    figure.tight_layout()
    figure.savefig(path)


def _captured(mocap: Path, name: str) -> list:
    """Cycles of both legs of the captured walk, cut where a heel is farthest ahead."""
    source = mocap / "bvh-cmu" / "02_01.bvh"
    if not source.exists():
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", poise.FileWarning)
        clip = poise.load(source)[1:]
    curves = curves_of(clip, Build.of(clip.figure))
    cycles = []
    for side in range(2):
        ahead = curves.hip[:, side] - 0.5 * curves.knee[:, side]
        peaks = [i for i in range(20, len(ahead) - 20) if ahead[i] == ahead[i - 20 : i + 21].max()]
        cycles += _cycles(getattr(curves, name)[:, side], peaks)
    return cycles


def _strikes(down: np.ndarray) -> list[int]:
    return (np.flatnonzero(down[1:] & ~down[:-1]) + 1).tolist()


def _cycles(values: np.ndarray, starts: list[int]) -> list:
    return [
        (np.linspace(0.0, 1.0, end - start), values[start:end]) for start, end in pairwise(starts)
    ]


def _film(human: poise.Figure, name: str, speed: float, first: float, every: float, path: Path):
    """Two rows of moments of a walk, from the side and from before."""
    ground = GROUNDS["hills"][0] if name == "hills" else poise.terrain.stairs()
    walker = poise.Walker(human, ground)
    walker.drive(speed=speed)
    poses = []
    while len(poses) < 10:
        state = walker.step(1.0 / 120.0)
        if walker.time >= first + every * len(poses):
            poses.append(state.pose)
    figure, panels = plt.subplots(2, len(poses), figsize=(1.15 * len(poses), 5.0), dpi=110)
    for row, azimuth in zip(panels, (90.0, 0.0), strict=True):
        for axes, pose in zip(row, poses, strict=True):
            panel(axes, pose, ground, azimuth)
    figure.subplots_adjust(0, 0, 1, 1, 0, 0)
    figure.savefig(path)


def panel(axes, pose: poise.Pose, ground, azimuth: float) -> None:
    """Draw a pose on its ground, seen from an angle."""
    x, y, z = pose.position("pelvis")
    corners = [
        (x + a * 0.5, y + b, z + c * 0.5) for a in (-1, 1) for b in (-1.1, 0.88) for c in (-1, 1)
    ]
    camera = camera_on(np.array(corners), 1, radians(azimuth), radians(3.0), 0.0, 360)
    axes.imshow(render(spheres(pose), segment_colors(pose.figure), camera, 1, None))
    along = np.linspace(-0.6, 0.6, 240)
    xs, zs = (x + 0 * along, z + along) if azimuth else (x + along, z + 0 * along)
    line = np.stack([xs, ground.height(xs, zs), zs], 1)
    right, down, _ = camera.project(line).T
    axes.plot(right, down, color=INK, lw=1.0)
    axes.set_xlim(0, camera.shape[1])
    axes.set_ylim(camera.shape[0], 0)
    axes.axis("off")


if __name__ == "__main__":
    main()
