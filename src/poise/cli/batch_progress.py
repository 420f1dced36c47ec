"""How a batch goes: a bar on a terminal, lines in a log, events for machines."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from poise.cli.output import console

if TYPE_CHECKING:
    from poise.batch import Batch, Result

EVERY = 5.0
"""So often a log gets a line [s]."""


class Watch:
    """Counts what came, and tells it to nobody."""

    def __init__(self, begun: Batch) -> None:
        self.plan, self.out = begun.plan, begun.out
        kept_failed = sum(not row.ok for row in self.plan.kept)
        self.kept_failures = kept_failed
        self.failures = kept_failed
        self.seen = 0
        self.frames = 0
        self.began = time.monotonic()

    def saw(self, result: Result) -> None:
        """Count a result, and tell it."""
        self.seen += 1
        self.frames += result.measures.frames
        self.failures += not result.ok
        self.tell(result)

    @property
    def to_do(self) -> int:
        return len(self.plan.tasks) + len(self.plan.unreadable)

    def numbers(self) -> dict[str, Any]:
        seconds = time.monotonic() - self.began
        return {
            "clips": self.plan.total,
            "skipped": len(self.plan.kept),
            "done": self.seen,
            "failed": self.failures,
            "frames": self.frames,
            "seconds": round(seconds, 3),
            "frames_per_second": round(self.frames / seconds, 1) if seconds > 0 else None,
        }

    def begin(self) -> None:
        """Tell what is planned."""

    def tell(self, result: Result) -> None:
        """Tell what came of a clip."""

    def ended(self, how: str) -> None:
        """Tell how all of it went."""


class Events(Watch):
    """An object of JSON a line, on standard output."""

    def begin(self) -> None:
        _event("planned", clips=self.plan.total, skipped=len(self.plan.kept), to_do=self.to_do)

    def tell(self, result: Result) -> None:
        import msgspec

        _event("clip", **msgspec.to_builtins(result))

    def ended(self, how: str) -> None:
        _event(how, **self.numbers())


def _event(event: str, **values: Any) -> None:
    print(json.dumps({"event": event} | values), flush=True)


class Lines(Watch):
    """For a log: failures at once, and a line every few seconds."""

    def __init__(self, begun: Batch) -> None:
        super().__init__(begun)
        self.screen = console(stderr=True)
        self._last = self.began

    def begin(self) -> None:
        kept = len(self.plan.kept)
        self.say(f"{self.plan.total} clips: {self.to_do} to do, {kept} done before")
        if self.kept_failures:
            self.say(f"{self.kept_failures} of those failed; --retry tries them again")

    def tell(self, result: Result) -> None:
        if not result.ok:
            self.say(f"failed: {result.name}: {result.error}")
        if time.monotonic() - self._last > EVERY:
            self._last = time.monotonic()
            self.say(self.state())

    def state(self) -> str:
        numbers = self.numbers()
        return (
            f"{self.seen}/{self.to_do} clips, {numbers['frames_per_second']:,.0f} frames/s,"
            f" {self.failures} failed"
        )

    def say(self, text: str) -> None:
        self.screen.print(text, markup=False, soft_wrap=True)

    def ended(self, how: str) -> None:
        numbers, screen = self.numbers(), console()
        if how == "interrupted":
            screen.print(
                f"interrupted: {self.seen} of {self.to_do} clips are done and kept; run the same"
                " again to go on",
                soft_wrap=True,
            )
            return
        style = "bold red" if self.failures else "bold green"
        screen.print(
            f"{self.seen} clips in {numbers['seconds']:.1f} s, {self.frames:,} frames,"
            f" {numbers['frames_per_second'] or 0:,.0f} a second; {self.failures} failed",
            style=style,
            soft_wrap=True,
        )
        screen.print(f"see them: poise report {self.out}", markup=False, soft_wrap=True)


class Bar(Lines):
    """For a terminal: clips, frames a second, failures, time left."""

    def __init__(self, begun: Batch) -> None:
        from rich.progress import (
            BarColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        super().__init__(begun)
        self._sizes = {task.name: task.input_size for task in self.plan.tasks}
        self.bar = Progress(
            BarColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=self.screen,
            transient=True,
        )
        self._task = self.bar.add_task("", total=max(sum(self._sizes.values()), 1))

    def begin(self) -> None:
        super().begin()
        self.bar.start()
        self.bar.update(self._task, description=f"0/{self.to_do} clips")

    def tell(self, result: Result) -> None:
        if not result.ok:
            self.say(f"failed: {result.name}: {result.error}")
        size = self._sizes.get(result.name, 0)
        self.bar.update(self._task, advance=size, description=self.state())

    def ended(self, how: str) -> None:
        self.bar.stop()
        super().ended(how)


@contextmanager
def watching(begun: Batch, as_json: bool) -> Iterator[Watch]:
    """What tells people or machines how a batch goes."""
    if as_json:
        watch: Watch = Events(begun)
    else:
        watch = Bar(begun) if console(stderr=True).is_terminal else Lines(begun)
    watch.begin()
    try:
        yield watch
    finally:
        if isinstance(watch, Bar):
            watch.bar.stop()
