"""The dialog of the project folder: what is in it is listed and opened, and saved beside."""

import json

import pytest
from motion.documents import waving

import poise


def dialog(desk):
    return desk.page.get_by_role("dialog")


def files(desk):
    return [row.split("\n")[0] for row in desk.page.locator(".file").all_inner_texts()]


def test_a_document_is_saved_under_a_name_and_opened_again(desk, tmp_path):
    desk.drag("left_hand", 60, -120)
    before = desk.state["angles"]
    desk.page.keyboard.press("Control+s")  # it has no file yet
    name = desk.page.get_by_label("Name")
    name.fill("raised")
    name.press("Enter")
    desk.until(lambda s: s["history"]["path"] == "raised.poise", "a file")
    dialog(desk).wait_for(state="detached")
    assert json.loads((tmp_path / "raised.poise").read_text())

    desk.drag("right_hand", -60, -60)
    desk.key("Control+s")  # into that file, without a question
    desk.until(lambda s: s["history"]["saved"], "a saved document")
    again = desk.state["angles"]
    assert again != pytest.approx(before, abs=1e-3)

    desk.choose("File", "New spider")
    desk.until(lambda s: s["figure"] == "spider", "a spider")
    desk.page.keyboard.press("Control+o")
    desk.page.locator(".file", has_text="raised.poise").click()
    desk.until(lambda s: s["figure"] == "human", "the human again")
    desk.until(lambda s: s["angles"] == pytest.approx(again, abs=1e-6), "its pose")
    assert desk.state["history"]["path"] == "raised.poise"


def test_what_is_listed_is_what_can_be_opened(desk, tmp_path):
    (tmp_path / "clips").mkdir()
    poise.save(waving(), tmp_path / "clips" / "wave.bvh")
    poise.save(waving(), tmp_path / "wave.poise")
    (tmp_path / "notes.txt").write_text("not for us")
    (tmp_path / "leads_out.poise").symlink_to("/etc/hostname")
    desk.choose("File", "Project folder…")
    desk.page.locator(".file").first.wait_for()
    assert files(desk) == ["wave.poise", "clips/wave.bvh"]
    desk.page.get_by_label("Find a file").fill("CLIPS")
    assert files(desk) == ["clips/wave.bvh"]
    desk.page.keyboard.press("Enter")
    state = desk.until(lambda s: s["clip"], "a clip")
    assert state["clip"]["frames"] == 40


def test_a_motion_is_saved_in_a_format_and_replaced_by_name(desk, tmp_path):
    desk.key("k")
    for replaced in (False, True):
        desk.page.keyboard.press("Control+Shift+s")
        desk.page.get_by_label("Format").select_option(".bvh")
        desk.page.get_by_label("Name").fill("motion")
        button = desk.page.get_by_role("button", name="Replace motion.bvh" if replaced else "Save")
        button.last.click()
        dialog(desk).wait_for(state="detached")
    assert len(poise.load(tmp_path / "motion.bvh", unit=0.01)) > 1
    assert desk.state["history"]["path"] is None  # a motion is not the whole document


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside", "no/such/folder"])
def test_nothing_outside_is_written(desk, tmp_path, name):
    desk.page.keyboard.press("Control+Shift+s")
    desk.page.get_by_label("Name").fill(name)
    desk.page.keyboard.press("Enter")
    desk.page.locator(".notice.warning").wait_for()
    assert dialog(desk).count() == 1  # to try another name
    desk.page.keyboard.press("Escape")
    assert dialog(desk).count() == 0
    assert list(tmp_path.iterdir()) == []
    assert not (tmp_path.parent / "outside.poise").exists()


def test_keys_pressed_in_the_dialog_do_not_reach_the_document(desk):
    desk.page.keyboard.press("Control+o")
    desk.page.get_by_label("Find a file").press("k")
    desk.page.get_by_role("button", name="Close").focus()
    desk.page.keyboard.press("k")
    desk.page.keyboard.press("Escape")
    desk.settle()
    assert desk.state["keys"] == []
