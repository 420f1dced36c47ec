"""A standing long jump: crouch, leap forward, land and stand up."""

from __future__ import annotations

from poise.motion.clip import Clip
from poise.motion.examples.keyed import Support, Track, clip_from_keys

KEYS: dict[str, Track] = {
    "root_rx": [(0.0, 0), (0.2, 0), (0.85, 32), (1.15, 20), (1.35, 8), (1.6, 14), (1.85, 26),
                (2.6, 0), (3.0, 0)],
    "hip_flexion": [(0.0, 5), (0.2, 5), (0.85, 95), (1.15, -6), (1.35, 55), (1.6, 62), (1.85, 88),
                    (2.6, 5), (3.0, 5)],
    "knee_flexion": [(0.0, 14), (0.2, 14), (0.85, 82), (1.15, 6), (1.35, 70), (1.6, 34),
                     (1.85, 78), (2.6, 14), (3.0, 14)],
    "ankle_dorsiflexion": [(0.0, 9), (0.2, 9), (0.85, 18), (1.15, -40), (1.35, -5), (1.6, 4),
                           (1.85, 16), (2.6, 9), (3.0, 9)],
    "toes_flexion": [(0.85, 0), (1.13, -35), (1.25, 0)],
    "spine_[1-4]_flexion": [(0.2, 0), (0.85, 8), (1.15, -3), (1.6, 6), (1.85, 7), (2.6, 0)],
    "neck_flexion": [(0.2, 0), (0.85, -22), (1.15, -8), (1.85, -18), (2.6, 0)],
    "collar_elevation": [(0.85, 3), (1.15, 24), (1.6, 10), (2.6, 3)],
    "shoulder_elevation": [(0.0, 6), (0.25, 6), (0.8, -28), (1.15, 105), (1.6, 60), (1.9, 25),
                           (2.6, 6)],
    "shoulder_horizontal_flexion": [(0.0, -5), (0.25, -5), (0.8, -38), (1.15, 5), (1.6, 12),
                                    (2.6, -5)],
    "elbow_flexion": [(0.0, 25), (0.8, 12), (1.15, 18), (1.6, 22), (2.6, 25)],
}  # fmt: skip


def jump(fps: float = 60.0) -> Clip:
    """A person leaps forward from both feet, along +Z."""
    supports = [Support(0.0, 1.09, "left_ball"), Support(1.63, 3.0, "left_ball", (0.0, 1.1))]
    return clip_from_keys("jump", KEYS, supports, fps)
