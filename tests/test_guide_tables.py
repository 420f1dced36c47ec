"""The tables of README.md and the guide are what the studies wrote."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STUDY = runpy.run_path(str(ROOT / "studies" / "guide_tables.py"))


@pytest.mark.parametrize("page", STUDY["PAGES"], ids=lambda page: page.name)
def test_the_tables_are_those_of_the_stored_results(page):
    text = page.read_text(encoding="utf-8")
    assert "<!-- table: " in text
    assert STUDY["filled"](text) == text, "run python studies/guide_tables.py"
