"""The rest pose that some files put before the motion as a frame of its own.

The BVH files made from CMU's captures begin with such a T-pose: it is no part of the motion, makes
a jump of one frame, and would spoil limits that are learned from the clip.
"""

from __future__ import annotations

import numpy as np

from poise.motion.clip import Clip

MOSTLY = 0.7
"""So much of the rotations must be exactly 0: captured ones never are."""
LOOKED_AT = 1024
"""So many frames tell, however long the clip is."""
JUMP = 10.0
"""So many times as fast as the motion after it."""


def has_rest_frame(clip: Clip) -> bool:
    """Whether frame 0 is a rest pose that is no part of the motion, by what follows it."""
    if len(clip) < 3:
        return False
    begin = clip[:LOOKED_AT]
    turning = np.array([dof.kind == "rotation" for dof in begin.figure.dofs])
    moving = turning & (np.ptp(begin.angles[1:], axis=0) > 0.0)
    if not moving.any():
        return False
    steps = np.abs(np.diff(begin.unwrapped().angles[:, moving], axis=0)).max(1)
    at_zero = float((begin.angles[0, moving] == 0.0).mean())
    return at_zero >= MOSTLY and steps[0] > JUMP * float(np.median(steps[1:]))


def without_rest_frame(clip: Clip) -> Clip:
    """The clip from its first frame of motion on."""
    return clip[1:] if has_rest_frame(clip) else clip
