"""The manifest: a row a clip in an SQLite file of the output folder."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from poise.batch.result import Measures, Result
from poise.errors import FileError

NAME = "manifest.sqlite"
LAYOUT = 1

_MEASURES = Measures.__struct_fields__
_PLAIN = tuple(name for name in Result.__struct_fields__ if name != "measures")
COLUMNS = (*_PLAIN, *_MEASURES)
"""The columns of the table `clips`; `name` is its key."""

TIME_A_FRAME = "seconds_per_frame AS (seconds / nullif(frames, 0))"
"""A column that SQLite makes of two others."""


class Manifest:
    """Rows by name. One process writes; any may read."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        with _named(self.path):
            self._database = sqlite3.connect(self.path, timeout=10.0, isolation_level=None)
            version = self._database.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, LAYOUT):
                raise FileError(
                    f"{self.path} is of another version of Poise; choose another folder"
                )
            columns = ", ".join(f"{name}{' PRIMARY KEY' * (name == 'name')}" for name in COLUMNS)
            columns += f", {TIME_A_FRAME}"
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.execute(f"CREATE TABLE IF NOT EXISTS clips ({columns})")
            self._database.execute("CREATE TABLE IF NOT EXISTS about (key PRIMARY KEY, value)")
            self._database.execute(f"PRAGMA user_version = {LAYOUT}")

    @classmethod
    def existing(cls, folder: Path) -> Manifest:
        """That of a folder with results; an error if there is none."""
        if not (folder / NAME).is_file():
            raise FileError(f"{folder} holds no results of a batch; give the folder of -o")
        return cls(folder)

    def rows(self) -> dict[str, Result]:
        """All rows by name, in the order of their names."""
        with _named(self.path):
            listed = self._database.execute(
                f"SELECT {', '.join(COLUMNS)} FROM clips ORDER BY name"
            ).fetchall()
        return {row[0]: _result(row) for row in listed}

    def write(self, results: Iterable[Result]) -> None:
        """Add rows or replace those of the same names, all or none."""
        marks = ", ".join("?" * len(COLUMNS))
        with _named(self.path), self._transaction():
            self._database.executemany(
                f"INSERT OR REPLACE INTO clips ({', '.join(COLUMNS)}) VALUES ({marks})",
                map(_row, results),
            )

    def describe(self, **values: str) -> None:
        """Keep what the report says about the whole: job, settings, archive."""
        with _named(self.path), self._transaction():
            self._database.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", values.items())

    def about(self) -> dict[str, str]:
        """What `describe` kept."""
        with _named(self.path):
            return dict(self._database.execute("SELECT key, value FROM about"))

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")


def _row(result: Result) -> tuple[object, ...]:
    plain = {name: getattr(result, name) for name in _PLAIN}
    plain["notes"] = json.dumps(result.notes)
    return (*plain.values(), *msgspec.structs.astuple(result.measures))


def _result(row: tuple[object, ...]) -> Result:
    plain = dict(zip(_PLAIN, row, strict=False))
    plain["notes"] = tuple(json.loads(str(plain["notes"])))
    measures = Measures(**dict(zip(_MEASURES, row[len(_PLAIN) :], strict=True)))  # type: ignore[arg-type]
    return Result(**plain, measures=measures)  # type: ignore[arg-type]


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise FileError(
            f"cannot use {path}: {error}; is the disk full, or the file of something else?"
        ) from error


class Lock:
    """Held while a batch writes into a folder; the system lets go of it when the process ends."""

    def __init__(self, folder: Path) -> None:
        self._database = sqlite3.connect(folder / "lock", timeout=0.0, isolation_level=None)
        try:
            self._database.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self._database.close()
            if "locked" not in str(error):
                raise FileError(f"cannot use {folder}: {error}") from error
            raise FileError(
                f"another batch is writing into {folder.parent}; wait for it, or use another folder"
            ) from None

    def release(self) -> None:
        self._database.close()
