"""Write what the code of the guide prints into its pages (`text` blocks), and files that it shows.

    python studies/guide_outputs.py [PAGE ...]

Pages are those of docs/ that have such blocks, if none are given. tests/test_docs.py holds every
page to what is written.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))  # the guide as a program

from guide import SHOWN, blocks, run  # noqa: E402


def written(page: Path) -> str:
    """The page with its `text` blocks as they should be."""
    lines = page.read_text(encoding="utf-8").split("\n")
    found, before = [], ""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for block, printed in run(page, {"__name__": "__main__"}):
            if block.kind == "text":
                found.append((block, before))
            before = printed
    for block, printed in reversed(found):
        end = block.line + block.code.count("\n")
        lines[block.line : end] = [line.rstrip() for line in printed.rstrip().split("\n")]
    return SHOWN.sub(as_it_is, "\n".join(lines))


def as_it_is(shown: re.Match[str]) -> str:
    if shown[1].endswith(" (excerpt)"):
        return shown[0]
    text = (ROOT / shown[1]).read_text(encoding="utf-8")
    return f'```py title="{shown[1]}"\n{text}```'


def main(names: list[str]) -> int:
    os.environ.setdefault("COLUMNS", "100")
    pages = [Path(name).resolve() for name in names] or sorted((ROOT / "docs").rglob("*.md"))
    for page in pages:
        text = page.read_text(encoding="utf-8")
        if SHOWN.search(text) or any(block.kind == "text" for block in blocks(page)):
            page.write_text(written(page), encoding="utf-8")
            print(page.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
