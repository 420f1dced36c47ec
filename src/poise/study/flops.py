"""Flops of one iteration of the half-Jacobian method, counted on our kernels (HJ, Table 1.2).

Counted, not estimated: the kernels run uncompiled on numbers that count what is done with them, for
chains of several lengths, and a line is put through the counts.

The rows of the paper's 3-D column add up to 95n + 18m + 222, not to + 252 as printed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.figure import joint
from poise.figure.figure import Figure
from poise.figure.segment import Segment, Site
from poise.goals import Pose6D
from poise.problem import Problem
from poise.solve.method import method_named
from poise.solve.workspace import Workspace
from poise.study.report import Table

Array = NDArray[np.float64]

LENGTHS = (6, 12, 18)  # DOFs of the chains that are counted
MODES = {"half": 3, "full": 6}  # rows

PAPER = {
    "1 increment": {"half": (0, 3), "full": (0, 6)},
    "2 Jacobian": {"half": (0, 162), "full": (0, 162)},
    "3 pseudo-inverse": {"half": (33, 42), "full": (105, 583)},
    "4 convergence": {"half": (18, 15), "full": (72, 66)},
    "6 joint angles": {"half": (6, 0), "full": (12, 0)},
    "7 new position": {"half": (38, 0), "full": (38, 0)},
}
"""Table 1.2: flops a n + b of each stage; stage 5 has 18m and 72m for m halvings."""
PAPER_TOTAL = {"half": (95, 252), "full": (227, 817)}
"""As printed."""


def paper_sum(mode: str) -> tuple[int, int]:
    """(a, b) of the sum of the paper's rows."""
    rows = [stages[mode] for stages in PAPER.values()]
    return sum(a for a, _ in rows), sum(b for _, b in rows)


def chain(dofs: int) -> Figure:
    """A limb of ball joints with three Euler DOFs each."""
    segments = [Segment("base", None)]
    for i in range(dofs // 3):
        ball = joint.ball("ZXY", [(-2.0, 2.0)] * 3)
        offset = (0.0, 0.0, 0.0) if i == 0 else (0.0, 0.3, 0.0)
        segments.append(Segment(f"link_{i}", segments[-1].name, ball, offset))
    return Figure("limb", segments, [Site("tip", segments[-1].name, (0.0, 0.3, 0.0))])


def goal_at(figure: Figure, angles: Array) -> Pose6D:
    pose = figure.pose(angles)
    return Pose6D("tip", pose.position("tip"), pose.rotation("tip"))


def workspace(figure: Figure, mode: str) -> Workspace:
    rng = np.random.default_rng(len(figure.dofs))
    goal = goal_at(figure, rng.uniform(-1.0, 1.0, len(figure.dofs)))
    method = method_named("half-jacobian")
    parameters = method.checked({"mode": mode, "last_link": "free"})
    return Workspace(Problem(figure, goal), method, parameters)


class Counted(float):
    """A number that counts what is done with it."""

    flops = 0


def _counting(name: str) -> Callable[[Any, Any], Any]:
    plain = getattr(float, name)

    def operation(self: Any, other: Any) -> Any:
        Counted.flops += 1
        return Counted(plain(self, other))

    return operation


for _name in ("add", "sub", "mul", "truediv"):
    for _form in (f"__{_name}__", f"__r{_name}__"):
        setattr(Counted, _form, _counting(_form))


def count(figure: Figure, mode: str) -> dict[str, int]:
    """Flops of each stage of one iteration."""
    from poise.kernels import chain_rows, half_jacobian, layout, right_inverse, rows

    space = workspace(figure, mode)
    ints = space.ints
    floats = np.array([Counted(value) for value in space.floats], object)
    n, lines = len(figure.dofs), MODES[mode]
    angles = np.array([Counted(0.1 * i) for i in range(n)], object)
    kind = chain_rows.BOTH if mode == "full" else chain_rows.POINT
    found: dict[str, int] = {}

    def counted(stage: str, function: Callable[..., Any], *arguments: Any) -> Any:
        Counted.flops = 0
        result = function(*arguments)
        found[stage] = Counted.flops
        return result

    def section(which: int) -> np.ndarray:
        return layout.floats_at(floats, ints, which)

    counted("7 new position", rows.evaluate, floats, ints, angles, section(layout.ROWS))
    dx, dofs = section(layout.DUAL)[:6], np.arange(n)
    point, _ = counted("1 increment", chain_rows.displacement, floats, ints, kind, 0, dx)
    matrix, gram = section(layout.VECTORS)[n:], section(layout.GRAM)
    counted("2 Jacobian", chain_rows.fill_columns, floats, ints, dofs, kind, point, matrix)
    counted("JJT", right_inverse.fill_gram, matrix, lines, n, gram)
    system, y = gram.copy(), dx.copy()
    solve = right_inverse.solve_lu if mode == "full" else right_inverse.solve_three
    counted("solve", solve, *((system, 6, y) if mode == "full" else (system, y)))
    counted("step", half_jacobian.stage_step, floats, ints, dofs, kind, point, dx)
    found["3 pseudo-inverse"] = found.pop("JJT") + found.pop("solve")
    found["4 to 6 check and update"] = (
        found.pop("step") - found["2 Jacobian"] - found["3 pseudo-inverse"]
    )
    return found


def lines_through() -> dict[str, dict[str, list[float]]]:
    """{stage: {mode: [a, b]}} of flops a n + b; run without the compiler."""
    fitted: dict[str, dict[str, list[float]]] = {}
    for mode in MODES:
        counts = [count(chain(n), mode) for n in LENGTHS]
        for stage in sorted(counts[0]):
            slope, constant = np.polyfit(LENGTHS, [found[stage] for found in counts], 1)
            line = [round(float(value), 2) + 0.0 for value in (slope, constant)]
            fitted.setdefault(stage, {})[mode] = line
    return fitted


def counted_uncompiled() -> dict[str, dict[str, list[float]]]:
    """`lines_through` in a process where the kernels are plain Python."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-m", __name__],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def added_up(flops: dict[str, dict[str, list[float]]], mode: str) -> tuple[float, float]:
    """(a, b) of the sum over all stages."""
    rows = [modes[mode] for modes in flops.values()]
    return sum(a for a, _ in rows), sum(b for _, b in rows)


def flop_table(flops: dict[str, dict[str, list[float]]]) -> Table:
    """Table 1.2, the paper's rows and ours; n DOFs, m halvings."""
    columns = ("stage", "half", "full", "full / half by n")
    rows: list[tuple[str | float, ...]] = []

    def add(stage: str, half: tuple[float, float], full: tuple[float, float]) -> None:
        ratio = full[0] / half[0] if half[0] else "-"
        rows.append((stage, _line(half), _line(full), ratio))

    for stage, modes in PAPER.items():
        add(f"paper: {stage}", modes["half"], modes["full"])
    add("paper: added up", paper_sum("half"), paper_sum("full"))
    add("paper: as printed", PAPER_TOTAL["half"], PAPER_TOTAL["full"])
    for stage in sorted(flops):
        half, full = flops[stage]["half"], flops[stage]["full"]
        add(f"ours: {stage}", (half[0], half[1]), (full[0], full[1]))
    add("ours: added up", added_up(flops, "half"), added_up(flops, "full"))
    return Table("flops", "Flops of one iteration, a n + b for n DOFs", columns, tuple(rows))


def _line(pair: tuple[float, float]) -> str:
    return f"{pair[0]:.4g} n + {pair[1]:.4g}" if pair[0] else f"{pair[1]:.4g}"


if __name__ == "__main__":
    sys.stdout.write(json.dumps(lines_through()))
