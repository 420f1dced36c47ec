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
    from matplotlib.figure import Figure as Page

Array = NDArray[np.float64]

SKIN = np.array([0.62, 0.68, 0.76])
LEFT = np.array([0.45, 0.68, 0.72])
RIGHT = np.array([0.76, 0.64, 0.56])
REACHED, MISSED = "#1a7f4b", "#c8321e"
VIEWS = (radians(38.0), radians(-52.0))
ELEVATION = radians(14.0)
IMAGE_HEIGHT = 900
"""Pixels of a view."""
PANEL, TITLE = 6.0, 0.4
"""Size of a panel and of the line above them [inches]."""


@dataclass(frozen=True)
class Mark:
    """A goal to draw: where it is, where its effector is, and whether that will do."""

    label: str
    target: Array
    reached_point: Array
    reached: bool


def draw(pose: Pose, marks: Sequence[Mark], path: str | Path, title: str = "") -> None:
    """Draw a pose and its goals to a .png, .svg, .pdf or .jpg file."""
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
    page, panels = _page(cameras)
    colors = _colors(pose.figure)
    for camera, axes in zip(cameras, panels, strict=True):
        axes.imshow(render(body, colors, camera, up, ground))
        _draw_marks(axes, camera, marks, named=axes is panels[0])
    page.suptitle(title, fontsize=10, color="#333333", y=1.0 - 0.2 / page.get_figheight())
    with replacing(path) as temporary:
        page.savefig(temporary)


def _page(cameras: Sequence[Camera]) -> tuple[Page, list[Axes]]:
    """A page with a panel for each view: side by side, or one above the other if they are wide."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Page

    aspects = [camera.half_width / camera.half_height for camera in cameras]
    stacked = sum(aspects) > 3.0
    if stacked:
        heights = [PANEL / aspect for aspect in aspects]
        size, layout = (PANEL, sum(heights)), {"nrows": 2, "ncols": 1, "height_ratios": heights}
    else:
        widths = [PANEL * aspect for aspect in aspects]
        size, layout = (sum(widths), PANEL), {"nrows": 1, "ncols": 2, "width_ratios": widths}
    height = size[1] + TITLE
    page = Page(figsize=(size[0], height), dpi=150, facecolor="white")
    FigureCanvasAgg(page)
    top = 1.0 - TITLE / height
    grid = page.add_gridspec(**layout, left=0, right=1, bottom=0, top=top, wspace=0, hspace=0)
    panels = [page.add_subplot(cell) for cell in grid]
    for panel in panels:
        panel.set_axis_off()
    panels[0].set_zorder(1)  # the names of its goals may reach over the next one
    return page, panels


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
