"""Progress on standard error: only when there is something to wait for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[int, int], None]
"""Called with how many parts are done, and of how many."""


@contextmanager
def compiling() -> Iterator[Report]:
    """Shows that Poise compiles itself, once the first report arrives.

    The engine calls the report only while it compiles, so a start from the cache shows nothing.
    A terminal gets a bar; a pipe or a log gets one line.
    """
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from poise.cli.output import console

    screen = console(stderr=True)
    bar = Progress(
        TextColumn("Compiling the solver for this machine (only the first time)"),
        BarColumn(),
        TimeElapsedColumn(),
        console=screen,
        transient=True,
    )
    task = bar.add_task("", total=None)
    started = False

    def report(done: int, total: int) -> None:
        nonlocal started
        if not started:
            started = True
            if screen.is_terminal:
                bar.start()
            else:
                screen.print("Compiling the solver for this machine (only the first time) …")
        bar.update(task, completed=done, total=total)

    try:
        yield report
    finally:
        if started and screen.is_terminal:
            bar.stop()


@contextmanager
def working(what: str) -> Iterator[None]:
    """Shows on a terminal that something is being done whose length is not known."""
    from poise.cli.output import console

    screen = console(stderr=True)
    if not screen.is_terminal:
        yield
        return
    with screen.status(f"{what} …"):
        yield


PATIENCE = 1.0
"""Work shorter than this [s] shows no bar."""


@contextmanager
def counting(what: str) -> Iterator[Report]:
    """A bar on a terminal for work whose length is known, once it has lasted over a second."""
    import time

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from poise.cli.output import console

    screen = console(stderr=True)
    bar = Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=screen,
        transient=True,
    )
    task = bar.add_task("", total=None)
    began, started = time.monotonic(), False

    def report(done: int, total: int) -> None:
        nonlocal started
        if not started and screen.is_terminal and time.monotonic() - began > PATIENCE:
            started = True
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield report
    finally:
        if started:
            bar.stop()
