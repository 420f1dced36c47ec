"""The rigidity brush: strokes over the body, its colours, and what they do to a drag."""

from io import BytesIO

import pytest
from PIL import Image

ELBOW = "left_elbow_flexion"


def between(state, first, second, share=0.5):
    """A place on the page between those of two segments."""
    a, b = state["places"][first], state["places"][second]
    return tuple(a[axis] + share * (b[axis] - a[axis]) for axis in "xy")


def stroke(desk, first, second, button="left"):
    """A stroke of the brush from the middle of a segment to the middle of the next."""
    state = desk.state
    desk.page.mouse.move(*between(state, *first))
    desk.page.mouse.down(button=button)
    desk.page.mouse.move(*between(state, *second), steps=2)
    desk.page.mouse.up(button=button)
    desk.settle()


def colour(desk, place):
    """What is drawn at a place of the page."""
    picture = Image.open(BytesIO(desk.page.screenshot())).convert("RGB")
    return picture.getpixel(tuple(round(v) for v in place))


ARM = ("left_upper_arm", "left_forearm"), ("left_forearm", "left_hand", 0.7)


def painting(desk, *, strength=None):
    desk.until(lambda s: s["isFine"], "a fine skin")
    desk.page.keyboard.press("y")
    desk.page.get_by_role("region", name="Rigidity brush").wait_for()
    if strength is not None:
        desk.page.get_by_label("Strength of the brush").fill(str(strength))


def test_a_stroke_stiffens_what_it_touches_in_one_step(desk):
    painting(desk)
    before = desk.state
    skin = colour(desk, between(before, "left_upper_arm", "left_forearm"))
    stroke(desk, *ARM)
    state = desk.until(lambda s: s["rigidities"][ELBOW] == 1, "a stiff elbow")
    stiff = {name for name, value in state["rigidities"].items() if value == 1}
    assert ELBOW in stiff
    assert all(name.startswith(("left_shoulder", "left_elbow", "left_forearm")) for name in stiff)
    assert state["history"]["undo"] == "change rigidity"
    red, green, blue = colour(desk, between(before, "left_upper_arm", "left_forearm"))
    assert max(skin) - min(skin) < 30  # grey before, blue now
    assert blue > red + 60
    assert blue > green + 30
    desk.key("Control+z")
    assert desk.state["rigidities"] == before["rigidities"]
    again = colour(desk, between(before, "left_upper_arm", "left_forearm"))
    assert again == pytest.approx(skin, abs=2)  # shades that no eye tells apart
    assert desk.state["history"]["undo"] is None


def test_a_painted_joint_stands_still_while_the_hand_is_dragged(desk):
    painting(desk)
    stroke(desk, *ARM)
    bend = desk.state["angles"][ELBOW]
    desk.key("y")
    hand = desk.site("left_hand")
    desk.drag("left_hand", 50, -90)
    assert desk.distance("left_hand", hand) > 0.05
    assert desk.state["angles"][ELBOW] == bend


@pytest.mark.parametrize("how", ["Alt", "right"])
def test_alt_or_the_right_button_frees(desk, how):
    painting(desk, strength=0.6)
    stroke(desk, *ARM)
    assert desk.state["rigidities"][ELBOW] == 0.6
    if how == "Alt":
        desk.page.keyboard.down("Alt")
    stroke(desk, ARM[1], ARM[1], button="right" if how == "right" else "left")
    if how == "Alt":
        desk.page.keyboard.up("Alt")
    assert desk.state["rigidities"][ELBOW] == 0
    assert 0.6 in desk.state["rigidities"].values()  # the upper arm stays as it was
    desk.page.get_by_role("button", name="Free all joints").click()
    desk.until(lambda s: set(s["rigidities"].values()) == {0}, "a free body")


def test_escape_takes_a_stroke_back_and_then_puts_the_brush_away(desk):
    painting(desk)
    state = desk.state
    desk.page.mouse.move(*between(state, *ARM[0]))
    desk.page.mouse.down()
    seen = desk.until(lambda s: 1 in s["painted"], "a stroke that is seen before it ends")
    assert seen["rigidities"] == state["rigidities"]
    desk.page.keyboard.press("Escape")
    desk.page.mouse.up()
    desk.settle()
    assert desk.state["rigidities"] == state["rigidities"]
    assert desk.state["painted"] == state["painted"]
    desk.page.keyboard.press("Escape")
    desk.until(lambda s: s["painted"] is None, "no brush")
    assert desk.page.get_by_role("region", name="Rigidity brush").count() == 0
