"""Movies of the view: a turn-table of a pose, and a motion, as files that others read."""

import base64
import itertools
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

PLAY = """async (address) => {
    const video = document.createElement("video");
    video.muted = true;
    document.body.append(video);
    const happened = (name) => new Promise((done, failed) => {
        video.addEventListener(name, done, { once: true });
        video.addEventListener("error", () => failed(video.error.message), { once: true });
    });
    const loaded = happened("loadeddata");
    video.src = address;
    await loaded;
    const { videoWidth: width, videoHeight: height, duration } = video;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d");
    const pictures = [];
    for (const at of [0, 0.5 * duration]) {
        const there = happened("seeked");
        video.currentTime = at + 0.001;
        await there;
        context.drawImage(video, 0, 0);
        pictures.push(canvas.toDataURL("image/png"));
    }
    return { width, height, duration, pictures };
}"""


def made(desk, folder, **choices):
    """The file of a movie with what is chosen in its dialog."""
    desk.choose("File", "Movie of the view…")
    sheet = desk.page.get_by_role("dialog")
    for label, wanted in choices.items():
        field = sheet.get_by_label(label.replace("_", " "), exact=True)
        if isinstance(wanted, bool):
            field.set_checked(wanted)
        elif label == "Seconds":
            field.fill(wanted)
        else:
            field.select_option(wanted)
    with desk.page.expect_download() as given:
        sheet.get_by_role("button", name="Make the movie").click()
    path = folder / given.value.suggested_filename
    given.value.save_as(path)
    sheet.wait_for(state="detached")
    return path


def frames_of(path):
    """(frames, height, width, 3) of a GIF."""
    with Image.open(path) as movie:
        assert movie.info["loop"] == 0
        found = []
        for k in range(movie.n_frames):
            movie.seek(k)
            found.append(np.array(movie.convert("RGB"), float))
        assert movie.info["duration"] == 40
    return np.array(found)


def difference(a, b):
    return np.abs(a - b).mean()


def seen(desk, height):
    """The view without what is drawn over it, as high as a movie of it."""
    picture = desk.page.locator(".viewport canvas").first.screenshot()
    image = Image.open(BytesIO(picture)).convert("RGB")
    return image.resize((2 * round(height * image.width / image.height / 2), height))


def test_a_turn_table_goes_once_around_and_the_view_stays(desk, tmp_path):
    before = desk.state
    path = made(desk, tmp_path, Seconds="0.4", Size="360")
    assert path.name == "human.gif"
    frames = frames_of(path)
    assert frames.shape[:2] == (10, 360)
    still = np.array(seen(desk, 360), float)[:, : frames.shape[2]]
    assert difference(frames[0][:, : still.shape[1]], still) < 4  # of 255: as the person sees it
    steps = [difference(a, b) for a, b in itertools.pairwise([*frames, frames[0]])]
    assert min(steps) > 0.5 * max(steps) > 0.2  # it turns on, from the last into the first
    assert desk.state["places"] == before["places"]
    assert desk.state["angles"] == before["angles"]


def test_a_motion_is_filmed_from_its_start_to_its_end(desk, tmp_path):
    desk.page.get_by_label("Duration").fill("0.4")
    desk.page.keyboard.press("Enter")
    desk.until(lambda s: s["timeline"]["duration"] == 0.4, "a short motion")
    desk.key("k")
    desk.key("End")
    desk.drag("left_hand", 60, -120)
    desk.key("k")
    desk.key("ArrowLeft")
    before = desk.state
    path = made(desk, tmp_path, Go_around_once=False, Size="360", Format="mp4")
    assert path.read_bytes()[4:8] == b"ftyp"
    page = desk.page.context.new_page()  # ours plays nothing that it did not serve
    data = base64.b64encode(path.read_bytes()).decode()
    told = page.evaluate(PLAY, f"data:video/mp4;base64,{data}")
    page.close()
    assert told["height"] == 360
    assert told["duration"] == pytest.approx(0.4, abs=1e-3)
    start, middle = (
        np.array(Image.open(BytesIO(base64.b64decode(own.split(",")[1]))).convert("RGB"), float)
        for own in told["pictures"]
    )
    assert difference(start, middle) > 0.3
    assert start.std() > 3
    assert desk.state["time"] == before["time"]
    assert desk.state["angles"] == pytest.approx(before["angles"], abs=1e-6)


def test_escape_ends_the_making_and_then_the_dialog(desk):
    desk.choose("File", "Movie of the view…")
    sheet = desk.page.get_by_role("dialog")
    sheet.get_by_label("Seconds").fill("60")
    sheet.get_by_role("button", name="Make the movie").click()
    sheet.get_by_label("Progress").wait_for()
    desk.page.keyboard.press("Escape")
    sheet.get_by_role("button", name="Make the movie").wait_for()
    desk.page.keyboard.press("Escape")
    sheet.wait_for(state="detached")
    desk.drag("left_hand", 40, -60)
    assert desk.state["history"]["undo"] == "drag left_hand"
