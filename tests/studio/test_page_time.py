"""Keys, time and the past: on the timeline, by keyboard and by mouse."""

import pytest


def key_at(desk, frame):
    """Go to a frame with the arrows and key the pose."""
    desk.key("Home")
    for _ in range(frame):
        desk.page.keyboard.press("ArrowRight")
    desk.settle()
    return frame / 30


def test_keys_are_added_moved_copied_and_deleted(desk):
    desk.key("k")
    start = desk.site("left_hand")
    key_at(desk, 15)
    desk.drag("left_hand", 60, -160)
    desk.key("k")
    end = desk.site("left_hand")
    state = desk.until(lambda s: len(s["keys"]) == 2, "two keys")
    assert [key["time"] for key in state["keys"]] == pytest.approx([0.0, 0.5])
    desk.key("Home")
    assert desk.distance("left_hand", start) < 1e-4
    key_at(desk, 7)
    assert desk.distance("left_hand", start) > 0.05
    key_at(desk, 15)
    assert desk.distance("left_hand", end) < 1e-4

    handle = desk.page.locator(f"[data-key='{state['keys'][1]['id']}']").bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    desk.page.mouse.move(x, y)
    desk.page.mouse.down()
    desk.drag_from(x, y, 150, 0)
    moved = desk.until(lambda s: s["keys"][1]["time"] > 0.6, "a moved key")["keys"][1]["time"]
    assert (30 * moved) == pytest.approx(round(30 * moved), abs=1e-6)

    desk.page.keyboard.press("Control+c")
    desk.key("End")
    desk.page.keyboard.press("Control+v")
    desk.until(lambda s: len(s["keys"]) == 3, "a copied key")
    desk.page.keyboard.press("Delete")
    desk.until(lambda s: len(s["keys"]) == 2, "a deleted key")


def test_play_moves_and_stops(desk):
    desk.key("k")
    desk.page.keyboard.press("Space")
    desk.until(lambda s: s["playing"] and s["time"] > 0.1, "playing")
    desk.page.keyboard.press("Space")
    state = desk.until(lambda s: not s["playing"], "a stop")
    assert 0.1 < state["time"] <= 4.0


def test_undo_and_redo(desk):
    before = desk.state["angles"]
    desk.drag("left_hand", 80, -100)
    after = desk.state["angles"]
    desk.key("Control+z")
    desk.until(lambda s: s["angles"] == pytest.approx(before, abs=1e-6), "an undo")
    desk.key("Control+y")
    desk.until(lambda s: s["angles"] == pytest.approx(after, abs=1e-6), "a redo")


def test_a_reload_in_the_middle_of_an_edit_loses_nothing(desk):
    desk.drag("left_hand", 80, -100)
    desk.key("k")
    before = desk.state
    desk.drag("right_hand", -60, -60, release=False)
    dragged = desk.site("right_hand")
    desk.open()
    desk.page.mouse.up()
    state = desk.until(lambda s: s["editable"], "a page that may edit")
    assert len(state["keys"]) == 1
    assert desk.distance("right_hand", dragged) < 1e-3  # the drag has ended where it was
    desk.key("Control+z")
    desk.until(lambda s: s["angles"] == pytest.approx(before["angles"], abs=1e-6), "an undo")


def test_onion_skins_are_drawn(desk):
    desk.key("k")
    key_at(desk, 10)
    desk.drag("left_hand", 60, -160)
    desk.key("k")
    desk.page.get_by_label("Ghost").select_option("onion")
    desk.until(lambda s: s["ghosts"] > 0, "ghosts")
    desk.page.get_by_label("Ghost").select_option("off")
    desk.until(lambda s: s["ghosts"] == 0, "no ghosts")


def test_a_key_is_eased_and_a_motion_looped_at_another_pace(desk):
    desk.key("k")
    start = desk.site("left_hand")
    key_at(desk, 30)
    desk.drag("left_hand", 60, -160)
    desk.key("k")
    end = desk.site("left_hand")
    first = desk.until(lambda s: len(s["keys"]) == 2, "two keys")["keys"][0]
    far = desk.distance("left_hand", start)
    desk.page.locator(f"[data-key='{first['id']}']").click()
    shares = {}
    for ease in ("smooth", "linear", "hold"):
        desk.page.get_by_label("Ease", exact=True).select_option(ease)
        desk.until(lambda s, e=ease: s["keys"][0]["ease"] == e, ease)
        for _ in range(6):
            desk.page.keyboard.press("ArrowRight")
        desk.settle()
        shares[ease] = desk.distance("left_hand", start) / far
        desk.key("ArrowDown")
    assert shares["hold"] < 1e-4 < shares["smooth"] < 0.8 * shares["linear"]

    desk.page.get_by_label("Duration").fill("1")
    desk.page.keyboard.press("Enter")
    desk.until(lambda s: s["timeline"]["duration"] == 1, "a shorter motion")
    desk.page.get_by_role("button", name="Loop").click()
    desk.until(lambda s: s["timeline"]["loop"], "a loop")
    desk.key("End")
    assert desk.distance("left_hand", end) < 1e-4
    desk.page.get_by_label("Speed").select_option("0.5")
    desk.page.keyboard.press("Space")
    desk.until(lambda s: s["time"] > 0.8, "near the end")
    desk.until(lambda s: s["playing"] and s["time"] < 0.5, "the start again")
    desk.page.keyboard.press("Space")
    desk.until(lambda s: not s["playing"], "a stop")
    desk.page.get_by_label("Frame rate").fill("60")
    desk.page.keyboard.press("Enter")
    desk.until(lambda s: s["timeline"]["fps"] == 60, "another frame rate")


def test_the_key_before_is_shown_as_a_ghost(desk):
    desk.key("k")
    key_at(desk, 10)
    desk.page.get_by_label("Ghost").select_option("previous-key")
    desk.until(lambda s: s["ghosts"] == 1, "a ghost")
    desk.key("Home")  # where there is none before
    desk.until(lambda s: s["ghosts"] == 0, "no ghost")
    desk.page.get_by_label("Ghost").select_option("reference")
    desk.drag("left_hand", 60, -160, release=False)
    desk.until(lambda s: s["ghosts"] == 1, "the pose at the start of the drag")
    desk.page.mouse.up()
