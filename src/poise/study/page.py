"""Pages that studies draw on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Page

    from poise.view.render import Camera

BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072b2", "#d55e00", "#009e73", "#aa4499", "#5f6670"
"""Told apart by the colour-blind too (Okabe & Ito)."""
INK = "#333333"


def empty_page(width: float, height: float) -> Page:
    """A white page of that size [inches], with nothing on it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Page

    page = Page(figsize=(width, height), dpi=150, facecolor="white")
    FigureCanvasAgg(page)
    return page


def row_of_pictures(
    cameras: Sequence[Camera], title_room: float, *, height: float = 4.2, right: float = 0.0
) -> tuple[Page, list[Axes]]:
    """A page with a picture for each camera, side by side.

    `title_room` is left above them and `right` beside them [inches].
    """
    widths = [height * camera.half_width / camera.half_height for camera in cameras]
    whole = sum(widths)
    page = empty_page(whole + right, height + title_room)
    top = 1.0 - title_room / (height + title_room)
    grid = page.add_gridspec(
        1,
        len(cameras),
        width_ratios=widths,
        left=0,
        right=whole / (whole + right),
        bottom=0,
        top=top,
        wspace=0,
    )
    panels = [page.add_subplot(cell) for cell in grid]
    for panel in panels:
        panel.set_axis_off()
    return page, panels
