"""Builds human figures from joint centres: what human, jack and arm have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.figure import joint
from poise.figure.builtin.proportions import center_of, mass_of, point
from poise.figure.builtin.ranges import RANGES, Side, human_joint
from poise.figure.segment import Segment, Site

SIDES: tuple[Side, ...] = get_args(Side)

SEGMENT_OF = {
    "collar": "clavicle",
    "shoulder": "upper_arm",
    "elbow": "forearm",
    "wrist": "hand",
    "knuckles": "fingers",
    "hip": "thigh",
    "knee": "shank",
    "ankle": "foot",
    "midfoot": "forefoot",
    "toes": "toes",
}
"""The segment that each joint of a limb moves."""

_SITES = (  # name, segments in order of preference, point
    ("hand", ("hand",), "palm"),
    ("foot", ("foot",), "ankle"),
    ("toes", ("toes",), "toe_tip"),
    ("heel", ("foot",), "heel"),
    ("ball", ("forefoot", "foot"), "ball"),
    ("elbow", ("forearm",), "elbow"),
    ("knee", ("shank",), "knee"),
    ("shoulder", ("upper_arm",), "shoulder"),
    ("hip", ("thigh",), "hip"),
)


class Body:
    """Collects segments whose frames are all parallel to the world's in the zero pose.

    `root` is where the origin of the root segment stands in the world [m].
    """

    def __init__(self, root: ArrayLike) -> None:
        self.root = root
        self.segments: list[Segment] = []
        self.sites: list[Site] = []
        self.origins: dict[str, NDArray[np.float64]] = {}

    def add(
        self,
        name: str,
        parent: str | None,
        origin: NDArray[np.float64],
        by: tuple[str, joint.Joint],
        load: tuple[float, ArrayLike] | None = None,
    ) -> None:
        """A segment that turns about `origin` [m], `by` a named joint.

        `load` is its mass [kg] and the centre of mass [m]. All points are those of the zero pose.
        """
        offset = self.root if parent is None else origin - self.origins[parent]
        mass, center = (0.0, origin) if load is None else load
        self.origins[name] = origin
        self.segments.append(
            Segment(
                name,
                parent,
                by[1],
                offset,
                joint_name=by[0],
                mass=mass,
                center=np.asarray(center) - origin,
            )
        )

    def add_site(
        self, name: str, segment: str, at: NDArray[np.float64], rotation: ArrayLike | None = None
    ) -> None:
        """A site at a point [m] of the zero pose."""
        self.sites.append(Site(name, segment, at - self.origins[segment], rotation))


def standing_body() -> Body:
    """A body with its pelvis: free, so high that the soles are on the ground at rest."""
    body = Body((0.0, standing_height(), 0.0))
    body.add(
        "pelvis",
        None,
        point("mid_hip"),
        ("root", joint.free()),
        (mass_of("lower_trunk"), center_of("lower_trunk")),
    )
    return body


def add_limb(body: Body, side: Side, joints: Sequence[str], parent: str, prefix: str) -> None:
    """A chain of segments, one for each joint named, the first one on `parent`.

    `prefix` goes before the names of the joints and segments: "left_", or nothing.
    """
    for name in joints:
        part = SEGMENT_OF[name]
        load = (mass_of(part), center_of(part, side)) if mass_of(part) else None
        moved = prefix + part
        body.add(moved, parent, point(name, side), (prefix + name, human_joint(name, side)), load)
        parent = moved


def add_head(body: Body, parent: str, head: joint.Joint) -> None:
    """Neck and head, the eyes looking along +Z."""
    body.add("neck", parent, point("neck"), ("neck", human_joint("neck")))
    load = (mass_of("head"), center_of("head"))
    body.add("head", "neck", point("head"), ("head", head), load)


def trunk_loads(
    part: str, slices: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, NDArray[np.float64]]]:
    """Divide a part of the trunk evenly over segments, keeping its centre of mass.

    `slices` gives the height [m] of each segment's lower and upper end.
    """
    middles = {name: 0.5 * (low + high) for name, (low, high) in slices.items()}
    mean = np.mean(list(middles.values()))
    share = mass_of(part) / len(slices)
    up = np.array([0.0, 1.0, 0.0])
    return {
        name: (share, center_of(part) + (middle - mean) * up) for name, middle in middles.items()
    }


def add_sites(body: Body, chest: str) -> None:
    """The sites of a human, in the order of the guide; `chest` carries the breastbone."""
    add_side_sites(body, _SITES[:5])
    body.add_site("head", "head", point("head_middle"))
    body.add_site("eyes", "head", point("eyes"))
    body.add_site("pelvis", "pelvis", point("mid_hip"))
    body.add_site("chest", chest, point("breastbone"))
    add_side_sites(body, _SITES[5:])


def add_side_sites(body: Body, rows: Iterable[tuple[str, tuple[str, ...], str]]) -> None:
    for name, choices, where in rows:
        for side in SIDES:
            segment = next(s for c in choices if (s := f"{side}_{c}") in body.origins)
            rotation = hand_axes(side) if name == "hand" else None
            body.add_site(f"{side}_{name}", segment, point(where, side), rotation)


def body_chains(
    arm: Sequence[str], leg: Sequence[str], spine: Sequence[str]
) -> dict[str, list[str]]:
    """The named chains of a whole body, from the names of its joints."""
    limbs = {
        f"{side}_{limb}": [f"{side}_{name}" for name in joints]
        for limb, joints in (("arm", arm), ("leg", leg))
        for side in SIDES
    }
    return {
        "torso": list(spine),
        "head_and_neck": ["neck", "head"],
        **limbs,
        "arms": ["left_arm", "right_arm"],
        "legs": ["left_leg", "right_leg"],
        "upper_body": ["torso", "head_and_neck", "arms"],
    }


def hand_axes(side: Side) -> NDArray[np.float64]:
    """The frame of the hand site: +Z along the fingers, +Y out of the back of the hand."""
    forward = np.array([0.0, -1.0, 0.0])
    back = np.array([1.0 if side == "left" else -1.0, 0.0, 0.0])
    return np.stack([np.cross(back, forward), back, forward], axis=1)


def standing_height() -> float:
    """Height [m] of the hips above the soles at rest, where the knees are a little bent."""
    hip, knee = (np.deg2rad(RANGES[name][0].rest) for name in ("hip", "knee"))
    thigh = point("hip")[1] - point("knee")[1]
    shank = point("knee")[1] - point("ankle")[1]
    return float(point("ankle")[1] + thigh * np.cos(hip) + shank * np.cos(knee - hip))
