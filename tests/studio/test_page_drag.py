"""The mouse on the body: what is drawn follows the hand, inside the limits, and pins hold."""

import math

import pytest
from motion.bodies import swinging_arm
from studio.desk import opened

import poise
from poise.studio.opening import opened_figure


def test_a_dragged_hand_follows_the_pointer_and_the_feet_stay(desk):
    feet = {name: desk.site(name) for name in ("left_foot", "right_foot")}
    x, y = desk.drag("left_hand", 90, -150, release=False)
    place = desk.state["sites"]["left_hand"]
    assert (place["x"], place["y"]) == pytest.approx((x, y), abs=1.0)
    desk.page.mouse.up()
    desk.settle()
    for name, at in feet.items():
        assert desk.distance(name, at) < 1e-4
    assert desk.state["history"]["undo"] is not None


def test_a_drag_begins_within_twelve_pixels_of_a_handle(desk):
    before = desk.site("right_hand")
    place = desk.state["sites"]["right_hand"]
    desk.page.mouse.move(place["x"] - 8, place["y"] + 8)
    desk.page.mouse.down()
    desk.drag_from(place["x"] - 8, place["y"] + 8, -60, -40)
    assert desk.distance("right_hand", before) > 0.05


def test_escape_takes_a_drag_back(desk):
    before = desk.state
    desk.drag("left_hand", 120, -80, release=False)
    assert desk.state["angles"] != before["angles"]
    desk.key("Escape")
    desk.until(lambda s: s["angles"] == pytest.approx(before["angles"], abs=1e-6), "an end")
    desk.page.mouse.up()
    assert desk.state["history"]["undo"] is None


def test_shift_moves_less(desk):
    before = desk.site("left_hand")
    x, y = desk.press("left_hand")
    desk.page.keyboard.down("Shift")
    desk.drag_from(x, y, 100, 0)
    desk.page.keyboard.up("Shift")
    fine = desk.distance("left_hand", before)
    desk.key("Control+z")
    desk.drag("left_hand", 100, 0)
    assert 0 < fine < 0.3 * desk.distance("left_hand", before)


def test_a_pinned_hand_stays_while_the_other_is_dragged(desk):
    desk.drag("right_hand", -60, -90)
    desk.key("p")
    desk.until(lambda s: any(g["effector"] == "right_hand" for g in s["goals"]), "a pin")
    pinned = desk.site("right_hand")
    desk.drag("left_hand", 80, -120)
    assert desk.distance("right_hand", pinned) < 1e-3


def test_the_gizmo_moves_along_one_axis(desk):
    before = desk.site("left_hand")
    desk.press("left_hand")
    desk.page.mouse.up()
    desk.settle()
    arrow = next(p for p in desk.state["gizmo"] if p["shape"] == "arrow" and p["axis"] == 0)
    desk.page.mouse.move(arrow["x"], arrow["y"])
    desk.page.mouse.down()
    desk.drag_from(arrow["x"], arrow["y"], 60, -20)
    x, y, z = desk.site("left_hand")
    assert x > before[0] + 0.05
    assert (y, z) == pytest.approx(before[1:], abs=2e-3)


def part(desk, shape, axis):
    return next(p for p in desk.state["gizmo"] if p["shape"] == shape and p["axis"] == axis)


def pull(desk, place, dx, dy):
    desk.page.mouse.move(place["x"], place["y"])
    desk.page.mouse.down()
    desk.drag_from(place["x"], place["y"], dx, dy)


def test_the_gizmo_moves_on_a_plane_and_along_the_axes_of_the_handle(desk):
    desk.drag("left_hand", 40, -60)
    before = desk.site("left_hand")
    pull(desk, part(desk, "plane", 2), 40, -30)
    x, y, z = desk.site("left_hand")
    assert z == pytest.approx(before[2], abs=2e-3)
    assert math.dist((x, y), before[:2]) > 0.05
    in_world = [part(desk, "arrow", axis) for axis in range(3)]
    desk.key("l")
    own = [part(desk, "arrow", axis) for axis in range(3)]
    pairs = zip(own, in_world, strict=True)
    assert max(math.dist((a["x"], a["y"]), (b["x"], b["y"])) for a, b in pairs) > 5
    before = desk.state["sites"]["left_hand"]
    pull(desk, own[0], 0.7 * (own[0]["x"] - before["x"]), 0.7 * (own[0]["y"] - before["y"]))
    after = desk.state["sites"]["left_hand"]
    out = (own[0]["x"] - before["x"], own[0]["y"] - before["y"])
    way = (after["x"] - before["x"], after["y"] - before["y"])
    along = (out[0] * way[0] + out[1] * way[1]) / math.hypot(*out)
    assert along > 10
    assert math.hypot(*way) == pytest.approx(along, rel=0.1)


def test_the_gizmo_turns_a_hand_where_it_is(desk):
    desk.drag("left_hand", 40, -60)
    before, angles = desk.site("left_hand"), desk.state["angles"]
    desk.key("r")
    ring = part(desk, "ring", 2)
    pull(desk, ring, 25, 25)
    assert desk.distance("left_hand", before) < 0.01
    assert desk.state["angles"] != pytest.approx(angles, abs=0.05)


def test_a_pole_swings_the_elbow_about_a_hand_that_stays(desk):
    desk.drag("left_hand", 20, -120)
    desk.key("p")
    desk.until(lambda s: any(g["effector"] == "left_hand" for g in s["goals"]), "a pin")
    hand, elbow = desk.site("left_hand"), desk.site("left_elbow")
    desk.drag("left_elbow", 25, 20)
    assert desk.distance("left_elbow", elbow) > 0.03
    assert desk.distance("left_hand", hand) < 2e-3


def test_a_foot_is_not_dragged_below_the_ground(desk):
    desk.page.get_by_title("Let it go").first.click()
    desk.until(lambda s: not s["goals"][0]["pinned"], "a free foot")
    desk.drag("left_foot", 30, 120)
    state = desk.state
    lowest = min(state["sites"][f"left_{name}"]["at"][1] for name in ("heel", "ball", "toes"))
    assert lowest > -2e-3


def test_a_hand_dragged_out_of_reach_stays_at_what_it_reaches(desk):
    desk.drag("left_hand", 500, -60, release=False)
    assert "off" in desk.page.locator(".status-bar").inner_text()
    reached = desk.site("left_hand")
    desk.page.mouse.up()
    desk.settle()
    assert desk.distance("left_hand", reached) < 0.02
    assert "All goals met" in desk.page.locator(".status-bar").inner_text()
    assert desk.state["explanation"] is None or "All" in desk.state["explanation"]


def test_a_ring_turns_one_joint(desk):
    elbow, shoulder = (desk.state["sites"][f"left_{name}"] for name in ("elbow", "shoulder"))
    middle = [0.5 * (elbow[c] + shoulder[c]) for c in "xy"]
    desk.page.mouse.click(*middle)
    state = desk.until(lambda s: s["rings"] and s["selection"]["segment"], "rings")
    assert state["selection"]["segment"] == "left_upper_arm"
    ring = state["rings"][0]
    desk.page.mouse.move(ring["x"], ring["y"])
    desk.page.mouse.down()
    desk.drag_from(ring["x"], ring["y"], 25, 30)
    after = desk.state["angles"]
    assert abs(after[ring["name"]] - state["angles"][ring["name"]]) > 0.05
    others = [n for n in after if "shoulder" in n and "left" in n and n != ring["name"]]
    assert [after[n] for n in others] == pytest.approx(
        [state["angles"][n] for n in others], abs=1e-6
    )


def test_limits_light_up_and_a_gap_is_explained(desk):
    assert desk.state["atLimit"] == []
    desk.drag("right_hand", -40, -60)
    desk.key("p")
    desk.until(lambda s: any(g["effector"] == "right_hand" for g in s["goals"]), "a pin")
    desk.drag("right_hand", -400, -40)
    state = desk.until(lambda s: s["explanation"], "an explanation")
    assert state["atLimit"]
    sentence = desk.page.locator(".sentence")
    sentence.wait_for()
    assert "right hand" in sentence.inner_text()
    assert "off" in desk.page.locator(".status-bar").inner_text()


def test_the_limits_of_a_hovered_joint_are_drawn(desk):
    elbow = desk.state["sites"]["left_elbow"]
    desk.page.mouse.move(elbow["x"], elbow["y"])
    shape = desk.until(lambda s: s["limits"], "a limit")["limits"][0]
    assert shape["kind"] == "arc"
    assert shape["lower"] < shape["value"] < shape["upper"]


@pytest.fixture
def swinging(desk, tmp_path):
    """A figure whose arm swings within a cone."""
    path = tmp_path / "swinging.poise"
    poise.save(opened_figure(swinging_arm()), path)
    opened(desk, path)
    return desk


def test_the_cone_of_a_hovered_joint_is_drawn(swinging):
    arm, forearm = (swinging.state["places"][name] for name in ("arm", "forearm"))
    swinging.page.mouse.move(*(0.5 * (arm[c] + forearm[c]) for c in "xy"))
    state = swinging.until(lambda s: any(own["kind"] == "cone" for own in s["limits"]), "a cone")
    cone = next(own for own in state["limits"] if own["kind"] == "cone")
    assert (cone["value"], cone["upper"]) == pytest.approx((0.0, 0.9), abs=1e-6)
    assert not state["rings"]  # they come with a click


def test_rings_turn_a_joint_with_a_cone_up_to_its_limit(swinging):
    arm, forearm = (swinging.state["places"][name] for name in ("arm", "forearm"))
    swinging.page.mouse.click(*(0.5 * (arm[c] + forearm[c]) for c in "xy"))
    state = swinging.until(lambda s: len(s["rings"]) == 3, "two rings and a twist")
    assert state["selection"]["segment"] == "arm"
    rings = {ring["name"]: ring for ring in state["rings"]}
    for name in ("arm_swing_x", "arm_swing_y"):
        place = state["places"]["arm"]
        ring = rings[name]
        swinging.page.mouse.move(ring["x"], ring["y"])
        swinging.page.mouse.down()
        away = (ring["x"] - place["x"], ring["y"] - place["y"])
        x, y = swinging.drag_from(ring["x"], ring["y"], away[1], -away[0], release=False)
        angles = swinging.state["angles"]
        size = math.hypot(angles["arm_swing_x"], angles["arm_swing_y"])
        assert 0.3 < size <= 0.9 + 1e-6
        swinging.drag_from(x, y, -4 * away[0], -4 * away[1])
        angles = swinging.state["angles"]
        size = math.hypot(angles["arm_swing_x"], angles["arm_swing_y"])
        assert size == pytest.approx(0.9, abs=1e-5)
        assert "arm" in swinging.state["atLimit"]
        swinging.key("Control+z")
