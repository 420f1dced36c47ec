"""Every page of the guide: its code runs and prints what the page says; links lead somewhere."""

import re

import pytest
from guide import ROOT, SHOWN, blocks, commands, run, same_text

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
SET_UP = {"pip", "cd", "git", "source", "bash"}
"""Commands of a shell that a page may show; .ci/run sets up as the pages say."""


def named(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=named)
def test_the_code_runs(page, tmp_path, monkeypatch):
    """All blocks of a page are one program, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    before = ""
    for block, printed in run(page, {"__name__": "__main__"}):
        if block.kind == "text":
            assert same_text(block.code, before), f"line {block.line}: prints {before}"
        before = printed


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_commands_are_known(page):
    for block in blocks(page):
        for words in commands(block) if block.kind == "sh" else []:
            if words[0].removeprefix(".venv/bin/") == "python":
                script = words[1]
                assert script == "-m" or (ROOT / script).exists(), script
            else:
                assert words[0] in SET_UP or words[0].startswith(".venv/bin/"), words


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_files_are_shown_as_they_are(page):
    for path, text in SHOWN.findall(page.read_text(encoding="utf-8")):
        name, part, _ = path.partition(" (excerpt)")
        whole = (ROOT / name).read_text(encoding="utf-8")
        assert text.strip() in whole if part else text == whole, path


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    local = [link for link in links if not link.startswith("http")]
    assert [link for link in local if not (page.parent / link).exists()] == []
