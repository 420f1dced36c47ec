"""`poise info`: what a figure is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from poise.cli.figures import figure_named
from poise.cli.output import console, to_json

if TYPE_CHECKING:
    from rich.table import Table

    from poise.figure.figure import Figure
    from poise.figure.joint import Dof

NAME = "info"
EXAMPLES = """\
Examples:
  poise info human
  poise info snake:20 --json"""

MOST_ROWS = 400
"""A longer table is cut; `--json` has everything."""
DEEPEST = 12
"""Children further down the tree are indented no more."""


def run(
    figure: Annotated[
        str, Parameter(help="A built-in figure: human, jack, arm, spider or snake:N (N joints).")
    ],
    /,
    *,
    json: Annotated[bool, Parameter(help="Print JSON for machines.", negative="")] = False,
) -> None:
    """Show a figure: its segments, DOFs and sites.

    Limits are in degrees or centimetres, in JSON in radians and metres, where
    null is a side without a limit. Positions are those of the rest pose.
    """
    chosen = figure_named(figure)
    if json:
        print(to_json(describe(chosen)), end="")
        return
    screen = console()
    screen.print(_headline(chosen), style="bold")
    screen.print(_segment_table(chosen))
    screen.print(_site_table(chosen))


def describe(figure: Figure) -> dict[str, Any]:
    """The figure as plain data: radians and metres, positions at rest in the world."""
    rest = figure.rest()
    return {
        "figure": figure.name,
        "up": figure.up,
        "dofs": [
            {
                "name": name,
                "kind": dof.kind,
                "lower": dof.lower,
                "upper": dof.upper,
                "rest": dof.rest,
                "rigidity": dof.rigidity,
            }
            for name, dof in zip(figure.dof_names, figure.dofs, strict=True)
        ],
        "segments": [
            {
                "name": segment.name,
                "parent": segment.parent,
                "joint": segment.joint.kind,
                "dofs": list(segment.dof_names),
            }
            for segment in figure.segments
        ],
        "sites": [
            {
                "name": site.name,
                "segment": site.segment,
                "position": rest.position(site.name).tolist(),
            }
            for site in figure.sites
        ],
    }


def _headline(figure: Figure) -> str:
    bounded = sum(dof.lower > -float("inf") or dof.upper < float("inf") for dof in figure.dofs)
    return (
        f"{figure.name}: {len(figure.dofs)} DOFs ({bounded} limited), {len(figure.segments)}"
        f" segments, {len(figure.sites)} sites, {figure.up} up"
    )


def _segment_table(figure: Figure) -> Table:
    from rich import box
    from rich.table import Table

    table = Table("segment", "joint", "DOF", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("lower", "rest", "upper"):
        table.add_column(column, justify="right")
    depths: dict[str | None, int] = {None: -1}
    for segment in figure.segments:
        depths[segment.name] = depths[segment.parent] + 1
        label = " " * min(depths[segment.name], DEEPEST) + segment.name
        if not segment.joint.dofs:
            table.add_row(label, segment.joint.kind)
        for i, (name, dof) in enumerate(zip(segment.dof_names, segment.joint.dofs, strict=True)):
            start = (label, segment.joint.kind) if i == 0 else ("", "")
            numbers = (_shown(dof, value) for value in (dof.lower, dof.rest, dof.upper))
            table.add_row(*start, name, *numbers)
        if table.row_count >= MOST_ROWS:
            table.add_row(f"… cut at {MOST_ROWS} lines; --json shows all", style="italic")
            break
    return table


def _site_table(figure: Figure) -> Table:
    from rich import box
    from rich.table import Table

    rest = figure.rest()
    table = Table("site", "on segment", box=box.SIMPLE_HEAD, pad_edge=False)
    for axis in "xyz":
        table.add_column(f"{axis} at rest", justify="right")
    for site in figure.sites[:MOST_ROWS]:
        place = (f"{100 * x:.1f} cm" for x in rest.position(site.name))
        table.add_row(site.name, site.segment, *place)
    return table


def _shown(dof: Dof, value: float) -> str:
    from math import degrees, isfinite

    if not isfinite(value):
        return "none"
    return f"{degrees(value):.1f}°" if dof.kind == "rotation" else f"{100 * value:.1f} cm"
