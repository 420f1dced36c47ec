"""`poise batch`: one job on every clip of an archive, resumable, on all cores or a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number

from poise.cli import DONE, FAILED, INTERRUPTED
from poise.cli.batch_progress import Watch, watching
from poise.errors import OptionError

if TYPE_CHECKING:
    from poise.batch import Batch

NAME = "batch"
EXAMPLES = """\
Examples:
  poise batch cmu -o tracked
  poise batch cmu -o clean --job clean
  poise batch "cmu/**/*_walk.bvh" -o human --settings retarget.toml -j 8
  poise batch clips.txt -o tracked --scheduler tcp://head:8786
  poise batch cmu -o tracked --retry --json

A settings file (.toml or .json) names the job and its options:
  job = "track"
  limits = "human"
  contacts = true"""


def run(
    archive: Annotated[
        str,
        Parameter(help="A folder, a pattern in quotes, a list (.txt, .csv), or one clip."),
    ],
    /,
    *,
    out: Annotated[Path, Parameter(name=["--out", "-o"], help="The folder for results.")],
    job: Annotated[
        str | None,
        Parameter(help="track, retarget, clean, convert or report; track if not given."),
    ] = None,
    settings: Annotated[
        Path | None, Parameter(help="A .toml or .json file with the job and its options.")
    ] = None,
    workers: Annotated[
        int | None,
        Parameter(
            name=["--workers", "-j"],
            help="Processes; one a core if not given, 0: in this one.",
            validator=Number(gte=0, lte=1024),
        ),
    ] = None,
    scheduler: Annotated[
        str | None, Parameter(help="A Dask scheduler, such as tcp://HOST:8786.")
    ] = None,
    ship: Annotated[
        bool, Parameter(help="Send clips to workers that share no disk.", negative="")
    ] = False,
    resume: Annotated[
        bool, Parameter(help="Skip what is done and unchanged.", negative="--no-resume")
    ] = True,
    retry: Annotated[bool, Parameter(help="Try again what failed.", negative="")] = False,
    rehash: Annotated[
        bool,
        Parameter(help="Compare contents, whatever size and time of files say.", negative=""),
    ] = False,
    full_names: Annotated[
        bool, Parameter(help="Keep suffixes: walk.amc becomes walk.amc.bvh.", negative="")
    ] = False,
    fail_fast: Annotated[
        bool, Parameter(help="End after the first clip that fails.", negative="")
    ] = False,
    clip_time: Annotated[
        float | None,
        Parameter(help="Give a clip up that takes longer than so many seconds."),
    ] = None,
    json: Annotated[bool, Parameter(help="Print an event a line, as JSON.", negative="")] = False,
) -> int:
    """Do one job on every clip of an archive and keep a row about each.

    Run the same again to go on: what is done and unchanged is skipped.
    Ctrl+C keeps everything finished. `poise report OUT` tells how it went.
    The exit code is 1 if a clip failed.
    """
    from poise.batch import batch

    begun = batch(
        archive,
        out,
        _settings(job, settings),
        workers=workers,
        scheduler=scheduler,
        ship=ship,
        resume=resume,
        retry=retry,
        rehash=rehash,
        full_names=full_names,
        fail_fast=fail_fast,
        clip_time=clip_time,
    )
    with begun, watching(begun, json) as watch:
        return _watched(begun, watch)


def _watched(begun: Batch, watch: Watch) -> int:
    """Run it; the exit code."""
    try:
        for result in begun:
            watch.saw(result)
    except KeyboardInterrupt:
        begun.close()
        watch.ended("interrupted")
        return INTERRUPTED
    watch.ended("done")
    return FAILED if watch.failures else DONE


def _settings(job: str | None, settings: Path | None) -> Any:
    from poise.batch.settings import read_settings

    if settings is None:
        return {"job": job or "track"}
    read = read_settings(settings)
    if job is not None and job != read.name:
        raise OptionError(f"--job {job} and {settings}, which says {read.name!r}; give one of them")
    return read
