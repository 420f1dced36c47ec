"""A walk on flat ground. The curves of hip, knee and ankle follow normal gait (Perry, Gait
Analysis, 1992), in shares of the cycle from one heel strike of the left foot to the next."""

from __future__ import annotations

from poise.motion.clip import Clip
from poise.motion.examples.keyed import Support, Track, clip_from_keys, gait_tracks

CYCLE = 1.1
"""Seconds from one left heel strike to the next: a relaxed pace."""

LEG: dict[str, Track] = {
    "hip_flexion": [(0.0, 26), (0.12, 23), (0.49, -8), (0.60, -2), (0.84, 31), (1.0, 26)],
    "knee_flexion": [(0.0, 4), (0.14, 17), (0.42, 6), (0.50, 11), (0.60, 36), (0.72, 66),
                     (0.96, 3), (1.0, 4)],
    "ankle_dorsiflexion": [(0.0, 0), (0.07, -5), (0.44, 10), (0.50, 6), (0.62, -14), (0.73, 6),
                           (1.0, 0)],
    "toes_flexion": [(0.0, 0), (0.38, 0), (0.58, -46), (0.68, 0), (1.0, 0)],
}  # fmt: skip
"""Of the left leg; the right one does the same half a cycle later."""
ARM: dict[str, Track] = {
    # Raised and turned forward by the same angle, the arm swings straight forward.
    "shoulder_elevation": [(0.0, -9), (0.5, 14), (1.0, -9)],
    "shoulder_horizontal_flexion": [(0.0, -20), (0.5, 6), (1.0, -20)],
    "elbow_flexion": [(0.0, 16), (0.5, 34), (1.0, 16)],
}
"""Of the left arm, which swings against its leg."""
TRUNK: dict[str, Track] = {
    "root_ry": [(0.0, -4), (0.5, 4), (1.0, -4)],
    "root_rz": [(0.0, 0), (0.12, 1.5), (0.5, 0), (0.62, -1.5), (1.0, 0)],
    "spine_[2-5]_axial_rotation": [(0.0, 2), (0.5, -2), (1.0, 2)],
    "spine_[1-4]_lateral_bending": [(0.0, 0), (0.12, -0.8), (0.5, 0), (0.62, 0.8), (1.0, 0)],
    "spine_1_flexion": [(0.0, 3), (1.0, 3)],
}
STANCE = ((0.0, 0.10, "heel"), (0.10, 0.50, "ball"))
"""What the left foot stands on until the right heel strikes."""


def walk(cycles: int = 2, fps: float = 60.0) -> Clip:
    """A person walks along +Z, two steps a cycle."""
    tracks = gait_tracks(LEG | ARM, TRUNK, CYCLE, cycles)
    supports = []
    for step in range(2 * cycles):
        side = ("left", "right")[step % 2]
        for start, end, site in STANCE:
            begins, ends = CYCLE * (step / 2 + start), CYCLE * (step / 2 + end)
            supports.append(Support(begins, ends, f"{side}_{site}"))
    return clip_from_keys("walk", tracks, supports, fps)
