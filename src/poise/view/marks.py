"""What is drawn over a picture of a body: rings, lines, patches and arrows at points in space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from poise.view.render import Camera

if TYPE_CHECKING:
    from matplotlib.axes import Axes

REACHED, MISSED = "#1a7f4b", "#c8321e"
_PAPER = {"boxstyle": "round,pad=0.2", "facecolor": "white", "alpha": 0.75, "lw": 0}


def ring(axes: Axes, camera: Camera, point: ArrayLike, color: str, *, size: float = 11.0) -> None:
    """A ring with a cross: a point in space that something should be at."""
    x, y, _ = camera.project(np.asarray(point, float))
    for edge, width in (("white", 2.6), (color, 1.5)):
        axes.plot(x, y, "o", ms=size, mew=width, fillstyle="none", color=edge)
    axes.plot(x, y, "+", ms=size, mew=1.2, color=color)


def line(axes: Axes, camera: Camera, points: ArrayLike, color: str, **style: Any) -> None:
    """A line through points (n, 3)."""
    x, y, _ = camera.project(np.asarray(points, float)).T
    axes.plot(x, y, color=color, **({"linewidth": 1.8, "solid_capstyle": "round"} | style))


def patch(axes: Axes, camera: Camera, corners: ArrayLike, color: str, **style: Any) -> None:
    """A translucent polygon with an edge, from its corners (n, 3)."""
    x, y, _ = camera.project(np.asarray(corners, float)).T
    opacity = style.pop("alpha", 0.16)
    axes.fill(x, y, facecolor=color, alpha=opacity, lw=0)
    edge: dict[str, Any] = {"lw": 1.0, "alpha": 0.7, "edgecolor": color} | style
    axes.fill(x, y, facecolor="none", **edge)


def arrow(axes: Axes, camera: Camera, start: ArrayLike, end: ArrayLike, color: str) -> None:
    """An arrow from one point to another."""
    tail, head = camera.project(np.stack([np.asarray(start, float), np.asarray(end, float)]))
    look = {"arrowstyle": "-|>", "lw": 1.8, "mutation_scale": 12, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", head[:2], tail[:2], arrowprops=look | {"color": color})


def label(
    axes: Axes,
    camera: Camera,
    point: ArrayLike,
    text: str,
    color: str,
    *,
    at: tuple[float, float] = (9.0, 7.0),
    **style: Any,
) -> None:
    """Words beside a point, `at` so many typographic points right and up of it."""
    x, y, _ = camera.project(np.asarray(point, float))
    axes.annotate(
        text,
        (float(x), float(y)),
        xytext=at,
        textcoords="offset points",
        **({"fontsize": 8, "color": color, "bbox": _PAPER} | style),
    )
