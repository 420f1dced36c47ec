"""A run on flat ground, with a flight in every step. The curves of the legs follow Novacheck, The
biomechanics of running (1998), in shares of the cycle from one strike of the left foot to the next.
"""

from __future__ import annotations

from poise.motion.clip import Clip
from poise.motion.examples.keyed import Support, Track, clip_from_keys, gait_tracks

CYCLE = 0.72
"""Seconds from one left strike to the next."""
STANCE = 0.36
"""Share of the cycle in which a foot stands."""
FLIGHT = 0.42
"""How far the body flies in a step [m]."""

LEG: dict[str, Track] = {
    "hip_flexion": [(0.0, 34), (0.10, 31), (0.38, -9), (0.45, -8), (0.72, 54), (0.86, 48),
                    (1.0, 34)],
    "knee_flexion": [(0.0, 16), (0.15, 40), (0.35, 16), (0.45, 38), (0.66, 100), (0.88, 34),
                     (0.96, 15), (1.0, 16)],
    "ankle_dorsiflexion": [(0.0, 5), (0.18, 18), (0.37, -22), (0.50, -8), (0.75, 6), (1.0, 5)],
    "toes_flexion": [(0.0, 0), (0.22, 0), (0.36, -34), (0.46, 0), (1.0, 0)],
}  # fmt: skip
"""Of the left leg; the right one does the same half a cycle later."""
ARM: dict[str, Track] = {
    "shoulder_elevation": [(0.0, -30), (0.5, 26), (1.0, -30)],
    "shoulder_horizontal_flexion": [(0.0, -38), (0.5, 16), (1.0, -38)],
    "elbow_flexion": [(0.0, 82), (0.5, 98), (1.0, 82)],
}
"""Of the left arm, which swings against its leg."""
TRUNK: dict[str, Track] = {
    "root_rx": [(0.0, 9), (1.0, 9)],
    "root_ry": [(0.0, -7), (0.5, 7), (1.0, -7)],
    "spine_[2-5]_axial_rotation": [(0.0, 4), (0.5, -4), (1.0, 4)],
    "neck_flexion": [(0.0, -8), (1.0, -8)],
}


def run(cycles: int = 2, fps: float = 60.0) -> Clip:
    """A person runs along +Z, two steps a cycle."""
    tracks = gait_tracks(LEG | ARM, TRUNK, CYCLE, cycles)
    supports = []
    for step in range(2 * cycles):
        side, start = ("left", "right")[step % 2], CYCLE * step / 2
        flight = (0.0, FLIGHT if step else 0.0)
        supports.append(Support(start, start + CYCLE * STANCE, f"{side}_ball", flight))
    return clip_from_keys("run", tracks, supports, fps)
