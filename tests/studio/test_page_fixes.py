"""A clip is opened, one frame of it fixed by dragging, and the fix changed on the timeline."""

import pytest


def centre(desk, selector):
    box = desk.page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def slide(desk, selector, dx):
    """Drag a part of the timeline sideways."""
    x, y = centre(desk, selector)
    desk.page.mouse.move(x, y)
    desk.page.mouse.down()
    desk.drag_from(x, y, dx, 0)


def test_one_frame_of_a_clip_is_fixed_by_dragging_and_the_fix_is_edited(desk):
    desk.choose("Examples", "Gymnastics")
    desk.until(lambda s: s.get("clip"), "a clip")
    desk.settle()
    for _ in range(21):
        desk.page.keyboard.press("ArrowRight")
    desk.settle()
    clip = desk.state
    foot, hand = desk.site("left_foot"), desk.site("left_hand")
    desk.drag("left_hand", 60, -80)
    fix = desk.until(lambda s: len(s["fixes"]) == 1, "a fix")["fixes"][0]
    assert fix["time"] == pytest.approx(clip["time"], abs=1e-3)
    assert fix["held"] == ["left_foot", "right_foot"]
    assert desk.distance("left_hand", hand) > 0.05
    assert desk.distance("left_foot", foot) < 1e-4  # it stands: the fix holds it
    fixed = desk.site("left_hand")

    slide(desk, f"[data-fix='{fix['id']}'] .fix-mark", 150)  # move it: the frame is as it was
    moved = desk.until(lambda s: s["fixes"][0]["time"] > fix["time"] + 0.5, "a moved fix")
    desk.until(lambda s: s["angles"] == pytest.approx(clip["angles"], abs=1e-6), "the clip")
    desk.key("Control+z")
    desk.until(lambda s: s["fixes"][0]["time"] == fix["time"], "an undo")
    assert desk.distance("left_hand", fixed) < 1e-4
    assert moved["fixes"][0]["ease_out"] == 0.15

    slide(desk, "[data-fix-end='ease_out'] .fix-grip", 60)  # ease it out for longer
    desk.until(lambda s: s["fixes"][0]["ease_out"] > 0.3, "a wider fix")
    desk.page.get_by_label("Ease in").fill("0.5")
    desk.page.keyboard.press("Enter")
    desk.until(lambda s: s["fixes"][0]["ease_in"] == 0.5, "a longer ease")
    desk.page.get_by_text("right foot stays").click()
    desk.until(lambda s: s["fixes"][0]["held"] == ["left_foot"], "a free foot")

    desk.key("Home")
    desk.key("ArrowUp")  # keys and fixes are steps
    assert desk.state["time"] == pytest.approx(fix["time"], abs=1e-3)
    desk.page.keyboard.press("Delete")
    state = desk.until(lambda s: s["fixes"] == [], "no fix")
    assert state["clip"] == clip["clip"]
    desk.until(lambda s: s["angles"] == pytest.approx(clip["angles"], abs=1e-6), "the clip again")


def test_the_wheel_zooms_into_the_timeline(desk):
    desk.key("End")
    before = centre(desk, ".playhead path")[0]
    x, y = centre(desk, ".track")
    desk.page.mouse.move(x, y)
    desk.page.mouse.wheel(0, -400)
    desk.until(lambda _: centre(desk, ".playhead path")[0] > before + 100, "a closer look")
    desk.page.mouse.wheel(0, 2000)
    desk.until(lambda _: abs(centre(desk, ".playhead path")[0] - before) <= 1, "the whole again")


def test_a_clip_is_tracked_inside_the_limits_that_it_uses(desk):
    desk.choose("Examples", "Running")
    desk.until(lambda s: s.get("clip"), "a clip")
    desk.page.get_by_role("tab", name="Body").click()
    desk.page.get_by_role("button", name="Track the clip").click()
    desk.page.locator(".notice", has_text="Tracked").wait_for()
    desk.until(lambda s: s["history"]["undo"] == "track clip", "a step of undo")
    assert "mm at worst" in desk.page.locator(".notice").last.inner_text()
