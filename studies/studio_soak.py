"""Uses the studio at random for a long time, in a real browser, and says what it has suffered.

    python studies/studio_soak.py [--minutes 30] [--seed 1]   (needs `pip install .[dev]`, Chromium)

The server runs in a process of its own. A hand with a mouse and a keyboard drags handles, rings and
sliders, undoes, keys, scrubs, plays, fixes frames of clips, opens examples and files, saves, and
reloads the page. Every saved document is read again and compared with what the page shows.
Bars: no error in the page's console, the server's memory grows by less than 50 MB, and every saved
file equals the session. The exit code says whether they are met.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))  # the desk: a browser, and a hand with a mouse

from studio.desk import Desk, browser_running, opened  # noqa: E402

import poise  # noqa: E402
from poise.motion.posing import Posing  # noqa: E402

GROWTH = 50.0  # of the server's memory [MB]
SAME = 1e-5  # an angle of the page, which has seven digits [rad]
EXAMPLES = ("Reach", "Look down the tube", "Gymnastics", "Running", "Spider")
FIGURES = ("human", "jack", "spider", "arm", "snake")
KEYS = ("k", "Home", "End", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "b", "t", "l", "f")
KEYS += ("g", "r", "p", "Delete", "Escape", "Control+c", "Control+v")


class Hand:
    """What a person might do next, at random."""

    def __init__(self, desk: Desk, folder: Path, seed: int) -> None:
        self.desk, self.folder = desk, folder
        self.random = np.random.default_rng(seed)
        self.done: Counter[str] = Counter()
        self.differences: list[str] = []
        self.saved: list[Path] = []
        self.deeds = {
            self.drag: 40, self.cancel: 4, self.ring: 6, self.slide: 5, self.press: 20,
            self.undo: 14, self.scrub: 10, self.play: 3, self.mark: 5, self.orbit: 6,
            self.ghost: 2, self.example: 2, self.figure: 2, self.save: 4, self.open: 2,
            self.reload: 2, self.explain: 2,
        }  # fmt: skip

    def act(self) -> None:
        """Do one thing."""
        deeds, weights = list(self.deeds), np.array(list(self.deeds.values()), float)
        deed = deeds[self.random.choice(len(deeds), p=weights / weights.sum())]
        deed()
        self.done[deed.__name__] += 1

    def drag(self) -> None:
        name, state = self._handle()
        place = state["sites"][name]
        self._drag_from(place["x"], place["y"])

    def cancel(self) -> None:
        name, state = self._handle()
        place = state["sites"][name]
        self._drag_from(place["x"], place["y"], release=False)
        self.desk.key("Escape")
        self.desk.page.mouse.up()

    def ring(self) -> None:
        """Select a segment, and turn one of its joints by a ring."""
        name, state = self._handle()
        place = state["sites"][name]
        self.desk.page.mouse.click(place["x"] + 16, place["y"] + 3)
        self.desk.settle()
        rings = self.desk.state["rings"]
        if rings:
            ring = rings[self.random.integers(len(rings))]
            self._drag_from(ring["x"], ring["y"])

    def slide(self) -> None:
        self.desk.page.get_by_role("tab", name="Joints").click()
        self.desk.page.locator(".joint-name").first.click()
        slider = self.desk.page.locator(".dof input[type=range]").first
        if slider.count():
            box = slider.bounding_box()
            at = box["x"] + self.random.random() * box["width"]
            self.desk.page.mouse.click(at, box["y"] + box["height"] / 2)
        self.desk.page.get_by_role("tab", name="Goals").click()

    def press(self) -> None:
        for _ in range(self.random.integers(1, 8)):
            self.desk.page.keyboard.press(str(self.random.choice(KEYS)))

    def undo(self) -> None:
        for _ in range(self.random.integers(1, 4)):
            self.desk.page.keyboard.press(str(self.random.choice(["Control+z", "Control+y"])))

    def scrub(self) -> None:
        box = self.desk.page.locator(".track").bounding_box()
        x, y = box["x"] + self.random.random() * box["width"], box["y"] + 56
        self.desk.page.mouse.move(x, y)
        self.desk.page.mouse.down()
        self.desk.drag_from(x, y, self.random.uniform(-200, 200), 0, steps=8)

    def play(self) -> None:
        self.desk.page.keyboard.press("Space")
        self.desk.page.wait_for_timeout(700)
        self.desk.page.keyboard.press("Space")

    def mark(self) -> None:
        """Move a key or a fix on the timeline."""
        marks = self.desk.page.locator("[data-key], [data-fix] .fix-mark")
        if marks.count():
            box = marks.nth(int(self.random.integers(marks.count()))).bounding_box()
            self._drag_from(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def orbit(self) -> None:
        box = self.desk.page.locator(".viewport").bounding_box()
        self.desk.page.mouse.move(box["x"] + 30, box["y"] + 60)
        self.desk.page.mouse.down(button="middle")
        self.desk.page.mouse.move(box["x"] + 60, box["y"] + 75, steps=4)
        self.desk.page.mouse.up(button="middle")
        self.desk.page.keyboard.press("f")

    def ghost(self) -> None:
        mode = str(self.random.choice(["off", "reference", "previous-key", "onion"]))
        self.desk.page.get_by_label("Ghost").select_option(mode)

    def explain(self) -> None:
        """Pin a handle, and pull it out of reach."""
        self.drag()
        self.desk.page.keyboard.press("p")
        self.desk.page.wait_for_timeout(300)

    def example(self) -> None:
        self.desk.choose("Examples", str(self.random.choice(EXAMPLES)))

    def figure(self) -> None:
        self.desk.choose("File", f"New {self.random.choice(FIGURES)}")

    def reload(self) -> None:
        self.desk.open()

    def save(self) -> None:
        """Download the document, read it, and compare it with what the page shows."""
        self.desk.settle()
        path = self.desk.download("Download .poise", self.folder)
        kept = path.rename(self.folder / f"{len(self.saved) % 20}.poise")
        self.saved = [*self.saved, kept][-20:] if kept not in self.saved else self.saved
        self._compare(kept)

    def open(self) -> None:
        if self.saved:
            opened(self.desk, self.saved[self.random.integers(len(self.saved))])

    def _compare(self, path: Path) -> None:
        state, document = self.desk.state, poise.load(path)
        pose = Posing(document).at(state["time"]).pose
        shown = np.array(list(state["angles"].values()))
        off = float(np.abs(pose.angles - shown).max())
        pairs = [
            ("keys", [k.id for k in document.keys], [k["id"] for k in state["keys"]]),
            ("fixes", [x.id for x in document.fixes], [x["id"] for x in state["fixes"]]),
            ("goals", [g.id for g in document.goals], [g["id"] for g in state["goals"]]),
        ]
        wrong = [name for name, ours, theirs in pairs if ours != theirs]
        if off > SAME * max(1.0, np.abs(shown).max()):
            wrong.append(f"angles by {off:.2g}")
        self.differences += [f"{name} at {state['time']:.3f} s" for name in wrong]

    def _handle(self) -> tuple[str, dict]:
        """A handle of the body within the view."""
        self.desk.settle()
        state = self.desk.state
        box = self.desk.page.locator(".viewport").bounding_box()
        inside = [
            name
            for name, at in state["sites"].items()
            if 20 < at["x"] - box["x"] < box["width"] - 20
            and 20 < at["y"] - box["y"] < box["height"] - 20
        ]
        if not inside:
            self.desk.page.keyboard.press("Escape")
            self.desk.page.keyboard.press("f")
            inside = list(state["sites"])
        return str(self.random.choice(inside)), state

    def _drag_from(self, x: float, y: float, release: bool = True) -> None:
        self.desk.page.mouse.move(x, y)
        self.desk.page.mouse.down()
        dx, dy = self.random.normal(size=2) * 90
        self.desk.drag_from(x, y, dx, dy, release=release, steps=10)


def serve(folder: str) -> None:
    """A server of its own process; says where it is on the first line."""
    from poise.studio.project import Project
    from poise.studio.server import Server
    from poise.studio.session import Session

    server = Server(Session(project=Project(folder), journals=Path(folder) / "journals"))
    print(json.dumps({"address": server.address}), flush=True)
    server.run()


def memory(process: int) -> float:
    """Of a process [MB]."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("VmRSS"))) / 1024


def soak(minutes: float, seed: int, folder: Path) -> dict:
    command = [sys.executable, __file__, "--serve", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["address"]
        with browser_running() as browser:
            context = browser.new_context(
                viewport={"width": 1000, "height": 660}, accept_downloads=True
            )
            hand = Hand(Desk(context, address), folder, seed)
            for deed in hand.deeds:  # all once: what is loaded at first use is loaded
                deed()
            sizes = [memory(server.pid)]
            began = time.monotonic()
            while time.monotonic() - began < 60 * minutes and server.poll() is None:
                hand.act()
                sizes.append(memory(server.pid))
                if len(sizes) % 50 == 0:
                    spent = (time.monotonic() - began) / 60
                    print(f"  {spent:5.1f} min, {len(sizes)} acts, {sizes[-1]:.0f} MB", flush=True)
            hand.save()
            return {
                "minutes": round((time.monotonic() - began) / 60, 2),
                "acts": dict(hand.done),
                "alive": server.poll() is None,
                "problems": hand.desk.problems,
                "differences": hand.differences,
                "memory_start_mb": round(sizes[0], 1),
                "memory_end_mb": round(float(np.median(sizes[-10:])), 1),
                "memory_most_mb": round(max(sizes), 1),
            }
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve)
        return
    with tempfile.TemporaryDirectory() as folder:
        found = soak(given.minutes, given.seed, Path(folder))
    for name, value in found.items():
        print(f"{name:16} {value}")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    grown = found["memory_end_mb"] - found["memory_start_mb"]
    met = found["alive"] and not found["problems"] and not found["differences"] and grown < GROWTH
    print(f"memory grew by {grown:.1f} MB (bar {GROWTH:g}); {'all met' if met else 'MISSED'}")
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    main()
