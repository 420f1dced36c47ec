"""The page itself: ready soon, small, calm; the side panel; the menus."""

import gzip
import math

import pytest
from studio.desk import Desk

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


def test_whoever_has_the_link_to_watch_sees_all_and_changes_nothing(desk, chromium):
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.choose("File", "Copy a link to watch")
    desk.page.locator(".notice", has_text="Copied").wait_for()
    link = desk.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(desk.address.split("?")[0])
    assert link != desk.address
    elsewhere = chromium.new_context(viewport={"width": 800, "height": 560})
    other = Desk(elsewhere, link)
    before = other.site("left_hand")
    other.drag("left_hand", 60, -100)
    assert other.distance("left_hand", before) == 0
    desk.drag("left_hand", 60, -100)
    seen = desk.site("left_hand")
    other.until(lambda s: s["sites"]["left_hand"]["at"] == pytest.approx(seen), "a raised hand")
    assert "you watch" in other.page.locator(".status-bar").inner_text()
    assert other.problems == []
    elsewhere.close()


def test_a_second_window_looks_on(desk):
    other = Desk(desk.page.context, desk.address)
    before = other.site("left_hand")
    desk.drag("left_hand", 60, -100)
    other.until(lambda s: s["sites"]["left_hand"]["at"][1] > before[1] + 0.05, "a raised hand")
    assert "Read only" in other.page.locator(".status-bar").inner_text()
    assert other.problems == []
