"""docs/studies.md shows what the studies wrote, and nothing else."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def studies_page():
    path = ROOT / "studies" / "studies_page.py"
    spec = importlib.util.spec_from_file_location("studies_page", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_are_those_of_the_stored_results():
    text = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    assert studies_page().filled(text) == text


def test_every_table_has_its_place_and_its_numbers():
    module = studies_page()
    text = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    for name, make in module.TABLES.items():
        assert f"<!-- table: {name} -->\n{make().markdown()}<!-- end" in text
