"""What README.md says works as written."""

import re
import runpy
import shlex
from pathlib import Path

import pytest

from poise.cli import DONE, main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line for line in README.splitlines() if line.startswith("poise ")]


def test_the_code_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert "left_hand" in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)[1:]) == DONE


def test_the_picture_can_be_drawn(tmp_path):
    pose = runpy.run_path(str(ROOT / "studies" / "readme_picture.py"))["POSE"]
    assert main([*pose, "--picture", str(tmp_path / "pose.png")]) == DONE
    assert (tmp_path / "pose.png").exists()


def test_its_links_lead_somewhere():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    local = [link for link in links if not link.startswith("http")]
    assert local
    assert [link for link in local if not (ROOT / link).exists()] == []
