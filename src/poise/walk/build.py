"""The build of a body: what a gait must know of a figure, measured where it stands at rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.errors import FigureError
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.figure.segment import Site
from poise.motion.feet import foot_points
from poise.motion.roles import SIDES, Body, body_of, way_up
from poise.motion.segments import segment_origin, segment_rotation, site_point
from poise.walk.joints import pivot

Array = NDArray[np.float64]
Legs = Mapping[str, Sequence[str]]
"""By side, "left" and "right": the segments of thigh, shank, foot and, if there are, toes."""

HUMAN_LEG = 0.954
"""Hip to sole of the built-in human [m]: gaits are tuned on it and scaled by leg length."""
LEG_PARTS = ("thigh", "shank", "foot", "toes")


@dataclass(frozen=True, eq=False)
class FootBuild:
    """A foot: points of its sole in the sole's frame [m], from below the ankle's own point.

    The sole's frame is x left, y up, z forward along the foot, its origin at the ankle.
    """

    heel: Array
    ball: Array
    toe: Array
    site: Site
    """On the foot's segment at the ankle, turned as the sole."""
    heel_site: Site
    ball_site: Site
    toe_site: Site
    toe_joint: float
    """Height of the joint of the toes above the sole [m]; 0 without toes that bend."""


@dataclass(frozen=True, eq=False)
class Build:
    """A body that stands and faces +z under canonical axes: x left, y up, z forward."""

    figure: Figure
    body: Body
    axes: Array
    """(3, 3) columns: the body's left, up and forward in the figure's world. World = axes · v."""
    thigh: float
    """Lengths [m]."""
    shank: float
    hips: Array
    """(2, 3) hip joints from their middle."""
    middle: Array
    """(3,) where that is in the figure's world at rest."""
    feet: tuple[FootBuild, FootBuild]

    @property
    def leg(self) -> float:
        """Hip to sole, stretched [m]."""
        return self.thigh + self.shank - float(self.feet[0].ball[1])

    @property
    def scale(self) -> float:
        """How many times as long as the built-in human's the legs are."""
        return self.leg / HUMAN_LEG

    @classmethod
    def of(cls, figure: Figure, legs: Legs | None = None) -> Build:
        """Measure a figure; its legs are found by their names, or given."""
        body = _body_with(figure, legs)
        missing = [
            f"{side}_{part}"
            for side in SIDES
            for part in LEG_PARTS[:3]
            if f"{side}_{part}" not in body.roles
        ]
        if missing:
            raise FigureError(
                f"{figure.name} has no {missing[0]} that its names tell; give the segments,"
                ' legs={"left": ("thigh", "shank", "foot"), "right": (...)}'
            )
        if not _goes_about(figure, body.roles["pelvis"]):
            raise FigureError(
                f"the root of {figure.name} is fixed, so it cannot walk; load a robot with"
                ' base="free"'
            )
        rest = figure.rest()
        axes = _axes(figure, body, rest)
        points = foot_points(figure, body)
        hips = np.array([pivot(body, rest, body.roles[f"{s}_thigh"], axes[:, 0]) for s in SIDES])
        lengths = np.array([_lengths(body, rest, side, axes[:, 0]) for side in SIDES]).mean(0)
        feet = [_foot(figure, body, rest, axes, points, side) for side in SIDES]
        return cls(
            figure,
            body,
            axes,
            float(lengths[0]),
            float(lengths[1]),
            (hips - hips.mean(0)) @ axes,
            hips.mean(0),
            (feet[0], feet[1]),
        )


def _body_with(figure: Figure, legs: Legs | None) -> Body:
    body = body_of(figure)
    for side, segments in (legs or {}).items():
        if side not in SIDES or not 3 <= len(segments) <= 4:
            raise FigureError(
                f"legs of {side!r} are {segments!r}; give thigh, shank, foot and, if there are,"
                ' toes for "left" and "right"'
            )
        body.roles.pop(f"{side}_toes", None)
        for part, name in zip(LEG_PARTS, segments, strict=False):
            figure.segment_index(name)
            body.roles[f"{side}_{part}"] = name
    if legs and "pelvis" not in body.roles:
        body.roles["pelvis"] = figure.segment_names[0]
    return body


def _goes_about(figure: Figure, pelvis: str) -> bool:
    """Whether anything slides on the way from the root to the pelvis."""
    names = [
        n
        for s in way_up(figure, pelvis)
        for n in figure.segments[figure.segment_index(s)].dof_names
    ]
    return any(figure.dofs[figure.dof_index(name)].kind != "rotation" for name in names)


def _axes(figure: Figure, body: Body, rest: Pose) -> Array:
    up = np.eye(3)["XYZ".index(figure.up)]
    left = segment_origin(rest, body.roles["left_thigh"])
    left = left - segment_origin(rest, body.roles["right_thigh"])
    left = left - (left @ up) * up
    length = float(np.linalg.norm(left))
    if length < 1e-6:
        raise FigureError(f"the hips of {figure.name} are in one place: it has no left and right")
    left = left / length
    return np.column_stack([left, up, np.cross(left, up)])


def _lengths(body: Body, rest: Pose, side: str, left: Array) -> tuple[float, float]:
    hip, knee, ankle = (
        pivot(body, rest, body.roles[f"{side}_{part}"], left) for part in LEG_PARTS[:3]
    )
    return float(np.linalg.norm(knee - hip)), float(np.linalg.norm(ankle - knee))


def _foot(
    figure: Figure, body: Body, rest: Pose, axes: Array, points: Mapping[str, Site], side: str
) -> FootBuild:
    if f"{side}_heel" not in points:
        raise FigureError(
            f"the {side} foot of {figure.name} has no length; give the figure sites"
            f" {side}_heel and {side}_ball on it (Figure.with_sites)"
        )
    segment = body.roles[f"{side}_foot"]
    heel, ball = points[f"{side}_heel"], points[f"{side}_ball"]
    ankle = pivot(body, rest, segment, axes[:, 0])
    forward = site_point(rest, ball) - site_point(rest, heel)
    forward = forward / np.linalg.norm(forward)
    up = axes[:, 1] - (axes[:, 1] @ forward) * forward
    up = up / np.linalg.norm(up)
    sole = np.column_stack([np.cross(up, forward), up, forward])
    toe = _toe(figure, body, rest, side, heel, ball)
    at_heel, at_ball, at_toe = (
        (site_point(rest, site) - ankle) @ sole for site in (heel, ball, toe)
    )
    inward = segment_rotation(rest, segment).T
    offset = inward @ (ankle - segment_origin(rest, segment))
    frame = Site(f"{side}_sole", segment, offset, inward @ sole)
    return FootBuild(
        at_heel, at_ball, at_toe, frame, heel, ball, toe, _toe_joint(body, rest, side, sole, ball)
    )


def _toe_joint(body: Body, rest: Pose, side: str, sole: Array, ball: Site) -> float:
    name = body.roles.get(f"{side}_toes")
    if name is None:
        return 0.0
    return float((segment_origin(rest, name) - site_point(rest, ball)) @ sole[:, 1])


def _toe(figure: Figure, body: Body, rest: Pose, side: str, heel: Site, ball: Site) -> Site:
    """The tip of the toes: the figure's own site, or a third of heel to ball before the ball. A
    foot without toes that bend ends at its ball."""
    name = f"{side}_toes"
    own = {site.name: site for site in figure.sites}
    if name in own and own[name].segment != body.roles[f"{side}_foot"]:
        return own[name]
    carrier = body.roles.get(name)
    if carrier is None:
        return replace(ball, name=name)
    start, end = site_point(rest, heel), site_point(rest, ball)
    tip = end + 0.38 * (end - start)
    inward = segment_rotation(rest, carrier).T
    return Site(name, carrier, inward @ (tip - segment_origin(rest, carrier)))
