"""Readers that a broken file can crash run in a process of their own, with bounds on time and
memory: whatever the file does there, here it is an error of ours."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from poise.errors import FileError

BOUNDED = """
import os, sys

def bounded(room):
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
    except ImportError:
        pass  # Windows has no such bound
"""
START = (
    BOUNDED
    + """
bounded(int(sys.argv[2]))
answer = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # what a library prints is no answer
"""
)


def read_in_child(path: Path, code: str, kind: str, *, room: int, seconds: float) -> bytes:
    """What Python code writes into `answer`, given the path as sys.argv[1].

    It works in an empty folder, with `room` bytes of memory. `kind` is what an error says was
    expected; its reason is the last line that the code wrote to standard error.
    """
    modules = os.pathsep.join(str(Path(place).resolve()) for place in sys.path if place)
    # -P: nothing in the folder that the user is in may stand for a module.
    command = [sys.executable, "-P", "-c", START + code, str(path.resolve()), str(room)]
    environment = {**os.environ, "PYTHONPATH": modules}
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            done = subprocess.run(command, capture_output=True, timeout=seconds, check=False,
                                  env=environment, cwd=folder)  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise FileError(
            f"{path}: found no end of it in {seconds:.0f} s, expected {kind}"
        ) from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        reason = said[-1] if said and done.returncode > 0 else "reading it crashed"
        raise FileError(f"{path}: found a broken file ({reason}), expected {kind}")
    return done.stdout
