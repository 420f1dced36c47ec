"""Feeds broken files to a reader, guided by what they reach in it, until the time is up.

    pip install .[fuzz]
    python studies/fuzz_readers.py bvh --minutes 10

Anything but a clip, a figure or an error of ours is a finding: the file is kept and its path is
printed. Each finding becomes a test beside the reader's.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import warnings
from pathlib import Path

import atheris

# What is compiled must be imported before: instrumented code cannot be compiled.
import poise
from poise.figure.figure import Figure
from poise.motion import world  # noqa: F401

with atheris.instrument_imports(include=["poise.formats"]):
    from poise.formats import amc, asf, bvh

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from formats.bvhs import PLAIN
from formats.test_asf_amc import AMC, ASF

LONGEST = 8192
WORDS = ("{", "}", "(", ")", "0", "-0", "1", "2", "nan", "-inf", "1e308", "1e-320", "1e9", "5e6")
WORDS += (
    "CHANNELS 0",
    "CHANNELS 1 Zrotation",
    "End Site { OFFSET 0 0 0 }",
    "begin",
    "end",
    "#",
    "",
)


def whole(clip: poise.Clip, folder: Path) -> None:
    """A clip that was read can be evaluated and, where it moves, written and read again."""
    assert clip.positions().shape[0] == len(clip)
    again = folder / "again.bvh"
    poise.save(clip, again)
    back = bvh.read(again, unit=clip.source.unit, up=clip.figure.up).value
    assert len(back) == len(clip)


def mutated(data: bytes, max_size: int, seed: int) -> bytes:
    """Other words in other places half of the time, else whatever bytes libFuzzer tries."""
    rng = random.Random(seed)
    if rng.random() < 0.5:
        return atheris.Mutate(data, max_size)
    words = re.findall(rb"\s+|[^\s{}()]+|[{}()]", data) or [b""]
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(words))
        other = rng.choice([rng.choice(words), rng.choice(WORDS).encode()])
        words[at : at + rng.randint(0, 2)] = [other] * rng.choice([0, 1, 1, 2])
        words = words or [b""]
    return b"".join(words)[:max_size]


class Reader:
    """One reader, what it starts from, and what it must do with any bytes."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.seeds = {"bvh": [PLAIN], "asf": [ASF], "amc": [AMC]}[name]
        self.skeleton = folder / "seed.asf"
        self.skeleton.write_text(ASF)
        self.path = folder / f"input.{name}"
        self.outcomes = {"read": 0, "refused": 0}

    def __call__(self, data: bytes) -> None:
        self.path.write_bytes(data)
        try:
            if self.name == "bvh":
                whole(bvh.read(self.path).value, self.folder)
            elif self.name == "asf":
                assert isinstance(asf.read(self.path).value, Figure)
            else:
                whole(amc.read(self.path, figure=self.skeleton).value, self.folder)
        except poise.FileError:
            self.outcomes["refused"] += 1
        else:
            self.outcomes["read"] += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("format", choices=["bvh", "asf", "amc"])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--findings", type=Path, default=Path("findings"))
    options = parser.parse_args()
    warnings.simplefilter("error")  # an overflow in NumPy is a finding too
    options.findings.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = folder / "corpus"
        corpus.mkdir()
        reader = Reader(options.format, folder)
        for i, seed in enumerate(reader.seeds):
            (corpus / str(i)).write_text(seed)
        limits = [f"-max_total_time={int(60 * options.minutes)}", f"-max_len={LONGEST}"]
        kept = [f"-artifact_prefix={options.findings}/{options.format}-", "-timeout=20"]
        arguments = [sys.argv[0], *limits, *kept, "-print_final_stats=1", str(corpus)]
        atheris.Setup(arguments, reader, custom_mutator=mutated)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
