"""Compiling the kernels before they are needed, and saying so.

The first solve on a machine compiles for some seconds; after that the code comes from a cache.
What only some need (a walker, another method) is compiled when it is first used.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from numba.core.event import Event, Listener, register

from poise.kernels import compiled
from poise.kernels.compiled import CACHE_FOLDER

Report = Callable[[int, int], None]
"""Called with how many parts are done, and of how many."""

PATIENCE = 2.0
"""Compiling that takes less than this [s] is not worth a word."""

_prepared = False


class _Word(Listener):
    """Says, once a process, that something is compiled, where nobody else says so."""

    def __init__(self) -> None:
        self.said = False
        self._timers: list[threading.Timer | None] = []

    def on_start(self, event: Event) -> None:
        """A function is compiled from here on; those that it calls come within it."""
        dispatcher = cast("dict[str, Any]", event.data)["dispatcher"]
        timer = None
        if (
            dispatcher.py_func.__module__.startswith("poise.")
            and not self._timers
            and not self.said
        ):
            timer = threading.Timer(PATIENCE, self._say)
            timer.daemon = True
            timer.start()
        self._timers.append(timer)

    def on_end(self, event: Event) -> None:
        """It is compiled."""
        timer = self._timers.pop()
        if timer is not None:
            timer.cancel()

    def _say(self) -> None:
        self.said = True
        _tell("poise: compiling what this needs (only the first time) …")


_word = _Word()
register("numba:compile", _word)


def prepare(report: Report | None = None) -> None:
    """Compile what `solve` needs. Returns at once when that is cached."""
    global _prepared
    if _prepared:
        return
    mark = mark_of("default-solver")
    if not mark.exists():
        said, _word.said = _word.said, True
        try:
            _compile(report or (lambda done, total: None))
        finally:
            _word.said = said
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
            _tell("poise: compiling the solver (only the first time) …")

    prepare(say)


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)  # noqa: T201


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
