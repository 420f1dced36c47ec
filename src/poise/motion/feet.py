"""The points of a foot that stand on the ground: its heel and its ball."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.figure.segment import Site
from poise.motion.roles import SIDES, Body, body_of
from poise.motion.segments import segment_origin, segment_rotation, site_point

Array = NDArray[np.float64]

HEEL_BEHIND = 0.25
"""How far the heel is behind the ankle, as a share of the way from there to the ball."""


def up_axis(figure: Figure) -> int:
    """Which coordinate is the height: 1 or 2."""
    return "XYZ".index(figure.up)


def foot_points(figure: Figure, body: Body | None = None) -> dict[str, Site]:
    """The heel and the ball of each foot, by name ("left_heel", …); none without feet.

    They are the figure's own sites of these names. Where it has none, the ball is the toes' joint,
    and the heel lies below and behind the ankle, as low as the ball when the shin is upright.
    """
    body = body or body_of(figure)
    found: dict[str, Site] = {}
    for side in SIDES:
        named = [f"{side}_heel", f"{side}_ball"]
        own = {site.name: site for site in figure.sites}
        if all(name in own for name in named):
            found |= {name: own[name] for name in named}
        elif f"{side}_foot" in body.roles and f"{side}_shank" in body.roles:
            found |= _derived(figure, body, side)
    return found


def _derived(figure: Figure, body: Body, side: str) -> dict[str, Site]:
    foot, shank = body.roles[f"{side}_foot"], body.roles[f"{side}_shank"]
    zero = Pose(figure, np.zeros(len(figure.dofs)))
    ankle, inward = segment_origin(zero, foot), segment_rotation(zero, foot).T
    ball = _ball(figure, body, zero, side)
    if ball is None:
        return {}
    upright = segment_origin(zero, shank) - ankle
    length = float(np.linalg.norm(upright))
    if length < 1e-9:
        return {}
    upright = upright / length
    way = ball - ankle
    drop = float(way @ upright)
    heel = ankle + drop * upright - HEEL_BEHIND * (way - drop * upright)
    return {
        f"{side}_{name}": Site(f"{side}_{name}", foot, inward @ (point - ankle))
        for name, point in (("heel", heel), ("ball", ball))
    }


def _ball(figure: Figure, body: Body, zero: Pose, side: str) -> Array | None:
    """Where the toes begin, or else the end of the foot."""
    foot = body.roles[f"{side}_foot"]
    toes = body.roles.get(f"{side}_toes")
    if toes is not None:
        return segment_origin(zero, toes)
    points = [segment_origin(zero, s.name) for s in figure.segments if s.parent == foot]
    points += [site_point(zero, site) for site in figure.sites if site.segment == foot]
    return points[0] if points else None
