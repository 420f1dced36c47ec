"""Which limits a figure follows a motion in: its own, learned ones, those of the human, or none."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from poise.errors import MotionError, OptionError
from poise.figure.builtin import human
from poise.figure.figure import Figure
from poise.motion.clip import Clip
from poise.motion.equivalent import Unwrapping

Array = NDArray[np.float64]
GRID = 3
"""So many values of each DOF of a joint are tried."""


def limited(clip: Clip, choice: str) -> Figure:
    """The clip's figure with the limits of a `choice`: file, learned:DEG, human or none."""
    return limited_by(clip.figure, choice, lambda: clip.unwrapped().angles)


def limited_by(figure: Figure, choice: str, motion: Callable[[], Array]) -> Figure:
    """The same where limits are learned from a motion (frames, dofs), or from its extremes."""
    margin = check_choice(choice)
    if margin is not None:
        return figure.with_limits_from(motion(), margin)
    if choice == "none":
        return without_limits(figure)
    return with_human_limits(figure) if choice == "human" else figure


def extremes(figure: Figure, blocks: Iterable[Clip]) -> Array:
    """(2, dofs) the least and the most of every unwrapped DOF of a motion in blocks."""
    flat = Unwrapping(figure)
    found = np.array([[np.inf], [-np.inf]]) * np.ones(len(figure.dofs))
    for block in blocks:
        angles = flat.next(block.angles)
        found = np.stack([np.minimum(found[0], angles.min(0)), np.maximum(found[1], angles.max(0))])
    return found


def check_choice(choice: str) -> float | None:
    """The margin [rad] of learned limits, None for the others; an error if it is no choice."""
    if choice in ("file", "none", "human"):
        return None
    kind, _, margin = choice.partition(":")
    try:
        degrees = float(margin or "10")
    except ValueError:
        degrees = -1.0
    if kind != "learned" or not 0.0 <= degrees < math.inf:
        raise OptionError(
            f"limits {choice!r} are not file, learned:DEG, human or none; write for example"
            " learned:10"
        )
    return math.radians(degrees)


def without_limits(figure: Figure) -> Figure:
    """The figure with no limits at all; swing cones, which cannot be opened, stay."""
    cones = {i for d, _ in figure.cones for i in (d, d + 1)}
    names = [name for i, name in enumerate(figure.dof_names) if i not in cones]
    open_ended = dict.fromkeys(names, (-np.inf, np.inf))
    return figure.without_relations().with_limits(open_ended)


def with_human_limits(figure: Figure) -> Figure:
    """The figure with limits that let each joint turn as far as that of the built-in human.

    The human's joints go through their ranges, one at a time; the figure follows, and what it uses
    becomes its limits. Joints that nothing in the human moves keep theirs.
    """
    from poise.motion.retarget import retarget
    from poise.motion.skeleton_map import SkeletonMap

    ranges = _through_ranges(human())
    mapping = SkeletonMap.between(ranges.figure, figure)
    moved = retarget(ranges, without_limits(figure), mapping, contacts=False).clip
    learned = figure.with_limits_from(moved, margin=0.0)
    limits = {}
    for segment in figure.segments:
        if segment.name in mapping.pairs and segment.parent is not None:
            for name in segment.dof_names:
                i = figure.dof_index(name)
                limits[name] = float(learned.lower[i]), float(learned.upper[i])
    if not limits:
        raise MotionError(f"no joint of {figure.name} is found in the human by name")
    return figure.with_limits(limits)


def _through_ranges(body: Figure) -> Clip:
    """Every joint through a grid of its range, the others at rest."""
    rows, first = [], 0
    for segment in body.segments:
        dofs = range(first, first + len(segment.joint.dofs))
        first = dofs.stop
        if segment.parent is None or not len(dofs):
            continue
        values = [np.linspace(body.lower[d], body.upper[d], GRID) for d in dofs]
        for pose in itertools.product(*values):
            row = body.rest_angles.copy()
            row[list(dofs)] = pose
            rows.append(row)
    return Clip(body, np.array(rows))
