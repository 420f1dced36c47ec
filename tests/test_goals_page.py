"""docs/goals.md: every kind of goal has a section with code and a picture."""

import re
from pathlib import Path

import pytest

import poise
from poise.goals import __all__ as exported

DOCS = Path(__file__).resolve().parent.parent / "docs"
SECTIONS = dict(
    re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", (DOCS / "goals.md").read_text("utf-8"), re.M | re.S)
)
KINDS = [name for name in exported if name not in ("Atom", "Goal")]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_section_with_code_and_a_picture(kind):
    text = SECTIONS[kind]
    assert f"poise.{kind}" in "".join(re.findall(r"```python\n(.*?)```", text, re.S))
    (picture,) = re.findall(r"\]\((images/goals/\w+\.png)\)", text)
    data = (DOCS / picture).read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) < 100_000
    assert hasattr(poise, kind)
