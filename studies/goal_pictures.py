"""Draw docs/images/goals/*.png, the pictures of docs/goals.md, from the code of that page.

    python studies/goal_pictures.py [NAME ...]

Every section's code runs as it is printed; its `solution` is drawn in front of the pose before,
with its goals over it. Names are those of the pictures, e.g. `aim`; all of them if none is given.
"""

from __future__ import annotations

import io
import re
import sys
from functools import singledispatch
from math import radians
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Page
from PIL import Image

import poise
from poise.view import marks as over
from poise.view.scene import Rod, Scene

ROOT = Path(__file__).resolve().parent.parent
GUIDE = ROOT / "docs" / "goals.md"
GREEN, BLUE, BROWN = over.REACHED, "#3b6fb5", "#a8742c"
HEIGHT, DPI = 420, 100
"""Pixels of a picture, and of an inch of it."""


class View(NamedTuple):
    """How a section is looked at."""

    azimuth: float = 35.0
    elevation: float = 12.0
    low: float = 0.0
    """Where the picture begins [m above the ground]."""
    ghost: str = "rest"
    """The variable of the code that holds what is drawn faint: a pose or a solution."""


VIEWS = {
    "position": View(12.0, low=0.6),
    "orientation": View(-50.0, 18.0, low=0.6),
    "pose6d": View(-20.0, low=0.6),
    "aim": View(50.0, low=0.6),
    "line": View(60.0),
    "plane": View(65.0),
    "half_space": View(60.0),
    "any_of": View(8.0, low=0.4),
    "distance": View(15.0, low=0.6),
    "relative": View(25.0, 16.0, low=0.6),
    "center_of_mass": View(-75.0, ghost="leaning"),
    "posture": View(55.0),
    "custom": View(40.0, 14.0, low=0.6),
}


def sections() -> list[tuple[str, list[str]]]:
    """The parts of the guide that have a picture: its name, and the code from the last one on."""
    text = GUIDE.read_text(encoding="utf-8")
    blocks = re.finditer(r"```python\n(.*?)```|\(images/goals/(\w+)\.png\)", text, re.DOTALL)
    found, code = [], []
    for block in blocks:
        if block[1] is not None:
            code.append(block[1])
        else:
            found.append((block[2], code))
            code = []
    return found


@singledispatch
def draw(goal, axes, camera, solution):
    """Draw a goal over the picture; most kinds have a function of their own."""


@draw.register
def _(goal: poise.Position, axes, camera, solution):
    over.ring(axes, camera, goal.position, GREEN)


@draw.register
def _(goal: poise.Orientation, axes, camera, solution):
    start = solution.pose.position(goal.effector)
    for direction in (goal.x, goal.y):
        if direction is not None:
            over.arrow(axes, camera, start, start + 0.25 * np.asarray(direction), GREEN)
    if goal.x is None:  # a table under the palm
        square([start[0], start[1], start[2] + 0.05], (1, 0, 0), (0, 0, 1), 0.22, axes, camera)


@draw.register
def _(goal: poise.Pose6D, axes, camera, solution):
    place, turned = np.asarray(goal.position), np.asarray(goal.rotation)
    for axis, color in enumerate(("#c8321e", GREEN, BLUE)):
        over.arrow(axes, camera, place, place + 0.2 * turned[:, axis], color)
    over.ring(axes, camera, place, GREEN, size=8.0)


@draw.register
def _(goal: poise.Aim, axes, camera, solution):
    eye = solution.pose.position(goal.effector)
    over.line(axes, camera, np.stack([eye, goal.at]), GREEN, linestyle="--", linewidth=1.3)
    over.ring(axes, camera, goal.at, GREEN)


@draw.register
def _(goal: poise.Line, axes, camera, solution):
    hand = solution.pose.position(goal.effector)
    over.ring(axes, camera, hand, GREEN, size=9.0)


@draw.register
def _(goal: poise.Plane, axes, camera, solution):
    here, normal = solution.pose.position(goal.effector), np.asarray(goal.normal)
    if type(goal) is poise.Plane:
        over.ring(axes, camera, here, GREEN, size=9.0)
        if goal.effector.startswith("left"):
            square([0.0, 1.35, goal.point[2]], (1, 0, 0), (0, 1, 0), 0.4, axes, camera)
    elif goal.effector == "head":
        square((0.0, goal.point[1], 0.2), (1, 0, 0), (0, 0, 1), 0.4, axes, camera)
        start = np.array([-0.3, goal.point[1], 0.5])
        over.arrow(axes, camera, start, start + 0.2 * normal, BLUE)


@draw.register
def _(goal: poise.AnyOf, axes, camera, solution):
    points = np.array([member.point for member in goal.goals])
    low, high = points.min(0), points.max(0)
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    corners = (low + corners * (high - low)).reshape(2, 2, 2, 3)
    for axis in range(3):
        for side in (0, 1):
            face = np.take(corners, side, axis).reshape(4, 3)[[0, 1, 3, 2]]
            over.patch(axes, camera, face, BROWN, alpha=0.08)
    over.ring(axes, camera, solution.pose.position("left_hand"), GREEN, size=8.0)


@draw.register
def _(goal: poise.Distance, axes, camera, solution):
    ends = np.stack([solution.pose.position(name) for name in (goal.effector, goal.other)])
    if goal.exactly is not None:
        over.line(axes, camera, ends, BROWN, linewidth=2.2)
        over.label(axes, camera, ends.mean(0), f"{100 * goal.exactly:.0f} cm", BROWN, at=(0, 10))


@draw.register
def _(goal: poise.CenterOfMass, axes, camera, solution):
    corners = np.asarray(goal.over)[[0, 1, 3, 2]] * [1, 0, 1]
    over.patch(axes, camera, corners, GREEN, alpha=0.3)
    here = center_of_mass(solution.pose)
    over.line(axes, camera, [here, here * [1, 0, 1]], GREEN, linestyle="--", linewidth=1.3)
    over.ring(axes, camera, here, GREEN)


def center_of_mass(pose: poise.Pose) -> np.ndarray:
    rotations, origins = pose.frames
    masses = np.array([segment.mass for segment in pose.figure.segments])
    centers = np.array([segment.center for segment in pose.figure.segments])
    return masses @ (origins + np.einsum("sij,sj->si", rotations, centers)) / masses.sum()


def square(center, along, up, half: float, axes, camera) -> None:
    """A square piece of a plane."""
    along, up = half * np.asarray(along, float), half * np.asarray(up, float)
    corners = [
        np.asarray(center) + a * along + b * up for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ]
    over.patch(axes, camera, corners, BLUE, alpha=0.14)


def rods(goals: list[poise.goals.Goal], pose: poise.Pose) -> list[Rod]:
    """Things to hold: a pole on a line, a bar between hands that are relative to each other."""
    found = []
    for goal in goals:
        if isinstance(goal, poise.Line) and goal.effector == "left_hand":
            foot = np.asarray(goal.point)
            found.append(Rod(foot, foot + 1.9 * np.asarray(goal.direction), 0.018))
        if isinstance(goal, poise.Relative):
            ends = np.stack([pose.position(name) for name in (goal.effector, goal.other)])
            beyond = 0.3 * (ends[1] - ends[0])
            found.append(Rod(ends[0] - beyond, ends[1] + beyond, 0.018))
    return found


def picture(name: str, namespace: dict) -> Image.Image:
    """The scene of a section, its ghost behind it and its goals over it."""
    view, solution = VIEWS[name], namespace["solution"]
    before = namespace[view.ghost]
    ghost = before.pose if isinstance(before, poise.Solution) else before
    still = [goal.name for goal in namespace["still"]]
    goals = [goal for goal in solution.problem.goals if goal.name not in still]
    targets = [
        p for goal in goals for p in (getattr(goal, "position", None), getattr(goal, "at", None))
    ]
    scene = Scene(solution.pose, [ghost], rods(goals, solution.pose))
    points = np.concatenate(
        [scene.points, *(np.reshape(p, (1, 3)) for p in targets if p is not None)]
    )
    points[:, 1] = np.maximum(points[:, 1], view.low)
    camera = scene.camera(
        radians(view.azimuth), HEIGHT, elevation=radians(view.elevation), points=points
    )
    rows, columns = camera.shape
    page = Page(figsize=(columns / DPI, rows / DPI), dpi=DPI, facecolor="white")
    FigureCanvasAgg(page)
    axes = page.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.imshow(scene.image(camera))
    for goal in goals:
        draw(goal, axes, camera, solution)
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    data = io.BytesIO()
    page.savefig(data, format="png")
    return Image.open(data).convert("RGB")


def main(names: list[str]) -> int:
    folder = GUIDE.parent / "images" / "goals"
    folder.mkdir(parents=True, exist_ok=True)
    namespace: dict = {}
    for name, code in sections():
        for block in code:
            exec(compile(block, str(GUIDE), "exec"), namespace)
        if names and name not in names:
            continue
        picture(name, namespace).save(folder / f"{name}.png", optimize=True)
        print(f"{name}: {namespace['solution'].status.name.lower()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
