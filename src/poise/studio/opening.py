"""What the studio opens with: a figure that stands with its feet pinned."""

from __future__ import annotations

from poise.errors import OptionError, unknown_name
from poise.figure import builtin
from poise.figure.builtin.jack import shoulder_groups, spine_groups
from poise.figure.figure import Figure
from poise.motion.clip import Clip
from poise.motion.demands import snapped
from poise.motion.document import Document, KeyedGoal, Settings, Target
from poise.motion.source import Source
from poise.studio.handles import feet_of, with_handles

FIGURES = ("human", "jack", "spider", "arm", "snake")
_SNAKE = 12


def figure_named(name: str) -> Figure:
    """A built-in figure of the menu; jack with its joint groups."""
    if name not in FIGURES:
        raise OptionError(unknown_name("figure", name, FIGURES))
    if name == "snake":
        return with_handles(builtin.snake(_SNAKE))
    if name == "jack":
        return builtin.jack().with_relations(*spine_groups(), *shoulder_groups())
    return with_handles(getattr(builtin, name)())


def opened_figure(figure: Figure, name: str = "", source: Source | None = None) -> Document:
    """A figure at rest, its feet pinned where they are."""
    figure = with_handles(figure)
    rest = figure.rest()
    goals = []
    for foot in feet_of(figure):
        target = snapped("pose", foot, Target((0.0, 0.0, 0.0)), rest)
        goals.append(KeyedGoal(len(goals) + 1, foot, "pose", target, pinned=True))
    named = name or figure.name
    return Document(figure, rest.angles, tuple(goals), name=named, source=source or Source())


def opened_clip(clip: Clip) -> Document:
    """A clip as it is: nothing pinned, and no ground, so that it plays as it was recorded."""
    figure = with_handles(clip.figure)
    angles = clip.angles[0] if len(clip) else figure.rest_angles
    return Document(
        figure,
        figure.pose(angles).clamped().angles,
        clip=clip.on(figure),
        settings=Settings(ground=False),
        fps=clip.fps,
        duration=max(clip.duration, clip.frame_time),
        name=clip.name,
        source=clip.source,
    )
