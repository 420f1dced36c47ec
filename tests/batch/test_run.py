"""Batches end to end, in this process: resuming, failing, refusing."""

import errno
import sqlite3

import numpy as np
import pytest
from batch.archives import contents, make_archive, touched
from formats.humanoid import humanoid_with_y_up

import poise
from poise.batch import jobs
from poise.batch.manifest import Manifest


@pytest.fixture
def archive(tmp_path):
    return make_archive(tmp_path / "in")


def run(archive, out, settings="track", **options):
    with poise.batch(archive, out, settings, workers=0, **options) as begun:
        return begun, list(begun)


def test_every_clip_is_written_and_has_a_row(archive, tmp_path):
    _, results = run(archive, tmp_path / "out")
    assert sorted(r.name for r in results) == ["a/run.bvh", "a/walk.bvh", "b/jump.bvh"]
    assert sorted(contents(tmp_path / "out")) == ["a/run.bvh", "a/walk.bvh", "b/jump.bvh"]
    for result in results:
        assert result.ok
        assert result.measures.worst_error <= 1e-3
        assert result.measures.frames == 12
        assert result.seconds > 0
        assert poise.load(tmp_path / "out" / result.out, unit=0.01).figure.dof_names
    manifest = Manifest.existing(tmp_path / "out")
    assert sorted(manifest.rows()) == sorted(r.name for r in results)
    assert not list((tmp_path / "out").rglob("parts-*"))


@pytest.mark.parametrize(
    "settings",
    [
        {"job": "clean"},
        {"job": "convert", "resample": 10.0},
        {"job": "report"},
        {"job": "retarget", "to": "human"},
        {"job": "track", "contacts": True, "smooth": 6.0, "limits": "none"},
    ],
)
def test_every_job(archive, tmp_path, settings):
    _, results = run(archive, tmp_path / "out", settings)
    assert [r.error for r in results] == [""] * 3
    written = contents(tmp_path / "out")
    assert len(written) == (0 if settings["job"] == "report" else 3)
    if settings["job"] == "convert":
        assert {r.measures.frames for r in results} == {4}


def test_a_robot_that_a_motion_goes_onto_moves_about(archive, tmp_path):
    (tmp_path / "robot.urdf").write_text(humanoid_with_y_up())
    settings = {"job": "retarget", "to": str(tmp_path / "robot.urdf"), "to_up": "Y"}
    _, results = run(archive, tmp_path / "out", {**settings, "format": ".csv"})
    assert [r.error for r in results] == [""] * 3
    names, *rows = (tmp_path / "out" / "a" / "walk.csv").read_text().splitlines()
    place = [i for i, name in enumerate(names.split(",")) if name.endswith(("_tx", "_tz"))]
    table = np.array([row.split(",") for row in rows], float)
    assert np.ptp(table[:, place], axis=0).max() > 0.1


def test_what_is_done_is_not_done_again(archive, tmp_path):
    run(archive, tmp_path / "out")
    begun, results = run(archive, tmp_path / "out")
    assert results == []
    assert len(begun.plan.kept) == 3


def test_what_changed_is_done_again(archive, tmp_path):
    out = tmp_path / "out"
    run(archive, out)
    before = contents(out)
    make_archive(archive, ["a/walk.bvh"], frames=9)  # changed
    touched(archive / "a/run.bvh")  # only its time
    (out / "b/jump.bvh").unlink()  # lost
    _, results = run(archive, out)
    assert sorted(r.name for r in results) == ["a/run.bvh", "a/walk.bvh", "b/jump.bvh"]
    after = contents(out)
    assert after["a/walk.bvh"] != before["a/walk.bvh"]
    assert after["b/jump.bvh"] == before["b/jump.bvh"]
    assert run(archive, out)[1] == []


def test_a_file_whose_time_alone_changed_is_looked_at_but_not_done(archive, tmp_path, monkeypatch):
    run(archive, tmp_path / "out")
    touched(archive / "a/run.bvh")
    monkeypatch.setattr(jobs, "do", lambda *_: pytest.fail("done again"))
    _, results = run(archive, tmp_path / "out")
    assert [r.ok for r in results] == [True]
    assert run(archive, tmp_path / "out", rehash=True)[1] != []


def test_other_settings_do_all_of_it_again_and_back(archive, tmp_path):
    out = tmp_path / "out"
    run(archive, out)
    first = contents(out)
    assert len(run(archive, out, {"job": "track", "limits": "learned:1"})[1]) == 3
    assert contents(out) != first
    assert len(run(archive, out)[1]) == 3
    assert contents(out) == first


def test_a_run_that_ends_early_goes_on_with_the_rest(archive, tmp_path):
    out = tmp_path / "out"
    with poise.batch(archive, out, workers=0) as begun:
        first = next(begun)
    _, others = run(archive, out)
    assert sorted([first.name, *(r.name for r in others)]) == [
        "a/run.bvh",
        "a/walk.bvh",
        "b/jump.bvh",
    ]
    run(archive, tmp_path / "whole")
    assert contents(out) == contents(tmp_path / "whole")


def test_without_resume_all_is_done_again(archive, tmp_path):
    run(archive, tmp_path / "out")
    assert len(run(archive, tmp_path / "out", resume=False)[1]) == 3


def test_bad_clips_are_rows_and_are_tried_again_on_demand(archive, tmp_path):
    (archive / "a/broken.bvh").write_text("HIERARCHY\nnonsense")
    (archive / "a/empty.bvh").write_text("")
    (archive / "a/lone.amc").write_text(":DEGREES\n1\nroot 0 0 0 0 0 0\n")
    out = tmp_path / "out"
    _, results = run(archive, out)
    failed = {r.name: r.error for r in results if not r.ok}
    assert sorted(failed) == ["a/broken.bvh", "a/empty.bvh", "a/lone.amc"]
    assert all("a fault in Poise" not in error for error in failed.values())
    assert "line 2" in failed["a/broken.bvh"]
    begun, results = run(archive, out)
    assert results == []
    assert sum(not row.ok for row in begun.plan.kept) == 3
    make_archive(archive, ["a/broken.bvh"])
    assert [r.name for r in run(archive, out)[1]] == ["a/broken.bvh"]
    _, results = run(archive, out, retry=True)
    assert sorted(r.name for r in results) == ["a/empty.bvh", "a/lone.amc"]
    assert {r.attempts for r in results} == {2}


def test_a_fault_of_our_own_is_a_row_too(archive, tmp_path, monkeypatch):
    monkeypatch.setattr(jobs, "do", lambda *_: 1 / 0)
    _, results = run(archive, tmp_path / "out")
    assert all("ZeroDivisionError" in r.error for r in results)
    assert contents(tmp_path / "out") == {}


def test_fail_fast_ends_after_the_first(archive, tmp_path):
    for i in range(3):
        (archive / f"bad_{i}.bvh").write_text("x" * 10**6)  # the longest come first
    _, results = run(archive, tmp_path / "out", fail_fast=True)
    assert [r.ok for r in results] == [False]
    rows = Manifest.existing(tmp_path / "out").rows().values()
    assert sorted(row.status for row in rows) == ["failed"] + ["pending"] * 5


def test_a_full_disk_ends_it_and_keeps_what_is_done(archive, tmp_path, monkeypatch):
    out, real, count = tmp_path / "out", jobs.save_clip, 0

    def save(settings, clip, path):
        nonlocal count
        count += 1
        if count > 1:
            path.write_text("half")
            try:
                raise OSError(errno.ENOSPC, "No space left on device")
            except OSError as error:
                raise poise.FileError("cannot write") from error
        real(settings, clip, path)

    with monkeypatch.context() as patch:
        patch.setattr(jobs, "save_clip", save)
        with pytest.raises(poise.FileError, match="no space is left"):
            run(archive, out)
    assert len(contents(out)) == 1
    assert not list((out / ".poise").glob("parts-*"))
    assert len(run(archive, out)[1]) == 2


def test_a_manifest_that_cannot_be_written_says_so(archive, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "manifest.sqlite").write_text("not a database, but long enough to be taken for one" * 9)
    with pytest.raises(poise.FileError, match="manifest"):
        run(archive, out)


def test_two_runs_on_one_folder_are_refused(archive, tmp_path):
    out = tmp_path / "out"
    with poise.batch(archive, out, workers=0) as first:
        next(first)
        with pytest.raises(poise.FileError, match="another batch is writing"):
            poise.batch(archive, out, workers=0)
    assert len(run(archive, out)[1]) == 2


def test_names_that_clash_are_refused_or_made_longer(archive, tmp_path):
    (archive / "a/walk.amc").write_text("broken")
    with pytest.raises(poise.OptionError, match=r"walk.amc and a/walk.bvh.*--full-names"):
        run(archive, tmp_path / "out")
    run(archive, tmp_path / "out", full_names=True)
    assert "a/walk.bvh.bvh" in contents(tmp_path / "out")


def test_files_that_are_no_results_are_never_overwritten(archive, tmp_path):
    out = tmp_path / "out"
    (out / "b").mkdir(parents=True)
    (out / "b/jump.bvh").write_text("mine")
    with pytest.raises(poise.OptionError, match="no result of this batch"):
        run(archive, out)
    assert (out / "b/jump.bvh").read_text() == "mine"
    with pytest.raises(poise.OptionError, match="the archive itself"):
        run(archive, archive)


def test_two_archives_have_no_room_in_one_folder(archive, tmp_path):
    out, other = tmp_path / "out", make_archive(tmp_path / "other", ["a/run.bvh"], frames=9)
    run(archive, out)
    before = contents(out)
    with pytest.raises(poise.OptionError, match=r"in/a/run.bvh, which is there.*another folder"):
        run(other, out)
    assert contents(out) == before
    # A third has names of its own; and one that has moved is still the same.
    assert len(run(make_archive(tmp_path / "third", ["c/walk.bvh"]), out)[1]) == 1
    archive.rename(tmp_path / "moved")
    assert run(tmp_path / "moved", out)[1] == []
    assert len(Manifest.existing(out).rows()) == 4


def test_a_skeleton_that_changed_means_that_its_clips_changed(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "7.asf").write_text(SKELETON)
    (folder / "7_01.amc").write_text(":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 1 0 0 0 0\n")
    out, settings = tmp_path / "out", {"job": "convert"}
    assert [r.error for r in run(folder, out, settings)[1]] == [""]
    assert run(folder, out, settings)[1] == []
    (folder / "7.asf").write_text(SKELETON.replace("length 3", "length 4"))
    touched(folder / "7.asf")
    before = contents(out)
    assert len(run(folder, out, settings)[1]) == 1
    assert contents(out) != before


SKELETON = """:version 1.10
:name one
:units
mass 1.0
length 1
angle deg
:root
order TX TY TZ RX RY RZ
axis XYZ
position 0 0 0
orientation 0 0 0
:bonedata
begin
id 1
name bone
direction 0 1 0
length 3
axis 0 0 0 XYZ
dof rx
limits (-90 90)
end
:hierarchy
begin
root bone
end
"""


def test_results_may_go_into_the_archive(archive):
    run(archive, archive / "out")
    assert run(archive, archive / "out")[1] == []


def test_the_manifest_is_plain_sqlite(archive, tmp_path):
    run(archive, tmp_path / "out")
    database = sqlite3.connect(tmp_path / "out" / "manifest.sqlite")
    rows = database.execute(
        "SELECT name, status, input_hash, settings_hash, version, worst_error, mean_error,"
        " frames_off, frames_at_limits, slip, jitter, seconds_per_frame, error FROM clips"
    ).fetchall()
    database.close()
    assert len(rows) == 3
    assert all(row[1] == "done" and len(row[2]) == 32 and row[11] > 0 for row in rows)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"workers": -1}, "workers=-1"),
        ({"settings": "trck"}, "track"),
        ({"ship": True}, "scheduler"),
        ({"clip_time": 5.0}, "give workers"),
        ({"clip_time": 0.0, "workers": 1}, "clip_time=0.0"),
    ],
)
def test_wrong_calls(archive, tmp_path, options, told):
    with pytest.raises(poise.OptionError, match=told):
        poise.batch(archive, tmp_path / "out", **({"workers": 0} | options))
