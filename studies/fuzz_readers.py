"""Feeds broken files to a reader, guided by what they reach in it, until the time is up.

    pip install .[fuzz]
    python studies/fuzz_readers.py bvh --minutes 10

Anything but a clip, a figure or an error of ours is a finding: the file is kept and its path is
printed. Each finding becomes a test beside the reader's. C3D files and MuJoCo's models are read by
a process that lives as long as ezc3d or MuJoCo let it: when a file crashes or stops it, which is no
finding, the next one gets a new process.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import select
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import atheris
import numpy as np

# What is compiled must be imported before: instrumented code cannot be compiled.
import poise
from poise.figure.figure import Figure
from poise.motion import world  # noqa: F401

with atheris.instrument_imports(include=["poise.formats"]):
    from poise.formats import (
        amc,
        asf,
        bvh,
        c3d,
        child,
        gltf,
        limits,
        mjcf,
        poise_document,
        trc,
        urdf,
    )

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from formats.bvhs import PLAIN
from formats.gltfs import character
from formats.mjcfs import ARM as MODEL
from formats.mjcfs import BALLS
from formats.mjcfs import HUMANOID as WALKER
from formats.test_asf_amc import AMC, ASF
from formats.test_limits import SIDE_CAR
from formats.test_markers import TRC, c3d_bytes
from formats.urdfs import ARM
from motion.documents import standing, swaying

from poise.motion.document import Document, Fix

LONGEST = 65536
FORMATS = ("bvh", "asf", "amc", "gltf", "glb", "urdf", "trc", "c3d", "limits", "mjcf", "poise")
WORDS = ("{", "}", "(", ")", "0", "-0", "1", "2", "nan", "-inf", "1e308", "1e-320", "1e9", "5e6")
WORDS += (
    "CHANNELS 0",
    "CHANNELS 1 Zrotation",
    "End Site { OFFSET 0 0 0 }",
    "begin",
    "end",
    "#",
    "",
    *(
        '"nodes"',
        '"matrix"',
        '"children"',
        '"sparse"',
        '"scale"',
        "null",
        "[]",
        "-1",
        "true",
        "1e400",
    ),
    *("<freejoint/>", "<joint type='ball'/>", "<include file='input.mjcf'/>", "axis='0 0 0'"),
    *("<mimic joint='pan'/>", "<limit/>", "&amp;", "\t", "\t\t"),
)


SERVED = """
bounded(2**31)
for line in sys.stdin:
    try:
        content, said = answer_to(line.rstrip("\\n")), b"read "
    except (Exception, SystemExit) as error:
        content, said = repr(error).encode(errors="replace"), b"not  "
    sys.stdout.buffer.write(said + len(content).to_bytes(8, "big") + content)
    sys.stdout.buffer.flush()
"""

READ_C3D = c3d.READ + "answer_to = arrays_of\n"
READ_MJCF = f"""
import json, runpy
described = runpy.run_path({str(mjcf.SCRIPT)!r})["described"]
answer_to = lambda path: json.dumps(described(path)).encode()
"""


class Child:
    """A library in a process that reads file after file; `code` makes its answer to a path."""

    PATIENCE = 5.0

    def __init__(self, code: str) -> None:
        self.code = child.BOUNDED + code + SERVED
        self.process: subprocess.Popen[bytes] | None = None

    def __call__(self, path: Path, *_: object, **__: object) -> bytes:
        """In place of the reader's own `read_in_child`."""
        if self.process is None or self.process.poll() is not None:
            command = [sys.executable, "-c", self.code]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **pipes)
        answer = self._answer(self.process, f"{path}\n".encode())
        if answer is not None and answer[:4] == b"read":
            return answer[4:]
        if answer is None:
            self.process.kill()
            self.process.wait()
        raise poise.FileError(f"{path}: found a broken file")

    def _answer(self, process: subprocess.Popen[bytes], line: bytes) -> bytes | None:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(line)
            process.stdin.flush()
        except OSError:
            return None
        if not select.select([process.stdout], [], [], self.PATIENCE)[0]:
            return None
        head = process.stdout.read(13)
        if len(head) < 13:
            return None
        return head[:4] + process.stdout.read(int.from_bytes(head[5:], "big"))


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
    words = re.findall(rb"\s+|[^\s{}()\[\],:<>]+|[{}()\[\],:<>]", data) or [b""]
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
        self.seeds = [seed.encode() if isinstance(seed, str) else seed for seed in self._seeds()]
        self.skeleton = folder / "seed.asf"
        self.skeleton.write_text(ASF)
        self.clip = folder / "seed.bvh"
        self.clip.write_text(PLAIN)
        self.path = folder / f"input.{name}"
        self.outcomes = {"read": 0, "refused": 0}
        if name == "c3d":
            c3d.read_in_child = Child(READ_C3D)
        if name == "mjcf":
            mjcf.read_in_child = Child(READ_MJCF)

    def _seeds(self) -> list[str | bytes]:
        if self.name == "c3d":
            return [c3d_bytes(self.folder, np.ones((5, 2, 3)))]
        if self.name == "poise":
            arm = poise.figures.arm()  # a small file, of which libFuzzer changes more
            small = Document(arm, arm.rest_angles, clip=poise.Clip(arm, [arm.rest_angles]))
            fixed = small.with_fix(Fix(1, 0.0, 0.1 * np.ones(len(arm.dofs)), ("hand",)))
            return [self._saved(document, "poise") for document in (fixed, standing(), swaying())]
        if self.name in ("gltf", "glb"):
            texts = [json.dumps(character(kind)[0]) for kind in ("LINEAR", "CUBICSPLINE", None)]
            return texts if self.name == "gltf" else [self._binary(text) for text in texts]
        if self.name == "mjcf":
            return [WALKER, MODEL, BALLS]
        return [{"bvh": PLAIN, "asf": ASF, "amc": AMC, "urdf": ARM, "trc": TRC,
                 "limits": SIDE_CAR}[self.name]]  # fmt: skip

    def _binary(self, text: str) -> bytes:
        path = self.folder / "seed.gltf"
        path.write_text(text)
        return self._saved(gltf.read(path).value, "glb")

    def _saved(self, thing: poise.Clip | poise.Document, suffix: str) -> bytes:
        path = self.folder / f"seed.{suffix}"
        poise.save(thing, path)
        return path.read_bytes()

    def __call__(self, data: bytes) -> None:
        self.path.write_bytes(data)
        try:
            self._try()
        except poise.FileError:
            self.outcomes["refused"] += 1
        else:
            self.outcomes["read"] += 1

    def _try(self) -> None:
        if self.name == "bvh":
            whole(bvh.read(self.path).value, self.folder)
        elif self.name == "amc":
            whole(amc.read(self.path, figure=self.skeleton).value, self.folder)
        elif self.name in ("gltf", "glb"):
            value = gltf.read(self.path).value
            poise.save(value, self.folder / "again.glb")
            gltf.read(self.folder / "again.glb")
        elif self.name == "poise":
            document = poise_document.read(self.path).value
            poise.save(document, self.folder / "again.poise")
            assert poise_document.read(self.folder / "again.poise").value == document
        elif self.name == "limits":
            limits.with_limits_of(bvh.read(self.clip).value.figure, self.path)
        else:
            read, kind = {
                "asf": (asf.read, Figure),
                "mjcf": (mjcf.read, Figure),
                "urdf": (urdf.read, Figure),
                "trc": (trc.read, poise.Markers),
                "c3d": (c3d.read, poise.Markers),
            }[self.name]
            assert isinstance(read(self.path).value, kind)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("format", choices=FORMATS)
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
            (corpus / str(i)).write_bytes(seed)
        limits = [f"-max_total_time={int(60 * options.minutes)}", f"-max_len={LONGEST}"]
        kept = [f"-artifact_prefix={options.findings}/{options.format}-", "-timeout=60"]
        arguments = [sys.argv[0], *limits, *kept, "-print_final_stats=1", str(corpus)]
        atheris.Setup(arguments, reader, custom_mutator=mutated)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
