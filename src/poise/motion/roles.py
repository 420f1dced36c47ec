"""What the segments of a body are, by their names and by how they hang together.

Names of many makers are known: "LeftUpLeg", "lfemur", "mixamorig:LeftUpLeg", "UpLeg_L",
"left_thigh" all are a left thigh. Where a joint is a chain of hinges, as in robots, the role is the
last one's: "left_hip_yaw_link" of "left_hip_pitch_link", "left_hip_roll_link" and itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

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
_BONES = {
    "Shoulder": "clavicle",
    "UpperArm": "upper_arm",
    "LowerArm": "forearm",
    "Hand": "hand",
    "UpperLeg": "thigh",
    "LowerLeg": "shank",
    "Foot": "foot",
    "Toes": "toes",
}
"""What VRM calls them after left or right."""
_MIDDLE: dict[str, tuple[str, ...]] = {
    "pelvis": ("pelvis", "hips", "hip", "root"),
    "head": ("head",),
}
"""What a segment is called, the surest names first."""

SIDES = ("left", "right")
_SIDE_OF = {"left": "left", "l": "left", "right": "right", "r": "right"}
_GLUED = re.compile(
    r"^([lr])(clavicle|humerus|radius|wrist|hand|femur|tibia|foot|toes|shldr|arm|leg)$"
)
_HALF = re.compile(r"(?i)(upper|lower)(?=arm|leg)")
_FILLERS = {"joint", "bip", "link"}
_LEADING = {"j", "c", "middle"}
"""Words that say nothing about what a segment is, some only where they come first,"""
_AXES = frozenset({"pitch", "roll", "yaw", "virtual"})
"""and those of one hinge among several in a chain."""
_NUMBERED = {"arm": ("upper_arm", "forearm", "hand"), "leg": ("thigh", "shank", "foot")}


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
    spaced = re.sub(
        r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", _HALF.sub(r"\1 ", bare)
    )
    words = [word.lower() for word in re.split(r"[\s_.\-]+|(?<=[A-Za-z])(?=\d)", spaced) if word]
    glued = _GLUED.match(words[0]) if len(_telling(words)) == 1 else None
    if glued:
        words[:1] = glued.groups()
    side = next((_SIDE_OF[word] for word in words if word in _SIDE_OF), "")
    return side, [word for word in words if word not in _SIDE_OF]


def _telling(words: list[str]) -> list[str]:
    kept = [word for word in words if not word.isdigit() and word not in _FILLERS]
    while len(kept) > 1 and kept[0] in _LEADING:
        kept = kept[1:]
    return kept


def body_of(figure: Figure) -> Body:
    """Find the roles of a figure's segments; what is not found is not there."""
    body = Body(figure)
    _take_told(body)
    for side in SIDES:
        for limb, roles in _NUMBERED.items():
            _take_numbered(body, side, limb, roles)
        for role, synonyms in _LIMBS.items():
            _take(body, f"{side}_{role}", side, synonyms)
    for role, synonyms in _MIDDLE.items():
        _take(body, role, "", synonyms)
    _find_trunk(body)
    return body


def _take_told(body: Body) -> None:
    """The roles that a file tells itself, as VRM does, whatever its segments are called."""
    told = {segment.bone: segment.name for segment in body.figure.segments if segment.bone}
    known = {f"{side}{bone}": f"{side}_{role}" for side in SIDES for bone, role in _BONES.items()}
    known |= {"hips": "pelvis", "head": "head"}
    body.roles |= {role: told[bone] for bone, role in known.items() if bone in told}


def _take_numbered(body: Body, side: str, limb: str, roles: tuple[str, ...]) -> None:
    """A limb whose segments have numbers only, as in robots: its two longest bones tell which is
    which."""
    figure = body.figure
    found = [name for name in figure.segment_names if _is_called(name, side, limb)]
    chain = _chain(figure, found)
    if len(chain) < 4 or len(chain) < len(found) or f"{side}_{roles[0]}" in body.roles:
        return
    ends = [n for n in figure.segment_names for s in _LIMBS[roles[2]] if _is_called(n, side, s)]
    chain += [name for name in ends[:1] if chain[-1] in way_up(figure, name)]
    origins = [figure.rest().frames[1][figure.segment_index(name)] for name in chain]
    lengths = np.linalg.norm(np.diff(origins, axis=0), axis=1)
    first, second = sorted(np.argsort(lengths)[-2:].tolist())
    picked = [chain[first], chain[second], chain[-1]]
    body.roles |= {f"{side}_{role}": name for role, name in zip(roles, picked, strict=True)}
    shown = ", ".join(f"{name!r} for the {role}" for role, name in zip(roles, picked, strict=True))
    body.doubts.append(f"the {side} {limb} has numbers only; by its lengths {shown} are taken")


def _take(body: Body, role: str, side: str, synonyms: tuple[str, ...]) -> None:
    """Give a role to the first segment that bears its surest name and has no other role."""
    if role in body.roles:
        return
    taken = set(body.roles.values())
    free = [name for name in body.figure.segment_names if name not in taken]
    for synonym in synonyms:
        found = [name for name in free if _is_called(name, side, synonym)]
        # A leading underscore marks a helper, as in "__UpLeg_L".
        found = [name for name in found if not name.startswith("_")] or found
        hinges = _hinges(body.figure, found)
        if not found:
            hinges = [name for name in free if _is_called(name, side, synonym, _AXES)]
        if hinges and synonym == "shoulder" and role.endswith("clavicle"):
            continue  # hinges of the upper arm: nothing that turns the shoulder itself
        if hinges:
            body.roles[role] = _chain(body.figure, hinges)[-1]
            return
        if found:
            body.roles[role] = found[0]
            if len(found) > 1:
                others = ", ".join(map(repr, found[1:]))
                body.doubts.append(f"{role} is taken to be {found[0]!r}; it might be {others}")
            return


@lru_cache(maxsize=1 << 14)
def _is_called(name: str, side: str, synonym: str, ignored: frozenset[str] = frozenset()) -> bool:
    own_side, words = words_of(name)
    kept = [word for word in _telling(words) if word not in ignored]
    return own_side == side and kept == synonym.split()


def _chain(figure: Figure, names: Sequence[str]) -> list[str]:
    """Those of some segments that the last of them hangs on, and itself, from the top."""
    if not names:
        return []
    above = way_up(figure, names[-1])
    return [name for name in names if name in above]


def _hinges(figure: Figure, names: list[str]) -> list[str]:
    """The segments if there are several, each on the one before and turning about one axis."""
    turning = [turning_dofs(figure, name) for name in names]
    one_by_one = len(names) > 1 and _chain(figure, names) == names
    return names if one_by_one and max(turning) == 1 else []


def turning_dofs(figure: Figure, name: str) -> int:
    """About how many axes a segment turns against its parent."""
    dofs = figure.segments[figure.segment_index(name)].joint.dofs
    return sum(dof.kind == "rotation" for dof in dofs)


def stack(figure: Figure, name: str, others: Set[str]) -> list[str]:
    """A segment and those right above it that turn for it: up to three axes, or one of `others`.

    In most figures it is the segment alone; robots have a link for every axis.
    """
    found, axes = [name], turning_dofs(figure, name)
    for above in way_up(figure, name)[1:]:
        if axes >= 3 or above in others or figure.segment_index(above) == 0:
            break
        found.append(above)
        axes += turning_dofs(figure, above)
    return found


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
        body.spine = _between(body, "pelvis", "chest")
    if "chest" in body.roles and "head" in body.roles:
        body.neck = _between(body, "chest", "head")


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


def _between(body: Body, top: str, bottom: str) -> list[str]:
    """The segments on the way from a role to another, without them and what only turns for the
    lower one; none if they meet elsewhere."""
    figure, ends = body.figure, (body.roles[top], body.roles[bottom])
    meeting = set(way_up(figure, ends[0]))
    way = []
    for name in way_up(figure, ends[1])[1:]:
        if name in meeting:
            hinges = stack(figure, ends[1], set(ends))[1:]
            return [name for name in way[::-1] if name not in hinges]
        way.append(name)
    return []
