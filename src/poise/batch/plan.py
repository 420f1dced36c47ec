"""The plan: what of an archive is done and unchanged, and what is to be done."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from poise.batch.archive import Found
from poise.batch.companions import companions
from poise.batch.result import Result
from poise.batch.settings import Settings, encoded, settings_hash
from poise.batch.work import Task
from poise.errors import OptionError
from poise.release import this_version


@dataclass(frozen=True)
class Plan:
    """What to do with every clip."""

    tasks: tuple[Task, ...]
    """The longest first, so that none is left over at the end."""
    kept: tuple[Result, ...]
    """Rows that still hold: done and unchanged, or failed and not to be tried again."""
    unreadable: tuple[Result, ...]
    """Rows of places that cannot be read."""

    @property
    def total(self) -> int:
        return len(self.tasks) + len(self.kept) + len(self.unreadable)

    def pending(self) -> list[Result]:
        """Rows of what is to be done: written before anything is."""
        return [task.row() for task in self.tasks]


@dataclass(frozen=True)
class Choices:
    """How to go about it, and to go on from results that are there."""

    resume: bool = True
    """Skip what is done and unchanged; else do all of it again."""
    retry: bool = False
    """Try again what failed."""
    rehash: bool = False
    """Compare contents even of files whose size and time have not changed."""
    full_names: bool = False
    """Keep the suffix in the name of what is written: walk.amc becomes walk.amc.bvh."""
    clip_time: float | None = None
    """Give a clip up that takes longer [s]."""


def plan(
    found: Sequence[Found],
    rows: Mapping[str, Result],
    settings: Settings,
    out: Path,
    parts: Path,
    choices: Choices,
) -> Plan:
    """Compare the clips that were found with the rows that are there."""
    names = out_names(found, settings, choices.full_names)
    _check_places(found, names, out, rows)
    coded, hashed, version = encoded(settings), settings_hash(settings), this_version()
    tasks: list[Task] = []
    kept, unreadable = [], []
    for one in (_with_companions(one, settings) for one in found):
        if one.error:
            row = Result(name=one.name, source=one.path, status="failed", error=one.error)
            unreadable.append(row)
            continue
        written = names[one.name]
        row = rows.get(one.name)
        if row is not None and (row.settings_hash, row.version) != (hashed, version):
            row = None
        if row is not None and row.out == written and choices.resume:
            if _holds(one, row, out, choices):
                kept.append(row)
                continue
            known = row if row.status == "done" and _has_output(out, row) else None
        else:
            known = None
        task = Task(
            name=one.name,
            source=str(Path(one.path).absolute()),
            target=str((out / written).absolute()) if written else "",
            out=written,
            parts=str(parts.absolute()),
            settings=coded,
            settings_hash=hashed,
            version=version,
            input_size=one.size,
            input_modified=one.modified,
            attempts=(row.attempts if row is not None else 0) + 1,
            known=known,
            clip_time=choices.clip_time,
        )
        tasks.append(task)
    tasks.sort(key=lambda task: (-task.input_size, task.name))
    return Plan(tuple(tasks), tuple(kept), tuple(unreadable))


def _with_companions(one: Found, settings: Settings) -> Found:
    """With the sizes of the other files that it is read from, and the time of the newest."""
    if one.error:
        return one
    others = [path.stat() for path in companions(Path(one.path), settings)]
    size = one.size + sum(about.st_size for about in others)
    return replace(one, size=size, modified=max([one.modified, *(o.st_mtime_ns for o in others)]))


def _holds(one: Found, row: Result, out: Path, choices: Choices) -> bool:
    """Whether a row of the same settings and version says all there is to say about a clip."""
    if (one.size, one.modified) != (row.input_size, row.input_modified):
        return False
    if row.status == "failed":
        return not choices.retry
    return row.status == "done" and _has_output(out, row) and not choices.rehash


def out_names(found: Sequence[Found], settings: Settings, full: bool) -> dict[str, str]:
    """What each clip is written to, inside the output folder."""
    if not settings.writes:
        return {one.name: "" for one in found}
    names: dict[str, str] = {}
    taken: dict[str, str] = {}
    blind = sys.platform in ("win32", "darwin")  # "Walk.bvh" and "walk.bvh" are one file there
    for one in found:
        if one.error:
            continue
        path = PurePosixPath(one.name)
        name = str(path.with_name((path.name if full else path.stem) + settings.format))
        key = name.casefold() if blind else name
        if key in taken:
            remedy = "give --full-names" if not full else "rename one of them"
            raise OptionError(
                f"{taken[key]} and {one.name} would both be written to {name}; {remedy}"
            )
        taken[key] = one.name
        names[one.name] = name
    return names


def _check_places(
    found: Sequence[Found], names: Mapping[str, str], out: Path, rows: Mapping[str, Result]
) -> None:
    """Nothing may be overwritten that is no result of a batch, or one of another file."""
    ours = {row.out for row in rows.values()}
    for one in found:
        row = rows.get(one.name)
        if row is not None and row.source != str(Path(one.path).absolute()):
            _check_moved(one, row, out)
        name = names.get(one.name)
        if not name or name in ours:
            continue
        target = out / name
        if os.path.lexists(target):
            raise OptionError(
                f"{target} is there and is no result of this batch; choose another folder with -o"
            )


def _check_moved(one: Found, row: Result, out: Path) -> None:
    """An archive may have moved; but two of them have no room in one folder."""
    if os.path.lexists(row.source) and not Path(row.source).samefile(one.path):
        raise OptionError(
            f"{out} has the result of {row.source}, which is there, too, under the name {one.name};"
            f" choose another folder with -o for {one.path}"
        )


def _has_output(out: Path, row: Result) -> bool:
    if not row.out:
        return True
    try:
        return (out / row.out).stat().st_size == row.out_size
    except OSError:
        return False
