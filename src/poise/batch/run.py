"""Running a batch: tasks to workers, rows into the manifest, results out as they come."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

from poise.batch.archive import find
from poise.batch.dispatch import Dispatch
from poise.batch.manifest import Lock, Manifest
from poise.batch.plan import Choices, plan
from poise.batch.pool import HerePool, LocalPool, Pool
from poise.batch.result import Result
from poise.batch.settings import Settings, encoded
from poise.batch.shipping import Freight
from poise.batch.warming import warm
from poise.batch.work import Outcome, Task
from poise.errors import FileError, OptionError
from poise.files import atomic_write

INSIDE = ".poise"
"""The folder for what is not whole yet, inside the output folder."""


class Batch(Iterator[Result]):
    """A planned batch: iterate over it, and it runs; results come as they are done.

    Everything finished is kept, whenever it ends; the next one with the same folder goes on.
    """

    def __init__(
        self,
        archive: str | os.PathLike[str],
        out: str | os.PathLike[str],
        settings: Settings,
        choices: Choices,
        *,
        workers: int | None = None,
        scheduler: str | None = None,
        ship: bool = False,
        fail_fast: bool = False,
    ) -> None:
        self.out = Path(out)
        self.settings = settings
        self._workers = _worker_count(workers)
        self._scheduler, self._fail_fast = scheduler, fail_fast
        if ship and scheduler is None:
            raise OptionError("ship sends clips to a cluster; give scheduler, too")
        _check_clip_time(choices.clip_time, in_workers=scheduler is not None or self._workers > 0)
        inside = _made_folder(self.out, archive)
        self._lock = Lock(inside)
        try:
            self._parts = _parts(inside)
            found = find(archive, leave_out=self.out)
            self._manifest = Manifest(self.out)
            rows = self._manifest.rows()
            self.plan = plan(found, rows, settings, self.out, self._parts, choices)
            self._manifest.describe(archive=os.fspath(archive), settings=encoded(settings).decode())
            self._manifest.write([*self.plan.unreadable, *self.plan.pending()])
        except BaseException:
            self._lock.release()
            raise
        self._freight = Freight(settings) if ship else None
        self._run = self._results()
        self._pool: Pool | None = None

    def __next__(self) -> Result:
        return next(self._run)

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End now: what is under way is dropped, what is done is kept."""
        self._run.close()
        self._end(kill=True)

    def rows(self) -> list[Result]:
        """All rows as they are now, those of earlier runs too."""
        with_manifest = Manifest.existing(self.out)
        try:
            return list(with_manifest.rows().values())
        finally:
            with_manifest.close()

    # -- the run -------------------------------------------------------------------------------

    def _results(self) -> Generator[Result]:
        finished = False
        try:
            yield from self._stopping(iter(self.plan.unreadable))
            if self.plan.tasks:
                warm(self.settings)
                self._pool = self._open_pool()
                yield from self._stopping(self._through_pool(self._pool))
            finished = True
        finally:
            self._end(kill=not finished)

    def _stopping(self, results: Iterator[Result]) -> Iterator[Result]:
        """End after the first failure, if asked to."""
        for result in results:
            yield result
            if self._fail_fast and not result.ok:
                return

    def _through_pool(self, pool: Pool) -> Iterator[Result]:
        load = self._freight.loaded if self._freight else lambda task: task
        for task, outcome in Dispatch(pool, load).outcomes(self.plan.tasks):
            yield self._record(task, outcome)

    def _record(self, task: Task, outcome: Outcome) -> Result:
        result = outcome.result
        if outcome.disk_full:
            raise FileError(
                f"no space is left on the disk of {self.out}, or on a worker's: make room and run"
                " the same again; everything finished is kept"
            )
        if outcome.data is not None and task.target:
            target = Path(task.target)
            target.parent.mkdir(parents=True, exist_ok=True)
            part = self._parts / f"{secrets.token_hex(8)}{target.suffix}"
            atomic_write(part, outcome.data)
            part.replace(target)
        self._manifest.write([result])
        return result

    def _open_pool(self) -> Pool:
        if self._scheduler is not None:
            from poise.batch.cluster import ClusterPool

            return ClusterPool(self._scheduler)
        if self._workers == 0:
            return HerePool()
        return LocalPool(min(self._workers, len(self.plan.tasks)))

    def _end(self, kill: bool) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.close(kill)
        shutil.rmtree(self._parts, ignore_errors=True)
        self._manifest.close()
        self._lock.release()


def _worker_count(workers: int | None) -> int:
    if workers is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    if not isinstance(workers, int) or not 0 <= workers <= 1024:
        raise OptionError(f"workers={workers!r} must be a whole number from 0 to 1024")
    return workers


def _check_clip_time(seconds: float | None, in_workers: bool) -> None:
    if seconds is None:
        return
    if not seconds > 0:
        raise OptionError(f"clip_time={seconds!r} must be above 0 [s]")
    if not in_workers:
        raise OptionError("clip_time ends the worker of a clip; give workers of 1 or more")


def _made_folder(out: Path, archive: str | os.PathLike[str]) -> Path:
    """The output folder, and one inside for what is not whole yet."""
    place = Path(archive)
    if place.exists() and out.exists() and place.resolve() == out.resolve():
        raise OptionError(f"{out} is the archive itself; give another folder with -o")
    try:
        inside = out / INSIDE
        inside.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make folder {out}: {error.strerror or error}") from error
    return inside


def _parts(inside: Path) -> Path:
    """A folder for this run; what earlier runs left when they were killed is removed."""
    for left in inside.glob("parts-*"):
        shutil.rmtree(left, ignore_errors=True)
    parts = inside / f"parts-{secrets.token_hex(4)}"
    parts.mkdir()
    return parts
