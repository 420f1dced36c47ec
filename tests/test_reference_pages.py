"""Pages that are made from the code: the help of every command, and all errors."""

import re
import runpy
from pathlib import Path

import poise

ROOT = Path(__file__).resolve().parent.parent
STUDY = runpy.run_path(str(ROOT / "studies" / "guide_reference.py"))


def test_the_help_is_that_of_the_commands():
    written = STUDY["PAGE"].read_text(encoding="utf-8")
    assert written == STUDY["help_page"](), "run python studies/guide_reference.py"


def test_every_public_name_is_in_the_reference():
    pages = (ROOT / "docs" / "reference").glob("*.md")
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    shown = {path.split(".")[-1] for path in re.findall(r"^::: (\S+)", text, re.MULTILINE)}
    modules = {"figures", "motions"}  # their functions are shown one by one
    errors = {n for n in poise.__all__ if n.endswith(("Error", "Warning"))}
    assert set(poise.__all__) - shown - modules - errors == {"__version__"}


def test_every_kind_of_error_has_messages():
    page = STUDY["errors_page"]()
    assert set(STUDY["ERRORS"]) == {
        n for n in poise.__all__ if n.endswith(("Error", "Warning"))
    } - {"PoiseError"}
    for name in STUDY["ERRORS"]:
        assert f"\n## {name}\n" in page
    for name in ("FigureError", "GoalError", "OptionError", "MotionError", "FileError"):
        assert page.count(f"### {name}: ") >= 1, name
