"""Draw docs/images/studio*.png: the studio at work, in a real browser.

python studies/studio_pictures.py       (needs `pip install .[dev]` and a Chromium)
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))  # the desk: a browser, and a hand with a mouse

from studio.client import served  # noqa: E402
from studio.desk import Desk, browser_running  # noqa: E402

from poise.studio.session import Session  # noqa: E402

IMAGES = ROOT / "docs" / "images"
SIZE = {"width": 1440, "height": 900}


def reaching(desk):
    """Three keys of a reach; the last one with the gizmo on the hand."""
    desk.key("k")
    for frames, drags in (
        (30, [("pelvis", 10, 60), ("right_hand", -150, -130)]),
        (30, [("pelvis", -10, -50), ("right_hand", -40, -200), ("left_hand", 90, -70)]),
    ):
        for _ in range(frames):
            desk.page.keyboard.press("ArrowRight")
        desk.settle()
        for name, dx, dy in drags:
            desk.drag(name, dx, dy)
        desk.key("k")
    desk.page.mouse.move(5, 300)


def explaining(desk):
    """A pinned hand that cannot reach its target: the gap, what holds it, and why."""
    desk.drag("right_hand", -60, -90)
    desk.key("p")
    desk.drag("right_hand", -400, -60)
    desk.until(lambda state: state["explanation"], "an explanation")
    desk.page.get_by_role("tab", name="Joints").click()
    desk.page.get_by_label("Find a joint").fill("right shoulder")
    desk.page.mouse.move(5, 300)


def walking(desk):
    """The walker on hills, its feet marked, its knees plotted."""
    desk.page.keyboard.press("c")
    desk.choose("Examples", "The walker")
    desk.until(lambda state: state["walk"], "a walk")
    desk.page.get_by_label("Ground").select_option("hills")
    desk.page.get_by_label("Legs solved by").select_option("half")
    desk.page.keyboard.down("w")
    desk.until(lambda state: state["segments"]["pelvis"][2] > 3.0, "a walk over hills")
    desk.page.keyboard.up("w")


def crowding(desk):
    """Fifty walkers on hills."""
    desk.choose("Examples", "Fifty walkers")
    desk.until(lambda state: state["company"] == 49, "company")
    desk.page.keyboard.down("w")
    desk.until(lambda state: state["segments"]["pelvis"][2] > 2.0, "a walk over hills")


def main():
    with browser_running() as browser:
        for scheme, file, act in (
            ("light", "studio.png", reaching),
            ("dark", "studio-dark.png", explaining),
            ("light", "studio-walk.png", walking),
            ("light", "studio-crowd.png", crowding),
        ):
            with served(Session()) as server:
                context = browser.new_context(viewport=SIZE, color_scheme=scheme)
                desk = Desk(context, server.address)
                act(desk)
                desk.page.wait_for_timeout(1000)  # notices go, and the picture is drawn in full
                desk.page.screenshot(path=IMAGES / file)
                context.close()
            print(f"wrote {(IMAGES / file).relative_to(ROOT)}")


if __name__ == "__main__":
    main()
