"""The explanation of a solution: as tables for people, as plain data for machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from poise.cli.output import SHOWN, cm

if TYPE_CHECKING:
    from rich.table import Table

    from poise.solve.explanation import Explanation, GoalExplanation


def goal_table(rows: Sequence[dict[str, Any]], explanation: Explanation | None) -> Table:
    """How each goal ended; with an explanation also why, and by which cause."""
    from rich import box
    from rich.table import Table

    table = Table("goal", "target (m)", "reached", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("error", justify="right")
    if explanation is not None:
        table.add_column("cause")
        table.add_column("why")
    told = {} if explanation is None else {goal.name: goal for goal in explanation.goals}
    for row in rows:
        target = ", ".join(f"{x:g}" for x in row["target"])
        good = "[green]yes[/]" if row["reached"] else "[red]no[/]"
        reasons = _reasons(told[row["name"]]) if told else ()
        table.add_row(row["name"], target, good, cm(row["error"]), *reasons)
    return table


def limit_lines(explanation: Explanation) -> list[Table | str]:
    """The limits that bind, strongest first, what their numbers mean, and what is proven."""
    from rich import box
    from rich.table import Table

    found: list[Table | str] = []
    if explanation.limits:
        table = Table("binding limit", "side", box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("at", justify="right")
        table.add_column("multiplier", justify="right")
        for limit in explanation.limits[:SHOWN]:
            per = "m" if limit.kind == "translation" else "rad"
            table.add_row(limit.dof, limit.side, limit.shown(), f"{limit.multiplier:.3g} m²/{per}")
        more = len(explanation.limits) - SHOWN
        if more > 0:
            table.add_row(f"… and {more} more; --json shows all", style="italic")
        found += [table, "multiplier: how fast the sum of squared errors falls with more room"]
    if not explanation.optimal:
        found.append("the pose is not proven locally optimal: more time may bring it nearer")
    return found


def explanation_document(explanation: Explanation) -> dict[str, Any]:
    """The explanation as plain data [m, rad]."""
    return {
        "summary": explanation.summary,
        "optimal": explanation.optimal,
        "goals": [
            {
                "name": goal.name,
                "met": goal.met,
                "position_error": goal.error.position,
                "angle_error": goal.error.angle,
                "causes": [cause.name.lower() for cause in goal.causes],
                "limits": [limit._asdict() for limit in goal.limits],
                "rivals": list(goal.rivals),
                "gain": goal.gain,
                "alone": None if goal.alone is None else goal.alone._asdict(),
                "sentence": goal.sentence(),
            }
            for goal in explanation.goals
        ],
        "limits": [limit._asdict() for limit in explanation.limits],
    }


def _reasons(goal: GoalExplanation) -> tuple[str, str]:
    """The causes, and the sentence without what has columns of its own."""
    causes = ", ".join(cause.name.lower() for cause in goal.causes)
    return causes, goal.sentence().partition(" short: ")[2].rstrip(".")
