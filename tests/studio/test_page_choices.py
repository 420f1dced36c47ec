"""What the panel lets one choose, felt in drags: the solver, balance, joint groups, chains."""

import pytest

from poise.solve import methods

POSITIONS_ONLY = "fabrik"


def body_tab(desk):
    desk.page.get_by_role("tab", name="Body").click()


def choose_method(desk, name):
    desk.page.get_by_label("Solver").select_option(name)


def lifted(desk):
    """How far a dragged hand has come, and how far a foot has slipped meanwhile [m]."""
    hand, foot = desk.site("left_hand"), desk.site("right_foot")
    desk.drag("left_hand", 40, -80)
    return desk.distance("left_hand", hand), desk.distance("right_foot", foot)


def test_every_solver_that_can_be_chosen_drags(desk):
    body_tab(desk)
    desk.page.get_by_text("Advanced").click()
    offered = desk.page.get_by_label("Solver").locator("option").all_inner_texts()
    assert offered == list(methods())
    far, _ = lifted(desk)
    desk.key("Control+z")
    for name in offered:
        if name == POSITIONS_ONLY:
            continue
        choose_method(desk, name)
        desk.until(lambda s, n=name: s["settings"]["method"] == n, name)
        moved, slipped = lifted(desk)
        assert moved == pytest.approx(far, abs=0.03), name
        assert slipped < 0.02, name
        desk.key("Control+z")


def test_a_solver_of_positions_alone_says_so_and_then_drags(desk):
    body_tab(desk)
    desk.page.get_by_text("Advanced").click()
    choose_method(desk, POSITIONS_ONLY)
    notice = desk.page.locator(".notice.warning")
    notice.wait_for()
    assert "cannot take Pose6D goals" in notice.inner_text()
    assert desk.state["settings"]["method"] == "auto"
    desk.page.get_by_role("tab", name="Goals").click()
    for foot in ("left_foot", "right_foot"):
        desk.page.get_by_role("button", name=foot.replace("_", " ")).click()
        desk.until(lambda s, own=foot: s["selection"]["effector"] == own, "a selected goal")
        desk.page.get_by_label("Kind").select_option("position")
    desk.until(lambda s: {g["kind"] for g in s["goals"]} == {"position"}, "positions alone")
    body_tab(desk)
    desk.page.get_by_text("Advanced").click()
    choose_method(desk, POSITIONS_ONLY)
    desk.until(lambda s: s["settings"]["method"] == POSITIONS_ONLY, POSITIONS_ONLY)
    moved, _ = lifted(desk)
    assert moved > 0.1


def test_balance_keeps_the_body_over_its_feet(desk):
    def leant():
        """How far the centre of mass is beyond the toes while the chest is pulled to the front."""
        desk.page.get_by_label("Target z").fill("60")
        desk.page.keyboard.press("Enter")
        state = desk.until(lambda s: s["sites"]["chest"]["at"][2] > before + 0.2, "a lean")
        desk.settle()
        toes = max(state["sites"][f"{side}_toes"]["at"][2] for side in ("left", "right"))
        return desk.state["centerOfMass"][2] - toes

    before = desk.site("chest")[2]
    desk.page.get_by_label("Add a goal").select_option("chest")
    desk.until(lambda s: len(s["goals"]) == 3, "a goal")
    assert leant() > 0.01
    desk.key("Control+z")
    body_tab(desk)
    desk.page.get_by_text("Keep balance over the feet").click()
    desk.until(lambda s: s["settings"]["balance"], "balance")
    desk.page.get_by_role("tab", name="Goals").click()
    assert leant() < 2e-3


def test_a_joint_group_moves_as_one_and_can_be_switched_off(desk):
    def bends(dx):
        """What each joint of the spine has of the whole bend sideways after a drag of the head."""
        before = desk.state["angles"]
        desk.drag("head", dx, 30)
        after = desk.state["angles"]
        names = [n for n in after if n.startswith("spine") and "lateral" in n]
        assert len(names) > 3
        own = [after[n] - before[n] for n in names]
        assert abs(sum(own)) > 0.05
        return [bend / sum(own) for bend in own]

    desk.choose("File", "New jack")
    desk.until(lambda s: s["figure"] == "jack", "Jack")
    groups = {group["name"]: group["on"] for group in desk.state["groups"]}
    assert groups["spine_lateral_bending"]
    together = bends(90)
    desk.key("Control+z")
    assert bends(-60) == pytest.approx(together, abs=1e-3)
    desk.key("Control+z")
    body_tab(desk)
    desk.page.get_by_text("spine lateral bending moves as one").click()
    desk.until(lambda s: not all(g["on"] for g in s["groups"]), "a group less")
    assert bends(90) != pytest.approx(together, abs=1e-2)


def test_an_arm_alone_leaves_the_spine_as_it_is(desk):
    def pulled():
        """How far the spine is bent by a drag of the hand [rad]."""
        before = desk.state["angles"]
        desk.drag("left_hand", 200, 20)
        after = desk.state["angles"]
        return max(abs(after[n] - before[n]) for n in after if n.startswith("spine"))

    assert pulled() > 0.05
    desk.key("Control+z")
    desk.page.get_by_label("Add a goal").select_option("left_hand")
    desk.page.get_by_label("Joints that move").select_option("limb")
    desk.until(lambda s: s["goals"][-1]["chain"] == "limb", "an arm alone")
    assert pulled() < 1e-6
