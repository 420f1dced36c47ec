"""The page itself: ready soon, small, calm; the side panel; the menus."""

import gzip
import math

import pytest

from poise.studio.examples import EXAMPLES
from poise.studio.server import PAGE


def test_the_built_page_is_small():
    packed = sum(
        len(gzip.compress(path.read_bytes())) for path in PAGE.rglob("*") if path.is_file()
    )
    assert 50_000 < packed < 1_500_000


def test_the_page_does_not_wait_for_the_fine_skin(desk):
    held = []
    desk.page.route("**/tailor-*.js", lambda route: held.append(route))
    desk.open()
    assert not desk.state["isFine"]
    before = desk.site("left_hand")
    desk.drag("left_hand", 60, -100)
    assert desk.distance("left_hand", before) > 0.1
    held[0].continue_()
    desk.until(lambda s: s["isFine"], "a fine skin")


def test_a_slider_turns_a_joint_and_limits_are_edited_in_place(desk):
    desk.page.get_by_role("tab", name="Joints").click()
    desk.page.get_by_label("Find a joint").fill("left elbow")
    slider = desk.page.get_by_role("slider", name="left elbow flexion")
    box = slider.bounding_box()
    desk.page.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)
    bent = desk.until(lambda s: s["angles"]["left_elbow_flexion"] > 1.5, "a bent elbow")
    limit = desk.page.get_by_label("left elbow flexion upper limit")
    limit.fill("60")
    limit.press("Enter")
    desk.until(
        lambda s: s["angles"]["left_elbow_flexion"] <= math.radians(60) + 1e-6, "a new limit"
    )
    desk.key("Control+z")
    again = desk.state["angles"]["left_elbow_flexion"]
    assert again == pytest.approx(bent["angles"]["left_elbow_flexion"], abs=1e-6)


def test_a_goal_is_added_changed_and_removed(desk):
    desk.page.get_by_label("Add a goal").select_option("head")
    desk.until(lambda s: len(s["goals"]) == 3 and s["selection"]["effector"] == "head", "a goal")
    desk.page.get_by_label("Kind").select_option("aim")
    desk.until(lambda s: s["goals"][-1]["kind"] == "aim", "another kind")
    desk.page.get_by_label("Weight").fill("2.5")
    desk.page.get_by_label("Weight").press("Enter")
    desk.until(lambda s: s["goals"][-1]["weight"] == 2.5, "another weight")
    desk.page.get_by_role("button", name="Remove this goal").last.click()
    desk.until(lambda s: len(s["goals"]) == 2, "a goal less")


def test_another_figure_is_seen_whole(desk):
    desk.page.get_by_role("button", name="File").click()
    desk.page.get_by_role("menuitem", name="New spider").click()
    state = desk.until(lambda s: s.get("figure") == "spider", "a spider")
    box = desk.page.locator(".viewport").bounding_box()
    for place in state["sites"].values():
        assert box["x"] < place["x"] < box["x"] + box["width"]
        assert box["y"] < place["y"] < box["y"] + box["height"]


def test_the_keys_are_listed_and_the_theme_changes(desk):
    desk.page.keyboard.press("?")
    assert "Undo" in desk.page.get_by_role("dialog").inner_text()
    desk.page.keyboard.press("Escape")
    assert desk.page.get_by_role("dialog").count() == 0
    for theme in ("dark", "light"):
        desk.page.keyboard.press("t")
        assert desk.page.locator("html").get_attribute("data-theme") == theme


@pytest.mark.parametrize("title", [example.title for example in EXAMPLES])
def test_every_example_of_the_menu_is_drawn_whole(desk, title):
    before = desk.state["history"]["name"]
    desk.choose("Examples", title)
    desk.settle()
    state = desk.until(lambda s: s["history"]["name"] != before or s["walk"], title)
    box = desk.page.locator(".viewport").bounding_box()
    inside = [
        box["x"] < at["x"] < box["x"] + box["width"]
        and box["y"] < at["y"] < box["y"] + box["height"]
        for at in state["sites"].values()
    ]
    assert all(inside)
