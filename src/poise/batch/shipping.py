"""Clips and settings sent along with tasks, where workers share no disk."""

from __future__ import annotations

from pathlib import Path

import msgspec

from poise.batch.companions import companions
from poise.batch.settings import Settings
from poise.batch.work import Task


class Freight:
    """Loads tasks with the contents of the files that they need."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._needed = {name: Path(name).read_bytes() for name in settings.files()}

    def loaded(self, task: Task) -> Task:
        """The task with its files in it; a file that cannot be read is left to the worker."""
        source = Path(task.source)
        try:
            files = [source, *companions(source, self._settings)]
            shipped = {
                path.relative_to(source.parent).as_posix(): path.read_bytes() for path in files
            }
        except OSError:
            return task
        return msgspec.structs.replace(task, shipped=shipped, needed=self._needed)
