"""Where the feet of another figure go: those of the source, scaled and put on the ground."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.motion.alignment import Alignment
from poise.motion.clip import Clip
from poise.motion.contacts import (
    Contact,
    ContactRule,
    base_heights,
    locked,
    on_levels,
    rigid,
    spaced,
)
from poise.motion.feet import foot_points, up_axis
from poise.motion.locking import feet_of, foot_lengths

Array = NDArray[np.float64]


class Footing(NamedTuple):
    """The paths of the target's heels and balls."""

    names: list[str]
    paths: Array
    """(frames, points, 3) [m]"""
    grip: Array
    """(frames, points) how firmly each is held: 1 in contact."""
    contacts: list[Contact]
    ground: float
    """The height of the source's ground [m]: 0 in the target's world."""


def footing(
    clip: Clip, target: Figure, alignment: Alignment, rule: ContactRule | None
) -> Footing | None:
    """The footing of `target`; None if either has no feet. Without a rule nothing is locked."""
    ours = foot_points(target)
    feet = feet_of(clip, rule or ContactRule())
    names = list(feet.sites)
    if not names or set(names) != set(ours):
        return None
    lengths, up = foot_lengths(target, ours), up_axis(target)
    base = base_heights(feet.contacts, up_axis(clip.figure)) if rule else {}
    ground = float(np.median(list(base.values()))) if base else 0.0
    points = (feet.points @ alignment.axes.T) * alignment.scale
    contacts: list[Contact] = []
    if rule is None:
        loose = np.zeros(points.shape[:2])
        return Footing(names, rigid(names, points, loose, lengths), loose, [], ground)
    # Each point has a height of its own above the sole: it stands at 0 in its lowest contact.
    points[:, :, up] -= alignment.scale * np.array([base.get(name, ground) for name in names])
    points = rigid(names, points, np.zeros(points.shape[:2]), lengths)
    for level in on_levels(feet.contacts, up_axis(clip.figure), rule):
        path = points[level.frames, names.index(level.point)]
        place = np.median(path, axis=0)
        place[up] = alignment.scale * level.place[up_axis(clip.figure)]
        contacts.append(Contact(level.point, level.first, level.last, place))
    contacts = spaced(contacts, lengths, up)
    paths, grip = locked(names, points, contacts, clip.frame_time, rule)
    paths = rigid(names, paths, grip, lengths)
    lowest = min((float(c.place[up]) for c in contacts), default=-np.inf)
    paths[:, :, up] = np.maximum(paths[:, :, up], lowest)
    return Footing(names, paths, grip, contacts, ground)
