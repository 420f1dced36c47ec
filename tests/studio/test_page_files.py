"""Files: what is saved opens again, by choice and by drop; what is broken changes nothing."""

import numpy as np
import pytest
from formats.test_asf_amc import AMC, ASF

import poise

DROP = """async (files) => {
    const data = new DataTransfer();
    for (const [name, text] of files) data.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
}"""


def test_a_saved_document_opens_as_it_was(desk, tmp_path):
    desk.drag("left_hand", 60, -120)
    desk.key("k")
    before = desk.state
    path = desk.download("Download .poise", tmp_path)
    desk.page.get_by_role("tab", name="Body").click()
    desk.page.get_by_role("button", name="Back to the rest pose").click()
    desk.until(lambda s: s["angles"] != before["angles"], "the rest pose")
    desk.page.get_by_role("button", name="File").click()
    with desk.page.expect_file_chooser() as chooser:
        desk.page.get_by_role("menuitem", name="Open…").click()
    chooser.value.set_files(path)
    desk.until(lambda s: s["angles"] == pytest.approx(before["angles"], abs=1e-6), "the pose")
    assert len(desk.state["keys"]) == 1
    assert desk.state["figure"] == "human"


def test_a_dropped_motion_is_drawn_where_it_was_saved(desk, tmp_path):
    desk.key("k")
    desk.drag("left_hand", 60, -120)
    desk.key("k")
    before = desk.state["segments"]
    path = desk.download("Download .bvh", tmp_path)
    desk.page.evaluate(DROP, [[path.name, path.read_text()]])
    state = desk.until(lambda s: s.get("clip"), "a clip")
    for name in set(before) & set(state["segments"]):
        assert state["segments"][name] == pytest.approx(before[name], abs=1e-4)
    assert "left_forearm" in state["segments"]


@pytest.mark.filterwarnings("ignore::poise.errors.FileWarning")
@pytest.mark.parametrize("order", [1, -1])
def test_a_skeleton_and_its_motion_are_dropped_together(desk, tmp_path, order):
    files = [("own.asf", ASF), ("own.amc", AMC)]
    for name, text in files:
        (tmp_path / name).write_text(text)
    clip = poise.load(tmp_path / "own.amc")
    desk.page.evaluate(DROP, files[::order])
    state = desk.until(lambda s: s["clip"], "a clip")
    assert state["clip"]["frames"] == len(clip)
    desk.page.locator(".notice", has_text="Opened own").wait_for()
    desk.settle()
    shown, places = desk.state["segments"], clip[0].frames[1]
    for segment, at in zip(clip.figure.segments, places, strict=True):
        assert shown[segment.name] == pytest.approx(np.array(at), abs=1e-5)


def test_a_motion_without_its_skeleton_says_what_is_missing(desk):
    desk.page.evaluate(DROP, [["own.amc", AMC]])
    notice = desk.page.locator(".notice.warning")
    notice.wait_for()
    assert ".asf" in notice.inner_text()
    assert desk.state["figure"] == "human"


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [("walk.bvh", "HIERARCHY\nnonsense", "walk.bvh"), ("walk.txt", "", "cannot be opened")],
)
def test_a_broken_file_is_refused_in_words(desk, name, text, word):
    before = desk.state
    desk.page.evaluate(DROP, [[name, text]])
    notice = desk.page.locator(".notice.warning")
    notice.wait_for()
    assert word in notice.inner_text()
    assert desk.state["angles"] == before["angles"]
    assert desk.state["figure"] == before["figure"]


def test_a_picture_of_the_view(desk, tmp_path):
    path = desk.download("Picture of the view", tmp_path)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert path.stat().st_size > 10_000
