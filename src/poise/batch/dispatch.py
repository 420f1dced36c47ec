"""Handing tasks to workers and taking outcomes back, whoever of them dies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from typing import Any

import msgspec

from poise.batch.pool import Pool, WorkerDiedError
from poise.batch.work import Outcome, Task

LOOK = 0.2
"""How often to let Ctrl+C in [s]."""


class Dispatch:
    """What is under way in a pool.

    When a worker dies, all that was under way goes down with it. Those tasks then go one at a time:
    one that is alone when its worker dies is the one that kills it.
    """

    def __init__(self, pool: Pool, load: Callable[[Task], Task]) -> None:
        """`load` makes a task ready for its way to a worker."""
        self._pool, self._load = pool, load
        self._running: dict[int, tuple[Task, Any]] = {}
        self._ended: SimpleQueue[int] = SimpleQueue()
        self._number = 0

    def outcomes(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Outcome]]:
        """Every task with what came of it, as they are done."""
        waiting, suspects = deque(tasks), deque[Task]()
        alone = False
        while waiting or suspects or self._running:
            if not self._running:
                alone = bool(suspects)
            if alone and not self._running:
                self._submit(suspects.popleft())
            while waiting and not alone and len(self._running) < self._pool.window():
                self._submit(waiting.popleft())
            ended = self._next()
            if ended is None:
                continue
            task, future = ended
            try:
                outcome = self._pool.outcome(future)
            except WorkerDiedError as death:
                self._pool.restart()
                if alone:
                    outcome = _died(task, death)
                else:
                    suspects.extend([task, *self._lost()])
                    continue
            yield task, outcome

    def _submit(self, task: Task) -> None:
        self._number += 1
        number = self._number
        self._running[number] = task, None  # before the pool may say that it is done
        future = self._pool.submit(self._load(task), lambda: self._ended.put(number))
        self._running[number] = task, future

    def _next(self) -> tuple[Task, Any] | None:
        """What has ended; None if nothing did for a while, or something of a pool that is gone."""
        try:
            return self._running.pop(self._ended.get(timeout=LOOK), None)
        except Empty:
            return None

    def _lost(self) -> list[Task]:
        """What else was under way in a pool that went down."""
        lost = [task for task, _ in self._running.values()]
        self._running.clear()
        return lost


def _died(task: Task, death: Exception) -> Outcome:
    slow = "" if task.clip_time is None else f" or it took longer than {task.clip_time:g} s;"
    told = (
        f"its worker process died while it did this clip;{slow} perhaps there is too little memory:"
        f" use fewer workers ({str(death).splitlines()[0]})"
    )
    return Outcome(result=msgspec.structs.replace(task.row(), status="failed", error=told))
