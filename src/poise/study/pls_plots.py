"""The plots of the PLS study: errors as boxes, and errors against the time slot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poise.study.following import GOALS, SLOTS, TOLERANCE, UNIT, Followed
from poise.study.page import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, empty_page
from poise.study.pls_tables import NOTHING, OURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Page

PAPERS = {
    "projected-gradient": "projected line search",
    "jacobian-transpose": "Jacobian transpose",
    "pseudo-inverse": "SVD pseudo-inverse",
}
"""The methods of the paper, as it calls them."""
LEAST = NOTHING / 30.0
"""Smaller sums of squares are drawn here, left of the 1 µm at which methods stop [units²]."""
MET = len(GOALS) * (TOLERANCE / UNIT) ** 2
"""No goal can be met while the sum of squares is above this [units²]."""


def box_figure(stopped: Sequence[Followed], whole: Sequence[Followed]) -> Page:
    """Figures 8 to 10 of the paper: one interval, the paper's stop beside the whole slot."""
    page = empty_page(10.0, 0.9 + 0.33 * len(stopped))
    left, right = page.subplots(1, 2, sharey=True)
    setting = stopped[0].setting
    frames = len(stopped[0].values)
    _boxes(left, stopped)
    title = "stopping at the paper's tolerance, 0.05 units"
    left.set_title(title, fontsize=10, color=INK, pad=16)
    _boxes(right, whole)
    right.set_title("using the whole slot", fontsize=10, color=INK, pad=16)
    left.invert_yaxis()  # and with it the other: the first on top
    page.suptitle(
        f"{1e3 * setting.slot:g} ms a frame, goals every {setting.interval:g} s, {frames} frames",
        fontsize=11,
        color=INK,
    )
    page.tight_layout()
    return page


def _boxes(axes: Axes, found: Sequence[Followed]) -> None:
    """One box a method: quartiles and median; whiskers to 1.5 times their distance; outliers."""
    values = [np.maximum(one.values, LEAST) for one in found]
    drawn = axes.boxplot(
        values,
        orientation="horizontal",
        widths=0.62,
        patch_artist=True,
        flierprops={"marker": "x", "ms": 3.5, "mew": 0.7, "markeredgecolor": "#b33a3a"},
        medianprops={"color": "black", "lw": 1.6},
        whiskerprops={"color": GREY, "lw": 0.9},
        capprops={"color": GREY, "lw": 0.9},
    )
    for one, box in zip(found, drawn["boxes"], strict=True):
        box.set(facecolor=_color(one.method), alpha=0.65, edgecolor=INK, linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlim(0.5 * LEAST, 1e3)
    axes.set_yticks(range(1, len(found) + 1), [_label(one.method) for one in found], fontsize=8)
    axes.axvline(MET, color=GREY, lw=0.9, ls="--", zorder=0)
    axes.axvline(NOTHING, color=GREY, lw=0.9, ls=":", zorder=0)
    axes.set_xlabel("sum of squared errors [units²]", fontsize=9)
    for place, name in ((MET, "0.05 units"), (NOTHING, "1 µm")):
        axes.annotate(
            name,
            (place, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            fontsize=7,
            color=GREY,
            ha="center",
        )
    _plain(axes)


def slot_figure(found: Sequence[Followed]) -> Page:
    """Frames off by more than 1 cm, and the median error, against the slot."""
    intervals = list(dict.fromkeys(one.setting.interval for one in found))
    page = empty_page(10.0, 5.6)
    grid = page.subplots(2, len(intervals), sharex=True, sharey="row", squeeze=False)
    for column, interval in enumerate(intervals):
        here = [one for one in found if one.setting.interval == interval]
        for method in reversed(list(dict.fromkeys(one.method for one in here))):
            own = sorted((o for o in here if o.method == method), key=lambda o: o.setting.slot)
            slots = [1e3 * one.setting.slot for one in own]
            medians = [max(float(np.median(one.values)), LEAST) for one in own]
            off = [100.0 * one.frames_off / len(one.values) for one in own]
            look = _line_look(method)
            grid[0, column].plot(slots, medians, **look)
            grid[1, column].plot(slots, off, **look)
        grid[0, column].set_title(f"goals every {interval:g} s", fontsize=10, color=INK)
        grid[1, column].set_xlabel("time slot [ms]", fontsize=9)
        grid[1, column].set_ylim(-3, 103)
    grid[0, 0].set_xscale("log")
    grid[0, 0].set_xticks([1e3 * slot for slot in SLOTS], [f"{1e3 * slot:g}" for slot in SLOTS])
    grid[0, 0].minorticks_off()
    grid[0, 0].set_yscale("log")
    grid[0, 0].set_ylabel("median of the sum of\nsquared errors [units²]", fontsize=9)
    grid[1, 0].set_ylabel("frames off by\nmore than 1 cm [%]", fontsize=9)
    for axes in grid.flat:
        _plain(axes)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    named = dict(zip(labels, handles, strict=True))
    page.tight_layout(rect=(0.0, 0.06, 1.0, 1.0))
    page.legend(
        *zip(*[(named[n], n) for n in reversed(labels) if n in named], strict=True),
        loc="lower center",
        ncol=len(named),
        frameon=False,
        fontsize=8.5,
    )
    return page


def _line_look(method: str) -> dict[str, Any]:
    """Ours and the paper's in colours of their own, with marks; the others in grey."""
    marks = {OURS: "o", "projected-gradient": "s", "jacobian-transpose": "^", "pseudo-inverse": "D"}
    if method in marks:
        label = PAPERS.get(method, f"{method} (ours)")
        return {"color": _color(method), "marker": marks[method], "ms": 5, "lw": 2.0,
                "label": label, "zorder": 3}  # fmt: skip
    others = {"label": "the others"} if method == "fabrik" else {}
    return {"color": GREY, "alpha": 0.45, "lw": 1.0} | others


def _color(method: str) -> str:
    if method == OURS:
        return BLUE
    if method == "projected-gradient":
        return ORANGE
    if method == "pseudo-inverse":
        return GREEN
    return PURPLE if method in PAPERS else "#b8bec6"


def _label(method: str) -> str:
    if method == OURS:
        return "auto (ours)"
    return f"{method}\n({PAPERS[method]})" if method in PAPERS else method


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
    axes.grid(axis="both", color="#e6e8eb", lw=0.6)
    axes.set_axisbelow(True)
