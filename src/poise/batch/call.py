"""`poise.batch`: many clips in one call."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from poise.batch.plan import Choices
from poise.batch.run import Batch
from poise.batch.settings import Settings, read_settings, settings_of


def batch(
    archive: str | os.PathLike[str],
    out: str | os.PathLike[str],
    settings: str | os.PathLike[str] | Mapping[str, Any] | Settings = "track",
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    ship: bool = False,
    resume: bool = True,
    retry: bool = False,
    rehash: bool = False,
    full_names: bool = False,
    fail_fast: bool = False,
    clip_time: float | None = None,
) -> Batch:
    """Do one job on every clip of an archive; iterate over the results as they come.

    archive: a folder, a pattern, a list of files (.txt, .csv), or one clip.
    out: the folder for results and their manifest. One that has a manifest is gone on with.
    settings: a .toml or .json file, a mapping such as {"job": "clean", "cutoff": 6.0}, or the
        name of a job: "track", "clean", "convert", "report".
    workers: processes on this machine; one a core if not given, 0: in this process.
    scheduler: the address of a Dask scheduler, such as "tcp://host:8786"; its workers read and
        write the same paths, or with `ship` are sent clips and send back results.
    resume: skip what is done and unchanged; else do all of it again.
    retry: try again what failed. rehash: compare contents, whatever size and time say.
    full_names: keep suffixes in names, where two clips would be written to one file.
    fail_fast: end after the first clip that fails.
    clip_time: give a clip up that takes a worker longer [s].
    """
    if isinstance(settings, Mapping):
        chosen: Settings = settings_of(dict(settings))
    elif isinstance(settings, str | os.PathLike):
        text = os.fspath(settings)
        chosen = read_settings(text) if Path(text).suffix else settings_of({"job": text})
    else:
        chosen = settings
    choices = Choices(resume, retry, rehash, full_names, clip_time)
    return Batch(
        archive,
        out,
        chosen,
        choices,
        workers=workers,
        scheduler=scheduler,
        ship=ship,
        fail_fast=fail_fast,
    )
