"""A walk on the page: driven by keys and by a gamepad, followed, marked, switched and kept."""

import math

GAMEPAD = """
window.stick = [0, 0];
navigator.getGamepads = () => [
  { axes: [...window.stick, 0, 0], buttons: Array.from({ length: 8 }, () => ({ value: 0 })) },
];
"""


def begin(desk):
    desk.choose("Examples", "The walker")
    state = desk.until(lambda s: s["walk"] and (s["walking"] or {}).get("marks"), "a walk")
    return desk.until(lambda s: s["walking"]["triangles"] > 0, "ground") and state


def test_keys_drive_it_and_the_camera_follows(desk):
    before = begin(desk)
    target = before["walking"]["target"]
    desk.page.keyboard.down("w")
    ahead = desk.until(lambda s: s["segments"]["pelvis"][2] > 1.5, "a walk forward")
    assert abs(ahead["segments"]["pelvis"][0]) < 0.2
    desk.page.keyboard.down("ArrowLeft")
    turned = desk.until(lambda s: s["walking"]["heading"] > 0.6, "a turn to the left")
    desk.page.keyboard.up("ArrowLeft")
    desk.page.keyboard.up("w")
    desk.until(lambda s: s["segments"]["pelvis"][0] > 0.05, "a way to the left")
    followed = desk.state["walking"]["target"]
    assert math.dist(followed, target) > 1.0
    body = desk.state["segments"]["pelvis"]
    assert math.dist(followed, body) < 1.0
    box = desk.page.locator(".viewport").bounding_box()
    head = desk.state["sites"]["head"]
    assert box["x"] < head["x"] < box["x"] + box["width"]
    assert box["y"] < head["y"] < box["y"] + box["height"]
    assert turned["pending"] in (True, False)


def test_marks_stand_at_the_feet_and_can_be_hidden(desk):
    state = begin(desk)
    feet = [state["segments"][f"{side}_foot"] for side in ("left", "right")]
    for mark in state["walking"]["marks"]:
        assert min(math.dist(mark, foot) for foot in feet) < 0.3
    desk.page.get_by_label("Mark where the feet should be").click()
    desk.until(lambda s: s["walking"]["marks"] == [], "no marks")


def test_modes_stride_and_ground_are_switched_while_it_walks(desk):
    assert begin(desk)["walk"]["stride"] == "natural"
    desk.page.keyboard.down("w")
    for label, mode in (("half", "half"), ("full", "full"), ("hybrid", "hybrid"), ("auto", "auto")):
        desk.page.get_by_label("Legs solved by").select_option(mode)
        desk.until(lambda s, m=mode: s["walk"]["jacobian"] == m, f"the mode {label}")
    desk.page.get_by_label("Ground").select_option("stairs")
    state = desk.until(lambda s: s["walk"]["ground"] == "stairs", "stairs")
    assert state["walk"]["place"] == 1
    desk.page.keyboard.up("w")
    desk.page.get_by_label("Stride", exact=True).select_option("paper")
    desk.until(lambda s: s["walk"]["stride"] == "paper", "another stride")


def test_a_gamepad_drives_it(desk):
    desk.page.add_init_script(GAMEPAD)
    desk.open()
    begin(desk)
    desk.page.evaluate("window.stick = [-0.6, -1]")
    desk.until(lambda s: s["walking"]["heading"] > 0.3 and s["walking"]["speed"] > 1.0, "a turn")
    desk.page.evaluate("window.stick = [0, 0]")
    desk.until(lambda s: s["walking"]["speed"] == 0, "a halt")


def test_a_recording_is_kept_played_and_saved(desk, tmp_path):
    begin(desk)
    desk.page.keyboard.down("w")
    desk.page.get_by_role("button", name="Record", exact=True).click()
    desk.until(lambda s: s["walk"]["recording"], "a recording")
    begun = desk.state["segments"]["pelvis"][2]
    desk.until(lambda s: s["segments"]["pelvis"][2] > begun + 0.5, "a way walked")
    desk.page.keyboard.up("w")
    desk.page.get_by_role("button", name="Keep the recording").click()
    state = desk.until(lambda s: s["walk"] is None and s["clip"], "a clip")
    assert state["clip"]["name"] == "walk"
    assert state["clip"]["frames"] > 30
    desk.settle()
    path = desk.download("Download .bvh", tmp_path)
    import poise

    clip = poise.load(path, unit=0.01)
    assert len(clip) == state["clip"]["frames"]
    way = clip[-1].frames[1][0] - clip[0].frames[1][0]
    assert abs(way[2]) > 0.3


def test_ending_the_walk_gives_the_document_back(desk):
    before = desk.state["goals"]
    desk.page.get_by_role("tab", name="Walk").click()
    desk.page.get_by_role("button", name="Let it walk").click()
    desk.until(lambda s: s["walk"], "a walk")
    desk.page.get_by_role("button", name="End the walk").click()
    state = desk.until(lambda s: s["walk"] is None, "the end of it")
    assert [goal["effector"] for goal in state["goals"]] == [goal["effector"] for goal in before]
    desk.settle()
    assert abs(desk.site("pelvis")[2]) < 0.1


def test_fifty_walkers_are_drawn_at_once(desk):
    desk.choose("Examples", "Fifty walkers")
    desk.until(lambda s: s["company"] == 49, "company")
    desk.page.keyboard.down("w")
    desk.until(lambda s: s["segments"]["pelvis"][2] > 0.5, "a walk")
    desk.page.keyboard.up("w")
    field = desk.page.get_by_label("How many others walk along")
    field.fill("7")
    field.press("Enter")
    desk.until(lambda s: s["company"] == 7, "less company")
    desk.page.get_by_role("button", name="End the walk").click()
    desk.until(lambda s: s["walk"] is None and s["company"] == 0, "an end")
