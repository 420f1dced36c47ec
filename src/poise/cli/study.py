"""`poise study`: redo an experiment of the papers, as tables and figures in a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from poise.cli.clips import clip_named, prepared
from poise.cli.options import Json
from poise.cli.output import console, to_json
from poise.cli.progress import counting, working
from poise.errors import OptionError

if TYPE_CHECKING:
    from rich.table import Table

NAME = "study"
EXAMPLES = """\
Examples:
  poise study jack
  poise study half-jacobian --clip walk.bvh
  poise study pls --clip cartwheel.bvh -o results
  poise study jack -o results --json"""

SHOWN = {
    "jack": ("reach", "rigidity", "tube"),
    "pls": ("tolerance", "bar"),
    "half-jacobian": ("flops", "times", "iteration", "curves"),
}
"""The tables that are printed; the folder has all."""


def run(
    name: Annotated[
        Literal["jack", "pls", "half-jacobian"],
        Parameter(
            help="jack: Zhao & Badler's reach with rigidities, and tube with joint groups."
            " pls: Engell-Nørregård & Erleben's gymnast, all methods in a time slot a frame."
            " half-jacobian: Meredith & Maddock's walker, by half and full Jacobians."
        ),
    ],
    /,
    *,
    clip: Annotated[
        str | None,
        Parameter(
            help="pls: a motion to follow (.bvh, .amc); a routine of our own if not given."
            " half-jacobian: a captured walk, to draw under the curves."
        ),
    ] = None,
    figure: Annotated[
        Path | None, Parameter(help="The .asf file of an .amc file, if not beside it.")
    ] = None,
    out: Annotated[
        Path | None,
        Parameter(("--out", "-o"), help="The folder to write into; study-NAME if not given."),
    ] = None,
    json: Json = False,
) -> None:
    """Redo an experiment of the papers.

    Writes tables (Markdown, CSV, JSON with versions and machine) and figures
    (PNG) into a folder, which is made if it is not there.
    """
    if clip is not None and name == "jack":
        raise OptionError(
            f"study {name} has no clip; leave --clip out, or use it with pls or half-jacobian"
        )
    folder = Path(f"study-{name}") if out is None else out
    from poise.study.report import ready_folder

    motion = None if clip is None else clip_named(clip, figure=figure)
    ready_folder(folder)
    prepared()
    document = _studied(name, folder, motion)
    if json:
        print(to_json(document), end="")
        return
    screen = console()
    for table in SHOWN[name]:
        screen.print(_table(document["tables"][table], 0.0 if name == "pls" else 5e-4))
    screen.print(f"written: {folder / f'{name}.md'} and what it shows", soft_wrap=True)


def _studied(name: str, folder: Path, clip: Any) -> dict[str, Any]:
    """Do the study; what its JSON holds."""
    if name == "pls":
        # One thread for all: those of SciPy's linear algebra would wait for each other in lbfgs-b.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from poise.study import pls

        with counting("Following") as report:
            return pls.run(folder, clip=clip, report=report)
    if name == "half-jacobian":
        from poise.study import half_jacobian

        with counting("Walking") as report:
            return half_jacobian.run(folder, clip=clip, report=report)
    from poise.study import jack

    with working("Solving and drawing"):
        return jack.run(folder)


def _table(records: list[dict[str, Any]], least: float) -> Table:
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
        table.add_row(*(escape(shown(value, least)) for value in record.values()))
    return table
