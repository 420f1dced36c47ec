"""A spider: eight legs of five DOFs on a free body."""

from __future__ import annotations

import numpy as np

from poise.figure import joint
from poise.figure.builtin.ranges import Range, Side, joint_from
from poise.figure.figure import Figure
from poise.figure.rotation import about
from poise.figure.segment import Segment, Site

# The leg's own frame: +Z out of the body along the leg, +Y up. Zero stretches the leg out level.
_SOURCE = "chosen for a walking figure"
_LEG = {
    "hip": (
        Range("-Y", "protraction", -40, 40, 0, _SOURCE),
        Range("-X", "elevation", -40, 75, 35, _SOURCE),
        Range("Z", "rotation", -25, 25, 0, _SOURCE),
    ),
    "knee": (Range("X", "flexion", 10, 145, 85, _SOURCE),),
    "ankle": (Range("X", "flexion", -30, 70, 15, _SOURCE),),
}
_PARTS = {
    "hip": ("femur", 0.28, 0.30),
    "knee": ("tibia", 0.30, 0.20),
    "ankle": ("tarsus", 0.14, 0.05),
}
"""What each joint moves, its length [m] and its mass [kg]: chosen, as the ranges are."""
_DIRECTIONS = (30.0, 70.0, 110.0, 150.0)
"""Of legs 1 to 4, from straight ahead [degrees]."""
_HALF_WIDTH, _HALF_LENGTH = 0.07, 0.12
_BODY_MASS = 3.0


def spider() -> Figure:
    """A body on eight legs, facing +Z, its feet on y = 0. 46 DOFs, the root's 6 free.

    The legs are `left_1` (the foremost) to `left_4` and `right_1` to `right_4`; the sites are
    `body` and a foot each, `left_foot_1` to `right_foot_4`. Foot frames: +Z outwards, +Y up.
    """
    height = -sum(
        length * np.sin(pitch) for length, pitch in zip(_lengths(), _pitches(), strict=True)
    )
    segments = [
        Segment("body", None, joint.free(), (0.0, height, 0.0), joint_name="root", mass=_BODY_MASS)
    ]
    sites = [Site("body", "body")]
    for side in ("left", "right"):
        for number in range(1, 5):
            segments += _leg(side, number)
            offset = (0.0, 0.0, _lengths()[-1])
            level = about("X", _pitches()[-1])  # undoes the tilt that the tarsus has at rest
            sites.append(Site(f"{side}_foot_{number}", f"{side}_tarsus_{number}", offset, level))
    chains = {
        f"{side}_leg_{number}": [f"{side}_{joint_name}_{number}" for joint_name in _LEG]
        for side in ("left", "right")
        for number in range(1, 5)
    }
    return Figure("spider", segments, sites, chains=chains)


def _leg(side: Side, number: int) -> list[Segment]:
    direction = np.deg2rad(_DIRECTIONS[number - 1]) * (1.0 if side == "left" else -1.0)
    offset = np.array([_HALF_WIDTH * np.sin(direction), 0.0, _HALF_LENGTH * np.cos(direction)])
    rotation, parent, segments = about("Y", direction), "body", []
    for name, (part, length, mass) in _PARTS.items():
        segments.append(
            Segment(
                f"{side}_{part}_{number}",
                parent,
                joint_from(_LEG[name], side),
                offset,
                rotation,
                joint_name=f"{side}_{name}_{number}",
                mass=mass,
                center=(0.0, 0.0, 0.5 * length),
            )
        )
        parent, offset, rotation = segments[-1].name, np.array([0.0, 0.0, length]), None
    return segments


def _lengths() -> list[float]:
    return [length for _, length, _ in _PARTS.values()]


def _pitches() -> list[float]:
    """Angle [rad] of each part above the horizon at rest."""
    elevation, knee, ankle = _LEG["hip"][1].rest, _LEG["knee"][0].rest, _LEG["ankle"][0].rest
    return [float(p) for p in np.deg2rad([elevation, elevation - knee, elevation - knee - ankle])]
