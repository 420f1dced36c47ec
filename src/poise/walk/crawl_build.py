"""The build of a body on many legs: where its feet stand at rest, and which step together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import FigureError
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.motion.roles import way_up, words_of

Array = NDArray[np.float64]

FEWEST = 3
"""Legs; who has two walks."""
SPIDER = 0.57
"""How far the feet of the built-in spider are from the middle of its body [m]."""


@dataclass(frozen=True, eq=False)
class CrawlBuild:
    """A body that stands and faces +z under canonical axes: x left, y up, z forward."""

    figure: Figure
    standing: Pose
    body: str
    """The last segment that all legs hang on."""
    feet: tuple[str, ...]
    """Sites or segments: those of the left from the foremost on, then those of the right."""
    axes: Array
    """(3, 3) columns: the body's left, up and forward in the figure's world. World = axes · v."""
    homes: Array
    """(feet, 2) x and z of the feet from the body's origin [m]."""
    height: float
    """Of the body's origin above the feet [m]."""
    groups: NDArray[np.int64]
    """(feet,) 0 or 1: neighbours, and feet across, step in turn."""

    @property
    def reach(self) -> float:
        """How far the feet are from the body [m]."""
        return float(np.linalg.norm(self.homes, axis=1).mean())

    @property
    def scale(self) -> float:
        """How many times as large as the built-in spider."""
        return self.reach / SPIDER

    @classmethod
    def of(
        cls, figure: Figure, feet: Sequence[str] | None = None, standing: Pose | None = None
    ) -> CrawlBuild:
        """Measure a figure where it stands; its feet are found by their names, or given."""
        pose = standing or figure.rest()
        names = list(feet) if feet is not None else feet_of(figure)
        if len(names) < FEWEST or len(set(names)) < len(names):
            raise FigureError(
                f"{figure.name} has {len(names)} feet that its names tell; give {FEWEST} or more"
                ' different ones, feet=("left_foot_1", ...)'
            )
        ways = [way_up(figure, figure.effector(name).segment) for name in names]
        body = next(segment for segment in ways[0] if all(segment in way for way in ways))
        if figure.segments[0].joint.dofs == ():
            raise FigureError(
                f"the root of {figure.name} is fixed, so it cannot crawl; load a robot with"
                ' base="free"'
            )
        axes = _axes(figure)
        points = (np.array([pose.position(name) for name in names]) - pose.position(body)) @ axes
        order, groups = _in_order(points)
        points = points[order]
        return cls(
            figure,
            pose,
            body,
            tuple(names[i] for i in order),
            axes,
            points[:, [0, 2]],
            -float(points[:, 1].mean()),
            groups,
        )


def feet_of(figure: Figure) -> list[str]:
    """Sites whose names have the word foot in them, one a leg; without any, such segments."""
    for names in ([site.name for site in figure.sites], list(figure.segment_names)):
        found: dict[str, str] = {}
        for name in names:
            if "foot" in words_of(name)[1]:
                found.setdefault(figure.effector(name).segment, name)
        above = {way for segment in found for way in way_up(figure, segment)[1:]}
        if found:
            return [name for segment, name in found.items() if segment not in above]
    return []


def _axes(figure: Figure) -> Array:
    """The left, up and forward of figures by their up axis: those of files face +x if Z is up."""
    if figure.up == "Y":
        return np.eye(3)
    return np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def _in_order(points: Array) -> tuple[list[int], NDArray[np.int64]]:
    """The feet of the left from the foremost on, then the right; and the group of each."""
    order, groups = [], []
    for side in range(2):
        own = [i for i, (x, _, _) in enumerate(points) if (x < 0.0) == bool(side)]
        own.sort(key=lambda i: -points[i, 2])
        order += own
        groups += [(k + side) % 2 for k in range(len(own))]
    return order, np.array(groups)
