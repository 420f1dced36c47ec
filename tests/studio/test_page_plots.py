"""The plots: what they say of a joint, of the goals and of the solves, while something moves."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

LIMIT = (232, 113, 10)


def rows(desk):
    return {row["name"]: row for row in desk.state["plots"]}


def shows_limit(desk, name):
    """Whether a plot has a line in the colour of limits."""
    plot = desk.page.locator(".plot", has_text=name).locator("canvas")
    picture = Image.open(BytesIO(plot.screenshot())).convert("RGB")
    return np.abs(np.array(picture, float) - LIMIT).sum(axis=2).min() < 60


def test_the_joints_that_move_are_plotted_and_goals_and_solves(desk):
    desk.page.keyboard.press("c")
    desk.until(lambda s: len(s["plots"]) == 2, "no joint that moved yet")
    desk.drag("left_hand", 70, -120)
    found = rows(desk)
    assert len(found) == 5
    assert list(found)[3:] == ["goals off", "solve"]
    for row in found.values():
        for line in row["lines"]:
            assert all(0 <= point["y"] <= 1 for point in line["points"])
            assert line["points"][-1]["x"] == 1
    assert found["solve"]["reading"].endswith(" ms")
    assert len(found["goals off"]["lines"]) == 2  # the feet
    assert {line["colour"] for line in found["goals off"]["lines"]} == {"pin"}


def test_the_selected_joint_is_plotted_between_its_limits(desk):
    desk.page.keyboard.press("c")
    desk.page.get_by_role("tab", name="Joints").click()
    desk.page.get_by_label("Find a joint").fill("left elbow")
    elbow, shoulder = (desk.state["sites"][f"left_{name}"] for name in ("elbow", "hand"))
    desk.page.mouse.click(*(0.5 * (elbow[c] + shoulder[c]) for c in "xy"))
    desk.until(lambda s: s["selection"]["segment"] == "left_forearm", "a forearm")
    slider = desk.page.get_by_role("slider", name="left elbow flexion", exact=True)
    box = slider.bounding_box()
    x, y = box["x"] + 0.3 * box["width"], box["y"] + box["height"] / 2
    desk.page.mouse.move(x, y)
    desk.page.mouse.down()
    desk.drag_from(x, y, box["width"], 0)  # beyond its end
    row = rows(desk)["left elbow flexion"]
    (line,) = row["lines"]
    heights = [point["y"] for point in line["points"]]
    assert 0 < row["lower"] < row["upper"] < 1
    assert min(heights) >= row["lower"] - 1e-6
    assert heights[-1] == pytest.approx(row["upper"], abs=1e-6)
    assert line["points"][-1]["atLimit"]
    assert shows_limit(desk, "left elbow flexion")
    assert not shows_limit(desk, "solve")


def test_the_plots_stay_as_the_person_left_them(desk):
    assert desk.page.get_by_role("region", name="Plots").count() == 0
    desk.page.get_by_role("button", name="Plots (C)").click()
    desk.page.get_by_role("region", name="Plots").wait_for()
    desk.open()
    desk.page.get_by_role("region", name="Plots").wait_for()
    desk.choose("Examples", "Spider")  # another figure: its own record
    desk.until(lambda s: s["figure"] == "spider" and s["plots"], "plots of a spider")
    assert all(len(line["points"]) < 20 for row in desk.state["plots"] for line in row["lines"])
    desk.page.keyboard.press("c")
    desk.until(lambda s: s["plots"] == [], "no plots")
