"""The guide as a program: the blocks of a page, run one after the other in an empty folder.

A `python` block shares its names with those before it. In a `sh` block every `poise` command is
run; one that ends in `# exit code 1` must end so. A `text` block says what the block before it
prints, up to the last digits of its numbers.
"""

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from poise.cli import DONE, main

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
ELSEWHERE = ("poise", "poise studio")
"""Commands that go on for ever; tests/studio runs them."""


class Block(NamedTuple):
    kind: str
    line: int
    """Of its first line in the page."""
    code: str


def blocks(page: Path) -> list[Block]:
    """What of a page is run or printed, in its order."""
    text = page.read_text(encoding="utf-8")
    found = (Block(at[1], text.count("\n", 0, at.start(2)), at[2]) for at in FENCE.finditer(text))
    return [block for block in found if block.kind in ("python", "sh", "text")]


def run(page: Path, names: dict[str, object]) -> Iterator[tuple[Block, str]]:
    """Run a page block by block; yields each block and what it printed."""
    for block in blocks(page):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            if block.kind == "python":
                code = "\n" * block.line + block.code
                exec(compile(code, str(page.relative_to(ROOT)), "exec"), names)
            elif block.kind == "sh":
                run_commands(block)
        yield block, printed.getvalue()


def run_commands(block: Block) -> None:
    for line in block.code.replace("\\\n", " ").splitlines():
        command, _, expected = line.partition("# exit code ")
        words = shlex.split(command, comments=True)
        if not words or words[0] != "poise" or command.strip() in ELSEWHERE:
            continue
        code = main(words[1:])
        assert code == int(expected or DONE), f"{command} ended with {code}"


def commands(block: Block) -> list[list[str]]:
    """The words of the commands that are not ours."""
    lines = block.code.replace("\\\n", " ").splitlines()
    words = [shlex.split(line, comments=True) for line in lines]
    return [each for each in words if each and each[0] != "poise"]


def same_text(shown: str, printed: str) -> bool:
    """The same words; numbers may differ as much as machines do."""
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", printed).split():
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed), strict=True)
    return all(abs(float(a) - float(b)) <= 0.02 * abs(float(a)) + 0.0011 for a, b in pairs)
