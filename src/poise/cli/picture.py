"""A picture of a pose: the body from two sides, its goals, and what is missing to each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import radians
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.cli.body import Spheres, spheres
from poise.cli.render import Camera, camera_on, render
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

SKIN = np.array([0.62, 0.68, 0.76])
LEFT = np.array([0.45, 0.68, 0.72])
RIGHT = np.array([0.76, 0.64, 0.56])
REACHED, MISSED = "#1a7f4b", "#c8321e"
VIEWS = (radians(38.0), radians(-52.0))
ELEVATION = radians(14.0)
IMAGE_HEIGHT = 900
"""Pixels of a view."""


@dataclass(frozen=True)
class Mark:
    """A goal to draw: where it is, where its effector is, and whether that will do."""

    label: str
    target: Array
    reached_point: Array
    reached: bool


def draw(pose: Pose, marks: Sequence[Mark], path: str | Path, title: str = "") -> None:
    """Draw a pose and its goals to a .png, .svg, .pdf or .jpg file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Page

    body = spheres(pose)
    up = "XYZ".index(pose.figure.up)
    reach = body.radii[:, None]
    points = np.concatenate(
        [body.centers - reach, body.centers + reach, *(m.target[None] for m in marks)]
    )
    size = float(np.ptp(points, axis=0).max())
    ground = _ground_height(body, up, size)
    cameras = [
        camera_on(points, up, azimuth, ELEVATION, 0.07 * size, IMAGE_HEIGHT) for azimuth in VIEWS
    ]
    widths = [camera.shape[1] / camera.shape[0] for camera in cameras]
    page = Page(figsize=(6.0 * sum(widths) + 0.2, 6.4), dpi=150, facecolor="white")
    FigureCanvasAgg(page)
    grid = page.add_gridspec(
        1, len(cameras), width_ratios=widths, left=0, right=1, bottom=0, top=0.94, wspace=0
    )
    colors = _colors(pose.figure)
    for column, camera in enumerate(cameras):
        axes = page.add_subplot(grid[0, column])
        axes.set_axis_off()
        axes.imshow(render(body, colors, camera, up, ground))
        _draw_marks(axes, camera, marks, named=column == 0)
    page.text(0.5, 0.965, title, ha="center", va="center", fontsize=11, color="#333333")
    with replacing(path) as temporary:
        page.savefig(temporary)


def _draw_marks(axes: Axes, camera: Camera, marks: Sequence[Mark], *, named: bool) -> None:
    """Goals as rings with a cross; a dotted line to the effector where it falls short."""
    for mark in marks:
        color = REACHED if mark.reached else MISSED
        x, y, _ = camera.project(mark.target)
        if not mark.reached:
            ends = camera.project(np.stack([mark.target, mark.reached_point]))
            axes.plot(ends[:, 0], ends[:, 1], ":", color=color, linewidth=1.8)
        axes.plot(x, y, "o", markersize=11, markeredgewidth=2.6, fillstyle="none", color="white")
        axes.plot(x, y, "o", markersize=11, markeredgewidth=1.5, fillstyle="none", color=color)
        axes.plot(x, y, "+", markersize=11, markeredgewidth=1.2, color=color)
        if named:
            axes.annotate(
                mark.label,
                (x, y),
                xytext=(9, 7),
                textcoords="offset points",
                fontsize=8,
                color=color,
                bbox={"boxstyle": "round,pad=0.2", "facecolor": "white", "alpha": 0.75, "lw": 0},
            )


def _colors(figure: Figure) -> Array:
    """One colour a segment (segments, 3): its left and right sides differ."""
    sides = {"left": LEFT, "right": RIGHT}
    return np.array([sides.get(name.split("_")[0], SKIN) for name in figure.segment_names])


def _ground_height(body: Spheres, up: int, size: float) -> float | None:
    """Height of the ground, 0, unless the figure reaches below it or floats high above."""
    lowest = float((body.centers[:, up] - body.radii).min())
    return 0.0 if -0.06 * size < lowest < 0.5 * size else None
