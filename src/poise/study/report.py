"""What every study writes into its folder: tables, figures, and what they were made with."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poise.errors import FileError
from poise.files import atomic_write, replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Page

Value = str | int | float | bool


@dataclass(frozen=True)
class Table:
    """Rows of values under the names of columns, which carry the units."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    least: float = 5e-4
    """Numbers below this are shown to people as 0."""

    def records(self) -> list[dict[str, Value]]:
        """One mapping of column to value a row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def markdown(self) -> str:
        numeric = [not isinstance(value, str | bool) for value in self.rows[0]]
        ruler = " | ".join("--:" if number else "---" for number in numeric)
        lines = [" | ".join(self.columns), ruler]
        lines += [" | ".join(shown(v, self.least) for v in row) for row in self.rows]
        return "\n".join(f"| {line} |" for line in lines) + "\n"

    def csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return text.getvalue()


def made_with() -> dict[str, Any]:
    """Versions and the machine, for numbers that others should be able to place."""
    packages = ("poise", "numpy", "numba", "matplotlib")
    return {
        "versions": {"python": platform.python_version()} | {p: version(p) for p in packages},
        "machine": {
            "system": platform.system(),
            "architecture": platform.machine(),
            "processor": _processor(),
            "cores": os.cpu_count() or 1,
        },
    }


def ready_folder(path: Path) -> Path:
    """The folder, made if it is not there; an error if nothing can be written into it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if path.exists():
            reason = "it is a file; give the name of a folder"
        else:
            reason = f"{error.strerror or error}; choose another place"
        raise FileError(f"cannot make the folder {path}: {reason}") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise FileError(f"cannot write into {path}: no permission; choose another place")
    return path


def write_report(
    folder: Path, name: str, text: str, tables: Sequence[Table], figures: Mapping[str, Page]
) -> dict[str, Any]:
    """Write `name`.md, `name`.json, a .csv for each table and the figures as .png.

    `text` is the Markdown, with `{table}` where a table goes. Returns what the JSON holds.
    """
    told = made_with()
    document = {"study": name} | told | {"tables": {t.name: t.records() for t in tables}}
    for file, page in figures.items():
        with replacing(folder / f"{file}.png") as temporary:
            page.savefig(temporary)
    for table in tables:
        atomic_write(folder / f"{table.name}.csv", table.csv())
    atomic_write(folder / f"{name}.json", json.dumps(document, indent=2, allow_nan=False) + "\n")
    shown = {table.name: f"**{table.title}**\n\n{table.markdown()}" for table in tables}
    atomic_write(folder / f"{name}.md", f"{text.format(**shown)}\n{_footer(told)}")
    return document


def _footer(told: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in told["versions"].items())
    machine = told["machine"]
    return (
        f"Made with {versions}, on {machine['processor']}"
        f" ({machine['cores']} cores, {machine['system']}).\n"
    )


def shown(value: Value, least: float = 5e-4) -> str:
    """A value for people, with three digits; less than `least` is shown as 0."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    return "0" if abs(value) < least else f"{value:.3g}"


def _processor() -> str:
    """The model of the processor, as far as the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
