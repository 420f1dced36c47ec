"""Ranges of motion of the human joints, one row a DOF, with the source of each. Degrees.

An axis is that of the left side (or of the trunk) in the zero pose, where the figure stands
upright, arms hanging, thumbs forward: +X left, +Y up, +Z forward. The order of the rows is the
order of the Euler product, chosen so that the middle angle never comes near 90°, where the first
and the last axis would coincide. A name says the positive direction; of the trunk, lateral bending
is positive to the right and axial rotation to the left (positive turns about +Z and +Y, as in ISB).

The rest value lies at least 10° inside each range. Ranges that are narrower than that in life
were widened, and the row says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from poise.figure import joint
from poise.figure.rotation import about

Side = Literal["left", "right"]

BIBLIOGRAPHY = {
    "AAOS": "American Academy of Orthopaedic Surgeons: Joint Motion. Method of Measuring and"
    " Recording. 1965 (quoted in Norkin & White: Measurement of Joint Motion)",
    "AMA": "American Medical Association: Guides to the Evaluation of Permanent Impairment",
    "Kapandji": "I. A. Kapandji: The Physiology of the Joints, volumes 1 and 2",
    "Neumann": "D. A. Neumann: Kinesiology of the Musculoskeletal System",
    "Norkin & White": "C. C. Norkin, D. J. White: Measurement of Joint Motion. A Guide to"
    " Goniometry",
    "White & Panjabi": "A. A. White, M. M. Panjabi: Clinical Biomechanics of the Spine, 2nd"
    " edition, 1990",
}
"""The works that the rows below name."""

SCAPULAR_PLANE = 45.0
"""The shoulder raises the arm in a plane this far in front of the frontal one (Norkin & White: 30
to 45). Its gimbal lock then lies where no arm comes: 45° behind sideways, and 45° past forward
across the chest. Forward and sideways are each 45° away from it."""


class Range(NamedTuple):
    """One DOF: its axis on the left, its name, its limits and rest value [degrees], its source."""

    axis: str
    motion: str
    lower: float
    upper: float
    rest: float
    source: str


RANGES: dict[str, tuple[Range, ...]] = {
    # --- trunk: White & Panjabi's sums over the vertebrae of each group (vertebrae.py). What was
    # widened below was taken off at the top, so that the spine as a whole keeps their totals.
    "spine_1": (
        Range("X", "flexion", -12, 21, 0, "White & Panjabi: L4-S1 33 in all"),
        Range("Z", "lateral_bending", -12, 12, 0, "White & Panjabi: L4-S1 9, widened"),
        Range("Y", "axial_rotation", -12, 12, 0, "White & Panjabi: L4-S1 3, widened"),
    ),
    "spine_2": (
        Range("X", "flexion", -12, 17, 0, "White & Panjabi: L2-L4 29 in all"),
        Range("Z", "lateral_bending", -14, 14, 0, "White & Panjabi: L2-L4 14"),
        Range("Y", "axial_rotation", -12, 12, 0, "White & Panjabi: L2-L4 4, widened"),
    ),
    "spine_3": (
        Range("X", "flexion", -12, 24, 0, "White & Panjabi: T11-L2 36 in all"),
        Range("Z", "lateral_bending", -23, 23, 0, "White & Panjabi: T11-L2 23"),
        Range("Y", "axial_rotation", -12, 12, 0, "White & Panjabi: T11-L2 6, widened"),
    ),
    "spine_4": (
        Range("X", "flexion", -12, 15, 0, "White & Panjabi: T7-T11 27 in all"),
        Range("Z", "lateral_bending", -25, 25, 0, "White & Panjabi: T7-T11 25"),
        Range("Y", "axial_rotation", -19, 19, 0, "White & Panjabi: T7-T11 19"),
    ),
    "spine_5": (
        Range("X", "flexion", -12, 13, 0, "White & Panjabi: T1-T7 25 in all"),
        Range("Z", "lateral_bending", -31, 31, 0, "White & Panjabi: T1-T7 34, less what L4-S1 got"),
        Range("Y", "axial_rotation", -25, 25, 0, "White & Panjabi: T1-T7 48, less what T11-S1 got"),
    ),
    # The cervical totals of the AMA, divided as White & Panjabi divide them at C2.
    "neck": (
        Range(
            "X", "flexion", -40, 35, 0, "AMA: 50, back 60 with the head's; White & Panjabi C2-T1"
        ),
        Range("Z", "lateral_bending", -33, 33, 0, "AMA: 45 with the head's"),
        Range(
            "Y", "axial_rotation", -35, 35, 0, "AMA: 80 with the head's; White & Panjabi C2-T1 32"
        ),
    ),
    "head": (
        Range("X", "flexion", -20, 15, 0, "White & Panjabi: C0-C2 45 in all, 35 within AMA's sum"),
        Range("Z", "lateral_bending", -12, 12, 0, "White & Panjabi: C0-C2 10, widened"),
        Range("Y", "axial_rotation", -45, 45, 0, "White & Panjabi: C0-C2 45"),
    ),
    # --- arm
    "collar": (
        Range("-Y", "protraction", -25, 25, 0, "Neumann: 15 to 30 each way"),
        Range("Z", "elevation", -10, 45, 3, "Neumann: 45, down 10"),
    ),
    "shoulder": (
        Range(
            "Z", "elevation", -35, 150, 6, "AAOS: 180 with the collar's; back 60 beside the trunk"
        ),
        Range("-X", "horizontal_flexion", -65, 75, -5, "AAOS: 90 each way of the plane, cut short"),
        Range("-Y", "internal_rotation", -90, 90, 10, "AMA: 90 each way"),
    ),
    "elbow": (Range("-X", "flexion", 0, 150, 25, "AAOS"),),
    "wrist": (
        Range("-Y", "pronation", -80, 80, 15, "AAOS: forearm"),
        Range("X", "ulnar_deviation", -20, 30, 3, "AAOS"),
        Range("-Z", "flexion", -70, 80, 0, "AAOS"),
    ),
    "knuckles": (
        Range("-Z", "flexion", -45, 90, 20, "AAOS"),
        Range("X", "ulnar_deviation", -20, 20, 0, "Kapandji: 30 for the index, less together"),
    ),
    # --- leg
    "hip": (
        Range("-X", "flexion", -30, 120, 5, "AAOS"),
        Range("Z", "abduction", -30, 45, 0, "AAOS"),
        Range("-Y", "internal_rotation", -45, 45, 0, "AAOS"),
    ),
    "knee": (
        Range("X", "flexion", 0, 135, 14, "AAOS"),
        Range("-Y", "internal_rotation", -40, 30, 0, "Kapandji: knee bent"),
    ),
    "ankle": (
        Range("-X", "dorsiflexion", -50, 20, 9, "AAOS"),
        Range("-Z", "inversion", -15, 35, 0, "AAOS"),
        Range("-Y", "internal_rotation", -20, 20, 0, "Kapandji: 35 to 45 in all"),
    ),
    "midfoot": (Range("X", "flexion", -12, 12, 0, "Kapandji: slight and not measured; widened"),),
    "toes": (
        Range("X", "flexion", -70, 45, 0, "AAOS: big toe"),
        Range("Y", "abduction", -12, 12, 0, "Norkin & White: a DOF, not measured; widened"),
    ),
}


def human_joint(name: str, side: Side = "left") -> joint.Joint:
    """The joint of that name in RANGES; the right one moves as the mirror image of the left."""
    frame = None
    if name == "shoulder":
        turn = np.deg2rad(SCAPULAR_PLANE)
        frame = about("Y", -turn if side == "left" else turn)
    return joint_from(RANGES[name], side, frame)


def joint_from(
    rows: Sequence[Range], side: Side = "left", frame: np.ndarray | None = None
) -> joint.Joint:
    """A hinge, a universal or a ball joint of one, two or three rows."""
    limits = [(float(np.deg2rad(row.lower)), float(np.deg2rad(row.upper))) for row in rows]
    rest = [float(np.deg2rad(row.rest)) for row in rows]
    names = [row.motion for row in rows]
    axes = [row.axis if side == "left" else mirrored_axis(row.axis) for row in rows]
    if len(rows) == 1:
        return joint.revolute(axes[0], limits[0], names[0], rest[0])
    make = joint.universal if len(rows) == 2 else joint.ball
    return make("".join(axes), limits, names, rest, frame)


def mirrored_axis(axis: str) -> str:
    """The axis about which the mirror image (x to -x) turns by the same angle."""
    if axis[-1] == "X":
        return axis
    return axis[1:] if axis[0] == "-" else f"-{axis}"
