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
AHEAD, BELOW = 0.3, 0.15
"""How far the ball is ahead of the ankle and below it where the figure does not say, as robots
seldom do: shares of the shank's length, as in people."""
FLAT = 0.15
"""A ball less far ahead than this share of the shank is none, but a frame under the ankle."""


def up_axis(figure: Figure) -> int:
    """Which coordinate is the height: 1 or 2."""
    return "XYZ".index(figure.up)


def foot_points(figure: Figure, body: Body | None = None) -> dict[str, Site]:
    """The heel and the ball of each foot, by name ("left_heel", …); none without feet.

    They are the figure's own sites, or rigid segments, of these names. Where it has none, the ball
    is the toes' joint, and the heel lies below and behind the ankle, as low as the ball when the
    shin is upright.
    """
    body = body or body_of(figure)
    found: dict[str, Site] = {}
    for side in SIDES:
        own = _described(figure, side)
        if own:
            found |= own
        elif f"{side}_foot" in body.roles and f"{side}_shank" in body.roles:
            found |= _derived(figure, body, side)
    return found


def _described(figure: Figure, side: str) -> dict[str, Site]:
    """The heel and the ball of a foot, if the figure has both: sites, or segments that are frames
    on the foot."""
    frames = {site.name for site in figure.sites}
    frames |= {segment.name for segment in figure.segments if not segment.joint.dofs}
    named = [f"{side}_heel", f"{side}_ball"]
    return {name: figure.effector(name) for name in named} if frames.issuperset(named) else {}


def assumed_feet(body: Body) -> list[str]:
    """The feet of a body whose heel and ball are only assumed, by name."""
    zero = Pose(body.figure, np.zeros(len(body.figure.dofs)))
    return [
        body.roles[f"{side}_foot"]
        for side in SIDES
        if f"{side}_foot" in body.roles
        and f"{side}_heel" in foot_points(body.figure, body)
        and not _described(body.figure, side)
        and _Foot(body, zero, side).ball is None
    ]


def _derived(figure: Figure, body: Body, side: str) -> dict[str, Site]:
    zero = Pose(figure, np.zeros(len(figure.dofs)))
    foot = _Foot(body, zero, side)
    ball = foot.ball if foot.ball is not None else foot.assumed_ball()
    if ball is None:
        return {}
    inward = segment_rotation(zero, foot.name).T
    way = ball - foot.ankle
    drop = float(way @ foot.upright)
    heel = foot.ankle + drop * foot.upright - HEEL_BEHIND * (way - drop * foot.upright)
    return {
        f"{side}_{name}": Site(f"{side}_{name}", foot.name, inward @ (point - foot.ankle))
        for name, point in (("heel", heel), ("ball", ball))
    }


class _Foot:
    """A foot where all DOFs are 0: its ankle, which way its shank points, and its ball [m]."""

    def __init__(self, body: Body, zero: Pose, side: str) -> None:
        self.body, self.zero = body, zero
        self.name = body.roles[f"{side}_foot"]
        self.ankle = segment_origin(zero, self.name)
        shank = segment_origin(zero, body.roles[f"{side}_shank"]) - self.ankle
        self.shank = float(np.linalg.norm(shank))
        self.upright = shank / max(self.shank, 1e-12)
        toes = body.roles.get(f"{side}_toes")
        self.points = self._ends() if toes is None else [segment_origin(zero, toes)]

    def _ends(self) -> list[Array]:
        figure = self.body.figure
        segments = [s.name for s in figure.segments if s.parent == self.name]
        points = [segment_origin(self.zero, name) for name in segments]
        return points + [site_point(self.zero, s) for s in figure.sites if s.segment == self.name]

    @property
    def ball(self) -> Array | None:
        """Where the toes begin, or else the end of the foot; None if that is under the ankle."""
        if not self.points or self.shank < 1e-9:
            return None
        way = self.points[0] - self.ankle
        ahead = np.linalg.norm(way - (way @ self.upright) * self.upright)
        return self.points[0] if ahead > FLAT * self.shank else None

    def assumed_ball(self) -> Array | None:
        """As far ahead and below as in people, or as low as the lowest frame of the foot; None
        without hips, which tell where ahead is, or without anything at the foot's end."""
        hips = self.body.named("left_thigh", "right_thigh")
        if len(hips) < 2 or self.shank < 1e-9:
            return None
        left = segment_origin(self.zero, hips[0]) - segment_origin(self.zero, hips[1])
        ahead = np.cross(left, self.upright)
        width = float(np.linalg.norm(ahead))
        if width < 1e-9:
            return None
        drops = [float((self.ankle - point) @ self.upright) for point in self.points]
        drop = max([d for d in drops if d > 0.0], default=BELOW * self.shank)
        return self.ankle + AHEAD * self.shank * ahead / width - drop * self.upright
