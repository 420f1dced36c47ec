"""The workers of a Dask cluster, with the face of a local pool."""

from __future__ import annotations

import asyncio
import concurrent.futures as futures
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from poise.batch.pool import WorkerDiedError
from poise.batch.work import Outcome, Task, work
from poise.errors import FileError, OptionError

PATIENCE = 10.0
"""How long to wait for a scheduler to answer, and for its first worker [s]."""
SPARE = 2
"""Tasks under way for each thread of the cluster, so that none waits."""
RECOUNT = 1.0
"""How often to count the threads of the cluster: workers come and go [s]."""


class ClusterPool:
    """Tasks on a Dask cluster. The scheduler does those of a worker that dies again elsewhere."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise OptionError(
                'a scheduler needs dask.distributed: pip install "poise[cluster]"'
            ) from None
        self._address = address
        self._window, self._counted = 0, 0.0
        try:
            self._client = Client(
                address, timeout=PATIENCE, set_as_default=False, name="poise-batch"
            )
        except (OSError, ValueError) as error:
            raise FileError(
                f"no Dask scheduler answers at {address} ({error}); start one with `dask scheduler`"
            ) from error
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            self.close(kill=True)
            raise FileError(
                f"the Dask scheduler at {address} has no workers; start some with"
                f" `dask worker {address} --nthreads 1`"
            ) from None

    def window(self) -> int:
        if time.monotonic() - self._counted > RECOUNT:
            with self._scheduler():
                threads: Any = self._client.nthreads()
            self._window = max(SPARE, SPARE * sum(threads.values()))
            self._counted = time.monotonic()
        return self._window

    def submit(self, task: Task, done: Callable[[], None]) -> Any:
        with self._scheduler():
            future = self._client.submit(work, task, pure=False)
            future.add_done_callback(lambda _: done())
        return future

    def outcome(self, future: Any) -> Outcome:
        from distributed.scheduler import KilledWorker

        with self._scheduler():
            try:
                return future.result(timeout=PATIENCE)
            except KilledWorker as error:
                raise WorkerDiedError(str(error)) from error

    @contextmanager
    def _scheduler(self) -> Iterator[None]:
        """Errors of the cluster in words that help."""
        try:
            yield
        except WorkerDiedError:
            raise
        except (OSError, TimeoutError, asyncio.CancelledError, futures.CancelledError) as error:
            raise FileError(
                f"the Dask scheduler at {self._address} no longer answers"
                f" ({type(error).__name__}); start it and run the same again: everything finished"
                " is kept"
            ) from error
        except Exception as error:
            raise FileError(
                f"the cluster at {self._address} cannot run Poise ({type(error).__name__}:"
                f" {error}); install the same version of it on all machines"
            ) from error

    def restart(self) -> None:
        """Nothing to do: the other workers go on."""

    def close(self, kill: bool) -> None:
        del kill  # what is under way is let go of when the client leaves
        self._client.close(timeout=1)
