"""The camera: it orbits, pans, zooms and frames, and no joint moves."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

BESIDE = (60, 300)
"""A place of the view where there is no body [px]."""


def places(desk):
    sites = desk.state["sites"]
    return {name: (at["x"], at["y"]) for name, at in sites.items()}


def slide(desk, button="left", modifier=None):
    """Drag the view to the right."""
    x, y = BESIDE
    if modifier is not None:
        desk.page.keyboard.down(modifier)
    desk.page.mouse.move(x, y)
    desk.page.mouse.down(button=button)
    desk.page.mouse.move(x + 80, y, steps=4)
    desk.page.mouse.up(button=button)
    if modifier is not None:
        desk.page.keyboard.up(modifier)
    desk.settle()


def width_of_shoulders(seen):
    return seen["left_shoulder"][0] - seen["right_shoulder"][0]


ORBITS = [("middle", None), ("left", "Alt"), ("left", None)]


@pytest.fixture
def still(desk):
    """A desk whose figure must not have moved in the end."""
    before = desk.state["angles"]
    yield desk
    assert desk.state["angles"] == before
    assert desk.state["history"]["undo"] is None


@pytest.mark.parametrize(("button", "modifier"), ORBITS)
def test_it_orbits_about_the_figure(still, button, modifier):
    before = places(still)
    slide(still, button, modifier)
    after = places(still)
    assert abs(width_of_shoulders(after) - width_of_shoulders(before)) > 5
    assert after["pelvis"] == pytest.approx(before["pelvis"], abs=25)  # about which it goes


@pytest.mark.parametrize(("button", "modifier"), [("right", None), ("middle", "Shift")])
def test_it_pans(still, button, modifier):
    before = places(still)
    slide(still, button, modifier)
    after = places(still)
    moved = np.array([np.subtract(after[name], before[name]) for name in before])
    assert moved[:, 0] == pytest.approx(80, abs=12)
    assert moved[:, 1] == pytest.approx(0, abs=3)


def test_the_wheel_zooms_and_f_frames_the_selection(still):
    before = places(still)
    still.page.mouse.move(*BESIDE)
    still.page.mouse.wheel(0, 500)
    still.settle()
    assert width_of_shoulders(places(still)) < 0.8 * width_of_shoulders(before)
    still.page.mouse.click(*places(still)["head"])
    still.until(lambda s: s["selection"]["effector"] == "head", "a selected head")
    still.key("f")
    box = still.page.locator(".viewport").bounding_box()
    centre = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert places(still)["head"] == pytest.approx(centre, abs=60)
    assert width_of_shoulders(places(still)) > 2 * width_of_shoulders(before)
    still.key("Escape")
    still.key("f")
    assert places(still) == {name: pytest.approx(at, abs=2) for name, at in before.items()}


def test_the_body_throws_a_shadow_and_shows_its_bones(still):
    def picture():
        return Image.open(BytesIO(still.page.locator(".viewport").screenshot())).convert("RGB")

    still.until(lambda s: s["isFine"], "a fine skin")
    before = np.array(picture(), float)
    left, right = (still.state["places"][f"{side}_foot"] for side in ("left", "right"))
    box = still.page.locator(".viewport").bounding_box()
    x, y = (round(0.5 * (left[c] + right[c]) - box[c]) for c in "xy")
    ground = before[y - 40 : y + 60, x - 150 : x + 150].sum(axis=2)
    assert ground.min() < 0.85 * np.median(ground)  # darker than where the light falls
    still.page.keyboard.press("b")
    still.settle()
    thigh = [
        0.5 * (still.state["places"]["left_thigh"][c] + still.state["places"]["left_shank"][c])
        for c in "xy"
    ]
    shown = np.array(picture(), float)
    px, py = round(thigh[0] - box["x"]), round(thigh[1] - box["y"])
    around = (slice(py - 4, py + 5), slice(px - 4, px + 5))
    assert np.abs(shown[around] - before[around]).max() > 30
    still.page.keyboard.press("b")
