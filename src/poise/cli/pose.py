"""`poise pose`: solve for a pose, print how well it went, write it and draw it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from poise.cli import DONE, FAILED
from poise.cli.figures import figure_named
from poise.cli.output import console, to_json
from poise.cli.posefile import effort_document, pose_document
from poise.cli.progress import compiling
from poise.errors import GoalError, OptionError
from poise.files import atomic_write, check_writable

if TYPE_CHECKING:
    from poise.goals import Position
    from poise.solve import Solution

NAME = "pose"
EXAMPLES = """\
Examples:
  poise pose --goal left_hand=0.35,1.30,0.45 --picture pose.png
  poise pose --goal head=0,1.4,0.3 --goal left_foot=0.1,0.08,0 --json
  poise pose --figure snake:20 --goal head=0.5,0.5,0.5 --out pose.json"""

PICTURES = (".png", ".svg", ".pdf", ".jpg")


def run(
    *,
    goal: Annotated[
        list[str],
        Parameter(
            help="Where a site or segment should be, in metres: NAME=X,Y,Z. Repeat for more.",
            negative="",
            consume_multiple=True,
        ),
    ],
    figure: Annotated[
        str, Parameter(help="A built-in figure: human, jack, arm, spider or snake:N (N joints).")
    ] = "human",
    start: Annotated[
        Literal["rest", "middle"], Parameter(help="Start at rest, or amid all limits.")
    ] = "rest",
    method: Annotated[str, Parameter(help="The method that solves.")] = "auto",
    tolerance: Annotated[float, Parameter(help="How close counts as reached, in metres.")] = 1e-3,
    max_time: Annotated[
        float | None, Parameter(help="Seconds after which the best pose so far will do.")
    ] = None,
    out: Annotated[Path | None, Parameter(help="Write the pose to this .json file.")] = None,
    picture: Annotated[
        Path | None, Parameter(help="Draw the pose to this .png, .svg, .pdf or .jpg file.")
    ] = None,
    json: Annotated[bool, Parameter(help="Print JSON for machines.", negative="")] = False,
) -> int:
    """Pose a figure so that it meets goals.

    Every joint stays inside its limits. The exit code is 0 if all goals are
    reached and 1 if one is not: the closest pose is printed and written all
    the same.
    """
    import poise

    goals = [_goal(text) for text in goal]
    _check_files(out, picture)
    chosen = figure_named(figure)
    with compiling() as report:
        poise.prepare(report)
    first = chosen.middle() if start == "middle" else chosen.rest()
    solution = poise.solve(
        chosen, goals, start=first, method=method, tolerance=tolerance, max_time=max_time
    )
    document = pose_document(solution, goals, tolerance)
    if out is not None:
        atomic_write(out, to_json(document))
    if picture is not None:
        _draw(solution, document, picture)
    if json:
        print(to_json(document | effort_document(solution)), end="")
    else:
        _print(solution, document, [path for path in (out, picture) if path is not None])
    return DONE if solution.reached else FAILED


def _goal(text: str) -> Position:
    """The goal that NAME=X,Y,Z means."""
    name, _, numbers = text.partition("=")
    try:
        x, y, z = (float(number) for number in numbers.split(","))
    except ValueError:
        raise GoalError(
            f"--goal {text!r} is not NAME=X,Y,Z in metres;"
            " write for example left_hand=0.35,1.30,0.45"
        ) from None
    from poise.goals import Position

    return Position(name.strip(), (x, y, z))


def _check_files(out: Path | None, picture: Path | None) -> None:
    """Say before the work if its results cannot be written."""
    for path, option, suffixes in ((out, "--out", (".json",)), (picture, "--picture", PICTURES)):
        if path is not None and path.suffix.lower() not in suffixes:
            known = " or ".join(suffixes)
            raise OptionError(f"{option} {path}: this version writes {known}; name the file so")
        if path is not None:
            check_writable(path)


def _draw(solution: Solution, document: dict[str, Any], path: Path) -> None:
    import numpy as np

    from poise.cli.picture import Mark, draw

    marks = [
        Mark(
            row["name"] if row["reached"] else f"{row['name']}: {_cm(row['error'])} off",
            np.array(row["target"]),
            np.array(row["position"]),
            row["reached"],
        )
        for row in document["goals"]
    ]
    draw(solution.pose, marks, path, title=_summary(solution))


def _print(solution: Solution, document: dict[str, Any], written: list[Path]) -> None:
    """A table for people: how each goal ended, what it took, what held it back."""
    from rich import box
    from rich.table import Table

    screen = console()
    table = Table("goal", "target", "reached", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("error", justify="right")
    for row in document["goals"]:
        target = ", ".join(f"{x:g}" for x in row["target"])
        good = "[green]yes[/]" if row["reached"] else "[red]no[/]"
        table.add_row(row["name"], target, good, _cm(row["error"]))
    style = "bold green" if solution.reached else "bold red"
    screen.print(_summary(solution), style=style)
    screen.print(table)
    screen.print(
        f"{solution.iterations} iterations, {solution.evaluations} evaluations,"
        f" {1e3 * solution.time:.3g} ms"
    )
    held = "held" if document["limits_held"] else "BROKEN"
    active = ", ".join(document["active_limits"])
    screen.print(f"limits {held}" + (f"; at their limit: {active}" if active else ""))
    for path in written:
        screen.print(f"written: {path}", soft_wrap=True)


def _summary(solution: Solution) -> str:
    figure = solution.pose.figure
    return f"{figure.name}, {len(figure.dofs)} DOFs: {solution.status}"


def _cm(metres: float) -> str:
    return f"{100.0 * metres:.3g} cm" if metres >= 1e-4 else f"{100.0 * metres:.1e} cm"
