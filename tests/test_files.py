"""Files are written whole or not at all."""

import os
import threading

import pytest

from poise.errors import FileError
from poise.files import atomic_write, check_writable, replacing


def test_writes_text_and_bytes(tmp_path):
    atomic_write(tmp_path / "a.txt", "naïve\n")
    assert (tmp_path / "a.txt").read_bytes() == "naïve\n".encode()
    atomic_write(str(tmp_path / "a.txt"), b"\x00")
    assert (tmp_path / "a.txt").read_bytes() == b"\x00"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_a_failure_keeps_the_old_file_and_leaves_nothing_behind(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")

    def fail_half_way():
        with replacing(target) as temporary:
            temporary.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_the_temporary_name_keeps_the_suffix_and_the_folder(tmp_path):
    with replacing(tmp_path / "pose.png") as temporary:
        assert (temporary.suffix, temporary.parent) == (".png", tmp_path.resolve())
        temporary.write_text("x")


def test_a_symbolic_link_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "a.txt", tmp_path / "link.txt"
    target.write_text("old")
    try:
        link.symlink_to(target)
    except OSError:
        pytest.skip("no symbolic links here")
    atomic_write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    atomic_write(pipe, "through")
    reader.join()
    assert got == ["through"]
    assert pipe.is_fifo()


@pytest.mark.parametrize(("name", "reason"), [("", "a folder"), ("no/a.txt", "make it first")])
def test_a_place_that_cannot_be_written(tmp_path, name, reason):
    with pytest.raises(FileError, match=reason):
        check_writable(tmp_path / name)
    with pytest.raises(FileError, match=reason):
        atomic_write(tmp_path / name, "x")


def test_an_error_of_the_system_is_one_of_ours(tmp_path):
    with pytest.raises(FileError, match="cannot write"), replacing(tmp_path / "a.txt"):
        pass  # nothing was written to rename
