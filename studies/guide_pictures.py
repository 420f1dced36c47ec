"""Draw docs/images/tasks/*.png, the pictures of the pages by task, from the code of those pages.

    python studies/guide_pictures.py [NAME ...]

Each page runs as it is printed; a picture shows what its names hold at the end. All of them are
drawn if no name is given.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import radians
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Page
from PIL import Image

import poise
from poise.view import marks as over
from poise.view.scene import Rod, Scene

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))  # the guide as a program, and a browser

from guide import run  # noqa: E402
from studio.desk import browser_running  # noqa: E402

TASKS = ROOT / "docs" / "tasks"
IMAGES = ROOT / "docs" / "images" / "tasks"
HEIGHT, DPI = 420, 100
"""Pixels of a panel, and of an inch of it."""
CAPTION = 34
"""Pixels of the line above a panel."""
GREEN, RED, GREY, INK = over.REACHED, over.MISSED, "#9aa3ad", "#333333"
Names = dict[str, Any]


class Panel(NamedTuple):
    """A pose in a picture."""

    caption: str
    pose: poise.Pose
    ghost: poise.Pose | None = None
    rings: Sequence[tuple[Any, Any]] = ()
    """Where something should be, and where it is [m]."""
    looks: Sequence[tuple[Any, Any]] = ()
    """Lines of sight."""
    rods: Sequence[Rod] = ()
    dots: Any = ()
    floor: bool = True


def panels(shown: Sequence[Panel], azimuth: float, elevation: float = 12.0, low: float = 0.0):
    """Poses side by side, all seen by the same camera; `low` is where the pictures begin [m]."""
    scenes = [
        Scene(
            panel.pose,
            [panel.ghost] if panel.ghost is not None else [],
            panel.rods,
            floor=panel.floor,
        )
        for panel in shown
    ]
    marked = [p for panel in shown for pair in (*panel.rings, *panel.looks) for p in pair]
    points = np.concatenate([*(s.points for s in scenes), np.reshape(marked, (-1, 3))])
    up = scenes[0].up
    points[:, up] = np.maximum(points[:, up], low)
    camera = scenes[0].camera(radians(azimuth), HEIGHT, elevation=radians(elevation), points=points)
    rows, columns = camera.shape
    page = Page(figsize=(len(shown) * columns / DPI, (rows + CAPTION) / DPI), dpi=DPI)
    FigureCanvasAgg(page)
    share = rows / (rows + CAPTION)
    for i, (panel, scene) in enumerate(zip(shown, scenes, strict=True)):
        axes = page.add_axes((i / len(shown), 0.0, 1.0 / len(shown), share))
        axes.set_axis_off()
        axes.imshow(scene.image(camera))
        mark(axes, camera, panel)
        axes.set_xlim(0, columns)
        axes.set_ylim(rows, 0)
        axes.set_title(panel.caption, fontsize=10, color=INK, pad=8)
    return page


def mark(axes, camera, panel: Panel) -> None:
    for wanted, found in panel.rings:
        gap = float(np.linalg.norm(np.subtract(wanted, found)))
        color = GREEN if gap < 2e-3 else RED
        if color == RED:
            over.line(axes, camera, [wanted, found], RED, linestyle=":")
        over.ring(axes, camera, wanted, color, size=9.0)
        if color == RED:
            over.label(axes, camera, wanted, f"{100 * gap:.0f} cm", RED)
    for eye, wanted in panel.looks:
        over.line(axes, camera, [eye, wanted], GREEN, linestyle="--", linewidth=1.2)
        over.ring(axes, camera, wanted, GREEN, size=8.0)
    for dot in panel.dots:
        x, y, _ = camera.project(np.asarray(dot, float))
        axes.plot(x, y, "o", ms=4.5, color=GREEN, mec="white", mew=0.7)


def curves(times, lines: Sequence[tuple[str, Any, str, float]], label: str):
    """Curves over time [s]: name, values, colour and width of each."""
    page = Page(figsize=(7.2, 2.7), dpi=DPI, layout="constrained")
    FigureCanvasAgg(page)
    axes = page.add_subplot()
    for name, values, color, width in lines:
        axes.plot(times, values, color=color, lw=width, label=name)
    axes.set_xlabel("time [s]", color=INK)
    axes.set_ylabel(label, color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#e8eaed", lw=0.8)
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1.0, 0.98), ncols=2)
    return page


def hand(solution: poise.Solution, name: str = "left_hand") -> tuple[Any, Any]:
    (goal,) = (g for g in solution.problem.goals if g.name == name)
    return goal.position, solution.pose.position(goal.effector)


def reach(of: Names):
    cases = ("arm only", of["arm_only"]), ("arm and torso", of["with_torso"])
    rest = of["human"].rest()
    return panels([Panel(c, s.pose, rest, [hand(s)]) for c, s in cases], -35.0, low=0.55)


def plant_feet(of: Names):
    cases = ("the hand alone is a goal", of["floating"]), ("feet first", of["planted"])
    rest = of["human"].rest()
    shown = [Panel(c, s.pose, rest, [hand(s, "right_hand")]) for c, s in cases]
    return panels(shown, -65.0)


def look_at(of: Names):
    eyes, bird = "eyes", of["bird"]
    rest, pose = of["rest"], of["solution"].pose
    return panels(
        [Panel("before", rest), Panel("after", pose, looks=[(pose.position(eyes), bird)])],
        -20.0, low=0.9,
    )  # fmt: skip


def two_hands(of: Names):
    shown = []
    for caption, solution in (("low", of["low"]), ("raised and tilted", of["high"])):
        ends = np.stack([solution.pose.position(f"{side}_hand") for side in ("left", "right")])
        beyond = 0.35 * (ends[1] - ends[0])
        rod = Rod(ends[0] - beyond, ends[1] + beyond, 0.02)
        shown.append(Panel(caption, solution.pose, rods=[rod]))
    return panels(shown, 25.0)


def limits(of: Names):
    step = np.asarray(of["step"].position)
    cases = ("no limits", of["broken"].pose), ("a knee with limits", of["fixed"].pose)
    shown = [Panel(c, p, rings=[(step, p.position("foot"))]) for c, p in cases]
    return panels(shown, 80.0)


def not_reached(of: Names):
    cases = ("stretched", of["stretched"]), ("held by limits", of["held"])
    return panels([Panel(c, s.pose, rings=[hand(s)]) for c, s in cases], 140.0, low=0.75)


def sliding_feet(of: Names):
    before, after = of["sliding"], of["tracked"].clip
    speeds = [
        np.linalg.norm(np.gradient(clip.position("left_heel"), clip.frame_time, axis=0), axis=1)
        for clip in (before, after)
    ]
    page = curves(
        before.times,
        [("before", speeds[0], GREY, 1.6), ("after", speeds[1], GREEN, 1.8)],
        "left heel [m/s]",
    )
    page.axes[0].set_ylim(-0.02, 0.7)  # what stands; a swing is far above
    return page


def jitter(of: Names):
    clips = ("before", of["captured"], GREY, 1.0), ("after", of["cleaned"].clip, GREEN, 2.0)
    lines = [(n, c.position("left_hand")[:, 1], color, w) for n, c, color, w in clips]
    return curves(of["captured"].times, lines, "left hand, height [m]")


def timing(of: Names):
    times = np.arange(0.0, of["slow"].duration, of["jump"].frame_time)
    shown = ("as it came", "jump", GREY, 2.6), ("slow at the top", "slow", GREEN, 1.8)
    shown = *shown, ("the top at 2 s", "on_beat", INK, 1.8)
    lines = []
    for caption, name, color, width in shown:
        clip = poise.Clip(of[name].figure, of[name].angles_at(times), of[name].frame_time)
        lines.append((caption, clip.position("pelvis")[:, 1], color, width))
    return curves(times, lines, "pelvis, height [m]")


def retarget(of: Names):
    frame = 28
    cases = ("the built-in human", of["walk"][frame]), ("a child", of["moved"].clip[frame])
    return panels([Panel(c, p) for c, p in cases], 65.0)


def walk(of: Names):
    ground, shown = of["ground"], []
    for caption, clip in (("made for a flat floor", of["carried"]), ("on the hills", of["walked"])):
        pose = clip[deepest(of["carried"], ground)]
        shown.append(Panel(caption, pose, rods=earth(ground, pose.position("pelvis")), floor=False))
    return panels(shown, 80.0, 6.0, low=-np.inf)


def deepest(clip: poise.Clip, ground) -> int:
    """The frame in which a foot is deepest in the ground."""
    soles = np.stack([clip.position(f"{side}_ball") for side in ("left", "right")], axis=1)
    above = soles[..., 1] - ground.height(soles[..., 0], soles[..., 2])
    return int(above.min(axis=1).argmin())


def earth(ground, around, half: float = 0.45, radius: float = 0.012) -> list[Rod]:
    """A square of ground as rods along z that lie side by side under its surface."""
    x, _, z = around
    along = np.linspace(z - half, z + half, 10)
    rods = []
    for across in np.arange(x - half, x + half, 2.0 * radius):
        heights = ground.height(across, along) - radius
        line = np.column_stack([np.full_like(along, across), heights, along])
        rods += [Rod(a, b, radius, (0.80, 0.78, 0.72)) for a, b in pairwise(line)]
    return rods


def markers(of: Names):
    frame = 30
    points = np.stack([of["trial"].positions[frame, i] for i in range(len(of["names"]))])
    pose = of["tracked"].clip[frame]
    rest = Panel("the markers, and the figure before", of["human"].rest(), dots=points)
    return panels([rest, Panel("after", pose, dots=points)], 40.0)


def robot(of: Names):
    place = np.array([0.45, 0.10, 0.25])
    return panels(
        [
            Panel("before", of["start"], rings=[(place, of["start"].position("tool0"))]),
            Panel("after", of["solution"].pose, rings=[(place, place)]),
        ],
        -60.0, 18.0,
    )  # fmt: skip


def notebook(of: Names):
    return poise.picture(of["solution"]).reduce(2)


def game_loop(of: Names):
    rest, pose, fly = of["rest"], of["solution"].pose, of["fly"]
    after = Panel(
        "two seconds later",
        pose,
        rings=[(fly, pose.position("left_hand"))],
        looks=[(pose.position("eyes"), fly)],
    )
    return panels([Panel("before", rest), after], -40.0)


def other_languages(_: Names):
    return side_by_side([Image.open(f"{name}.png").convert("RGB") for name in ("near", "far")])


def archive(_: Names):
    with browser_running() as browser:
        page = browser.new_page(viewport={"width": 1000, "height": 720})
        page.goto(Path("cleaned/report.html").absolute().as_uri())
        return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def side_by_side(images: Sequence[Image.Image]) -> Image.Image:
    """Pictures of one height, as tall as the panels of the others."""
    images = [i.resize((round(i.width * HEIGHT / i.height), HEIGHT)) for i in images]
    joined = Image.new("RGB", (sum(image.width for image in images), HEIGHT), "white")
    at = 0
    for image in images:
        joined.paste(image, (at, 0))
        at += image.width
    return joined


PICTURES: dict[str, Callable[[Names], Any]] = {
    "reach": reach,
    "plant-feet": plant_feet,
    "look-at": look_at,
    "two-hands": two_hands,
    "limits": limits,
    "not-reached": not_reached,
    "sliding-feet": sliding_feet,
    "jitter": jitter,
    "timing": timing,
    "retarget": retarget,
    "walk": walk,
    "markers": markers,
    "robot": robot,
    "notebook": notebook,
    "game-loop": game_loop,
    "other-languages": other_languages,
    "archive": archive,
}
"""By the name of the picture, which is that of its page."""


def drawn(name: str) -> Image.Image:
    """Run the page and draw its picture."""
    of: Names = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for _ in run(TASKS / f"{name}.md", of):
            pass
        made = PICTURES[name](of)  # here, where the page has left its files
    if isinstance(made, Image.Image):
        return made
    data = io.BytesIO()
    made.savefig(data, format="png")
    return Image.open(data).convert("RGB")


def main(names: list[str]) -> int:
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name in names or PICTURES:
        image = drawn(name)
        image.save(IMAGES / f"{name}.png", optimize=True)
        print(name, image.size)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
