"""Opens in Blender what the studio's page saves: are the joints where the page drew them?

    python studies/studio_blender.py        (needs `pip install .[dev]` and a Chromium)

In a real browser: keys made by dragging, and a clip with a frame fixed by dragging. Both are saved
as .bvh and .glb from the page's menu and opened in Blender. Every joint in every frame must be
within 0.1 mm of where the page drew it; the exit code says so. Blender is bpy from PyPI, in an
environment of its own (see blender_roundtrip.py).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from blender_roundtrip import BAR, blender_positions, environment

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))  # the desk: a browser, and a hand with a mouse

from studio.client import served  # noqa: E402
from studio.desk import Desk, browser_running  # noqa: E402

from poise.studio.project import Project  # noqa: E402
from poise.studio.session import Session  # noqa: E402

SUFFIXES = (".bvh", ".glb")


def keyed(desk: Desk) -> None:
    """A second of keys, made by dragging."""
    desk.page.get_by_label("Duration").fill("1")
    desk.key("Enter")
    desk.page.mouse.click(5, 300)
    desk.key("k")
    for drags in ([("left_hand", 90, -160), ("pelvis", 10, 40)], [("right_hand", -60, -120)]):
        for _ in range(15):
            desk.page.keyboard.press("ArrowRight")
        desk.settle()
        for name, dx, dy in drags:
            desk.drag(name, dx, dy)
        desk.key("k")


def fixed(desk: Desk) -> None:
    """A run with one frame of it fixed."""
    desk.choose("Examples", "Running")
    desk.until(lambda state: state.get("clip"), "a clip")
    for _ in range(12):
        desk.page.keyboard.press("ArrowRight")
    desk.settle()
    desk.drag("left_hand", 40, -80)
    desk.until(lambda state: state["fixes"], "a fix")


def drawn(desk: Desk) -> tuple[list[str], np.ndarray, float]:
    """What the page draws: names of the joints, their places (frames, joints, 3) [m], fps."""
    timeline = desk.page.evaluate("poise.state.timeline")
    count = round(timeline["duration"] * timeline["fps"]) + 1
    desk.key("Home")
    frames = []
    for _ in range(count):
        frames.append(desk.state["segments"])
        desk.key("ArrowRight")
    names = list(frames[0])
    return names, np.array([[frame[n] for n in names] for frame in frames]), timeline["fps"]


def compared(desk: Desk, folder: Path, python: Path) -> float:
    """The largest distance [m] between a joint in Blender and on the page, over both files."""
    names, places, fps = drawn(desk)
    worst = 0.0
    for suffix in SUFFIXES:
        path = desk.download(f"Download {suffix}", folder)
        found = blender_positions(python, path, Frames(len(places), 1.0 / fps))
        shared = [name for name in names if name in found[0]]
        theirs = np.array([[frame[name] for name in shared] for frame in found])
        theirs = np.stack([theirs[..., 0], theirs[..., 2], -theirs[..., 1]], -1)  # Z up there
        ours = places[:, [names.index(name) for name in shared]]
        far = float(np.linalg.norm(ours - theirs, axis=-1).max())
        print(
            f"{path.name}: {len(places)} frames, {len(shared)} of {len(names)} joints,"
            f" largest distance {1000 * far:.4f} mm"
        )
        worst = max(worst, far)
    return worst


class Frames:
    """As much of a clip as Blender is asked for."""

    def __init__(self, count: int, frame_time: float) -> None:
        self.count, self.frame_time = count, frame_time

    def __len__(self) -> int:
        return self.count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--environment", type=Path, default=Path(".blender"))
    options = parser.parse_args()
    python = environment(options.environment.resolve())
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder, browser_running() as browser:
        for act in (keyed, fixed):
            with served(Session(project=Project(folder))) as server:
                context = browser.new_context(
                    viewport={"width": 1000, "height": 660}, accept_downloads=True
                )
                desk = Desk(context, server.address)
                act(desk)
                worst = max(worst, compared(desk, Path(folder), python))
                context.close()
    raise SystemExit(0 if worst < BAR else 1)


if __name__ == "__main__":
    main()
