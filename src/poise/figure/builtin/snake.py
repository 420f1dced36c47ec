"""A chain of any number of hinges."""

from __future__ import annotations

import operator

import numpy as np
from numpy.typing import NDArray

from poise.errors import FigureError
from poise.figure import joint
from poise.figure.figure import Figure
from poise.figure.segment import Segment, Site

LENGTH = 1.80
"""From tail to head when straight [m], whatever the number of hinges."""
_MASS = 3.0
"""Of the whole, shared evenly [kg]: chosen."""
_LIMIT = np.deg2rad(45.0)
_MOST_BENT_REST = np.deg2rad(30.0)
_REST_SWING = np.deg2rad(40.0)


def snake(n: int) -> Figure:
    """A chain of `n` hinges, each limited to ±45°, along +Z from a tail fixed at the origin.

    The hinges turn left (yaw) and up (pitch) in turns. At rest it lies on the ground in an S,
    because a straight chain would be a singular pose. Sites: `head`, the tip, and `tail`.
    """
    count = _checked(n)
    length = LENGTH / count
    rest = _rest(count)
    limits = (-_LIMIT, _LIMIT)
    pitch = joint.revolute("-X", limits, "pitch")
    segments = [Segment("tail", None)]
    for i in range(count):
        segments.append(
            Segment(
                f"link_{i + 1}",
                segments[-1].name,
                pitch if i % 2 else joint.revolute("Y", limits, "yaw", rest[i]),
                (0.0, 0.0, length if i else 0.0),
                joint_name=f"joint_{i + 1}",
                mass=_MASS / count,
                center=(0.0, 0.0, 0.5 * length),
            )
        )
    sites = [Site("head", segments[-1].name, (0.0, 0.0, length)), Site("tail", "tail")]
    return Figure("snake", segments, sites)


def _checked(n: int) -> int:
    try:
        count = 0 if isinstance(n, bool) else operator.index(n)
    except TypeError:
        count = 0
    if count < 1:
        raise FigureError(f"a snake needs a whole number of hinges from 1 up, not {n!r}")
    return count


def _rest(count: int) -> NDArray[np.float64]:
    """Rest angles [rad]: the heading swings once about +Z along the chain; no pitch."""
    yaws = (count + 1) // 2
    heading = _REST_SWING * np.sin(2.0 * np.pi * (np.arange(yaws) + 0.5) / yaws + 0.25 * np.pi)
    rest = np.zeros(count)
    rest[::2] = np.clip(np.diff(heading, prepend=0.0), -_MOST_BENT_REST, _MOST_BENT_REST)
    return rest
