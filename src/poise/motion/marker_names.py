"""Where on a body the markers of the usual sets sit, by their names.

The names are those of the Plug-in Gait and Helen Hayes sets, of OpenSim's models and the plain
English ones. The places are rough: calibration finds the true ones.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.figure.pose import Pose
from poise.motion.roles import Body, words_of
from poise.motion.segments import segment_origin

Array = NDArray[np.float64]

BODY_HEIGHT = 1.8
"""The places below are for a body of this height [m]."""


class Spot(NamedTuple):
    """A place on a body: so far on the way between two joints, and beside it."""

    role: str
    """The segment that carries it."""
    start: str
    """The role whose joint the way starts at,"""
    end: str
    """and ends at."""
    share: float
    aside: tuple[float, float, float]
    """[m] out to the side (to the left where there are no sides), up, and forward."""
    sure: bool = True
    """Whether every laboratory puts it there, as over a bone, and not anywhere on a limb."""


def _on(role: str, aside: tuple[float, float, float], at: str = "", sure: bool = True) -> Spot:
    return Spot(role, at or role, at or role, 0.0, aside, sure)


SHOULDERS, HIPS = "amid upper_arm", "amid thigh"

SPOTS: dict[str, Spot] = {
    "fhd": _on("head", (0.07, 0.12, 0.10)),
    "bhd": _on("head", (0.07, 0.12, -0.08)),
    "c7": _on("chest", (0.0, 0.04, -0.08), SHOULDERS),
    "t10": _on("chest", (0.0, -0.24, -0.10), SHOULDERS),
    "clav": _on("chest", (0.0, -0.02, 0.08), SHOULDERS),
    "strn": _on("chest", (0.0, -0.18, 0.13), SHOULDERS),
    "bak": _on("chest", (0.08, -0.12, -0.11), SHOULDERS, sure=False),
    "sho": _on("clavicle", (0.0, 0.05, 0.0), "upper_arm"),
    "upa": Spot("upper_arm", "upper_arm", "forearm", 0.5, (0.05, 0.0, 0.0), False),
    "elb": _on("upper_arm", (0.04, 0.0, 0.0), "forearm"),
    "frm": Spot("forearm", "forearm", "hand", 0.5, (0.04, 0.0, 0.0), False),
    "wra": _on("forearm", (0.0, 0.01, 0.035), "hand"),
    "wrb": _on("forearm", (0.0, -0.01, -0.035), "hand"),
    "fin": Spot("hand", "forearm", "hand", 1.3, (0.02, 0.0, 0.0)),
    "asi": _on("pelvis", (0.12, 0.09, 0.10), HIPS),
    "psi": _on("pelvis", (0.05, 0.10, -0.11), HIPS),
    "sacr": _on("pelvis", (0.0, 0.10, -0.12), HIPS),
    "thi": Spot("thigh", "thigh", "shank", 0.5, (0.07, 0.0, 0.0), False),
    "kne": _on("thigh", (0.06, 0.0, 0.0), "shank"),
    "knm": _on("thigh", (-0.06, 0.0, 0.0), "shank"),
    "tib": Spot("shank", "shank", "foot", 0.5, (0.05, 0.0, 0.0), False),
    "ank": _on("shank", (0.04, 0.0, 0.0), "foot"),
    "anm": _on("shank", (-0.04, 0.0, 0.0), "foot"),
    "hee": _on("foot", (0.0, -0.04, -0.07)),
    "toe": _on("foot", (0.0, -0.04, 0.14)),
    "mt1": _on("foot", (-0.04, -0.04, 0.13)),
    "mt5": _on("foot", (0.05, -0.05, 0.10)),
}

_ALIASES = {
    "fhd": "front head,head front",
    "bhd": "back head,head back",
    "c7": "cv7",
    "t10": "tv10",
    "clav": "sjn,ij,jugular",
    "strn": "sternum,sxs,px",
    "bak": "back,scapula",
    "sho": "shoulder,acromion,acromium,acr,cac",
    "elb": "elbow,elbow lat,hle,lel",
    "wra": "wrist,radius,rsp,wrist rad,wrist thumb",
    "wrb": "ulna,usp,wrist uln,wrist pinky",
    "fin": "finger,hand,hm3",
    "asi": "asis,ias",
    "psi": "psis,ips",
    "sacr": "sacrum,sacral,v sacral,vsacral",
    "thi": "thigh,thigh upper,thigh front,thigh rear",
    "kne": "knee,knee lat,lknee,fle,lfc",
    "knm": "knee med,mknee,fme,mfc",
    "tib": "tibia,shank,shin,shank upper,shank front,shank rear",
    "ank": "ankle,ankle lat,lm,fal,lmal",
    "anm": "ankle med,mm,tam,mmal",
    "hee": "heel,fcc,calc,calcaneus",
    "toe": "toes,toe tip,fm2,mt2",
    "mt1": "fm1,toe med",
    "mt5": "fm5,toe lat",
}
"""Other names of the same places."""

NAMES = {name: spot for spot in SPOTS for name in (spot, *_ALIASES.get(spot, "").split(","))}
_TWO_SIDED = {"fhd", "bhd", "bak", "asi", "psi"}
_MIDDLE = {"c7", "t10", "clav", "strn", "sacr"}


def spot_named(name: str) -> tuple[str, Spot] | None:
    """The side ("left", "right" or "") and the spot that a marker's name means, if it is known."""
    bare = name.rpartition(":")[2]
    side, words = words_of(bare)
    plain = " ".join(words)
    glued = re.sub(r"(?<=[a-z]) (?=\d)", "", plain)
    for called in (plain, glued):
        if NAMES.get(called) in _MIDDLE:
            return "", SPOTS[NAMES[called]]
        if called in NAMES and side:
            return side, SPOTS[NAMES[called]]
    tight = re.sub(r"[\s_.\-]", "", bare).lower()
    if NAMES.get(tight) in _MIDDLE:
        return "", SPOTS[NAMES[tight]]
    if tight[:1] in ("l", "r") and NAMES.get(tight[1:]) in SPOTS:
        spot = NAMES[tight[1:]]
        if spot not in _MIDDLE or spot in _TWO_SIDED:
            return {"l": "left", "r": "right"}[tight[0]], SPOTS[spot]
    return None


def carrier(body: Body, side: str, spot: Spot) -> str | None:
    """The segment of a body that carries a spot; None if it has none such."""
    sided = f"{side}_{spot.role}"
    if spot.role == "clavicle" and sided not in body.roles:
        return body.roles.get("chest")
    return body.roles.get(sided) or body.roles.get(spot.role)


def rough_place(body: Body, side: str, spot: Spot, rest: Pose) -> Array | None:
    """Where a spot is in the world [m] when the body is at rest; None if joints are missing."""
    start, end = (_joint(body, side, role, rest) for role in (spot.start, spot.end))
    if start is None or end is None:
        return None
    out, up, forward = _directions(body, rest)
    if side == "right":
        out = -out
    size = _height(rest, up) / BODY_HEIGHT
    beside = sum(by * axis for by, axis in zip(spot.aside, (out, up, forward), strict=True))
    return start + spot.share * (end - start) + size * beside


def _joint(body: Body, side: str, role: str, rest: Pose) -> Array | None:
    if role.startswith("amid "):
        both = body.named(*(f"{s}_{role[5:]}" for s in ("left", "right")))
        return np.mean([segment_origin(rest, name) for name in both], axis=0) if both else None
    name = body.roles.get(f"{side}_{role}") or body.roles.get(role)
    return None if name is None else segment_origin(rest, name)


def _directions(body: Body, rest: Pose) -> tuple[Array, Array, Array]:
    """Left, up and forward of a body at rest."""
    up = np.eye(3)["XYZ".index(body.figure.up)]
    for role in ("thigh", "upper_arm"):
        pair = body.named(f"left_{role}", f"right_{role}")
        if len(pair) == 2:
            left = segment_origin(rest, pair[0]) - segment_origin(rest, pair[1])
            left -= (left @ up) * up
            length = float(np.linalg.norm(left))
            if length > 1e-6:
                return left / length, up, np.cross(left / length, up)
    left = np.eye(3)[0]
    return left, up, np.cross(left, up)


def _height(rest: Pose, up: Array) -> float:
    heights = rest.frames[1] @ up
    return float(np.ptp(heights)) * 1.08 or BODY_HEIGHT  # joints reach not quite to the top
