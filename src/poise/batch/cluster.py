"""The workers of a Dask cluster, with the face of a local pool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from poise.batch.pool import WorkerDiedError
from poise.batch.work import Outcome, Task, work
from poise.errors import FileError, OptionError

PATIENCE = "10s"
"""How long to wait for a scheduler to answer."""
SPARE = 2
"""Tasks under way for each thread of the cluster, so that none waits."""


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
        try:
            self._client = Client(
                address, timeout=PATIENCE, set_as_default=False, name="poise-batch"
            )
        except (OSError, ValueError) as error:
            raise FileError(
                f"no Dask scheduler answers at {address} ({error}); start one with `dask scheduler`"
            ) from error

    def window(self) -> int:
        """Counted anew each time: workers come and go."""
        threads: Any = self._client.nthreads()
        return max(SPARE, SPARE * sum(threads.values()))

    def submit(self, task: Task, done: Callable[[], None]) -> Any:
        future = self._client.submit(work, task, pure=False)
        future.add_done_callback(lambda _: done())
        return future

    def outcome(self, future: Any) -> Outcome:
        from distributed.scheduler import KilledWorker

        try:
            return future.result()
        except KilledWorker as error:
            raise WorkerDiedError(str(error)) from error
        except Exception as error:
            raise FileError(
                f"the Dask scheduler at {self._address} no longer answers"
                f" ({type(error).__name__}); start it and run the same again: everything finished"
                " is kept"
            ) from error

    def restart(self) -> None:
        """Nothing to do: the other workers go on."""

    def close(self, kill: bool) -> None:
        del kill  # what is under way is let go of when the client leaves
        self._client.close(timeout=1)
