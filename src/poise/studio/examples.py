"""The examples of the menu, in the order of the menu."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from poise.errors import OptionError, unknown_name
from poise.motion.document import Chain, Document, GoalKind, KeyedGoal, Target
from poise.motion.examples import gymnastics, run
from poise.motion.posing import Posing
from poise.studio.opening import figure_named, opened_clip, opened_figure

WALKER, CROWD = "walker", "crowd"


@dataclass(frozen=True)
class Example:
    """One example: what the menu says, and how its document is made."""

    name: str
    title: str
    about: str
    make: Callable[[], Document]


def _reach() -> Document:
    """A hand that is pinned above, so that the whole body reaches, and eyes that follow it."""
    document = opened_figure(figure_named("human"), "reach")
    place = np.array([0.35, 1.55, 0.45])
    document = _with(document, "left_hand", "position", Target(place), pinned=True)
    return _posed(_with(document, "eyes", "aim", Target(place), chain="limb"))


def _tube() -> Document:
    """Zhao & Badler, Figures 3 to 5: two hands on a tube, elbows on planes beside it, eyes on its
    axis and looking at its bottom, and a spine of three joint groups."""
    document = opened_figure(figure_named("jack"), "look down the tube")
    bottom, axis = np.array([0.25, 0.80, 0.50]), np.array([-0.10, 1.0, -0.25])
    axis = axis / np.linalg.norm(axis)
    side = np.array([1.0, 0.0, 0.0]) - axis[0] * axis
    side = side / np.linalg.norm(side)
    for name, height, sign in (("left", 0.40, 1.0), ("right", 0.25, -1.0)):
        hold = bottom + height * axis + 0.06 * sign * side
        plane = Target(bottom + 0.30 * sign * side, direction=side)
        document = _with(document, f"{name}_hand", "position", Target(hold))
        document = _with(document, f"{name}_elbow", "plane", plane)
    document = _with(document, "eyes", "line", Target(bottom, direction=axis))
    return _posed(_with(document, "eyes", "aim", Target(bottom)))


def _gymnastics() -> Document:
    return opened_clip(gymnastics())


def _running() -> Document:
    return replace(opened_clip(run()), loop=True)


def _walker() -> Document:
    """Whom the session then lets walk, alone or in company."""
    return opened_figure(figure_named("human"), "walker")


def _spider() -> Document:
    return opened_figure(figure_named("spider"), "spider")


EXAMPLES = (
    Example("reach", "Reach", "A hand pinned high: drag it, and the whole body follows.", _reach),
    Example("tube", "Look down the tube", "Both hands hold it, both eyes look in.", _tube),
    Example("gymnastics", "Gymnastics", "A routine: fix a frame by dragging.", _gymnastics),
    Example("running", "Running", "A run: drag a hand in mid-air.", _running),
    Example("spider", "Spider", "Eight legs, all pinned: drag the body.", _spider),
    Example(
        WALKER,
        "The walker",
        "Drive it over hills and stairs with the arrows or a gamepad.",
        _walker,
    ),
    Example(
        CROWD,
        "Fifty walkers",
        "Drive one over hills, and a crowd goes along.",
        _walker,
    ),
)


def example(name: str) -> Document:
    """The document of an example."""
    for found in EXAMPLES:
        if found.name == name:
            return found.make()
    raise OptionError(unknown_name("example", name, [e.name for e in EXAMPLES]))


def _with(
    document: Document,
    effector: str,
    kind: GoalKind,
    target: Target,
    pinned: bool = False,
    chain: Chain = "all",
) -> Document:
    goal = KeyedGoal(document.next_id, effector, kind, target, pinned=pinned, chain=chain)
    return document.with_goal(goal)


def _posed(document: Document) -> Document:
    """The document with the pose that its goals ask for as its standing one."""
    return replace(document, angles=Posing(document).at(0.0).pose.angles)
