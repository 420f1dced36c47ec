"""`poise report`: what a batch came to, as a page and a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from poise.cli import DONE, FAILED
from poise.cli.output import console, to_json
from poise.cli.progress import working

NAME = "report"
EXAMPLES = """\
Examples:
  poise report tracked
  poise report tracked --pictures 0 --json"""


def run(
    out: Annotated[Path, Parameter(help="The folder that `poise batch -o` wrote into.")],
    /,
    *,
    pictures: Annotated[
        int,
        Parameter(help="So many of the worst clips get a picture.", validator=Number(gte=0, lte=8)),
    ] = 8,
    json: Annotated[bool, Parameter(help="Print a summary as JSON.", negative="")] = False,
) -> int:
    """Write report.html and report.csv into the folder of a batch.

    The page needs nothing else: a table to sort and filter, distributions,
    and the worst clips with their worst frames. The exit code is 1 if a clip
    failed. It can be written while the batch runs.
    """
    from poise.batch.report import Told, write_report

    with working("Drawing the worst frames"):
        written = write_report(out, pictures)
    told = Told.of(out)
    if json:
        print(to_json(_document(told, written)), end="")
    else:
        screen = console()
        style = "bold red" if told.failed else "bold green"
        screen.print(
            f"{len(told.done)} clips done, {len(told.failed)} failed, {told.frames:,} frames",
            style=style,
        )
        for path in written:
            screen.print(f"written: {path}", soft_wrap=True, markup=False)
    return FAILED if told.failed else DONE


def _document(told: object, written: tuple[Path, Path]) -> dict[str, object]:
    from poise.batch.report import Told

    assert isinstance(told, Told)
    return {
        "done": len(told.done),
        "failed": len(told.failed),
        "pending": len(told.pending),
        "frames": told.frames,
        "worst": [
            {
                "clip": row.name,
                "worst_error": row.measures.worst_error,
                "worst_frame": row.measures.worst_frame,
                "worst_goal": row.measures.worst_goal,
            }
            for row in told.worst()
        ],
        "written": [str(path) for path in written],
    }
