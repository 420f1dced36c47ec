"""Every page of the guide: its Python runs, block after block, and its links lead somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def named(page):
    return str(page.relative_to(ROOT))


def blocks(page):
    """(line, code) of each block."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, at.start(1)), at.group(1)) for at in BLOCK.finditer(text)]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=named)
def test_the_code_runs(page, tmp_path, monkeypatch):
    """All blocks of a page are one program, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for line, code in blocks(page):
        exec(compile("\n" * line + code, named(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    local = [link for link in links if not link.startswith("http")]
    assert [link for link in local if not (page.parent / link).exists()] == []
