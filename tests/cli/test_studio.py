"""`poise studio` serves until it is told to end, and says what is wrong before it does."""

import http.client
import os
import re
import signal
import subprocess
import sys
from contextlib import closing

import pytest

import poise.studio.server
from poise.cli import DONE, FAILED, WRONG_CALL, main


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A page that counts as built, and a place of its own for journals."""
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("<p>the page</p>")
    monkeypatch.setattr(poise.studio.server, "PAGE", page)
    monkeypatch.setenv("POISE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_page_that_is_not_built_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(poise.studio.server, "PAGE", tmp_path)
    assert main([]) == FAILED
    assert "build.py" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["missing.poise"], FAILED, "no such file"),
        (["bad.poise"], FAILED, "line 1"),
        (["note.txt"], FAILED, "does not read"),
        (["--port", "99999"], WRONG_CALL, "65535"),
        (["--port", "x"], WRONG_CALL, "--port"),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line(built, arguments, code, said, capsys):
    (built / "bad.poise").write_text("nonsense")
    (built / "note.txt").write_text("note")
    assert main(["studio", "--no-browser", *arguments]) == code
    shown = capsys.readouterr().err.strip()
    assert said in shown
    assert "Traceback" not in shown


@pytest.mark.skipif(sys.platform == "win32", reason="signals of its own")
def test_it_serves_until_ctrl_c(built):
    script = (
        "import pathlib, sys, poise.studio.server as s; s.PAGE = pathlib.Path(sys.argv[1]);"
        "from poise.cli import main; sys.exit(main(['studio', '--no-browser']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(built / "page")],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"POISE_STATE_DIR": str(built / "state")},
    )
    with process:
        try:
            line = ""
            while "http" not in line:  # it may say first that it compiles
                line = process.stderr.readline()
                assert line, "it ended before it served"
            port = int(re.search(r"127\.0\.0\.1:(\d+)/\?token=\S{20}", line)[1])
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
                connection.request("GET", "/")
                assert b"the page" in connection.getresponse().read()
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == DONE
        finally:
            process.kill()
    assert not list((built / "state").glob("*"))  # all was saved: nothing is left behind
