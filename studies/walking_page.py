"""The tables of docs/walking.md, each under a comment that names it."""

import re
from collections.abc import Sequence
from pathlib import Path


def put_table(guide: Path, name: str, lines: Sequence[str]) -> None:
    """Write the lines in place of what follows the comment, up to the next paragraph."""
    page, mark = guide / "walking.md", f"<!-- {name} table -->"
    text = page.read_text(encoding="utf-8")
    if mark not in text:
        raise SystemExit(f"{page} has no {mark}")
    table = mark + "\n\n" + "\n".join(lines)
    text = re.sub(mark + r".*?(?=\n\n[^|<])", lambda _: table, text, flags=re.DOTALL)
    page.write_text(text, encoding="utf-8")
