"""A hand with a mouse and a keyboard that does with the studio what a person might, at random."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))  # the desk

from studio.desk import Desk, opened  # noqa: E402
from studio.fingers import Fingers  # noqa: E402

import poise  # noqa: E402
from poise.motion.posing import Posing  # noqa: E402

SAME = 1e-5  # an angle of the page, which has seven digits [rad]
EXAMPLES = ("Reach", "Look down the tube", "Gymnastics", "Running", "Spider")
GROUNDS, STRIDES = ("flat", "hills", "stairs", "ramp"), ("natural", "paper")
MODES = ("auto", "half", "full", "hybrid")
FIGURES = ("human", "jack", "spider", "arm", "snake")
KEYS = ("k", "Home", "End", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "b", "t", "l", "f")
KEYS += ("c", "g", "r", "p", "Delete", "Escape", "Control+c", "Control+v")


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
            self.reload: 2, self.explain: 2, self.touch: 4, self.paint: 3, self.walk: 2,
            self.tour: 1, self.movie: 1, self.keep: 2, self.settings: 2, self.elsewhere: 1,
            self.track: 1,
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
        downloads = self.folder / "downloads"  # or one would replace what was kept by its name
        path = self.desk.download("Download .poise", downloads)
        kept = path.rename(self.folder / f"{len(self.saved) % 20}.poise")
        self.saved = [*self.saved, kept][-20:] if kept not in self.saved else self.saved
        self._compare(kept)

    def open(self) -> None:
        if self.saved:
            opened(self.desk, self.saved[self.random.integers(len(self.saved))])

    def touch(self) -> None:
        """A finger drags a handle; two turn the view."""
        name, state = self._handle()
        x, y = state["sites"][name]["x"], state["sites"][name]["y"]
        dx, dy = self.random.normal(size=2) * 70
        Fingers(self.desk).slide(((x, y), (x + dx, y + dy)))
        Fingers(self.desk).slide(((120, 200), (150, 190)), ((140, 320), (170, 310)))
        self.desk.page.keyboard.press("f")

    def paint(self) -> None:
        """Strokes of the rigidity brush from handle to handle; then all are freed, or not."""
        self.desk.page.keyboard.press("y")
        for _ in range(3):
            (a, state), (b, _) = self._handle(), self._handle()
            self.desk.page.mouse.move(*(state["sites"][a][c] for c in "xy"))
            self.desk.page.mouse.down(button=str(self.random.choice(["left", "right"])))
            self.desk.page.mouse.move(*(state["sites"][b][c] for c in "xy"), steps=5)
            self.desk.page.mouse.up(button="left")
            self.desk.page.mouse.up(button="right")
        if self.random.random() < 0.7:
            self.desk.page.get_by_role("button", name="Free all joints").click()
        self.desk.key("y")

    def walk(self) -> None:
        """Let a figure walk about; keep what it did, or not."""
        page = self.desk.page
        self.desk.choose("Examples", "The walker")
        self.desk.until(lambda state: state["walk"], "a walk")
        for _ in range(2):
            page.get_by_label("Ground").select_option(str(self.random.choice(GROUNDS)))
            page.get_by_label("Legs solved by").select_option(str(self.random.choice(MODES)))
            page.get_by_label("Stride", exact=True).select_option(str(self.random.choice(STRIDES)))
            if page.get_by_role("button", name="Record", exact=True).count():
                page.get_by_role("button", name="Record", exact=True).click()
            page.keyboard.down("w")
            turn = str(self.random.choice(["a", "d"]))
            page.keyboard.down(turn)
            page.wait_for_timeout(self.random.uniform(300, 2500))
            page.keyboard.up(turn)
            page.keyboard.up("w")
        page.get_by_role("button", name=str(self.random.choice(["Keep", "End the walk"]))).click()
        self.desk.until(lambda state: state["walk"] is None, "the end of a walk")
        page.get_by_role("tab", name="Goals").click()

    def tour(self) -> None:
        """The first steps, once more; some skip them."""
        self.desk.page.keyboard.press("?")
        self.desk.page.get_by_role("button", name="First steps").click()
        tour = self.desk.page.get_by_label("First steps")
        self.drag()
        while tour.count():
            choices = tour.get_by_role("button")
            choices.nth(int(self.random.integers(choices.count()))).click()

    def movie(self) -> None:
        self.desk.choose("File", "Movie of the view…")
        sheet = self.desk.page.get_by_role("dialog")
        plays = sheet.get_by_label("Play the motion")
        if plays.count():
            plays.set_checked(False)
        sheet.get_by_label("Seconds").fill("0.2")
        sheet.get_by_label("Size").select_option("360")
        sheet.get_by_label("Format").select_option(str(self.random.choice(["gif", "mp4"])))
        with self.desk.page.expect_download() as given:
            sheet.get_by_role("button", name="Make the movie").click()
        given.value.delete()
        sheet.wait_for(state="detached")

    def keep(self) -> None:
        """Save under a name into the project folder, and open something from it."""
        page = self.desk.page
        page.keyboard.press("Control+Shift+s")
        page.get_by_label("Name").fill(f"kept {self.random.integers(5)}")
        page.keyboard.press("Enter")
        page.get_by_role("dialog").wait_for(state="detached")
        page.keyboard.press("Control+o")
        files = page.locator(".file")
        files.first.wait_for()
        files.nth(int(self.random.integers(files.count()))).click()
        page.get_by_role("dialog").wait_for(state="detached")

    def settings(self) -> None:
        """Balance and the ground on or off, and another solver."""
        page = self.desk.page
        page.get_by_role("tab", name="Body").click()
        for label in ("Keep balance over the feet", "Feet stay above the ground"):
            page.get_by_label(label).set_checked(self.random.random() < 0.5)
        page.get_by_text("Advanced").click()
        chosen = self.random.choice(["auto", "auto", "damped-least-squares", "pseudo-inverse"])
        page.get_by_label("Solver").select_option(str(chosen))
        page.get_by_role("tab", name="Goals").click()

    def elsewhere(self) -> None:
        """Edit from a second window for a while."""
        first = self.desk
        self.desk = Desk(first.page.context, first.address, patience=first.patience)
        self.desk.page.get_by_role("button", name="Edit here").click()
        self.desk.until(lambda state: state["editable"], "a window that edits")
        self.drag()
        self.undo()
        first.problems += self.desk.problems
        self.desk.page.close()
        self.desk = first
        self.desk.page.bring_to_front()
        self.desk.until(lambda state: state["editable"], "the first window again")

    def track(self) -> None:
        """Solve a clip anew, where there is one."""
        self.desk.page.get_by_role("tab", name="Body").click()
        button = self.desk.page.get_by_role("button", name="Track the clip")
        if button.count():
            button.click()
            self.desk.settle()
        self.desk.page.get_by_role("tab", name="Goals").click()

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
