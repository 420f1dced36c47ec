"""The tables of the PLS study."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from poise.study.following import GOALS, SLOTS, UNIT, WHOLE_SLOT, Followed
from poise.study.report import Table

OURS = "auto"
NOTHING = len(GOALS) * (WHOLE_SLOT / UNIT) ** 2
"""Sums of squared errors up to this are those of goals met to 1 µm, where methods stop."""
LEAST = 1e-18
"""Smaller numbers are those of rounding, and shown as 0."""
COLUMNS = (
    *("interval [s]", "method", "frames", "median [units²]", "worst [units²]"),
    *("off by > 1 cm", "goals met [%]", "jitter", "from reference [cm]", "limits broken"),
    *("median [ms]", "longest [ms]"),
)


def outcome_table(name: str, title: str, found: Iterable[Followed]) -> Table:
    """A row for every method in every setting."""
    return Table(name, title, COLUMNS, tuple(_row(one) for one in found), LEAST)


def slot_table(found: Sequence[Followed]) -> Table:
    """Median and worst error, and the frames off, by slot."""
    columns = ["interval [s]", "method"]
    for slot in SLOTS:
        shown = f"{1e3 * slot:g} ms"
        columns += [f"{shown}: median", f"{shown}: worst", f"{shown}: off"]
    by_case = {(f.setting.interval, f.method, f.setting.slot): f for f in found}
    rows = []
    for interval, method in dict.fromkeys((f.setting.interval, f.method) for f in found):
        cells = []
        for slot in SLOTS:
            one = by_case[interval, method, slot]
            cells += [float(np.median(one.values)), float(one.values.max()), one.frames_off]
        rows.append((interval, method, *cells))
    title = "By time slot: the sum of squared errors [units²], and frames off by more than 1 cm"
    return Table("slots", title, tuple(columns), tuple(rows), LEAST)


def bar_table(found: Sequence[Followed]) -> Table:
    """Our worst frame beside the median of every other method, in the longest slot."""
    columns = ("interval [s]", "our worst [units²]", "method", "its median [units²]", "ours is")
    rows = []
    longest = [f for f in found if f.setting.slot == max(SLOTS)]
    for interval in dict.fromkeys(f.setting.interval for f in longest):
        here = {f.method: f for f in longest if f.setting.interval == interval}
        worst = float(here[OURS].values.max())
        for method, one in here.items():
            if method != OURS:
                median = float(np.median(one.values))
                rows.append((interval, worst, method, median, verdict(worst, median)))
    title = "The bar: in 15 ms our worst frame should be better than the median of every other"
    return Table("bar", title, columns, tuple(rows), LEAST)


def verdict(worst: float, median: float) -> str:
    """How our worst frame compares with another's median; up to `NOTHING` both are met."""
    if max(worst, median) <= NOTHING:
        return "as good: both within 1 µm"
    return "better" if worst < median else "MISSED: worse"


def _row(one: Followed) -> tuple[str | int | float, ...]:
    return (
        *(one.setting.interval, one.method, len(one.values)),
        *(float(np.median(one.values)), float(one.values.max())),
        *(one.frames_off, 100.0 * one.met, one.jitter, 100.0 * one.distance, one.limits_broken),
        *(1e3 * float(np.median(one.times)), 1e3 * float(one.times.max())),
    )
