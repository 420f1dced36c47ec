"""Drives: how the DOFs of a figure follow a turn of its trunk, head, arms or toes.

A gait says "the thorax turns by 0.1 rad"; what that means for the vertebrae of this figure, or the
channels of that one, is found once by solving for it at a few angles, and kept as cubic curves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.figure.pose import Pose
from poise.figure.rotation import about, between
from poise.figure.segment import Site
from poise.goals import Goal, Orientation
from poise.kernels.walk_frame import DRIVE_NAMES
from poise.kernels.walk_pose import TERMS
from poise.motion.roles import SIDES
from poise.motion.segments import segment_origin, segment_rotation
from poise.solve import Solver
from poise.walk.build import Build
from poise.walk.joints import links_of

Array = NDArray[np.float64]

NAMES = (*DRIVE_NAMES, "left_toes", "right_toes")
SAMPLES = 9
HANGING = 0.6
"""An arm that is this near to straight down at rest [rad] stays as it is."""


@dataclass(frozen=True)
class Drive:
    """A turn about an axis of the body, what it turns, and the segments whose joints do it."""

    name: str
    axis: str
    """"X" left, "Y" up, "Z" forward; a minus turns the other way."""
    segment: str
    joints: tuple[str, ...]
    low: float
    high: float
    bone: bool = False
    """Whether only the direction of the bone counts."""


@dataclass(frozen=True, eq=False)
class Responses:
    """What the drives do to a figure."""

    standing: Pose
    """Where all drives are at zero: at rest, with hanging arms."""
    dofs: NDArray[np.int64]
    """The DOFs that any drive moves."""
    curves: Array
    """(drives, dofs, 3): q, q², q³."""

    @classmethod
    def of(cls, build: Build) -> Responses:
        """Solve for every drive of a figure at a few angles."""
        standing = _standing(build)
        drives = list(_drives(build))
        count = len(build.figure.dofs)
        curves = np.zeros((len(NAMES), count, TERMS))
        for drive in drives:
            curves[NAMES.index(drive.name)] = _response(build, standing, drive)
        dofs = np.flatnonzero(np.abs(curves).max((0, 2)) > 1e-9)
        return cls(standing, dofs.astype(np.int64), np.ascontiguousarray(curves[:, dofs]))


def _drives(build: Build) -> Iterator[Drive]:
    """Those for which the figure has the segments."""
    roles, body = build.body.roles, build.body
    if "chest" in roles and (body.spine or roles["chest"] != roles.get("pelvis")):
        spine = (*body.spine, *links_of(body, roles["chest"]))
        yield Drive("trunk_yaw", "Y", roles["chest"], spine, -0.4, 0.4)
        yield Drive("trunk_list", "Z", roles["chest"], spine, -0.3, 0.3)
        yield Drive("trunk_lean", "X", roles["chest"], spine, -0.2, 0.5)
    if "head" in roles:
        neck = (*body.neck, *links_of(body, roles["head"]))
        yield Drive("head_yaw", "Y", roles["head"], neck, -0.6, 0.6)
        yield Drive("head_list", "Z", roles["head"], neck, -0.3, 0.3)
        yield Drive("head_nod", "X", roles["head"], neck, -0.5, 0.4)
    for side in SIDES:
        if arm := roles.get(f"{side}_upper_arm"):
            links = tuple(links_of(body, arm))
            yield Drive(f"{side}_swing", "-X", arm, links, -0.9, 0.9)
            if forearm := roles.get(f"{side}_forearm"):
                links = tuple(links_of(body, forearm))
                yield Drive(f"{side}_elbow", "-X", forearm, links, 0.0, 1.7, bone=True)
        if toes := roles.get(f"{side}_toes"):
            yield Drive(f"{side}_toes", "-X", toes, (toes,), 0.0, 0.95)


def _response(build: Build, standing: Pose, drive: Drive) -> Array:
    """(dofs, 3) the curves of all DOFs for one drive."""
    figure = build.figure
    chain = [
        name
        for s in dict.fromkeys(drive.joints)
        for name in figure.segments[figure.segment_index(s)].dof_names
    ]
    zero = np.zeros((len(figure.dofs), TERMS))
    if not chain:
        return zero
    site = _carrier(build, standing, drive)
    figure = figure.with_sites([*figure.sites, site])
    still = segment_rotation(standing, drive.segment) @ np.asarray(site.rotation)
    given = [q for q in np.linspace(drive.low, drive.high, SAMPLES) if abs(q) > 1e-9]
    moved = []
    axis, sign = drive.axis[-1], -1.0 if drive.axis[0] == "-" else 1.0
    for q in given:
        turn = build.axes @ about(axis, sign * q) @ build.axes.T
        goal = _goal(site.name, turn @ still, drive.bone, tuple(chain))
        answer = Solver(figure, [goal], start=standing, restarts=0, tolerance=1e-4).solve()
        moved.append(answer.angles - standing.angles)
    powers = np.array(given)[:, None] ** np.arange(1, TERMS + 1)
    return np.linalg.lstsq(powers, np.array(moved), rcond=None)[0].T


def _goal(site: str, rotation: Array, bone: bool, chain: tuple[str, ...]) -> Goal:
    if bone:
        return Orientation(site, x=rotation[:, 0], chain=chain)
    return Orientation(site, rotation, chain=chain)


def _carrier(build: Build, pose: Pose, drive: Drive) -> Site:
    """A site on the driven segment whose x axis lies along its bone."""
    way = _bone(build, pose, drive.segment)
    turned = segment_rotation(pose, drive.segment).T @ between((1.0, 0.0, 0.0), way)
    return Site("driven", drive.segment, rotation=turned)


def _bone(build: Build, pose: Pose, segment: str) -> Array:
    """Where a segment points in the world: to what hangs on it, else down."""
    figure = build.figure
    start = segment_origin(pose, segment)
    ends = [segment_origin(pose, s.name) for s in figure.segments if s.parent == segment]
    ends += [pose.position(site.name) for site in figure.sites if site.segment == segment]
    for end in ends:
        length = float(np.linalg.norm(end - start))
        if length > 1e-3:
            return (end - start) / length
    return -build.axes[:, 1]


def _standing(build: Build) -> Pose:
    """At rest, with arms that hang."""
    pose = build.figure.rest()
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        for part, out in (("upper_arm", 0.16), ("forearm", 0.08)):
            segment = build.body.roles.get(f"{side}_{part}")
            if segment is None:
                continue
            way = build.axes @ (np.array([sign * out, -1.0, 0.06]) / np.hypot(1.0, out))
            pose = _hung(build, pose, segment, way / np.linalg.norm(way))
    return pose


def _hung(build: Build, pose: Pose, segment: str, way: Array) -> Pose:
    if np.arccos(np.clip(_bone(build, pose, segment) @ way, -1.0, 1.0)) < HANGING:
        return pose
    figure = build.figure
    links = links_of(build.body, segment)
    chain = [n for s in links for n in figure.segments[figure.segment_index(s)].dof_names]
    if not chain:
        return pose
    drive = Drive("", "X", segment, (segment,), 0.0, 0.0)
    carried = figure.with_sites([*figure.sites, _carrier(build, pose, drive)])
    goal = Orientation("driven", x=way, chain=chain)
    return Pose(figure, Solver(carried, [goal], start=pose).solve().angles)
