"""The engine's benchmark: what a solve costs, and how often it reaches, beside the bars.

    python studies/benchmark.py [--quick] [-o FOLDER]

Everything is measured in this one run, on one thread. "Compiled" is the time of the compiled
calls of one solve, "public" that of `solver.solve(targets)`. Machines differ and are shared: the
ratio to one forward kinematics of the same run is the number to compare.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numba
import numpy as np
from motions import SIX_GOALS, Effectors, motion, random_poses

import poise
from poise.kernels import derivatives, forward, layout, rows
from poise.kernels.compiled import entry


@dataclass
class Row:
    """One line of the table; times in µs."""

    task: str
    solves: int
    median: float
    p99: float
    ratio: float
    """Median over one forward kinematics."""
    public: float
    result: str
    bar: str
    kept: bool


@entry
def repeat_forward(floats, ints, angles, count):
    for _ in range(count):
        forward.forward(floats, ints, angles)
        angles[0] += 1e-9


@entry
def repeat_gradient(floats, ints, angles, residuals, slope, count):
    custom = layout.floats_at(floats, ints, layout.CUSTOM)
    for _ in range(count):
        rows.evaluate(floats, ints, angles, residuals)
        derivatives.gradient(floats, ints, angles, residuals, custom, slope)
        angles[0] += 1e-9


def kernel_times(figure: poise.Figure, names: tuple[str, ...]) -> tuple[float, float]:
    """[µs] of one forward kinematics, and of one value with gradient, inside compiled code."""
    rest = figure.rest()
    problem = poise.Problem(figure, [poise.Position(n, rest.position(n) + 0.1) for n in names])
    ints, floats = layout.pack(problem.sections())
    residuals = layout.floats_at(floats, ints, layout.ROWS)
    angles, slope = rest.angles.copy(), np.empty(rest.angles.size)
    count = max(20, 200_000 // rest.angles.size)
    once = _best(lambda n: repeat_forward(floats, ints, angles, n), count)
    both = _best(lambda n: repeat_gradient(floats, ints, angles, residuals, slope, n), count)
    return once, both


def _best(run, count: int) -> float:
    run(1)
    times = []
    for _ in range(7):
        began = time.perf_counter()
        run(count)
        times.append((time.perf_counter() - began) / count)
    return 1e6 * min(times)


class Measured:
    """Collects the times and outcomes of many solves."""

    def __init__(self) -> None:
        self.compiled: list[float] = []
        self.public: list[float] = []
        self.solutions = 0
        self.missed = 0
        self.broken = 0
        self.worst_residual = 0.0

    def solve(self, solver: poise.Solver, positions: np.ndarray, start=None) -> poise.Solution:
        targets = {name: tuple(p) for name, p in zip(SIX_GOALS, positions.tolist(), strict=True)}
        began = time.perf_counter()
        solution = solver.solve(targets, start=start)
        self.public.append(1e6 * (time.perf_counter() - began))
        self.compiled.append(1e6 * solution.time)
        self.solutions += 1
        self.missed += not solution.reached
        figure, angles = solver.problem.figure, solution.angles
        self.broken += bool((angles < figure.lower).any() or (angles > figure.upper).any())
        return solution

    def row(self, task: str, result: str, bar: str, kept: bool, once: float) -> Row:
        median, p99 = np.median(self.compiled), np.percentile(self.compiled, 99)
        return Row(
            task,
            self.solutions,
            median,
            p99,
            median / once,
            np.median(self.public),
            result,
            bar,
            kept,
        )


def solver_for(figure: poise.Figure, **options) -> poise.Solver:
    rest = figure.rest()
    return poise.Solver(figure, [poise.Position(n, rest.position(n)) for n in SIX_GOALS], **options)


def tracking(
    figure: poise.Figure, spacing: float, frames: int, bar: float, tail: float, once: float
) -> Row:
    measured, solver = Measured(), solver_for(figure)
    for angles, positions in motion(figure, SIX_GOALS, spacing, frames, np.random.default_rng(1)):
        start = angles if measured.solutions == 0 else None
        measured.solve(solver, positions, start)
    p99 = np.percentile(measured.compiled, 99)
    kept = measured.missed == 0 and np.median(measured.compiled) <= bar and p99 <= tail
    limit = f"≤ {bar:g} µs" + (f", p99 ≤ {tail / 1e3:g} ms" if np.isfinite(tail) else "")
    return measured.row(
        f"tracking, goals {100 * spacing:g} cm apart, to 1 mm",
        f"{measured.missed} missed",
        f"{limit}, 0 missed",
        bool(kept and not measured.broken),
        once,
    )


def cold(figure: poise.Figure, count: int, once: float) -> Row:
    measured, solver, rest = Measured(), solver_for(figure), figure.rest()
    effectors = Effectors(figure, SIX_GOALS)
    for angles in random_poses(figure, count, np.random.default_rng(2)):
        measured.solve(solver, effectors.positions(angles), rest)
    reached = 100 * (1 - measured.missed / measured.solutions)
    p99 = np.percentile(measured.compiled, 99)
    kept = np.median(measured.compiled) <= 150 and p99 <= 3000 and reached >= 99.9
    return measured.row(
        "cold: random poses from rest, to 1 mm",
        f"{reached:.2f} % reached",
        "≤ 150 µs, p99 ≤ 3 ms, ≥ 99.9 %",
        bool(kept and not measured.broken),
        once,
    )


def unreachable(figure: poise.Figure, count: int, once: float) -> Row:
    """Random poses' goals spread about their centre by 1.5 to 3: farther than limbs reach."""
    measured, solver, rest = Measured(), solver_for(figure), figure.rest()
    effectors, rng = Effectors(figure, SIX_GOALS), np.random.default_rng(3)
    failures = 0
    for angles in random_poses(figure, count, rng):
        positions = effectors.positions(angles)
        centre = positions.mean(0)
        positions = centre + (positions - centre) * rng.uniform(1.5, 3.0)
        solution = measured.solve(solver, positions, rest)
        failures += not solution.residual <= max(1e-6 * solution.start_residual, 1e-10)
    p99 = np.percentile(measured.compiled, 99)
    kept = failures == 0 and p99 <= 5000 and not measured.broken
    return measured.row(
        "unreachable: random targets outside",
        f"{failures} above the KKT bar",
        "residual ≤ max(1e-6 of start, 1e-10), p99 ≤ 5 ms",
        kept,
        once,
    )


def limits(figure: poise.Figure, count: int, once: float) -> Row:
    """Goals that wander about those of the mid-range pose, within reach and beyond."""
    measured, solver, rng = Measured(), solver_for(figure, restarts=0), np.random.default_rng(4)
    home = Effectors(figure, SIX_GOALS).positions(figure.middle_angles)
    drift = np.zeros_like(home)
    for _ in range(count):
        drift = 0.9 * drift + rng.normal(0.0, 0.02, home.shape)
        measured.solve(solver, home + drift)
    return measured.row(
        "limits, over many solves",
        f"{measured.broken} broken",
        "0 broken, bit-exact",
        not measured.broken,
        once,
    )


def scaling() -> tuple[dict[int, float], float]:
    """[µs] of value with gradient for snakes of 10 to 10,000 DOFs, and the log-log slope."""
    times = {n: kernel_times(poise.figures.snake(n), ("head",))[1] for n in (10, 100, 1000, 10_000)}
    slope = np.polyfit(np.log(list(times)), np.log(list(times.values())), 1)[0]
    return times, float(slope)


def memory_slope() -> float:
    """Log-log slope of a Solver's memory from snake(10) to snake(10,000)."""
    sizes = {}
    for n in (10, 100, 1000, 10_000):
        figure = poise.figures.snake(n)
        method = poise.methods()["auto"]
        problem = poise.Problem(figure, poise.Position("head", (0.5, 0.5, 0.5)))
        sections = problem.sections() | method.sections(problem, method.checked({}))
        sizes[n] = sum(s if isinstance(s, int) else s.size for s in sections.values())
    large = [n for n in sizes if n > 600]
    return float(np.diff(np.log([sizes[n] for n in large]))[0] / np.diff(np.log(large))[0])


def table(rows_: list[Row]) -> str:
    lines = [
        "| task | solves | median, compiled | p99 | ÷ FK | median, public | result | bar | |",
        "|---|--:|--:|--:|--:|--:|---|---|---|",
    ]
    for r in rows_:
        lines.append(
            f"| {r.task} | {r.solves:,} | {r.median:.1f} µs | {r.p99:.0f} µs | {r.ratio:.0f} |"
            f" {r.public:.1f} µs | {r.result} | {r.bar} | {'kept' if r.kept else 'MISSED'} |"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the solves")
    parser.add_argument("-o", "--out", type=Path, help="write benchmark.md and benchmark.json here")
    options = parser.parse_args()
    share = 10 if options.quick else 1
    human = poise.figures.human()
    once, both = kernel_times(human, SIX_GOALS)
    times, slope = scaling()
    lines = [
        f"Python {platform.python_version()}, Numba {numba.__version__}, NumPy {np.__version__},"
        f" {platform.machine()}. 71-DOF human, goals: {', '.join(SIX_GOALS)}.",
        "",
        f"- forward kinematics {once:.2f} µs (bar 2.5), value + gradient {both:.2f} µs (bar 4)",
        "- value + gradient of a snake: "
        + ", ".join(f"{n:,} DOFs {t:.2f} µs" for n, t in times.items())
        + f"; log-log slope {slope:.2f} (bar 1.1); memory of a Solver, slope {memory_slope():.2f}",
        "",
    ]
    rows_ = [
        tracking(human, 0.01, 20_000 // share, 20, np.inf, once),
        tracking(human, 0.10, 5_000 // share, 40, np.inf, once),
        tracking(human, 0.30, 2_000 // share, 80, 3000, once),
        cold(human, 2_000 // share, once),
        unreachable(human, 2_000 // share, once),
        limits(human, 1_000_000 // share, once),
    ]
    text = "\n".join([*lines, table(rows_)])
    print(text)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "benchmark.md").write_text(text + "\n", encoding="utf-8")
        data = {"forward": once, "value_gradient": both, "snake": times, "slope": slope}
        data["rows"] = [asdict(r) for r in rows_]
        (options.out / "benchmark.json").write_text(
            json.dumps(data, indent=1, default=float) + "\n"
        )
    return 0 if all(r.kept for r in rows_) and once <= 2.5 and both <= 4 and slope <= 1.1 else 1


if __name__ == "__main__":
    sys.exit(main())
