"""Write the page of the guide that is what `poise VERB --help` prints: docs/reference/help.md.

    python studies/guide_reference.py

tests/test_reference_pages.py holds it to the code. `errors_page` is every message that Poise
raises, with its remedy, as the sources have it; the site makes it anew (studies/guide_site.py).
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import sys
from pathlib import Path

import poise.errors
from poise.cli import main as poise_command
from poise.cli.app import VERBS

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "help.md"
SOURCES = ROOT / "src" / "poise"
ERRORS = (
    *("FigureError", "GoalError", "OptionError", "MotionError", "FileError"),
    *("UnreachedError", "FileWarning"),
)
WHERE = {
    "figure": "figures, joints and limits",
    "goals": "goals",
    "problem": "goals on a figure",
    "solve": "solving",
    "motion": "motion",
    "formats": "files",
    "walk": "walking",
    "batch": "archives",
    "view": "pictures",
    "study": "studies",
    "studio": "the studio",
    "cli": "the command line",
}


def help_page() -> str:
    parts = [
        "# Help of every command",
        "As `--help` prints it; [the command line](../command-line.md) explains. Written by"
        " `python studies/guide_reference.py`.",
    ]
    for words in ([], *([verb.NAME] for verb in VERBS)):
        title = " ".join(["poise", *words])
        parts += [f"## {title}", f"```console\n$ {title} --help\n{printed([*words, '--help'])}```"]
    return "\n\n".join(parts) + "\n"


def printed(words: list[str]) -> str:
    """What a command prints on a screen of 96 columns."""
    text, before = io.StringIO(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "96"
    try:
        with contextlib.redirect_stdout(text):
            poise_command(words)
    finally:
        os.environ.pop("COLUMNS") if before is None else os.environ.update(COLUMNS=before)
    lines = [line.rstrip() for line in text.getvalue().strip("\n").split("\n")]
    return "\n".join(lines) + "\n"


def errors_page() -> str:
    found: dict[str, dict[str, set[str]]] = {name: {} for name in ERRORS}
    for path in sorted(SOURCES.rglob("*.py")):
        place = path.relative_to(SOURCES).parts[0].removesuffix(".py")
        for name, message in messages(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(name, {}).setdefault(place, set()).add(message)
    parts = [
        "# Errors and their remedies",
        "Every error that Poise raises on purpose derives from `poise.PoiseError`, is raised before"
        " anything is changed or written, and says what to do instead. On the command line it is"
        " one line on standard error, and the exit code is 2 where the call was wrong and 1 where"
        " the work failed. What stands between braces is filled in.",
    ]
    for name in ERRORS:
        summary = (getattr(poise.errors, name).__doc__ or "").split("\n\n")[0]
        parts += [f"## {name}", " ".join(summary.split())]
        for place in sorted(found[name], key=lambda key: [*WHERE, key].index(key)):
            parts.append(f"### {name}: {WHERE.get(place, place)}")
            parts.append("\n".join(f"- {shown(text)}" for text in sorted(found[name][place])))
    return "\n\n".join(parts) + "\n"


def messages(tree: ast.Module) -> list[tuple[str, str]]:
    """The (class, message) of every error that a module makes with words of its own."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name, words = node.func.id, node.args[0] if node.args else None
            if name in ERRORS and isinstance(words, ast.JoinedStr | ast.Constant):
                found.append((name, template(words)))
    return found


def template(words: ast.JoinedStr | ast.Constant) -> str:
    if isinstance(words, ast.Constant):
        return str(words.value)
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else f"{{{placeholder(part)}}}"
        for part in words.values
    )


def placeholder(part: ast.expr) -> str:
    """The last name of what is filled in."""
    assert isinstance(part, ast.FormattedValue)
    names = [n.attr if isinstance(n, ast.Attribute) else n.id for n in ast.walk(part.value)
             if isinstance(n, ast.Attribute | ast.Name)]  # fmt: skip
    return names[0].strip("_").replace("_", " ") if names else "…"


def shown(text: str) -> str:
    """A message as code, on one line."""
    line = " ".join(text.split())
    return f"`` {line} ``" if "`" in line else f"`{line}`"


def main() -> int:
    PAGE.write_text(help_page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
