"""A gymnastics routine: a salute, a scale on one leg, a full turn in the air, a back somersault."""

from __future__ import annotations

from poise.motion.clip import Clip
from poise.motion.examples.keyed import Support, Track, clip_from_keys

SCALE: dict[str, Track] = {
    "left_hip_flexion": [(0.0, 5), (1.2, 5), (2.2, 62), (3.0, 62)],
    "left_knee_flexion": [(0.0, 14), (1.2, 14), (2.2, 4), (3.0, 4)],
    "left_ankle_dorsiflexion": [(0.0, 9), (1.2, 9), (2.2, 4), (3.0, 4)],
    "right_hip_flexion": [(0.0, 5), (1.2, 5), (2.2, -26), (3.0, -26)],
    "right_knee_flexion": [(0.0, 14), (1.2, 14), (1.6, 24), (2.2, 3), (3.0, 3), (3.5, 24)],
    "right_ankle_dorsiflexion": [(0.0, 9), (1.2, 9), (2.2, -42), (3.0, -42)],
}
"""The left leg stands, the right one is lifted behind."""

JUMPS: dict[str, Track] = {
    "hip_flexion": [(4.0, 5), (4.35, 52), (4.6, 0), (5.02, 0), (5.4, 45), (6.2, 5), (6.7, 5),
                    (7.15, 78), (7.42, -8), (7.72, 112), (7.97, 34), (8.4, 74), (9.2, 5)],
    "knee_flexion": [(4.0, 14), (4.35, 62), (4.6, 4), (5.02, 4), (5.4, 58), (6.2, 14), (6.7, 14),
                     (7.15, 76), (7.42, 4), (7.72, 125), (7.97, 38), (8.4, 68), (9.2, 14)],
    "ankle_dorsiflexion": [(4.0, 9), (4.35, 10), (4.6, -42), (5.02, -20), (5.4, 13), (6.2, 9),
                           (6.7, 9), (7.15, 18), (7.42, -42), (7.72, -20), (7.97, -2), (8.4, 16),
                           (9.2, 9)],
}  # fmt: skip
"""Both legs after that: crouch, leap, land, and again with a tuck in the air."""

BODY: dict[str, Track] = {
    # The trunk tips forward for the scale, turns once about the up axis, and flips back over.
    "root_rx": [(1.2, 0), (2.2, 62), (3.0, 62), (4.0, 0), (6.7, 0), (7.15, 22), (7.42, -12),
                (8.05, -345), (8.4, -338), (9.2, -360)],
    "root_ry": [(4.4, 0), (4.62, 60), (5.02, 322), (5.3, 360)],
    "toes_flexion": [(4.35, 0), (4.58, -38), (4.75, 0), (7.15, 0), (7.38, -38), (7.55, 0)],
    "spine_[1-5]_flexion": [(0.3, 0), (0.9, -3), (1.2, -2), (2.2, -11), (3.0, -11), (4.0, 0),
                            (6.7, 0), (7.15, 6), (7.42, -7), (7.72, 10), (8.05, 5), (8.4, 6),
                            (9.2, -3), (9.8, 0)],
    "neck_flexion": [(1.2, 0), (2.2, -30), (3.0, -30), (4.0, 0), (6.7, 0), (7.15, -12),
                     (7.42, -18), (7.72, 18), (8.05, -5), (9.2, 0)],
    # Arms: up for the salute, out for the scale, up again for either jump, around the knees.
    "collar_elevation": [(0.2, 3), (0.9, 34), (1.5, 8), (4.0, 3), (4.35, 3), (4.62, 30),
                         (5.4, 6), (6.7, 3), (7.15, 3), (7.42, 34), (7.72, 5), (8.4, 8),
                         (9.2, 32), (9.9, 3)],
    "shoulder_elevation": [(0.2, 6), (0.9, 138), (1.4, 84), (3.2, 84), (4.0, 6), (4.35, -10),
                           (4.62, 126), (5.05, 120), (5.5, 60), (6.2, 6), (6.7, 6), (7.15, -26),
                           (7.42, 142), (7.72, 34), (8.05, 62), (8.4, 58), (9.2, 136),
                           (9.55, 136), (10.2, 6)],
    "shoulder_horizontal_flexion": [(0.2, -5), (0.9, 8), (1.5, -34), (3.2, -34), (4.0, -5),
                                    (4.35, -20), (4.62, 10), (5.5, -15), (6.2, -5), (7.15, -34),
                                    (7.42, 12), (7.72, 34), (8.05, 10), (9.2, 6), (10.2, -5)],
    "elbow_flexion": [(0.2, 25), (0.9, 8), (1.5, 6), (3.2, 6), (4.0, 25), (4.62, 12), (5.5, 12),
                      (6.2, 25), (7.15, 14), (7.42, 8), (7.72, 72), (8.05, 20), (9.2, 8),
                      (10.2, 25)],
}  # fmt: skip


def gymnastics(fps: float = 60.0) -> Clip:
    """A person salutes, balances on the left leg, jumps with a full turn and flips backwards."""
    supports = [
        Support(0.0, 4.55, "left_ball"),
        Support(5.1, 7.36, "left_ball", (0.0, 0.15)),
        Support(8.05, 10.4, "left_ball", (0.0, -0.2)),
    ]
    legs = {name: [*track, *JUMPS[name.partition("_")[2]]] for name, track in SCALE.items()}
    return clip_from_keys("gymnastics", BODY | legs, supports, fps)
