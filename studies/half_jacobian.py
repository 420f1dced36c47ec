"""What a half Jacobian saves (Meredith & Maddock, Tables 1.1, 1.2 and 1.4), on our kernels.

    python studies/half_jacobian.py [--json]

Flops are counted, not estimated: the kernels run uncompiled on numbers that count what is done
with them, for chains of several lengths, and a line is put through the counts. Times are those of
the compiled kernels, half and full in turns within one run, so that only their ratio counts.

The rows of the paper's 3-D column add up to 95n + 18m + 222, not to + 252 as printed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np

import poise
from poise.solve.method import method_named
from poise.solve.workspace import Workspace

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


def chain(dofs: int) -> poise.Figure:
    """A limb of ball joints with three Euler DOFs each."""
    segments = [poise.Segment("base", None)]
    for i in range(dofs // 3):
        ball = poise.joint.ball("ZXY", [(-2.0, 2.0)] * 3)
        offset = (0.0, 0.0, 0.0) if i == 0 else (0.0, 0.3, 0.0)
        segments.append(poise.Segment(f"link_{i}", segments[-1].name, ball, offset))
    return poise.Figure("limb", segments, [poise.Site("tip", segments[-1].name, (0.0, 0.3, 0.0))])


def goal_at(figure: poise.Figure, angles: np.ndarray) -> poise.Pose6D:
    pose = figure.pose(angles)
    return poise.Pose6D("tip", pose.position("tip"), pose.rotation("tip"))


def workspace(figure: poise.Figure, mode: str) -> Workspace:
    rng = np.random.default_rng(len(figure.dofs))
    goal = goal_at(figure, rng.uniform(-1.0, 1.0, len(figure.dofs)))
    method = method_named("half-jacobian")
    parameters = method.checked({"mode": mode, "last_link": "free"})
    return Workspace(poise.Problem(figure, goal), method, parameters)


# -- counting -------------------------------------------------------------------------------------


class Counted(float):
    """A number that counts what is done with it."""

    flops = 0


def _counting(name: str):
    plain = getattr(float, name)

    def operation(self, other):
        Counted.flops += 1
        return Counted(plain(self, other))

    return operation


for _name in ("add", "sub", "mul", "truediv"):
    for _form in (f"__{_name}__", f"__r{_name}__"):
        setattr(Counted, _form, _counting(_form))


def count(figure: poise.Figure, mode: str) -> dict[str, int]:
    """Flops of each stage of one iteration."""
    from poise.kernels import chain_rows, half_jacobian, layout, right_inverse, rows

    space = workspace(figure, mode)
    ints = space.ints
    floats = np.array([Counted(value) for value in space.floats], object)
    n, lines = len(figure.dofs), MODES[mode]
    angles = np.array([Counted(0.1 * i) for i in range(n)], object)
    kind = chain_rows.BOTH if mode == "full" else chain_rows.POINT
    found: dict[str, int] = {}

    def counted(stage: str, function, *arguments):
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
        [sys.executable, __file__, "--count"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


# -- timing ---------------------------------------------------------------------------------------


def solver_of(figure: poise.Figure, goal: poise.Pose6D, mode: str, **options) -> poise.Solver:
    """Half solves for the position alone, full for position and orientation."""
    wanted = goal if mode == "full" else poise.Position("tip", goal.position)
    options = {"tolerance": 1e-9, "optimality": 0.0, **options}
    return poise.Solver(
        figure, wanted, method="half-jacobian", parameters={"mode": mode}, **options
    )


def seconds_an_iteration(figure: poise.Figure, mode: str, goals: list, starts: list) -> float:
    """A whole iteration: step, forward kinematics, residual, best pose. What a solve costs without
    iterations is taken off."""
    spent, iterations = 0.0, 0
    for sign, options in ((1.0, {}), (-1.0, {"max_iterations": 0})):
        solver = solver_of(figure, goals[0], mode, **options)
        for goal, start in zip(goals, starts, strict=True):
            whole = (goal.position, goal.rotation)
            target = {"tip": whole if mode == "full" else goal.position}
            began = time.perf_counter()
            solution = solver.solve(target, start=start)
            spent += sign * (time.perf_counter() - began)
            iterations += solution.iterations
    return spent / iterations


def time_ratio(dofs: int, solves: int = 300, repeats: int = 9) -> dict[str, float]:
    """Median times [µs] of an iteration, half and full in turns, and the median of their ratios."""
    figure, rng = chain(dofs), np.random.default_rng(1)
    goals = [goal_at(figure, rng.uniform(-1.0, 1.0, dofs)) for _ in range(solves)]
    starts = [rng.uniform(-1.0, 1.0, dofs) for _ in range(solves)]
    taken: dict[str, list[float]] = {mode: [] for mode in MODES}
    for _ in range(repeats):
        for mode in MODES:
            taken[mode].append(1e6 * seconds_an_iteration(figure, mode, goals, starts))
    ratios = [full / half for half, full in zip(*taken.values(), strict=True)]
    return {mode: statistics.median(taken[mode]) for mode in MODES} | {
        "ratio": statistics.median(ratios)
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--count", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.count:
        print(json.dumps(lines_through()))
        return
    flops = counted_uncompiled()
    times = {dofs: time_ratio(dofs) for dofs in (6, 12, 30)}
    if given.json:
        print(json.dumps({"flops": flops, "times": times}))
        return
    report(flops, times)


def added_up(flops: dict, mode: str) -> tuple[float, float]:
    """(a, b) of the sum over all stages."""
    rows = [modes[mode] for modes in flops.values()]
    return sum(a for a, _ in rows), sum(b for _, b in rows)


def report(flops: dict, times: dict) -> None:
    def line(pair) -> str:
        return f"{pair[0]:7.4g} n + {pair[1]:6.4g}"

    print(f"{'flops of one iteration':26} {'half':>18} {'full':>18}")
    for stage, modes in PAPER.items():
        print(f"  paper {stage:18} {line(modes['half']):>18} {line(modes['full']):>18}")
    sums = {mode: paper_sum(mode) for mode in MODES}
    print(f"  paper, added up {'':8} {line(sums['half']):>18} {line(sums['full']):>18}")
    print(
        f"  paper, printed {'':9} {line(PAPER_TOTAL['half']):>18} {line(PAPER_TOTAL['full']):>18}"
    )
    for stage in sorted(flops):
        print(
            f"  ours {stage:19} {line(flops[stage]['half']):>18} {line(flops[stage]['full']):>18}"
        )
    total = {mode: added_up(flops, mode) for mode in MODES}
    print(f"  ours, added up {'':9} {line(total['half']):>18} {line(total['full']):>18}")
    print(
        f"full / half by the factor of n: paper {sums['full'][0] / sums['half'][0]:.3f},"
        f" ours {total['full'][0] / total['half'][0]:.3f}"
    )
    print("time an iteration [µs]; the paper: 13, 31, ratio 2.385")
    for dofs, one in times.items():
        print(f"  {dofs:3} DOFs: {one['half']:.2f}, {one['full']:.2f}, ratio {one['ratio']:.2f}")


if __name__ == "__main__":
    main()
