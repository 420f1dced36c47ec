"""The figures of the Jack study: the reach, the tube, and the angles along the spine."""

from __future__ import annotations

from collections.abc import Sequence
from math import radians
from typing import TYPE_CHECKING

import numpy as np

from poise.study import reach as box
from poise.study import tube as task
from poise.study.page import BLUE, GREEN, INK, ORANGE, empty_page, row_of_pictures
from poise.view import marks as over
from poise.view.scene import Rod, Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Page

    from poise.study.reach import Reach
    from poise.study.tube import Tube
    from poise.view.render import Camera

PIXELS = 640
"""Height of a panel."""
BOX_SIZE = np.array([0.28, 0.28, 0.28])
BOX_COLOR, TUBE_COLOR, PLANE_COLOR = "#b5813a", (0.93, 0.78, 0.42), "#5a7fb8"
MOTION_LOOKS = {
    "flexion": (BLUE, "o"),
    "lateral_bending": (ORANGE, "s"),
    "axial_rotation": (GREEN, "^"),
}


def reach_figure(reaches: Sequence[Reach]) -> Page:
    """Figures 6 to 8 of the paper, side by side."""
    corners = _box_corners()
    scenes = [Scene(case.solution.pose, also=corners.reshape(-1, 3)) for case in reaches]
    together = np.concatenate([scene.points for scene in scenes])
    camera = scenes[0].camera(radians(-62.0), PIXELS, points=together)
    page, panels = row_of_pictures([camera] * len(scenes), title_room=0.5)
    for case, scene, axes in zip(reaches, scenes, panels, strict=True):
        axes.imshow(scene.image(camera))
        _draw_box(axes, camera, corners)
        reached = case.solution.reached
        color = over.REACHED if reached else over.MISSED
        hand = case.solution.pose.position("right_hand")
        if not reached:
            over.line(axes, camera, np.stack([box.TARGET, hand]), color, linestyle=":")
        over.ring(axes, camera, box.TARGET, color)
        error = case.solution.errors["hand"].position
        end = "reached" if reached else f"{100 * error:.1f} cm short"
        sideways = case.moved(box.SIDEWAYS).sum()
        axes.set_title(
            f"{case.name}, {case.dofs} DOFs\n{end}; torso bends and twists {sideways:.0f}°",
            fontsize=9,
            color=INK,
        )
    return page


def tube_figure(found: Sequence[Tube]) -> Page:
    """Figure 3 of the paper: both spines at the tube, from the front and from the side."""
    panels_of = [(tube, azimuth) for tube in found[:2] for azimuth in (25.0, -70.0)]
    inset = task.RADIUS * task.AXIS  # the rod has round ends
    top = task.BOTTOM + task.LENGTH * task.AXIS
    rod = Rod(task.BOTTOM + inset, top - inset, task.RADIUS, TUBE_COLOR)
    scenes = [Scene(tube.solution.pose, rods=[rod]) for tube, _ in panels_of]
    cameras = [
        scene.camera(radians(azimuth), PIXELS)
        for scene, (_, azimuth) in zip(scenes, panels_of, strict=True)
    ]
    page, panels = row_of_pictures(cameras, title_room=0.35)
    for (tube, azimuth), scene, camera, axes in zip(
        panels_of, scenes, cameras, panels, strict=True
    ):
        axes.imshow(scene.image(camera))
        _draw_task(axes, camera, tube)
        side = "front" if azimuth > 0 else "side"
        title = f"{tube.setting.name}, {tube.dofs} DOFs, from the {side}"
        axes.set_title(title, fontsize=9, color=INK)
    return page


def spine_figure(found: Sequence[Tube]) -> Page:
    """Figures 4 and 5 of the paper: the joint angles along the spine."""
    rows = len(found) // len(task.SETTINGS)
    page = empty_page(9.0, 0.3 + 3.2 * rows)
    grid = page.subplots(rows, len(task.SETTINGS), sharey=True, squeeze=False)
    labels = [name.upper() for name in task.VERTEBRAE]
    for axes, tube in zip(grid.flat, found, strict=True):
        for motion in task.MOTIONS:
            name = motion.replace("_", " ")
            color, marker = MOTION_LOOKS[motion]
            axes.plot(labels, tube.spine(motion), marker=marker, ms=4, color=color, label=name)
        axes.axhline(0.0, color="#999999", lw=0.8, zorder=0)
        axes.set_title(f"{tube.setting.name}, {tube.dofs} DOFs, {tube.method}", fontsize=10)
        axes.tick_params(axis="x", labelsize=7)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in grid[:, 0]:
        axes.set_ylabel("joint angle [°]")
    grid[0, 0].legend(frameon=False, fontsize=8)
    page.tight_layout()
    return page


def _box_corners() -> np.ndarray:
    """(2, 2, 2, 3) the corners of the box whose right face has the target in its middle [m]."""
    low = np.array(box.TARGET) - [0.0, 0.5 * BOX_SIZE[1], 0.5 * BOX_SIZE[2]]
    steps = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), -1)
    return low + steps * BOX_SIZE


def _draw_box(axes: Axes, camera: Camera, corners: np.ndarray) -> None:
    """The faces that the camera sees."""
    for axis in range(3):
        for side in (0, 1):
            if (2 * side - 1) * camera.axes[2][axis] > 0:
                face = np.take(corners, side, axis).reshape(4, 3)[[0, 1, 3, 2]]
                over.patch(axes, camera, face, BOX_COLOR, alpha=0.30)


def _draw_task(axes: Axes, camera: Camera, tube: Tube) -> None:
    """The planes of the elbows, the axis with the line of sight, and the hands' places."""
    eyes = tube.solution.pose.position("eyes")
    over.line(axes, camera, [task.BOTTOM, eyes], over.REACHED, linestyle="--", linewidth=1.2)
    over.ring(axes, camera, task.BOTTOM, over.REACHED, size=8.0)
    outward = tube.solution.problem.goals[2]
    assert isinstance(outward, task.Plane)
    normal = np.asarray(outward.normal)
    across = np.cross(normal, task.AXIS)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        elbow = tube.solution.pose.position(f"{side}_elbow")
        middle = task.BOTTOM + sign * task.ELBOW_DISTANCE * normal
        flat = elbow - normal * float((elbow - middle) @ normal)
        corners = [
            flat + 0.16 * (a * across + b * task.AXIS)
            for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
        ]
        over.patch(axes, camera, corners, PLANE_COLOR)
