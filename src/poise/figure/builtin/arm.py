"""A single arm of seven DOFs on a fixed base."""

from __future__ import annotations

import numpy as np

from poise.figure import joint
from poise.figure.builtin.body import Body, add_limb, hand_axes
from poise.figure.builtin.proportions import point
from poise.figure.figure import Figure


def arm() -> Figure:
    """The right arm of `human` on a post at the origin: shoulder 3, elbow 1, wrist 3."""
    body = Body((0.0, 0.0, 0.0))
    ground = point("shoulder", "right") * np.array([1.0, 0.0, 1.0])
    body.add("base", None, ground, ("base", joint.fixed()))
    add_limb(body, "right", ("shoulder", "elbow", "wrist"), "base", "")
    body.add_site("hand", "hand", point("palm", "right"), hand_axes("right"))
    body.add_site("elbow", "forearm", point("elbow", "right"))
    return Figure("arm", body.segments, body.sites)
