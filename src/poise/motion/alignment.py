"""How two figures stand to each other at rest: up axes, facing, bones and size."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.figure.rotation import between
from poise.motion.feet import foot_points
from poise.motion.roles import SIDES, Body, body_of, stack
from poise.motion.segments import segment_origin, segment_rotation, site_point
from poise.motion.skeleton_map import SkeletonMap

Array = NDArray[np.float64]

_NEXT = {
    "clavicle": "upper_arm",
    "upper_arm": "forearm",
    "forearm": "hand",
    "thigh": "shank",
    "shank": "foot",
}
"""A bone points to where the next one begins,"""
_LIKE = {"hand": "forearm", "toes": "foot"}
"""or is turned as this one is."""
_HINGED = {"forearm": "upper_arm", "shank": "thigh"}
"""Bones that turn about an axis of the one above, whatever angle they are at when at rest."""


@dataclass(frozen=True, eq=False)
class Alignment:
    """What turns rotations and places of a source into those of a target."""

    axes: Array
    """(3, 3) turns the source's world into the target's: Z up into Y up."""
    rests: dict[str, Array]
    """For each mapped segment (3, 3) its rotation when the source stands at its rest."""
    scale: float
    """How many times longer the legs of the target are."""


def align(source: Figure, target: Figure, mapping: SkeletonMap) -> Alignment:
    """Stand the target as the source stands at rest, bone by bone."""
    theirs, ours = body_of(source), body_of(target)
    axes = _axes(source.up, target.up)
    there, here = source.rest(), target.rest()
    facing = axes @ _facing(theirs, there) @ _facing(ours, here).T
    if source.segment_names == target.segment_names:
        facing = np.eye(3)
    turns = _bone_turns(theirs, ours, axes, facing)
    rests = {}
    for name in mapping.pairs:
        turn = turns.get(name, facing)
        rests[name] = turn @ segment_rotation(here, name)
    return Alignment(axes, rests, _leg(ours, here) / _leg(theirs, there))


def _bone_turns(theirs: Body, ours: Body, axes: Array, facing: Array) -> dict[str, Array]:
    """By segment of the target, what turns its bone at rest onto the source's at rest."""
    turns: dict[str, Array] = {}
    for side in SIDES:
        for part in (*_NEXT, "foot", *_LIKE):
            role = f"{side}_{part}"
            if role not in ours.roles:
                continue
            like = ours.roles.get(f"{side}_{_LIKE.get(part, '')}")
            mine, other = _direction(ours, side, part), _direction(theirs, side, part)
            if like in turns:
                turns[ours.roles[role]] = turns[like]
            elif mine is not None and other is not None:
                above = turns.get(ours.roles.get(f"{side}_{_HINGED.get(part, '')}", ""), facing)
                turns[ours.roles[role]] = between(above @ mine, axes @ other) @ above
    return turns


def _direction(body: Body, side: str, part: str) -> Array | None:
    """Where a bone points at rest, or None where the figure does not say."""
    rest = body.figure.rest()
    if part == "foot":
        points = foot_points(body.figure, body)
        if f"{side}_heel" not in points:
            return None
        start, end = (site_point(rest, points[f"{side}_{name}"]) for name in ("heel", "ball"))
    else:
        roles = [f"{side}_{part}", f"{side}_{_NEXT.get(part, '')}"]
        if any(role not in body.roles for role in roles):
            return None
        start, end = (segment_origin(rest, body.roles[role]) for role in roles)
    way = end - start
    length = float(np.linalg.norm(way))
    return way / length if length > 1e-6 else None


def _axes(source: str, target: str) -> Array:
    """Turns one up axis into the other; forward (Y-up: +Z, Z-up: -Y) stays forward."""
    if source == target:
        return np.eye(3)
    to_y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    return to_y if target == "Y" else to_y.T


def _facing(body: Body, rest: Pose) -> Array:
    """(3, 3) columns: left, up and forward of a body at rest; the world's axes without hips."""
    up = np.eye(3)["XYZ".index(body.figure.up)]
    hips = body.named("left_thigh", "right_thigh")
    if len(hips) < 2:
        return np.eye(3)
    left = segment_origin(rest, hips[0]) - segment_origin(rest, hips[1])
    left = left - (left @ up) * up
    length = float(np.linalg.norm(left))
    if length < 1e-6:
        return np.eye(3)
    left = left / length
    return np.column_stack([left, up, np.cross(left, up)])


def _leg(body: Body, rest: Pose) -> float:
    """The length of a leg [m], or of the whole figure where there is none."""
    for side in SIDES:
        chain = body.named(f"{side}_thigh", f"{side}_shank", f"{side}_foot")
        if len(chain) == 3:
            top = stack(body.figure, chain[0], {body.roles.get("pelvis", "")})[-1]
            points = [segment_origin(rest, name) for name in (top, *chain[1:])]
            heel = foot_points(body.figure, body).get(f"{side}_heel")
            ankle = 0.0
            if heel is not None:
                up = "XYZ".index(body.figure.up)
                ankle = abs(float((points[2] - site_point(rest, heel))[up]))
            return ankle + float(sum(np.linalg.norm(b - a) for a, b in pairwise(points)))
    return float(np.ptp(rest.frames[1], axis=0).max()) or 1.0
