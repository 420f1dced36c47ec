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


def test_the_picture_can_be_drawn(tmp_path):
    pose = runpy.run_path(str(ROOT / "studies" / "readme_picture.py"))["POSE"]
    assert main([*pose, "--picture", str(tmp_path / "pose.png")]) == DONE
    assert (tmp_path / "pose.png").exists()
