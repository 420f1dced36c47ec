"""The commands that README.md shows work as written. Its code and links: test_docs.py."""

import runpy
import shlex
from pathlib import Path

import pytest

from poise.cli import DONE, main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line for line in README.splitlines() if line.startswith("poise ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)[1:]) == DONE


def test_the_main_job_draws_the_picture(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(runpy.run_path(str(ROOT / "run.py"))["MAIN_JOB"]) == DONE
    assert (tmp_path / "pose.png").exists()
