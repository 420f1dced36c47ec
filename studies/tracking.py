"""Tracking of captured clips, beside the bars.

    python studies/tracking.py [--mocap FOLDER] [--quick] [-o FOLDER]

Every clip is followed on its own skeleton by six effectors (hands, feet, head, pelvis), inside
limits learned from it with 10° margin, every 0.05, 0.7 and 1.0 s as in the PLS study; then with its
feet locked. Speeds count the processor time of one thread: solving alone, without setting up.
Without the captured clips (POISE_MOCAP, or ../shared/mocap) only
Poise's own motions are used.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import poise
from poise.motion.rest_frame import without_rest_frame

INTERVALS = (0.05, 0.7, 1.0)
MARGIN = np.radians(10.0)
SPEED = 20_000  # frames a second at 0.05 s
MARKER_TIME = 150.0  # [µs] a frame of 60 markers


@dataclass
class Row:
    """One line of the table of tracking; lengths in mm."""

    clip: str
    interval: float
    frames: int
    worst: float
    mean: float
    off: int
    limits_broken: int
    jitter: float
    restarts: int
    speed: float
    kept: bool


def clips(folder: Path, quick: bool) -> dict[str, poise.Clip]:
    """Motions of our own, and the captured clips without the T-pose before some of them."""
    found = {
        make.__name__: make()
        for make in (poise.motions.walk, poise.motions.jump, poise.motions.gymnastics)
    }
    paths = sorted(folder.glob("bvh-*/*.bvh"))
    for path in paths[:1] if quick else paths:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", poise.FileWarning)
            found[path.stem] = without_rest_frame(poise.load(path))
    return found


def track_row(clip: poise.Clip, figure: poise.Figure, interval: float) -> Row:
    tracked = poise.track(clip, figure=figure, interval=interval)
    report, markers = tracked.report, tracked.markers
    seconds = []
    for _ in range(5):
        began = time.thread_time()
        tracked.solver.solve_sequence(
            markers.points, markers.factors, start=tracked.followed.angles[0], acceptable=10.0
        )
        seconds.append(time.thread_time() - began)
    speed = report.frames / min(seconds)
    broken = sum(not pose.is_inside_limits for pose in tracked.clip)
    kept = report.frames_off == 0 and broken == 0
    if interval == INTERVALS[0]:
        kept = kept and report.jitter_ratio <= 1.1
    return Row(
        clip.name or "",
        interval,
        report.frames,
        1000 * report.worst_error,
        1000 * report.mean_error,
        report.frames_off,
        broken,
        report.jitter_ratio,
        len(report.restarts),
        speed,
        kept,
    )


def locked_row(clip: poise.Clip, figure: poise.Figure) -> dict[str, object] | None:
    """Slip [mm] before and after locking the feet; None without contacts."""
    report = poise.track(clip, figure=figure, contacts=True).report
    before, after = report.slip_before, report.slip_after
    if before is None or after is None or before.count == 0:
        return None
    return {
        "clip": clip.name,
        "contacts": before.count,
        "slip_before": 1000 * before.slip,
        "slip_after": 1000 * after.slip,
        "worst": 1000 * report.worst_error,
    }


def marker_times(noise: float, **options: object) -> tuple[float, float]:
    """[µs] a frame of 60 markers on the human, and the mean error that is left [mm]."""
    human, rng = poise.figures.human(), np.random.default_rng(5)
    clip = poise.motions.gymnastics().resampled(120.0)
    names = [human.segment_names[k % len(human.segment_names)] for k in range(60)]
    offsets = rng.normal(0.0, 0.04, (60, 3))
    turned = np.einsum("fkij,kj->fki", clip.rotations(names), offsets)
    points = clip.positions(names) + turned + rng.normal(0.0, noise, turned.shape)
    goals = [
        poise.Position(name, (0.0, 0.0, 0.0), offset=offset, name=f"marker {k}")
        for k, (name, offset) in enumerate(zip(names, offsets, strict=True))
    ]
    solver = poise.Solver(human, goals, restarts=0, **options)
    seconds = []
    for _ in range(5):
        began = time.thread_time()
        answers = solver.solve_sequence(points, start=clip.angles[0])
        seconds.append(time.thread_time() - began)
    return 1e6 * min(seconds) / len(clip), 1000.0 * float(answers.errors[:, :, 0].mean())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    beside = Path(__file__).resolve().parents[2] / "shared" / "mocap"
    parser.add_argument("--mocap", type=Path, default=Path(os.environ.get("POISE_MOCAP") or beside))
    parser.add_argument("--quick", action="store_true", help="only one of the captured clips")
    parser.add_argument("-o", type=Path, help="folder for tracking.json")
    given = parser.parse_args()
    chosen = clips(given.mocap, given.quick)
    if not any(given.mocap.glob("bvh-*/*.bvh")):
        print(f"no captured clips in {given.mocap}; set POISE_MOCAP", file=sys.stderr)
    rows, locked = [], []
    print(
        "clip                 every  frames  worst mm  mean mm  off  broken  jitter"
        "  restarts  frames/s"
    )
    for name, clip in chosen.items():
        figure = clip.figure.with_limits_from(clip.unwrapped(), MARGIN)
        for interval in INTERVALS:
            row = track_row(clip, figure, interval)
            rows.append(row)
            mark = "" if row.kept else "  MISSED"
            print(
                f"{name:20} {row.interval:5.2f} {row.frames:7d} {row.worst:9.2f} {row.mean:8.2f}"
                f" {row.off:4d} {row.limits_broken:7d} {row.jitter:7.2f} {row.restarts:9d}"
                f" {row.speed:9.0f}{mark}",
                flush=True,
            )
        locked += [line for line in [locked_row(clip, figure)] if line]
    print("\nfeet locked          contacts  slip before mm  after mm  worst goal mm")
    for line in locked:
        print(
            f"{line['clip']:20} {line['contacts']:8d} {line['slip_before']:15.1f}"
            f" {line['slip_after']:9.2f} {line['worst']:14.2f}"
        )
    return summary(rows, locked, given.o)


def summary(rows: list[Row], locked: list, folder: Path | None) -> int:
    """Print the bars; the number of those that are missed."""
    dense = [row for row in rows if row.interval == INTERVALS[0]]
    speed = sum(row.frames for row in dense) / sum(row.frames / row.speed for row in dense)
    exact, noisy = marker_times(0.0), marker_times(0.002)
    quick = marker_times(0.002, max_iterations=2)
    bars = [
        ("every goal within 1 cm, limits held", all(r.off + r.limits_broken == 0 for r in rows)),
        (f"jitter at 0.05 s <= 1.1: {max(r.jitter for r in dense):.2f}",
         all(r.jitter <= 1.1 for r in dense)),
        (f"{SPEED} frames a second at 0.05 s: {speed:.0f} over all clips", speed >= SPEED),
        (f"60 markers in {MARKER_TIME:.0f} µs: {exact[0]:.0f} µs", exact[0] <= MARKER_TIME),
    ]  # fmt: skip
    print("\nbars")
    for text, good in bars:
        print(f"  {'kept  ' if good else 'MISSED'}  {text}")
    print(
        f"  60 markers with 2 mm noise, to the optimum: {noisy[0]:.0f} µs, {noisy[1]:.2f} mm left;"
        f" at most 2 iterations: {quick[0]:.0f} µs, {quick[1]:.2f} mm left"
    )
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        document = {"tracking": [asdict(r) for r in rows], "locked": locked}
        (folder / "tracking.json").write_text(json.dumps(document, indent=2, default=float) + "\n")
    return sum(not good for _, good in bars)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
