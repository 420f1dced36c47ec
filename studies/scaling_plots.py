"""The figure of the scaling study."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from poise.study.page import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, empty_page

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Page

COLORS = (BLUE, ORANGE, GREEN, PURPLE)


def scaling_figure(dofs: Sequence[Any], goals: Sequence[Any], crowd: Sequence[Any]) -> Page:
    """Cost against DOFs, against goals, and against the size of a crowd."""
    page = empty_page(11.0, 3.9)
    left, middle, right = page.subplots(1, 3)
    _costs(left, dofs, "degrees of freedom (snake, one goal)")
    _costs(middle, goals, "goals (71-DOF human)")
    for color, threads in zip(COLORS, dict.fromkeys(one.threads for one in crowd), strict=False):
        own = [one for one in crowd if one.threads == threads]
        label = f"{threads} thread{'s' * (threads > 1)}"
        right.plot([o.size for o in own], [o.each for o in own], "o-", color=color, label=label)
    right.set_xlabel("solves in one call", fontsize=9)
    right.set_ylabel("time of a solve [µs]", fontsize=9)
    for axes in (left, middle, right):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.grid(color="#e4e6ea", lw=0.6, which="major")
        axes.tick_params(colors=INK, labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(
            fontsize=7.5, frameon=False, loc="upper right" if axes is right else "upper left"
        )
        low, high = axes.get_ylim()
        axes.set_ylim(low, high if axes is right else 20.0 * high)  # room for the legend
    page.tight_layout()
    return page


def _costs(axes: Axes, costs: Sequence[Any], label: str) -> None:
    """A frame above its floor, and the parts of the floor."""
    sizes = [one.size for one in costs]
    frames, floors = [one.frame for one in costs], [one.floor.whole for one in costs]
    axes.fill_between(sizes, floors, frames, color=BLUE, alpha=0.08, lw=0)
    axes.plot(sizes, frames, "o-", color=BLUE, label="a frame")
    axes.plot(sizes, floors, "s-", color=ORANGE, label="the floor: one of each")
    parts = (
        ("forward", "forward kinematics", ":"),
        ("jacobian", "Jacobian", "--"),
        ("factorisation", "factorisation", "-."),
    )
    for name, shown, style in parts:
        values = [getattr(one.floor, name) or float("nan") for one in costs]
        axes.plot(sizes, values, style, color=GREY, lw=1.1, label=shown)
    axes.set_xlabel(label, fontsize=9)
    axes.set_ylabel("time [µs]", fontsize=9)
