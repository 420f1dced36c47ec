"""Left and right: which segments are each other's mirror images, by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from poise.errors import MotionError, unknown_name
from poise.figure.figure import Figure
from poise.motion.world import segment_frames

_WORDS = {"left": "right", "Left": "Right", "LEFT": "RIGHT", "l": "r", "L": "R"}
_OTHER = _WORDS | {right: left for left, right in _WORDS.items()}
_SIDES = (
    "(left|right|Left|Right|LEFT|RIGHT)",  # left_hand, LeftHand, mixamorig:LeftHand
    r"(?:(?<=[ ._:-])|^)([lrLR])(?=[ ._:-]|$)",  # hand.L, J_Bip_R_Hand
    "^([LR])(?=[A-Z])",  # LHipJoint
    "(?<=[a-z0-9])([LR])$",  # HandL
)
"""How names say a side. Each shows it clearly: such a name without a partner is an error."""
_GUESS = "^([lr])(?=[a-z])"
"""lfemur: also how many words start, so it counts only where the partner is there."""


def partner_name(name: str, known: Iterable[str]) -> str | None:
    """The name of the other side among `known`; the name itself if it says no side.

    None if it says one and the other is not there.
    """
    names = set(known)
    named_side = False
    for pattern in _SIDES:
        for other in _swapped(pattern, name):
            named_side = True
            if other in names:
                return other
    if named_side:
        return None
    guess = next(_swapped(_GUESS, name), name)
    return guess if guess in names else name


def _swapped(pattern: str, name: str) -> Iterator[str]:
    """`name` with the side exchanged at each place where the pattern finds one."""
    for match in re.finditer(pattern, name):
        yield name[: match.start(1)] + _OTHER[match.group(1)] + name[match.end(1) :]


def partners(figure: Figure, pairs: Mapping[str, str] | None = None) -> list[int]:
    """For every segment the index of its mirror image, which is itself in the middle."""
    names = figure.segment_names
    given: dict[str, str] = {}
    for one, other in (pairs or {}).items():
        for name in (one, other):
            if name not in names:
                raise MotionError(unknown_name(f"segment of {figure.name}", name, names))
        given |= {one: other, other: one}
    found = []
    for name in names:
        other = given.get(name) or partner_name(name, names)
        if other is None:
            raise MotionError(
                f"segment {name!r} of {figure.name} names a side, and the other side is missing;"
                f" give pairs={{{name!r}: …}}, with itself if it is in the middle"
            )
        found.append(figure.segment_index(other))
    for s, other in enumerate(found):
        if found[other] != s:
            raise MotionError(
                f"segment {names[s]!r} has the same mirror image as another; give pairs= for both"
            )
        parents = figure.parents[s], figure.parents[other]
        if (min(parents) < 0) != (max(parents) < 0) or (
            min(parents) >= 0 and found[parents[0]] != parents[1]
        ):
            raise MotionError(
                f"segments {names[s]!r} and {names[other]!r} do not hang on mirror images of each"
                " other; give pairs= for their parents"
            )
    return found


def lateral_axis(figure: Figure, images: list[int]) -> int:
    """The axis (0, 1 or 2) from right to left: that in which partners are apart at zero."""
    _, origins = segment_frames(figure, np.zeros((1, len(figure.dofs))))
    apart = np.abs(origins[0] - origins[0][images]).sum(0)
    apart["XYZ".index(figure.up)] = 0.0
    if not apart.any():
        return 0
    return int(np.argmax(apart))
