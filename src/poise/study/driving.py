"""MovingIK driven over flat and uneven ground, its legs solved in each mode (HJ, Table 1.4)."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.figure import builtin
from poise.figure.pose import Pose
from poise.study.report import Table
from poise.walk.terrain import Terrain, flat, hills, stairs
from poise.walk.walker import Walker

Array = NDArray[np.float64]
Report = Callable[[int, int], None]

MODES = ("half", "full", "hybrid", "auto")
SPEED = 1.2  # [m/s]
SECONDS = 20.0
STEP = 1.0 / 60.0
BEGINNING = 60
"""Steps that are not counted: the first ones load compiled code, and stand."""
OFF = 0.01  # a foot that is further off is counted [m]
SOLVES = {"half": 2, "full": 2, "hybrid": 2, "auto": 1}
"""In a frame: one for each leg as in the paper, or one for pelvis and both legs together."""
PAPER = {
    "half": (0.24, 18.15, 0.013),
    "full": (5.5, 180.0, 0.031),
    "hybrid": ("-", "-", "-"),
    "auto": ("-", "-", "-"),
}
"""Table 1.4: mean time a solve [ms], iterations, time an iteration [ms]."""


@dataclass
class Driven:
    """A walk in one mode over one ground."""

    ground: str
    mode: str
    times: list[float] = field(default_factory=list)
    """Of all solves of a frame [s]."""
    iterations: list[int] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    """How far the worse of the two feet is from where it should be [m]."""
    wanted: list[Array] = field(default_factory=list)
    reached: list[Array] = field(default_factory=list)
    """(2, 3) the balls of the feet [m]."""
    broken: int = 0
    """Frames outside a limit."""

    def row(self) -> tuple[str | float, ...]:
        """Its row in the table."""
        middle = float(np.median(self.times))
        time, count = float(np.sum(self.times)), float(np.sum(self.iterations))
        solves = SOLVES[self.mode] * len(self.times)
        paper = PAPER[self.mode]
        off = 1e3 * np.array(self.off)
        return (
            *(self.ground, self.mode, solves),
            *(1e3 * middle * len(self.times) / solves, 1e3 * time / solves, paper[0]),
            *(count / solves, paper[1]),
            *(1e3 * time / count, paper[2]),
            *(float(np.median(off)), float(off.max())),
            100.0 * float(np.mean(off > 1e3 * OFF)),
            self.broken,
        )


COLUMNS = (
    *("ground", "legs by", "solves", "a solve, median [ms]", "mean [ms]", "paper [ms]"),
    *(
        "iterations",
        "paper",
        "an iteration [ms]",
        "paper's [ms]",
        "foot off, median [mm]",
        "worst [mm]",
    ),
    *("off by > 1 cm [%]", "limits broken"),
)


def grounds() -> dict[str, list[Terrain]]:
    """As in the paper: flat, and random surfaces with a flight of steps among them."""
    return {"flat": [flat()], "uneven": [hills(1), hills(2), stairs()]}


def driven(seconds: float = SECONDS, report: Report | None = None) -> list[Driven]:
    """All modes over all grounds. A step of each is made in turns, so that the machine's mood
    falls on all of them."""
    found = []
    for name, terrains in grounds().items():
        runs = [Driven(name, mode) for mode in MODES]
        for terrain in terrains:
            _drive(runs, terrain, round(seconds / STEP), report)
        found += runs
    return found


def _drive(runs: list[Driven], terrain: Terrain, steps: int, report: Report | None) -> None:
    walkers = [_walker(run.mode, terrain) for run in runs]
    for k in range(steps):
        if report is not None and k % 60 == 0:
            report(k, steps)
        for run, walker in zip(runs, walkers, strict=True):
            state = walker.step(STEP)
            if k >= BEGINNING:
                _note(run, walker, state.pose)
                run.times.append(state.solution.time)
                run.iterations.append(state.solution.iterations)


def _walker(mode: str, terrain: Terrain) -> Walker:
    figure = builtin.human()
    walker = Walker(figure, terrain, stride="paper", jacobian=None if mode == "auto" else mode)
    walker.drive(speed=SPEED)
    return walker


def _note(run: Driven, walker: Walker, pose: Pose) -> None:
    wanted = np.array([foot.ball for foot in walker.gait.frame.feet]) @ walker.build.axes.T
    reached = np.array([pose.position(foot.ball_site.name) for foot in walker.build.feet])
    run.wanted.append(wanted)
    run.reached.append(reached)
    run.off.append(float(np.linalg.norm(wanted - reached, axis=1).max()))
    run.broken += not pose.is_inside_limits


def time_table(runs: list[Driven]) -> Table:
    """Table 1.4."""
    rows = tuple(run.row() for run in runs)
    title = "60 frames a second; auto solves pelvis and both legs at once"
    return Table("times", title, COLUMNS, rows, least=1e-5)


def ratio_table(runs: list[Driven]) -> Table:
    """How many times as long an iteration of the full Jacobian takes."""
    rows = []
    for name, group in itertools.groupby(runs, key=lambda run: run.ground):
        by = {run.mode: run for run in group}
        cost = {m: np.sum(r.times) / np.sum(r.iterations) for m, r in by.items()}
        whole = {m: np.sum(r.times) for m, r in by.items()}
        an_iteration, a_solve = cost["full"] / cost["half"], whole["full"] / whole["half"]
        rows.append((name, float(an_iteration), 2.385, 2.389, float(a_solve), 5.5 / 0.24))
    columns = (
        *("ground", "full / half, an iteration", "paper, measured", "paper, counted"),
        *("full / half, a solve", "paper's"),
    )
    return Table("ratios", "What the half Jacobian saves", columns, tuple(rows))
