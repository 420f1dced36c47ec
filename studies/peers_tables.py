"""The tables and the figure of the peers' study, made of what every peer answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from peers_environments import OURS, Peer

from poise.study.page import BLUE, GREY, INK, empty_page
from poise.study.report import Table

ALL = 0.9999  # a share that counts as all
MOST = 0.8  # and one that is worth showing


@dataclass(frozen=True, eq=False)
class Outcome:
    """One way in which a peer solved a task."""

    peer: str
    way: str
    versions: str
    settings: str
    holds_limits: bool
    solves: int
    reached: float
    """Share of the solves inside the tolerances and the limits, by a check of our own."""
    outside: float
    """Most that an answer breaks a limit by [rad]."""
    times: NDArray[np.float64]
    """[s] of all solves."""
    error: str = ""

    @property
    def median(self) -> float:
        """[s]"""
        return float(np.median(self.times))


def outcomes(
    peer: Peer, found: dict, goals: int, off: Callable, is_reached: Callable
) -> Iterable[Outcome]:
    """One for each way, or one that says what went wrong."""
    if "error" in found:
        yield Outcome(peer.name, "", "", peer.settings, peer.holds_limits, 0, 0.0, 0.0,
                      np.empty(0), found["error"])  # fmt: skip
        return
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    for way, own in found["ways"].items():
        if "error" in own:
            yield Outcome(peer.name, way, versions, peer.settings, peer.holds_limits, 0, 0.0, 0.0,
                          np.empty(0), own["error"])  # fmt: skip
            continue
        reached = solves = 0
        outside = 0.0
        for one in own["passes"]:
            answers = [np.array(answer, float) for answer in one["answers"]]
            reached += sum(is_reached(goal, answer) for goal, answer in enumerate(answers))
            solves += goals  # those that there was no time for count as missed
            outside = max(
                [outside, *(off(goal, answer)[-1] for goal, answer in enumerate(answers))]
            )
        times = np.concatenate([one["times"] for one in own["passes"]])
        yield Outcome(peer.name, way, versions, peer.settings, peer.holds_limits, solves,
                      reached / solves, outside, times)  # fmt: skip


def ours(found: list[Outcome], way: str) -> Outcome:
    (own,) = [one for one in found if one.peer == OURS.name and one.way == way]
    return own


def table(name: str, title: str, found: list[Outcome], reference: Outcome) -> Table:
    """A row a way: ours first, then by how many goals are reached and how fast."""
    columns = ("solver", "way", "solves", "reached [%]", "median [µs]", "p95 [µs]", "median / ours",
               "outside limits [rad]", "failed because")  # fmt: skip
    rows = []
    for one in sorted(found, key=_order):
        row = (one.peer, one.way, one.solves)
        if one.error:
            rows.append((*row, "", "", "", "", "", one.error))
            continue
        p95 = float(np.percentile(one.times, 95))
        ratio = one.median / reference.median
        rows.append(
            (*row, 100.0 * one.reached, 1e6 * one.median, 1e6 * p95, ratio, one.outside, "")
        )
    return Table(name, title, columns, tuple(rows), least=1e-12)


def _order(one: Outcome) -> tuple:
    speed = one.median if one.times.size else 0.0
    return bool(one.error), one.peer != OURS.name, -round(one.reached, 2), speed


def peers_table(found: list[Outcome]) -> Table:
    """What took part, in which version, and how it was set."""
    rows = {one.peer: (one.peer, one.versions, one.settings) for one in found if one.versions}
    rows = {one.peer: (one.peer, "", one.settings) for one in found} | rows
    return Table("peers", "Who took part", ("solver", "versions", "settings"), tuple(rows.values()))


def ratio_bar(what: str, own: Outcome, others: Iterable[Outcome], least: float) -> tuple:
    """A row of the bars: the fastest of `others` that reaches all goals inside the limits, over
    ours."""
    ran = [one for one in others if not one.error]
    able = [one for one in ran if one.reached >= ALL]
    if not ran:
        return (what, "nobody ran", 0.0, least, "not judged")
    if not able:
        return (what, "nobody reaches all", 0.0, least, "kept" if own.reached >= ALL else "MISSED")
    fastest = min(able, key=lambda one: one.median)
    ratio = fastest.median / own.median
    kept = ratio >= least and own.reached >= ALL
    name = f"{fastest.peer}, {fastest.way}"
    return (what, name, ratio, least, "kept" if kept else "MISSED")


def bars_table(rows: list[tuple]) -> Table:
    columns = ("bar", "compared with", "measured", "at least", "result")
    return Table("bars", "The bars", columns, tuple(rows))


def speed_figure(found: dict[str, list[Outcome]], titles: dict[str, str]):
    """For each task the median times of what reached most goals, on a logarithmic axis."""
    shown = {
        task: sorted(
            (one for one in own if not one.error and one.reached >= MOST),
            key=lambda one: -one.median,
        )
        for task, own in found.items()
    }
    counts = [len(own) + 1.5 for own in shown.values()]
    page = empty_page(9.0, 0.24 * sum(counts) + 0.8)
    grid = page.subplots(len(shown), 1, gridspec_kw={"height_ratios": counts}, sharex=True)
    for axes, (task, own) in zip(np.ravel(grid), shown.items(), strict=True):
        names = [f"{one.peer}, {one.way}" for one in own]
        times = [1e6 * one.median for one in own]
        colors = [BLUE if one.peer == OURS.name else GREY for one in own]
        axes.barh(names, times, color=colors, height=0.7)
        for at, (one, time) in enumerate(zip(own, times, strict=True)):
            text = f" {time:.3g} µs" + (
                "" if one.reached >= ALL else f", {100 * one.reached:.3g} %"
            )
            axes.annotate(text, (time, at), fontsize=7, color=INK, va="center")
        axes.set_xscale("log")
        axes.set_xlim(left=10.0, right=10.0 * max(times, default=100.0))
        axes.set_title(titles[task], loc="left", fontsize=9, color=INK)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=8)
    np.ravel(grid)[-1].set_xlabel("median of a solve [µs]", fontsize=9)
    page.tight_layout()
    return page
