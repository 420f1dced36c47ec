"""The pose in which a skin is laid about a figure: limbs apart, so that none melt into another."""

from __future__ import annotations

import numpy as np

from poise.figure.figure import Figure
from poise.figure.pose import Pose

SPREAD = {"shoulder_elevation": 50.0, "hip_abduction": 14.0, "elbow_flexion": 12.0}
"""Of the built-in people [degrees], on both sides."""


def bind_pose(figure: Figure) -> Pose:
    """The rest pose with arms and legs spread, where the figure has such joints."""
    spread = {
        f"{side}_{motion}": float(np.deg2rad(degrees))
        for side in ("left", "right")
        for motion, degrees in SPREAD.items()
    }
    return figure.pose({name: spread[name] for name in figure.dof_names if name in spread})
