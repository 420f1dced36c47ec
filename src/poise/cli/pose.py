"""`poise pose`: solve for a pose, print how well it went, write it and draw it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from poise.cli import DONE, FAILED
from poise.cli.figures import figure_named
from poise.cli.options import POSITIVE, Json, Tolerance
from poise.cli.output import SHOWN, console, to_json
from poise.cli.progress import compiling
from poise.errors import GoalError, OptionError
from poise.files import atomic_write, check_writable

if TYPE_CHECKING:
    from typing import Unpack

    from poise.figure.figure import Figure
    from poise.goals import Position
    from poise.solve import Solution
    from poise.solve.settings import Options

NAME = "pose"
EXAMPLES = """\
Examples:
  poise pose --goal left_hand=0.35,1.30,0.45 --picture pose.png
  poise pose --goal head=0,1.4,0.3 --goal left_foot=0.1,0.08,0 --json
  poise pose --figure snake:20 --goal head=0.5,0.5,0.5 --out pose.json
  poise pose --goal left_hand=0.2,1.2,3 --goal pelvis=0,0.9,0 --explain"""

POSES = (".json", ".bvh", ".glb", ".gltf", ".vrm")
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
        str,
        Parameter(
            help="A built-in figure: human, jack, arm, spider or snake:N (N joints); or a file."
        ),
    ] = "human",
    start: Annotated[
        Literal["rest", "middle"], Parameter(help="Start at rest, or amid all limits.")
    ] = "rest",
    method: Annotated[str, Parameter(help="The method that solves.")] = "auto",
    tolerance: Tolerance = 1e-3,
    max_time: Annotated[
        float | None,
        Parameter(help="Seconds after which the best pose so far will do.", validator=POSITIVE),
    ] = None,
    out: Annotated[
        Path | None, Parameter(help="Write the pose to this .json, .bvh, .glb or .gltf file.")
    ] = None,
    picture: Annotated[
        Path | None, Parameter(help="Draw the pose to this .png, .svg, .pdf or .jpg file.")
    ] = None,
    explain: Annotated[
        bool,
        Parameter(help="Say why goals are not met, and which limits hold them off.", negative=""),
    ] = False,
    json: Json = False,
) -> int:
    """Pose a figure so that it meets goals.

    Every joint stays inside its limits. The exit code is 0 if all goals are
    reached and 1 if one is not: the closest pose is printed and written all
    the same.
    """
    from poise.cli.explained import explanation_document
    from poise.cli.posefile import effort_document, pose_document

    goals = _goals(goal)
    _check_files(out, picture)
    chosen = figure_named(figure)
    solution = _solve(chosen, goals, start, method=method, tolerance=tolerance, max_time=max_time)
    document = pose_document(solution)
    if out is not None:
        _write(solution, document, out, figure)
    if picture is not None:
        from poise.view.picture import picture as draw

        draw(solution, picture, title=_summary(solution))
    if json:
        told = {"explanation": explanation_document(solution.explanation)} if explain else {}
        print(to_json(document | effort_document(solution) | told), end="")
    else:
        written = [path for path in (out, picture) if path is not None]
        _print(solution, document, written, explain=explain)
    return DONE if solution.reached else FAILED


def _goals(texts: list[str]) -> list[Position]:
    goals = [_goal(text) for text in texts]
    names = [goal.name for goal in goals]
    for name in names:
        if names.count(name) > 1:
            raise GoalError(f"--goal {name} is given {names.count(name)} times; give it once")
    return goals


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


def _solve(
    figure: Figure, goals: list[Position], start: str, **options: Unpack[Options]
) -> Solution:
    """Check the call, compile what is not compiled yet, and solve."""
    from poise.problem import Problem
    from poise.solve import prepare, solve
    from poise.solve.method import method_named

    method_named(options.get("method", "auto"))
    Problem(figure, goals, tolerance=options.get("tolerance", 1e-3))
    with compiling() as report:
        prepare(report)
    first = figure.middle() if start == "middle" else figure.rest()
    # Load the compiled code before the clock starts: it is not part of solving.
    solve(figure, goals, start=first, **(options | {"max_iterations": 0, "max_time": None}))
    return solve(figure, goals, start=first, **options)


def _check_files(out: Path | None, picture: Path | None) -> None:
    """Say before the work if its results cannot be written."""
    for path, option, suffixes in ((out, "--out", POSES), (picture, "--picture", PICTURES)):
        if path is not None and path.suffix.lower() not in suffixes:
            known = " or ".join(suffixes)
            raise OptionError(f"{option} {path}: this version writes {known}; name the file so")
        if path is not None:
            check_writable(path)


def _write(solution: Solution, document: dict[str, Any], path: Path, figure: str) -> None:
    if path.suffix.lower() == ".json":
        atomic_write(path, to_json(document))
        return
    from poise.cli.clips import kept_character
    from poise.formats import save

    save(solution.pose, path, **kept_character(figure, path))


def _print(
    solution: Solution, document: dict[str, Any], written: list[Path], *, explain: bool
) -> None:
    """What people read: how each goal ended, what it took, what held it back."""
    from poise.cli.explained import goal_table, limit_lines

    screen = console()
    style = "bold green" if solution.reached else "bold red"
    screen.print(_summary(solution), style=style)
    told = solution.explanation if explain and not solution.reached else None
    screen.print(goal_table(document["goals"], told))
    if told is not None:
        for part in limit_lines(told):
            screen.print(part)
    counts = (solution.iterations, "iteration"), (solution.evaluations, "evaluation")
    effort = ", ".join(f"{n} {what}{'' if n == 1 else 's'}" for n, what in counts)
    screen.print(f"{effort}, {_duration(solution.time)}")
    held = "held" if document["limits_held"] else "BROKEN"
    active = [] if explain else [limit["dof"] for limit in document["active_limits"]]
    more = f" and {len(active) - SHOWN} more" if len(active) > SHOWN else ""
    pressing = f"; in the way: {', '.join(active[:SHOWN])}{more}" if active else ""
    screen.print(f"limits {held}{pressing}")
    for path in written:
        screen.print(f"written: {path}", soft_wrap=True)


def _summary(solution: Solution) -> str:
    figure = solution.pose.figure
    return f"{figure.name}, {len(figure.dofs)} DOFs: {solution.status}"


def _duration(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e3)):
        if seconds * scale >= 1.0:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"
