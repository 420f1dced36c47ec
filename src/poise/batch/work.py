"""What a worker does with one clip: read, do the job, write whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from poise.batch.companions import companions
from poise.batch.result import Result
from poise.batch.settings import Settings, decoded
from poise.errors import OptionError, PoiseError
from poise.release import this_version

if TYPE_CHECKING:
    from poise.batch.jobs import Made


class Task(Struct, frozen=True, kw_only=True):
    """One clip for one worker."""

    name: str
    source: str
    target: str
    """The file to write, by its whole name; empty if the job writes none."""
    out: str
    """The same inside the output folder."""
    parts: str
    """A folder on the same disk, for files that are not whole yet."""
    settings: bytes
    settings_hash: str
    version: str
    input_size: int
    input_modified: int
    attempts: int = 1
    known: Result | None = None
    """The row that still holds if the clip's contents have not changed."""
    clip_time: float | None = None
    """The worker ends if the clip takes longer [s]."""
    shipped: dict[str, bytes] | None = None
    """Without a shared disk: the clip first, then the files that it needs, by their names seen from
    its folder."""
    needed: dict[str, bytes] | None = None
    """Without a shared disk: the files that the settings name, by their whole names."""

    def row(self) -> Result:
        """The row of this clip before anything is done."""
        return Result(
            name=self.name,
            source=self.source,
            out=self.out,
            input_size=self.input_size,
            input_modified=self.input_modified,
            settings_hash=self.settings_hash,
            version=self.version,
            attempts=self.attempts,
        )


class Outcome(Struct, frozen=True, kw_only=True):
    """What a worker tells."""

    result: Result
    disk_full: bool = False
    """Nothing more can be written: go no further."""
    data: bytes | None = None
    """Without a shared disk: the file that was made."""


def work(task: Task) -> Outcome:
    """Do the job on one clip. Never raises: what goes wrong becomes the row of the clip."""
    began = time.perf_counter()
    row = task.row()
    try:
        _check_version(task)
        with ExitStack() as stack:
            stack.callback(_time_out(task.clip_time).cancel)
            if task.shipped is not None:
                return _work_shipped(task, row, began, Path(stack.enter_context(_folder())))
            return _work(task, row, decoded(task.settings), Path(task.source), began)
    except (Exception, MemoryError) as error:
        return _failed(task, row, error, time.perf_counter() - began)


def _time_out(seconds: float | None) -> threading.Timer:
    """Ends this process after so long, whatever it does; a started timer."""
    timer = threading.Timer(seconds or 0.0, os._exit, [1])
    timer.daemon = True
    if seconds is not None:
        timer.start()
    return timer


def _check_version(task: Task) -> None:
    """Another version may make other bits, which the row would not say."""
    if task.version != this_version():
        raise OptionError(
            f"this worker has Poise {this_version()}, the batch {task.version}; install the same"
            " version on all machines and give --retry"
        )


def _work(task: Task, row: Result, settings: Settings, source: Path, began: float) -> Outcome:
    """A file that changes meanwhile has another time than its row, and is done again next time."""
    hashed = content_hash([source, *companions(source, settings)])
    if task.known is not None and task.known.input_hash == hashed:
        changes = {"input_modified": row.input_modified, "source": row.source}
        return Outcome(result=msgspec.structs.replace(task.known, **changes))
    row = msgspec.structs.replace(row, input_hash=hashed)
    target = Path(task.target) if task.target else None
    size = 0
    if target is None:
        made = _made(settings, source, None)
    else:
        part = Path(task.parts) / f"{secrets.token_hex(8)}{target.suffix}"
        try:
            made = _made(settings, source, part)
            size = part.stat().st_size
            target.parent.mkdir(parents=True, exist_ok=True)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    done = msgspec.structs.replace(
        row,
        status="done",
        notes=made.notes,
        measures=made.measures,
        seconds=time.perf_counter() - began,
        out_size=size,
    )
    return Outcome(result=done)


def _made(settings: Settings, source: Path, part: Path | None) -> Made:
    """Do the job on the clip of a file, and write what it makes to `part`."""
    from poise.batch.jobs import do, load_clip, save_clip
    from poise.batch.streaming import do_in_blocks, open_blocks

    blocks = open_blocks(settings, source)
    if blocks is not None:
        return do_in_blocks(settings, blocks, part)
    clip, notes = load_clip(settings, source)
    made = do(settings, clip)
    if part is not None and made.clip is not None:
        save_clip(settings, made.clip, part)
    return made._replace(clip=None, notes=(*notes, *made.notes))


def _work_shipped(task: Task, row: Result, began: float, folder: Path) -> Outcome:
    """The same in a folder of this worker's own, with files that came with the task."""
    assert task.shipped is not None
    paths = [folder / "clip" / name for name in task.shipped]
    for path, data in zip(paths, task.shipped.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    settings = _with_files(decoded(task.settings), task.needed or {}, folder)
    target = folder / "made" / Path(task.target).name if task.target else None
    here = msgspec.structs.replace(
        task, target=str(target) if target else "", parts=str(folder), known=None
    )
    outcome = _work(here, row, settings, paths[0], began)
    # Where the clip lay on this worker is nobody's business.
    result = msgspec.structs.replace(outcome.result, source=task.source)
    data = target.read_bytes() if target else None
    return Outcome(result=result, data=data)


def _with_files(settings: Settings, files: dict[str, bytes], folder: Path) -> Settings:
    """The settings with the files that they name written into `folder`."""
    changes = {}
    for i, (name, data) in enumerate(files.items()):
        place = folder / f"settings-{i}" / Path(name).name
        place.parent.mkdir()
        place.write_bytes(data)
        for field in ("figure", "mapping", "to"):
            if getattr(settings, field, None) == name:
                changes[field] = str(place)
    return msgspec.structs.replace(settings, **changes)


def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="poise-")


def _failed(task: Task, row: Result, error: BaseException, seconds: float) -> Outcome:
    cause: BaseException | None = error
    full = False
    while cause is not None:
        full = full or (isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT))
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, PoiseError):
        told = str(error)
    elif isinstance(error, OSError):
        told = f"cannot read {task.source}: {error.strerror or error}"
    elif isinstance(error, MemoryError):
        told = "not enough memory for this clip; use fewer workers"
    else:
        told = f"a fault in Poise: {type(error).__name__}: {error}; please report it"
    return Outcome(
        result=msgspec.structs.replace(row, status="failed", error=told, seconds=seconds),
        disk_full=full,
    )


def content_hash(paths: list[Path]) -> str:
    """Of the contents of some files, one after the other."""
    digest = hashlib.blake2b(digest_size=16)
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
