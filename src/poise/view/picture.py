"""A picture of a pose: the body from two sides, its goals, and what is missing to each."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from math import radians
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.errors import OptionError
from poise.figure.pose import Pose
from poise.files import replacing
from poise.goals import Pose6D, Position
from poise.solve.solution import Solution
from poise.view import marks as over
from poise.view.render import Camera
from poise.view.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Page
    from PIL import Image

Array = NDArray[np.float64]

VIEWS = (radians(38.0), radians(-52.0))
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


def picture(
    what: Pose | Solution, path: str | Path | None = None, *, title: str = ""
) -> Image.Image:
    """A picture of a pose from two sides; of a solution also its goals: a ring at the place of
    each, green if it is met, else red with a line to where its effector is.

    path: a .png, .svg, .pdf or .jpg file to write it to as well. Notebooks show what is returned.
    """
    from PIL import Image

    if not isinstance(what, Pose | Solution):
        raise OptionError(
            f"a picture shows a Pose or a Solution, not a {type(what).__name__};"
            " of a clip give a frame, such as clip[0]"
        )
    pose, marks = (what.pose, marks_of(what)) if isinstance(what, Solution) else (what, [])
    page = _drawn(pose, marks, title)
    if path is not None:
        with replacing(path) as temporary:
            page.savefig(temporary)
    data = io.BytesIO()
    page.savefig(data, format="png", dpi=100)
    return Image.open(data).convert("RGB")


def marks_of(solution: Solution) -> list[Mark]:
    """A mark for every goal that has a place."""
    problem, marks = solution.problem, []
    for name, goal in zip(problem.goal_names, problem.goals, strict=True):
        if isinstance(goal, Position | Pose6D):
            error = solution.errors[name]
            met = error.position <= problem.tolerance.position
            label = name if met else f"{name}: {100.0 * error.position:.1f} cm off"
            point = solution.pose.position(goal.effector, goal.offset)
            marks.append(Mark(label, np.asarray(goal.position), point, met))
    return marks


def _drawn(pose: Pose, marks: Sequence[Mark], title: str) -> Page:
    scene = Scene(pose, also=[mark.target for mark in marks])
    cameras = [scene.camera(azimuth, IMAGE_HEIGHT) for azimuth in VIEWS]
    page, panels = _page(cameras)
    for camera, axes in zip(cameras, panels, strict=True):
        axes.imshow(scene.image(camera))
        _draw_marks(axes, camera, marks, named=axes is panels[0])
    page.suptitle(title, fontsize=10, color="#333333", y=1.0 - 0.2 / page.get_figheight())
    return page


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
        color = over.REACHED if mark.reached else over.MISSED
        if not mark.reached:
            ends = np.stack([mark.target, mark.reached_point])
            over.line(axes, camera, ends, color, linestyle=":")
        over.ring(axes, camera, mark.target, color)
        if named:
            over.label(axes, camera, mark.target, mark.label, color)
