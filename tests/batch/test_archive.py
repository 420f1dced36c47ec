"""Finding clips: folders, patterns, lists; links in circles, folders that cannot be read."""

import os

import pytest

import poise
from poise.batch.archive import find


def touch(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x" * len(name))


def names(found):
    return [one.name for one in found]


def test_a_folder_is_walked_and_only_clips_count(tmp_path):
    touch(tmp_path, "b/two.BVH", "a/one.bvh", "a/deep/er/three.amc", "a/readme.txt", ".git/x.bvh")
    found = find(tmp_path)
    assert names(found) == ["a/deep/er/three.amc", "a/one.bvh", "b/two.BVH"]
    assert [one.size for one in found] == [len(one.name) for one in found]
    assert not any(one.error for one in found)


def test_results_inside_the_archive_are_none_of_it(tmp_path):
    touch(tmp_path, "one.bvh", "out/one.bvh")
    assert names(find(tmp_path, leave_out=tmp_path / "out")) == ["one.bvh"]
    assert names(find(str(tmp_path / "**/*.bvh"), leave_out=tmp_path / "out")) == ["one.bvh"]


def test_links_are_followed_but_not_in_circles(tmp_path):
    touch(tmp_path, "in/a/one.bvh", "elsewhere/two.bvh")
    root = tmp_path / "in"
    (root / "a" / "up").symlink_to(root)
    (root / "other").symlink_to(tmp_path / "elsewhere")
    (root / "self.bvh").symlink_to(root / "self.bvh")
    found = find(root)
    assert names(found) == ["a/one.bvh", "other/two.bvh", "self.bvh"]
    assert "cannot read" in found[-1].error


def test_a_pattern(tmp_path):
    touch(tmp_path, "a/x_walk.bvh", "a/x_run.bvh", "b/c/y_walk.bvh", "b/walk.txt")
    assert names(find(str(tmp_path / "**/*_walk.bvh"))) == ["a/x_walk.bvh", "b/c/y_walk.bvh"]
    assert names(find(str(tmp_path / "a/*"))) == ["x_run.bvh", "x_walk.bvh"]


@pytest.mark.parametrize("suffix", [".txt", ".csv"])
def test_a_list_names_files_from_its_folder_on(tmp_path, suffix):
    touch(tmp_path, "a/one.bvh", "two.bvh", "three.bvh")
    lines = ["a/one.bvh", "two.bvh", str(tmp_path / "a" / "one.bvh"), "gone.bvh"]
    text = "clip,subject\n" + "".join(f"{line},7\n" for line in lines)
    if suffix == ".txt":
        text = "# mine\n\n" + "\n".join(lines)
    path = tmp_path / f"list{suffix}"
    path.write_text(text)
    found = find(path)
    assert {"a/one.bvh", "two.bvh", "gone.bvh"} < set(names(found))
    assert len(found) == 4
    assert [one.name for one in found if one.error] == ["gone.bvh"]


def test_one_clip_is_an_archive(tmp_path):
    touch(tmp_path, "one.bvh")
    assert names(find(tmp_path / "one.bvh")) == ["one.bvh"]


def test_a_folder_that_cannot_be_read_is_a_row(tmp_path, monkeypatch):
    touch(tmp_path, "a/one.bvh", "secret/two.bvh")
    real = os.scandir

    def scandir(path):
        if os.fspath(path).endswith("secret"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = find(tmp_path)
    assert names(found) == ["a/one.bvh", "secret/"]
    assert "Permission denied" in found[1].error


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda p: p / "nowhere", "no such folder"),
        (lambda p: p, "no clips found"),
        (lambda p: str(p / "*.bvh"), "no clips found"),
    ],
)
def test_nothing_to_do_is_an_error(tmp_path, make, told):
    with pytest.raises(poise.FileError, match=told):
        find(make(tmp_path))


def test_bad_lists(tmp_path):
    twice = tmp_path / "twice.txt"
    twice.write_text("a.bvh\nb.bvh\n./a.bvh\n")
    with pytest.raises(poise.OptionError, match=r"line 3.*a second a.bvh"):
        find(twice)
    column = tmp_path / "column.csv"
    column.write_text("file\na.bvh\n")
    with pytest.raises(poise.FileError, match="column named clip"):
        find(column)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes in folders are POSIX's")
def test_a_pipe_is_no_clip(tmp_path):
    os.mkfifo(tmp_path / "pipe.bvh")
    (found,) = find(tmp_path)
    assert "it is no file" in found.error
