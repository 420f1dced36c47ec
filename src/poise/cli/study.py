"""`poise study`: redo an experiment of the papers, as tables and figures in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from poise.cli.output import console, to_json
from poise.cli.progress import compiling, working

if TYPE_CHECKING:
    from rich.table import Table

NAME = "study"
EXAMPLES = """\
Examples:
  poise study jack
  poise study jack -o results --json"""

SHOWN = ("reach", "rigidity", "tube")
"""The tables that are printed; the folder has all."""


def run(
    name: Annotated[
        Literal["jack"],
        Parameter(help="jack: Zhao & Badler's reach with rigidities, and tube with joint groups."),
    ],
    /,
    *,
    out: Annotated[
        Path | None,
        Parameter(("--out", "-o"), help="The folder to write into; study-NAME if not given."),
    ] = None,
    json: Annotated[bool, Parameter(help="Print JSON for machines.", negative="")] = False,
) -> None:
    """Redo an experiment of the papers.

    Writes tables (Markdown, CSV, JSON with versions and machine) and figures
    (PNG) into a folder, which is made if it is not there.
    """
    folder = Path(f"study-{name}") if out is None else out
    from poise.study.report import ready_folder

    ready_folder(folder)
    from poise.solve import prepare
    from poise.study import jack

    with compiling() as report:
        prepare(report)
    with working("Solving and drawing"):
        document = jack.run(folder)
    if json:
        print(to_json(document), end="")
        return
    screen = console()
    for table in SHOWN:
        screen.print(_table(document["tables"][table]))
    screen.print(f"written: {folder / 'jack.md'} and what it shows", soft_wrap=True)


def _table(records: list[dict[str, Any]]) -> Table:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    from poise.study.report import shown

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for column, value in records[0].items():
        table.add_column(
            escape(column), justify="left" if isinstance(value, str | bool) else "right"
        )
    for record in records:
        table.add_row(*(escape(shown(value)) for value in record.values()))
    return table
