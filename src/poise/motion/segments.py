"""Segments and sites of a single pose, told apart where they have the same name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure.pose import Pose
from poise.figure.segment import Site

Array = NDArray[np.float64]


def segment_origin(pose: Pose, name: str) -> Array:
    """Where a segment's joint is in the world [m], even if a site has its name."""
    return pose.frames[1][pose.figure.segment_index(name)]


def segment_rotation(pose: Pose, name: str) -> Array:
    """How a segment is turned in the world (3x3), even if a site has its name."""
    return pose.frames[0][pose.figure.segment_index(name)]


def site_point(pose: Pose, site: Site) -> Array:
    """Where a site is in the world [m], whether or not the figure has it."""
    turned = segment_rotation(pose, site.segment) @ np.asarray(site.offset, float)
    return segment_origin(pose, site.segment) + turned
