"""Fingers: one drags a handle, two move the camera."""

import pytest
from studio.fingers import Fingers


def test_a_finger_drags_a_handle(desk):
    place = desk.state["sites"]["left_hand"]
    before = desk.site("left_hand")
    start = (place["x"] + 14, place["y"] + 14)  # a finger is less exact than a mouse
    Fingers(desk).slide((start, (start[0] + 60, start[1] - 90)))
    assert desk.distance("left_hand", before) > 0.1
    assert desk.state["history"]["undo"] == "drag left_hand"


def test_two_fingers_pinch_and_orbit_and_move_no_joint(desk):
    def size():
        sites = desk.state["sites"]
        return abs(sites["head"]["y"] - sites["left_foot"]["y"])

    before, angles = size(), desk.state["angles"]
    Fingers(desk).slide(((300, 250), (300, 170)), ((320, 350), (320, 430)))
    assert size() > 1.3 * before
    hands = [desk.state["sites"][f"{side}_hand"]["x"] for side in ("left", "right")]
    Fingers(desk).slide(((200, 250), (400, 250)), ((220, 350), (420, 350)))
    turned = [desk.state["sites"][f"{side}_hand"]["x"] for side in ("left", "right")]
    assert abs((turned[0] - turned[1]) - (hands[0] - hands[1])) > 30
    assert desk.state["angles"] == pytest.approx(angles, abs=1e-9)
    assert desk.state["history"]["undo"] is None


def test_a_tablet_held_upright_shows_every_button(desk):
    desk.page.set_viewport_size({"width": 768, "height": 1024})
    desk.page.keyboard.press("c")
    desk.settle()
    buttons = desk.page.locator(".top-bar button, .transport button, .transport input")
    assert buttons.count() > 20
    for k in range(buttons.count()):
        box = buttons.nth(k).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 768
