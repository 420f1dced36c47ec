"""Worker processes on this machine, and the same face for work in this process."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, Protocol

from poise.batch.work import Outcome, Task, work

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
"""Libraries in a worker use one thread each: there is a worker a core."""


class WorkerDiedError(Exception):
    """The process that did a task ended without an answer."""


class Pool(Protocol):
    """Where tasks are done."""

    def window(self) -> int:
        """How many tasks to have under way, so that no worker waits."""
        ...

    def submit(self, task: Task, done: Callable[[], None]) -> Any:
        """Begin a task; `done` is called, from any thread, when it has ended."""
        ...

    def outcome(self, future: Any) -> Outcome:
        """Of a task that has ended; WorkerDiedError if its worker did not answer."""
        ...

    def restart(self) -> None:
        """Have workers again after one died."""
        ...

    def close(self, kill: bool) -> None:
        """End all workers; `kill`: without waiting for what they do."""
        ...


class LocalPool:
    """Processes on this machine. One that dies takes the pool with it, so it is made anew."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._executor = self._made()

    def _made(self) -> Any:
        from loky.process_executor import ProcessPoolExecutor

        return ProcessPoolExecutor(
            self.workers, initializer=_begin, initargs=(os.getpid(),), env=ONE_THREAD
        )

    def window(self) -> int:
        return 2 * self.workers

    def submit(self, task: Task, done: Callable[[], None]) -> Any:
        try:
            with _deaf_children():  # it starts workers where there are too few
                future = self._executor.submit(work, task)
        except BrokenProcessPool as error:  # a worker died since the last look
            future = Future()
            future.set_exception(error)
        future.add_done_callback(lambda _: done())
        return future

    def outcome(self, future: Any) -> Outcome:
        try:
            return future.result()
        except BrokenProcessPool as error:
            raise WorkerDiedError(str(error)) from error

    def restart(self) -> None:
        self._executor.shutdown(wait=False, kill_workers=True)
        self._executor = self._made()

    def close(self, kill: bool) -> None:
        self._executor.shutdown(wait=True, kill_workers=kill)


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Processes that are started meanwhile never hear Ctrl+C, not even while they import."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # or it starts with the first worker, and unblocks signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(parent: int) -> None:
    """In a new worker: leave Ctrl+C to the parent, and end when the parent has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.25)
        os._exit(1)

    if hasattr(os, "getppid") and os.name != "nt":
        threading.Thread(target=watch, daemon=True).start()


class HerePool:
    """No workers: every task in this process, when it is given."""

    def window(self) -> int:
        return 1

    def submit(self, task: Task, done: Callable[[], None]) -> Any:
        outcome = work(task)
        done()
        return outcome

    def outcome(self, future: Any) -> Outcome:
        return future

    def restart(self) -> None:
        """Nothing to do."""

    def close(self, kill: bool) -> None:
        """Nothing to do."""
