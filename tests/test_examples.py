"""Every script of examples/ is short, and runs in an empty folder."""

import io
import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "examples"
NUMBERED = sorted(FOLDER.glob("[0-9]*.py"))
ELSEWHERE = ["in_blender.py"]
"""Run by studies/blender_example.py: needs Blender."""
ANSWERS = {"14_lines_of_json.py": '{"left_hand": [0.35, 1.3, 0.45]}\n'}
"""What is typed."""


def test_they_are_counted_from_one_and_short():
    assert [int(path.name[:2]) for path in NUMBERED] == list(range(1, len(NUMBERED) + 1))
    assert [p.name for p in sorted(FOLDER.glob("*.py")) if p not in NUMBERED] == ELSEWHERE
    for path in FOLDER.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert text.startswith('"""'), path.name
        assert text.count("\n") <= 60, path.name


@pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.name)
def test_it_runs(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    monkeypatch.setattr(sys, "stdin", io.StringIO(ANSWERS.get(path.name, "")))
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip()
