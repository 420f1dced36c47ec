"""How long Poise takes to read and write a long BVH file.

python studies/file_speed.py
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import poise
from poise.formats import read

FRAMES, JOINTS = 10_000, 31
BARS = {"read": 1.0, "write": 2.0}
"""Seconds."""


def chain() -> poise.Figure:
    """As many joints as the skeletons of the CMU recordings, all with three rotations."""
    root = poise.Segment("j0", None, poise.joint.channels("ZYX", "XYZ"))
    others = [
        poise.Segment(f"j{i}", f"j{max(0, i - 5)}", poise.joint.channels("ZYX"), (0.0, 0.1, 0.0))
        for i in range(1, JOINTS)
    ]
    return poise.Figure("chain", [root, *others])


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock, and on the processor: a busy machine has more of the former."""
    start = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - start[0], time.process_time() - start[1]


def main() -> None:
    figure = chain()
    rng = np.random.default_rng(0)
    clip = poise.Clip(figure, rng.uniform(-3.0, 3.0, (FRAMES, len(figure.dofs))))
    clip[:2].positions()  # compiled before the clock starts
    runs: dict[str, list[tuple[float, float]]] = {"write": [], "read": []}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.bvh"
        for _ in range(3):
            runs["write"].append(timed(lambda: poise.save(clip, path)))
            runs["read"].append(timed(lambda: read(path, unit=0.01)))
        size = path.stat().st_size / 1e6
    print(f"{FRAMES} frames x {JOINTS} joints, {size:.1f} MB; best of three")
    for what, bar in BARS.items():
        elapsed, worked = min(runs[what])
        print(f"{what}: {elapsed:.2f} s, {worked:.2f} s of it on the processor (bar: {bar:g} s)")


if __name__ == "__main__":
    main()
