"""The page of a report in a real browser: sorted, filtered, copied from, and on to the studio."""

import re
import shlex
import subprocess
import sys
from contextlib import contextmanager

import pytest
from batch.archives import make_archive
from studio.desk import Desk

import poise
from poise.batch.report import Told, write_report

NAMES = ["walk.bvh", "run.bvh", "jump.bvh", "other/walk_2.bvh"]


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    archive = make_archive(folder / "in", NAMES[:3], frames=12)
    make_archive(folder / "in", NAMES[3:], frames=30)
    (archive / "bad.bvh").write_text("no clip")
    with poise.batch(archive, folder / "out", workers=0) as begun:
        list(begun)
    return folder / "out"


@pytest.fixture
def page(chromium, out):
    """The report, opened from its folder without a network; fails if the page complained."""
    context = chromium.new_context(offline=True, permissions=["clipboard-read", "clipboard-write"])
    window, problems = context.new_page(), []
    window.on("pageerror", lambda error: problems.append(str(error)))
    window.goto(write_report(out)[0].as_uri())
    yield window
    context.close()
    assert problems == []


def shown(page):
    """The clips of the table that are seen, from top to bottom."""
    return page.locator("tbody tr:visible td.name").all_inner_texts()


def sorted_by(page, title):
    page.locator("th", has_text=re.compile(f"^{title}$")).click()
    return shown(page)


def test_a_click_sorts_the_table_and_another_turns_it_round(page, out):
    measured = {row.name: row.measures.worst_error for row in Told.of(out).done}
    worst_first = sorted(measured, key=lambda name: -measured[name])
    assert sorted_by(page, "worst error") == [*worst_first, "bad.bvh"]
    assert sorted_by(page, "worst error") == ["bad.bvh", *reversed(worst_first)]
    assert sorted_by(page, "clip") == sorted(["bad.bvh", *measured])
    assert sorted_by(page, "clip") == sorted(["bad.bvh", *measured], reverse=True)
    assert sorted_by(page, "frames")[0] == "other/walk_2.bvh"
    assert sorted_by(page, "status")[-1] == "bad.bvh"


def test_the_table_is_filtered_by_name_and_by_error(page):
    page.locator("#filter").fill("WALK")
    assert sorted(shown(page)) == ["other/walk_2.bvh", "walk.bvh"]
    page.locator("#filter").fill("expected HIERARCHY")
    assert shown(page) == ["bad.bvh"]
    page.locator("#filter").fill("")
    assert len(shown(page)) == 5


def test_the_studio_opens_at_the_worst_frame(page, out, chromium, tmp_path, monkeypatch):
    card = page.locator(".card").first
    assert card.locator("img").evaluate("image => image.naturalWidth") > 100
    card.locator(".copy").click()
    card.locator(".copy", has_text="copied").wait_for()
    command = shlex.split(page.evaluate("navigator.clipboard.readText()"))
    (worst,) = Told.of(out).worst(1)
    assert command[0] == "poise"
    assert command[-2:] == ["--frame", str(worst.measures.worst_frame)]
    monkeypatch.setenv("POISE_STATE_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with studio_running(command[1:]) as address:
        context = chromium.new_context()
        desk = Desk(context, address)
        shown_at = desk.state["time"]
        context.close()
    frame_time = poise.load(out / worst.out, unit=0.01).frame_time
    assert shown_at == pytest.approx(worst.measures.worst_frame * frame_time, abs=1e-6)
    assert desk.problems == []


@contextmanager
def studio_running(words):
    """`poise` with these words, without a browser of its own: the address that it tells."""
    studio = subprocess.Popen(
        [sys.executable, "-m", "poise", *words, "--no-browser"], stderr=subprocess.PIPE, text=True
    )
    try:
        assert studio.stderr is not None
        yield next(line for line in studio.stderr if "The studio is at" in line).split()[-1]
    finally:
        studio.kill()
        studio.communicate()
