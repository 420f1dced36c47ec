"""Where the joints of a person of 1.80 m and 75 kg lie, and how heavy the parts are.

The zero pose stands upright with arms hanging; x is to the left, y up, z forward, from a point on
the ground below the hips.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.figure.builtin.ranges import Side

STATURE = 1.80
"""Sole to crown, standing upright [m]."""
MASS = 75.0
"""Of the whole body [kg]."""

# Heights and lengths along the limbs: R. Drillis, R. Contini, Body Segment Parameters (1966), as
# in D. A. Winter, Biomechanics and Motor Control of Human Movement, figure 4.1. Navel, xiphoid,
# cervicale and knuckles: the mean segment lengths of de Leva (1996) over their stature of 1.741 m.
# What neither gives (depths, and joint centres inside the soft tissue's breadth) is set by eye to
# common anatomy; each such row says so.
POINTS: dict[str, tuple[float, float, float]] = {
    "mid_hip": (0.0, 0.530, 0.0),
    "hip": (0.050, 0.530, 0.0),  # half the distance of the joint centres: by eye
    "knee": (0.050, 0.285, 0.0),
    "ankle": (0.050, 0.039, 0.0),
    "heel": (0.050, 0.0, -0.032),  # foot length 0.152
    "toe_tip": (0.050, 0.0, 0.120),
    "ball": (0.050, 0.0, 0.078),  # by eye, as are the joints above it
    "midfoot": (0.050, 0.026, 0.030),
    "toes": (0.050, 0.011, 0.078),
    "foot_back": (0.050, 0.020, -0.032),
    "foot_front": (0.050, 0.010, 0.120),
    "sacrum": (0.0, 0.582, -0.016),  # L5-S1: by eye
    "navel": (0.0, 0.6137, 0.0),
    "xiphoid": (0.0, 0.7375, 0.0),
    "cervicale": (0.0, 0.8766, 0.0),
    "breastbone": (0.0, 0.750, 0.058),  # its middle, on the skin: by eye
    "collar": (0.013, 0.810, 0.020),  # sternoclavicular joint: by eye
    "shoulder": (0.106, 0.818, -0.010),  # inside the biacromial breadth: by eye
    "elbow": (0.106, 0.632, -0.010),  # upper arm 0.186
    "wrist": (0.106, 0.486, -0.010),  # forearm 0.146
    "knuckles": (0.106, 0.4365, -0.010),
    "fingertip": (0.106, 0.378, -0.010),  # hand 0.108
    "palm": (0.098, 0.461, -0.010),  # on the skin, halfway from the wrist to the knuckles
    "neck": (0.0, 0.846, -0.022),  # C7-T1: by eye
    "head": (0.0, 0.912, 0.0),  # the skull on the neck: by eye
    "head_middle": (0.0, 0.935, 0.012),  # halfway from the chin (0.870) to the crown
    "eyes": (0.0, 0.936, 0.055),
    "crown": (0.0, 1.0, 0.0),
}
"""(left, up, forward) / stature, of the left side."""


class Part(NamedTuple):
    """Mass / body mass, and the centre of mass as a fraction of the way between two POINTS."""

    mass: float
    start: str
    end: str
    fraction: float


# P. de Leva, Adjustments to Zatsiorsky-Seluyanov's Segment Inertia Parameters, Journal of
# Biomechanics 29 (1996), table 4, men. The head is head and neck.
PARTS = {
    "head": Part(0.0694, "crown", "cervicale", 0.5002),
    "upper_trunk": Part(0.1596, "cervicale", "xiphoid", 0.5066),
    "middle_trunk": Part(0.1633, "xiphoid", "navel", 0.4502),
    "lower_trunk": Part(0.1117, "navel", "mid_hip", 0.6115),
    "upper_arm": Part(0.0271, "shoulder", "elbow", 0.5772),
    "forearm": Part(0.0162, "elbow", "wrist", 0.4574),
    "hand": Part(0.0061, "wrist", "knuckles", 0.7900),
    "thigh": Part(0.1416, "hip", "knee", 0.4095),
    "shank": Part(0.0433, "knee", "ankle", 0.4395),
    "foot": Part(0.0137, "foot_back", "foot_front", 0.4415),
}


def point(name: str, side: Side = "left") -> NDArray[np.float64]:
    """A point of the body in the zero pose [m]."""
    x, y, z = POINTS[name]
    return STATURE * np.array([x if side == "left" else -x, y, z])


def mass_of(part: str) -> float:
    """The mass [kg] of a part; zero when de Leva counts it with its neighbour."""
    return MASS * PARTS[part].mass if part in PARTS else 0.0


def center_of(part: str, side: Side = "left") -> NDArray[np.float64]:
    """The centre of mass [m] of a part in the zero pose."""
    _, start, end, fraction = PARTS[part]
    return (1.0 - fraction) * point(start, side) + fraction * point(end, side)
