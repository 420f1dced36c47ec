"""Compiling the kernels before they are needed, and saying so.

The first solve on a machine compiles for some seconds; after that the code comes from a cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Callable
from pathlib import Path

from poise.kernels import compiled
from poise.kernels.compiled import CACHE_FOLDER

Report = Callable[[int, int], None]
"""Called with how many parts are done, and of how many."""

_prepared = False


def prepare(report: Report | None = None) -> None:
    """Compile what `solve` needs. Returns at once when that is cached."""
    global _prepared
    if _prepared:
        return
    mark = mark_of("default-solver")
    if not mark.exists():
        _compile(report or (lambda done, total: None))
        with contextlib.suppress(OSError):  # a folder that cannot be written: it works, uncached
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()
    _prepared = True


def mark_of(what: str) -> Path:
    """A file that is there once `what` has been compiled into the cache."""
    return CACHE_FOLDER / f"{what}-{_place()}"


def _place() -> str:
    """What else Numba's cache goes by: where and how old the sources are, and the processor."""
    from llvmlite.binding import get_host_cpu_name

    sources = sorted(Path(compiled.__file__).parent.glob("*.py"))
    ages = [(str(path), path.stat().st_mtime) for path in sources]
    return hashlib.sha256(f"{get_host_cpu_name()} {ages}".encode()).hexdigest()[:16]


def prepare_quietly() -> None:
    """As `prepare`, with one line on standard error when there is something to compile."""

    def say(done: int, total: int) -> None:
        if done == 0:
            print("poise: compiling the solver (only the first time) …", file=sys.stderr)  # noqa: T201

    prepare(say)


def _compile(report: Report) -> None:
    from poise.figure.builtin import arm
    from poise.goals import Position
    from poise.problem import Problem
    from poise.solve.method import method_named
    from poise.solve.workspace import Workspace

    steps = ("forward kinematics", "auto")
    report(0, len(steps))
    figure = arm()
    rest = figure.rest()
    problem = Problem(figure, Position("hand", rest.position("hand")))
    report(1, len(steps))
    method = method_named("auto")
    workspace = Workspace(problem, method, method.checked({}))
    workspace.run(rest.angles, optimality=1e-6, max_iterations=0, max_time=None, restarts=0, seed=0)
    report(2, len(steps))
