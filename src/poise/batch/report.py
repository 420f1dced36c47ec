"""What a batch came to, for people (a page) and for other programs (a table)."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from poise.batch.manifest import COLUMNS, Manifest
from poise.batch.result import Result
from poise.files import atomic_write

PAGE, TABLE = "report.html", "report.csv"
WORST = 8
"""So many of the worst clips are shown with a picture."""


@dataclass(frozen=True)
class Told:
    """What the report tells: the rows, and what they are about."""

    folder: Path
    archive: str
    settings: dict[str, Any]
    rows: tuple[Result, ...]

    @classmethod
    def of(cls, folder: str | Path) -> Told:
        """All rows of an output folder."""
        place = Path(folder)
        manifest = Manifest.existing(place)
        try:
            about, rows = manifest.about(), manifest.rows()
        finally:
            manifest.close()
        settings = msgspec.json.decode(about.get("settings", "{}"))
        return cls(place, about.get("archive", ""), settings, tuple(rows.values()))

    @property
    def done(self) -> list[Result]:
        return [row for row in self.rows if row.status == "done"]

    @property
    def failed(self) -> list[Result]:
        return [row for row in self.rows if row.status == "failed"]

    @property
    def pending(self) -> list[Result]:
        return [row for row in self.rows if row.status == "pending"]

    @property
    def frames(self) -> int:
        return sum(row.measures.frames for row in self.done)

    def worst(self, count: int = WORST) -> list[Result]:
        """The clips that went worst: by their worst error, or by slip where none was measured."""
        measured = [row for row in self.done if _badness(row) > 0]
        return sorted(measured, key=lambda row: (-_badness(row), row.name))[:count]

    def values(self, column: str) -> np.ndarray:
        """The values of a column of all clips that are done and have one."""
        found = [VALUES[column](row) for row in self.done]
        return np.array([value for value in found if value is not None], float)


def _badness(row: Result) -> float:
    measures = row.measures
    return float(measures.worst_error if measures.worst_error is not None else measures.slip or 0.0)


def _share(part: int | None, row: Result) -> float | None:
    return None if part is None or not row.measures.frames else part / row.measures.frames


def _ratio(row: Result) -> float | None:
    now, before = row.measures.jitter, row.measures.source_jitter
    return None if now is None or not before else now / before


VALUES = {
    "worst_error": lambda row: row.measures.worst_error,
    "mean_error": lambda row: row.measures.mean_error,
    "off_share": lambda row: _share(row.measures.frames_off, row),
    "limit_share": lambda row: _share(row.measures.frames_at_limits, row),
    "slip": lambda row: row.measures.slip,
    "jitter_ratio": _ratio,
    "frame_time": lambda row: row.seconds / row.measures.frames if row.measures.frames else None,
    "frames": lambda row: float(row.measures.frames),
}
"""What a row says, by name; None where its job does not measure it. [m, s]"""


def table(told: Told) -> str:
    """All rows as CSV, with the manifest's columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, "seconds_per_frame"])
    for row in told.rows:
        plain = {name: getattr(row, name, None) for name in COLUMNS}
        plain |= msgspec.structs.asdict(row.measures)
        plain["notes"] = "; ".join(row.notes)
        writer.writerow([*(plain[name] for name in COLUMNS), VALUES["frame_time"](row)])
    return text.getvalue()


def write_report(folder: str | Path, pictures: int = WORST) -> tuple[Path, Path]:
    """Write the page and the table into the folder of a batch; where they are."""
    from poise.batch.page import page
    from poise.batch.pictures import worst_pictures

    told = Told.of(folder)
    paths = told.folder / PAGE, told.folder / TABLE
    atomic_write(paths[0], page(told, worst_pictures(told, pictures)))
    atomic_write(paths[1], table(told))
    return paths
