"""Reading in a process of its own: whatever happens there is an answer or an error of ours."""

import pytest

import poise
from poise.formats.child import read_in_child


def answer(path, code, *, room=2**31, seconds=60.0):
    return read_in_child(path, code, "a good file", room=room, seconds=seconds)


@pytest.fixture
def path(tmp_path):
    (tmp_path / "some file.x").write_bytes(b"content")
    return tmp_path / "some file.x"


def test_only_the_answer_comes_back(path):
    code = "os.write(1, b'noise'); print('noise'); answer.write(open(sys.argv[1], 'rb').read())"
    assert answer(path, code) == b"content"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("os.abort()", r"\(reading it crashed\), expected a good file"),
        ("sys.exit('line 3: so')", r"\(line 3: so\), expected a good file"),
        ("raise ValueError('more\\nlines')", r"\(lines\)"),
        ("import time; time.sleep(60)", "found no end of it in 1 s, expected a good file"),
    ],
)
def test_what_goes_wrong_is_an_error_that_names_the_file(code, reason, path):
    with pytest.raises(poise.FileError, match=rf"some file\.x: .*{reason}"):
        answer(path, code, seconds=1.0 if "sleep" in code else 60.0)


@pytest.mark.skipif("sys.platform == 'win32'", reason="Windows has no such bound")
def test_memory_has_a_bound(path):
    with pytest.raises(poise.FileError, match="MemoryError"):
        answer(path, "bytes(2**30)", room=2**29)


def test_the_folder_of_the_user_stays_as_it_is(path, monkeypatch):
    """Nothing is written there, and no module found."""
    monkeypatch.chdir(path.parent)
    (path.parent / "json.py").write_text("raise SystemExit('a trap')")
    code = "import json; open('log', 'w').close(); answer.write(b'done')"
    assert answer(path, code) == b"done"
    assert sorted(p.name for p in path.parent.iterdir()) == ["json.py", "some file.x"]
