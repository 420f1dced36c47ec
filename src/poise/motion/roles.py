"""What the segments of a body are, by their names and by how they hang together.

Names of many makers are known: "LeftUpLeg", "lfemur", "mixamorig:LeftUpLeg", "UpLeg_L",
"left_thigh" all are a left thigh.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from poise.figure.figure import Figure

_LIMBS: dict[str, tuple[str, ...]] = {
    "clavicle": ("clavicle", "collar", "collarbone", "scapula", "shoulder"),
    "upper_arm": ("upper arm", "up arm", "humerus", "shldr", "arm", "shoulder"),
    "forearm": ("forearm", "fore arm", "lower arm", "lo arm", "radius", "elbow"),
    "hand": ("hand", "wrist", "palm"),
    "thigh": ("thigh", "up leg", "upper leg", "femur", "hip"),
    "shank": ("shank", "shin", "calf", "lower leg", "lo leg", "tibia", "knee", "leg"),
    "foot": ("foot", "ankle"),
    "toes": ("toes", "toe base", "toe"),
}
_MIDDLE: dict[str, tuple[str, ...]] = {
    "pelvis": ("pelvis", "hips", "hip", "root"),
    "head": ("head",),
}
"""What a segment is called, the surest names first."""

SIDES = ("left", "right")
_SIDE_OF = {"left": "left", "l": "left", "right": "right", "r": "right"}
_GLUED = re.compile(r"^([lr])(clavicle|humerus|radius|wrist|hand|femur|tibia|foot|toes|shldr)$")


@dataclass
class Body:
    """The segments of a figure by role, e.g. "left_thigh": "LeftUpLeg"."""

    figure: Figure
    roles: dict[str, str] = field(default_factory=dict)
    spine: list[str] = field(default_factory=list)
    """From the pelvis up, between it and the chest."""
    neck: list[str] = field(default_factory=list)
    """Between the chest and the head."""
    doubts: list[str] = field(default_factory=list)
    """What is uncertain, each a sentence for people."""

    def named(self, *roles: str) -> list[str]:
        """The segments of some roles, of those that are there."""
        return [self.roles[role] for role in roles if role in self.roles]


def words_of(name: str) -> tuple[str, list[str]]:
    """The side that a name says ("left", "right" or ""), and its other words in lower case."""
    bare = name.rpartition(":")[2]
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", bare)
    words = [word.lower() for word in re.split(r"[\s_.\-]+|(?<=[A-Za-z])(?=\d)", spaced) if word]
    glued = _GLUED.match(words[0]) if len(words) == 1 else None
    if glued:
        words = list(glued.groups())
    side = next((_SIDE_OF[word] for word in words if word in _SIDE_OF), "")
    return side, [word for word in words if word not in _SIDE_OF]


def body_of(figure: Figure) -> Body:
    """Find the roles of a figure's segments; what is not found is not there."""
    body = Body(figure)
    for side in SIDES:
        for role, synonyms in _LIMBS.items():
            _take(body, f"{side}_{role}", side, synonyms)
    for role, synonyms in _MIDDLE.items():
        _take(body, role, "", synonyms)
    _find_trunk(body)
    return body


def _take(body: Body, role: str, side: str, synonyms: tuple[str, ...]) -> None:
    """Give a role to the first segment that bears its surest name and has no other role."""
    taken = set(body.roles.values())
    for synonym in synonyms:
        found = [
            name
            for name in body.figure.segment_names
            if name not in taken and _is_called(name, side, synonym)
        ]
        # A leading underscore marks a helper, as in "__UpLeg_L".
        found = [name for name in found if not name.startswith("_")] or found
        if found:
            body.roles[role] = found[0]
            if len(found) > 1:
                others = ", ".join(map(repr, found[1:]))
                body.doubts.append(f"{role} is taken to be {found[0]!r}; it might be {others}")
            return


@lru_cache(maxsize=1 << 14)
def _is_called(name: str, side: str, synonym: str) -> bool:
    own_side, words = words_of(name)
    kept = [word for word in words if not word.isdigit() and word not in ("joint", "bip")]
    return own_side == side and kept == synonym.split()


def _find_trunk(body: Body) -> None:
    """Chest, spine and neck by how they hang together; and a pelvis that has no telling name."""
    thighs = body.named("left_thigh", "right_thigh")
    if "pelvis" not in body.roles and len(thighs) == 2:
        body.roles["pelvis"] = _meeting(body.figure, *thighs)
        body.doubts.append(
            f"pelvis is taken to be {body.roles['pelvis']!r}, on which both thighs hang"
        )
    arms = body.named("left_clavicle", "right_clavicle")
    if len(arms) < 2:
        arms = body.named("left_upper_arm", "right_upper_arm")
    if len(arms) == 2:
        body.roles["chest"] = _meeting(body.figure, *arms)
    if "chest" in body.roles and "pelvis" in body.roles:
        body.spine = _between(body.figure, body.roles["pelvis"], body.roles["chest"])
    if "chest" in body.roles and "head" in body.roles:
        body.neck = _between(body.figure, body.roles["chest"], body.roles["head"])


def way_up(figure: Figure, name: str) -> list[str]:
    """A segment, its parent, and so on up to the root."""
    way, at = [], figure.segment_index(name)
    while at >= 0:
        way.append(figure.segment_names[at])
        at = figure.parents[at]
    return way


def _meeting(figure: Figure, one: str, other: str) -> str:
    """The last segment on which both hang."""
    above = set(way_up(figure, other))
    return next(name for name in way_up(figure, one) if name in above)


def _between(figure: Figure, top: str, bottom: str) -> list[str]:
    """The segments on the way from `top` to `bottom`, without them; none if they meet elsewhere."""
    meeting = set(way_up(figure, top))
    way = []
    for name in way_up(figure, bottom)[1:]:
        if name in meeting:
            return way[::-1]
        way.append(name)
    return []
