"""Figure 11 of PLS: selected frames of a motion, the reference above what methods made of it."""

from __future__ import annotations

from collections.abc import Sequence
from math import radians
from typing import TYPE_CHECKING

import numpy as np

from poise.motion.track_report import OFF
from poise.study.following import GOALS, Followed
from poise.study.page import INK, empty_page
from poise.view import marks as over
from poise.view.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Page

    from poise.figure.pose import Pose
    from poise.view.render import Camera

PIXELS = 230
"""Height of a picture."""
COLUMNS = 8
ROW = 1.55
"""Height of a row [inches]."""


def film_figure(rows: Sequence[tuple[str, Followed]], azimuth: float = 35.0) -> Page:
    """The first pass of each, with as many frames as there is room for.

    `rows` are names and what they followed, all with the same reference.
    """
    reference = rows[0][1].references[0]
    count = min(COLUMNS, len(reference))
    frames = np.linspace(0, len(reference) - 1, count).round().astype(int)
    strips = [("reference", reference)] + [(name, one.passes[0]) for name, one in rows]
    cameras = [_camera([clip[int(f)] for _, clip in strips], azimuth) for f in frames]
    widths = [ROW * camera.half_width / camera.half_height for camera in cameras]
    left, head = 1.25, 0.3
    page = empty_page(left + sum(widths), head + ROW * len(strips))
    width, height = page.get_size_inches()
    grid = page.add_gridspec(
        *(len(strips), count),
        width_ratios=widths,
        left=left / width,
        right=1.0,
        bottom=0.0,
        top=1.0 - head / height,
        wspace=0.0,
        hspace=0.08,
    )
    for row, (name, clip) in enumerate(strips):
        middle = 1.0 - (head + (row + 0.5) * ROW) / height
        page.text(0.1 / width, middle, name, fontsize=9, color=INK, va="center")
        for column, (frame, camera) in enumerate(zip(frames.tolist(), cameras, strict=True)):
            axes = page.add_subplot(grid[row, column])
            axes.set_axis_off()
            _picture(axes, camera, clip[frame], reference[frame] if row else None)
            if row == 0:
                seconds = (frame + 1) * reference.frame_time
                axes.set_title(f"{seconds:.4g} s", fontsize=8, color=INK, pad=2)
    return page


def _picture(axes: Axes, camera: Camera, pose: Pose, wanted: Pose | None) -> None:
    """A pose, with marks where it misses a goal."""
    axes.imshow(Scene(pose).image(camera))
    if wanted is None:
        return
    worst = 0.0
    for name in GOALS:
        ends = np.stack([wanted.position(name), pose.position(name)])
        gap = float(np.linalg.norm(ends[0] - ends[1]))
        worst = max(worst, gap)
        if gap > OFF:
            over.line(axes, camera, ends, over.MISSED, linestyle=":", linewidth=1.2)
            x, y, _ = camera.project(ends[0])
            axes.plot(x, y, "o", ms=3.6, mew=0.9, fillstyle="none", color=over.MISSED)
    if worst > OFF:
        told = f"{100.0 * worst:.2g} cm off"
        axes.set_title(told, fontsize=7, color=over.MISSED, pad=1.0)


def _camera(poses: Sequence[Pose], azimuth: float) -> Camera:
    """One camera for all poses of a frame."""
    scenes = [Scene(pose) for pose in poses]
    points = np.concatenate([scene.points for scene in scenes])
    return scenes[0].camera(radians(azimuth), PIXELS, points=points)
