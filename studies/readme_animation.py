"""Draw docs/images/drag.webp, the animation of README.md: a hand is dragged in the real studio.

python studies/readme_animation.py       (needs `pip install .[dev]` and a Chromium)
"""

import io
import math
import sys
from pathlib import Path

from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))  # the desk: a browser, and a hand with a mouse

from studio.client import served  # noqa: E402
from studio.desk import Desk, browser_running  # noqa: E402

from poise.studio.session import Session  # noqa: E402

ANIMATION = ROOT / "docs" / "images" / "drag.webp"
WINDOW = {"width": 860, "height": 780}
SIZE = (560, 480)
"""Pixels of the animation."""
VIEW = {"x": 115, "y": 60, "width": 630, "height": 540}
"""What of the window is shown: the body."""
FRAMES = 20
"""Of each drag, and as many back."""
STEP = 70
"""Milliseconds a frame."""


def frame(desk, pointer):
    """The window as it is, with the pointer drawn in."""
    image = Image.open(io.BytesIO(desk.page.screenshot(clip=VIEW))).convert("RGB")
    x, y = pointer[0] - VIEW["x"], pointer[1] - VIEW["y"]
    arrow = [(0, 0), (0, 19), (5, 15), (9, 22), (12, 20), (8, 14), (14, 13)]
    draw = ImageDraw.Draw(image)
    draw.polygon([(x + a, y + b) for a, b in arrow], fill="black", outline="white")
    return image.resize(SIZE, Image.Resampling.LANCZOS)


def dragged(desk, name, dx, dy):
    """A drag there and back, picture by picture."""
    x, y = desk.press(name)
    frames = []
    for k in range(2 * FRAMES):
        share = math.sin(0.5 * math.pi * (1 - abs(1 - k / FRAMES))) ** 2
        here = x + dx * share, y + dy * share
        desk.page.mouse.move(*here)
        desk.settle()
        frames.append(frame(desk, here))
    desk.page.mouse.up()
    desk.settle()
    return frames


def main():
    frames = []
    with browser_running() as browser, served(Session()) as server:
        context = browser.new_context(viewport=WINDOW, color_scheme="light")
        desk = Desk(context, server.address)
        desk.page.keyboard.press("n")  # hides the panel
        middle = WINDOW["width"] / 2
        desk.until(lambda state: abs(state["sites"]["pelvis"]["x"] - middle) < 40, "a wider view")
        for name, dx, dy in (("right_hand", -130, -190), ("pelvis", 15, 110), ("head", -110, 60)):
            frames += dragged(desk, name, dx, dy)
    first, *others = frames
    first.save(
        ANIMATION, save_all=True, append_images=others, duration=STEP, loop=0, quality=55, method=6
    )
    print(f"wrote {ANIMATION.relative_to(ROOT)}: {len(frames)} frames,", end=" ")
    print(f"{ANIMATION.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
