"""More than one window: who looks on sees all; only one edits at a time."""

import pytest
from studio.desk import Desk


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


def test_a_second_window_takes_over_in_the_middle_of_a_drag(desk):
    other = Desk(desk.page.context, desk.address)
    before = desk.state["angles"]
    desk.drag("left_hand", 60, -100, release=False)
    dragged = desk.state["angles"]
    other.page.get_by_role("button", name="Edit here").click()
    other.until(lambda s: s["editable"], "a window that edits")
    desk.until(lambda s: not s["editable"], "one that looks on")
    desk.page.mouse.up()
    desk.page.locator(".notice", has_text="Another window edits").wait_for()
    other.until(lambda s: s["history"]["undo"] == "drag left_hand", "the drag as a step")
    assert other.state["angles"] == pytest.approx(dragged, abs=0.02)
    other.key("Control+z")
    desk.until(lambda s: s["angles"] == pytest.approx(before, abs=1e-6), "an undo that is seen")
    standing = desk.site("right_hand")
    desk.drag("right_hand", -60, -60)
    assert desk.distance("right_hand", standing) == 0
    desk.page.get_by_role("button", name="Edit here").click()  # and back again
    desk.until(lambda s: s["editable"], "the first window again")
    desk.drag("right_hand", -60, -60)
    assert desk.distance("right_hand", standing) > 0.05
    assert other.problems == []
