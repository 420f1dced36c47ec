"""What there is to do: the clips of a folder, a pattern, a list or a single file."""

from __future__ import annotations

import csv
import glob
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from poise.errors import FileError, OptionError

CLIP_SUFFIXES = (".bvh", ".amc", ".glb", ".gltf", ".vrm")
"""Files with motion in them; lists may name others."""
LIST_SUFFIXES = (".txt", ".lst", ".csv")


@dataclass(frozen=True)
class Found:
    """A clip of an archive, or a place that cannot be read."""

    name: str
    """Its path inside the archive, with slashes: the key of its row."""
    path: str
    size: int = 0
    modified: int = 0
    """[ns]"""
    error: str = ""
    """Why it cannot be read."""


def find(archive: str | os.PathLike[str], leave_out: Path | None = None) -> list[Found]:
    """All clips of an archive, in the order of their names.

    archive: a folder, whose folders are walked; a pattern such as "data/**/*_walk.bvh"; a list
        of files (.txt with one a line, .csv with a column `clip`); or one clip.
    leave_out: a folder that is none of it: the one that results go to.
    """
    text = os.fspath(archive)
    path = Path(text)
    if path.is_dir():
        found = list(_walk(path, leave_out.resolve() if leave_out else None))
    elif path.is_file() and path.suffix.lower() in LIST_SUFFIXES:
        found = _listed(path)
    elif path.is_file():
        found = [_of(path, path.name)]
    elif glob.has_magic(text):
        found = _matched(text, leave_out)
    else:
        raise FileError(
            f"cannot read {text}: there is no such folder, file or list; patterns need quotes"
        )
    if not found:
        raise FileError(f"{text}: no clips found; they end in {', '.join(CLIP_SUFFIXES)}")
    return sorted(found, key=lambda one: one.name)


def _walk(root: Path, leave_out: Path | None) -> Iterator[Found]:
    """Links are followed, but never round in a circle."""
    waiting: list[tuple[str, str, frozenset[tuple[int, int]]]] = [(str(root), "", frozenset())]
    while waiting:
        folder, name, above = waiting.pop()
        try:
            about = Path(folder).stat()
            this = (about.st_dev, about.st_ino)
            if this in above or (leave_out and Path(folder).resolve() == leave_out):
                continue
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            reason = error.strerror or str(error)
            yield Found(name + "/", folder, error=f"cannot read folder {folder}: {reason}")
            continue
        for entry in listed:
            inner = f"{name}/{entry.name}" if name else entry.name
            if entry.name.startswith("."):
                continue
            if _is_folder(entry):
                waiting.append((entry.path, inner, above | {this}))
            elif entry.name.lower().endswith(CLIP_SUFFIXES):
                yield _of(entry.path, inner)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _of(path: str | os.PathLike[str], name: str) -> Found:
    try:
        about = Path(path).stat()
    except OSError as error:
        reason = error.strerror or str(error)
        return Found(name, os.fspath(path), error=f"cannot read {os.fspath(path)}: {reason}")
    if not stat.S_ISREG(about.st_mode):  # reading a pipe may never end
        return Found(name, os.fspath(path), error=f"cannot read {os.fspath(path)}: it is no file")
    return Found(name, os.fspath(path), about.st_size, about.st_mtime_ns)


def _matched(pattern: str, leave_out: Path | None) -> list[Found]:
    fixed = []
    for part in Path(pattern).parts[:-1]:
        if glob.has_magic(part):
            break
        fixed.append(part)
    root = Path(*fixed)
    out = leave_out.resolve() if leave_out else None
    paths = [Path(path) for path in glob.iglob(pattern, recursive=True)]  # noqa: PTH207
    return [
        _of(path, path.relative_to(root).as_posix())
        for path in sorted(set(paths))
        if path.is_file()
        and path.suffix.lower() in CLIP_SUFFIXES
        and not (out and path.resolve().is_relative_to(out))
    ]


def _listed(path: Path) -> list[Found]:
    """A list names files from its own folder on; it may name the same file only once."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise FileError(f"cannot read {path}: {error}") from None
    if path.suffix.lower() == ".csv":
        rows = csv.DictReader(text.splitlines())
        if "clip" not in (rows.fieldnames or ()):
            raise FileError(f"{path}: a list in a .csv file needs a column named clip")
        named = [(i, row["clip"]) for i, row in enumerate(rows, 2)]
    else:
        named = [(i, line.strip()) for i, line in enumerate(text.splitlines(), 1)]
    found: dict[str, Found] = {}
    for line, clip in named:
        if not clip or clip.startswith("#"):
            continue
        name = _inside(clip)
        if name in found:
            raise OptionError(
                f"{path}, line {line}: {clip} would be a second {name}; name each clip once"
            )
        found[name] = _of(path.parent / clip, name)
    return list(found.values())


def _inside(clip: str) -> str:
    """A name for a path that may be absolute or lead out of the list's folder."""
    parts = [p for p in PurePosixPath(Path(clip).as_posix()).parts if p not in ("/", "..", ".")]
    return "/".join(part.replace(":", "") for part in parts)
