"""What follows what: the points of a source, and the places on a figure that follow them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import MotionError, unknown_name
from poise.figure.figure import Figure
from poise.figure.segment import Site, vector3
from poise.goals import Position
from poise.motion.clip import Clip
from poise.motion.markers import Markers
from poise.motion.roles import body_of

SIX = ("left_hand", "right_hand", "left_foot", "right_foot", "head", "pelvis")
"""The roles that a clip is followed by if nothing else is said."""


class Place(NamedTuple):
    """A point of a figure: an offset [m] in the frame of a site or segment."""

    effector: str
    offset: NDArray[np.float64]

    @classmethod
    def of(cls, figure: Figure, site: Site) -> Place:
        """Where a site is, by its own name if the figure has it."""
        if site in figure.sites:
            return cls(site.name, np.zeros(3))
        return cls(site.segment, np.asarray(site.offset))

    def goal(self, name: str) -> Position:
        """To be at a point that every frame gives anew."""
        return Position(self.effector, (0.0, 0.0, 0.0), offset=self.offset, name=name)


Effectors = Sequence[str] | Mapping[str, str | tuple[str, ArrayLike]]


def places(source: Clip | Markers, figure: Figure, effectors: Effectors | None) -> dict[str, Place]:
    """Which place of the figure follows each point of the source, by the point's name."""
    if effectors is None:
        names = _usual(source, figure)
    elif isinstance(effectors, Mapping):
        names = dict(effectors)
    else:
        listed = [effectors] if isinstance(effectors, str) else list(effectors)
        names = {name: name for name in listed}
    if not names:
        raise MotionError("track needs at least one effector")
    found = {}
    for name, where in names.items():
        effector, offset = where if isinstance(where, tuple) else (where, np.zeros(3))
        figure.effector(effector)
        found[name] = Place(effector, vector3(offset, f"offset of {name!r}"))
    return found


def _usual(source: Clip | Markers, figure: Figure) -> dict[str, str]:
    """All markers; of a clip hands, feet, head and pelvis."""
    if isinstance(source, Markers):
        return {name: name for name in source.names}
    theirs, ours = body_of(source.figure), body_of(figure)
    missing = [role for role in SIX if role not in theirs.roles or role not in ours.roles]
    if missing:
        raise MotionError(
            f"no {', '.join(missing)} is found by name in {source.figure.name} or {figure.name};"
            " name the effectors"
        )
    return {theirs.roles[role]: ours.roles[role] for role in SIX}


def followed(
    source: Clip | Markers,
    clip: Clip | None,
    attached: Mapping[str, Place],
    weights: Mapping[str, float],
    interval: float | None,
) -> Markers:
    """The points of the source that are followed, sampled every `interval` seconds.

    `clip` is the source sampled so, where that is a clip.
    """
    for name in weights:
        if name not in attached:
            raise MotionError(unknown_name("effector to weigh", name, attached))
    if clip is not None:
        points = Markers.of_clip(clip, list(attached))
    else:
        assert isinstance(source, Markers)
        chosen = [source.index(name) for name in attached]
        points = Markers(
            tuple(attached),
            source.points[:, chosen],
            source.frame_time,
            weights=source.factors[:, chosen],
        )
        points = points if interval is None else points.every(interval)
    own = np.array([weights.get(name, 1.0) for name in attached], float)
    if not (np.isfinite(own).all() and (own >= 0).all()):
        raise MotionError("weights of effectors must be numbers from 0")
    return Markers(points.names, points.points, points.frame_time, weights=points.factors * own)
