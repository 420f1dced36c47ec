"""Riders: find the pose that does what a gait wants, inside all limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.goals import Goal, Orientation, Pose6D, Position
from poise.motion.roles import SIDES
from poise.motion.segments import segment_origin, segment_rotation
from poise.solve import Solution, Solver
from poise.solve.settings import Options
from poise.walk.build import Build
from poise.walk.drives import Responses
from poise.walk.frame import GaitFrame
from poise.walk.joints import axes_of

Array = NDArray[np.float64]

TOLERANCE = 1e-4
"""[m], and ten times as many rad: far less than anyone sees, or a foot may slip."""
PELVIS_WEIGHT = 0.02
"""Against 1 of a foot that stands: where not all can be had the pelvis gives way, no foot slips."""


class Rider(Protocol):
    """Made as `rider(build, responses, max_velocity)`; owns the solvers that lead to its pose."""

    pose: Pose
    """The last answer, on the walker's figure."""

    def ride(self, frame: GaitFrame, dt: float) -> Solution:
        """The pose for a frame, `dt` [s] after the last one."""
        ...


@dataclass(frozen=True, eq=False)
class Ride:
    """What leads from frames to poses, as the kernels of walk_pose.py read it."""

    figure: Figure
    """Nothing is free but what is solved for."""
    options: Options
    """Of its solver."""
    body: tuple[Array, Array, Array]
    """The body's axes; the pelvis' origin from the middle of the hips, and its frame, at rest."""
    upper: tuple[Array, NDArray[np.int64], Array, Array]
    """The curves of the driven DOFs, which DOFs these are, where they stand, and their limits."""

    @classmethod
    def of(cls, build: Build, responses: Responses, max_velocity: float) -> Ride:
        figure = rider_figure(build)
        root = set(_root_dofs(build))
        legs = {n: max_velocity for i, n in enumerate(figure.dof_names) if i not in root}
        driven = figure.rigidity[responses.dofs] > 0.0
        dofs = responses.dofs[driven]
        return cls(
            figure,
            Options(restarts=0, tolerance=TOLERANCE, max_iterations=40, max_velocity=legs, dt=1.0),
            (np.array(build.axes, order="C"), *pelvis_at_rest(build)),
            (
                np.ascontiguousarray(responses.curves[:, driven]),
                dofs,
                responses.standing.angles[dofs],
                np.stack([figure.lower[dofs], figure.upper[dofs]]),
            ),
        )


class EngineRider:
    """Solves by the default method: the pelvis where the gait has it, both feet on their soles.

    The upper body and the toes follow their drives; the root and six DOFs of each leg are solved.
    """

    def __init__(self, build: Build, responses: Responses, max_velocity: float) -> None:
        from poise.kernels.walk_pose import set_goals, set_start

        self._set_goals, self._set_start = set_goals, set_start
        self._build = build
        self._max_velocity = max_velocity
        self.pose = responses.standing
        ride = self._ride = Ride.of(build, responses, max_velocity)
        self._solver = Solver(
            ride.figure, goals_of(build), start=responses.standing, **ride.options
        )
        self._targets = self._solver.solve().targets.copy()
        self._weights = np.ones(len(self._targets))
        self._dt = 0.0

    def ride(self, frame: GaitFrame, dt: float) -> Solution:
        ride, angles = self._ride, self.pose.angles.copy()
        self._set_goals(frame.values, *ride.body, self._targets, self._weights)
        self._set_start(frame.values, *ride.upper, self._max_velocity * dt, angles)
        if dt != self._dt:
            self._solver.set_time_step(dt)
            self._dt = dt
        solution = self._solver.solve_table(self._targets, self._weights, start=angles)
        self.pose = Pose(self._build.figure, solution.angles)
        return solution


def goals_of(build: Build) -> list[Goal]:
    """The goals of a frame, in the order in which `kernels.walk_pose.set_goals` fills them."""
    zero, still = np.zeros(3), np.eye(3)
    pelvis = Pose6D(build.body.roles["pelvis"], zero, still, name="pelvis", weight=PELVIS_WEIGHT)
    goals: list[Goal] = [pelvis]
    for side, foot in zip(SIDES, build.feet, strict=True):
        sole = foot.site.name
        goals += [
            Position(sole, zero, offset=foot.heel, name=f"{side} heel"),
            Position(sole, zero, offset=foot.ball, name=f"{side} ball"),
            Orientation(sole, still, name=f"{side} sole", weight=0.02),
        ]
    return goals


def pelvis_at_rest(build: Build) -> tuple[Array, Array]:
    """The pelvis' origin from the middle of the hips, and its frame, under the body's own axes."""
    rest, roles = build.figure.rest(), build.body.roles
    offset = build.axes.T @ (segment_origin(rest, roles["pelvis"]) - build.middle)
    return offset, np.ascontiguousarray(build.axes.T @ segment_rotation(rest, roles["pelvis"]))


def rider_figure(build: Build) -> Figure:
    """The figure with the soles' frames, and nothing free but the root and six DOFs a leg."""
    figure = build.figure
    free = set(_root_dofs(build))
    for side in SIDES:
        free |= set(_leg_dofs(build, side))
    rigid = {name: 1.0 for i, name in enumerate(figure.dof_names) if i not in free}
    soles = [foot.site for foot in build.feet]
    return figure.with_rigidity(rigid).with_sites([*figure.sites, *soles])


def _root_dofs(build: Build) -> list[int]:
    """The DOFs that carry the pelvis."""
    figure = build.figure
    at, found = figure.segment_index(build.body.roles["pelvis"]), []
    while at >= 0:
        found += [figure.dof_index(name) for name in figure.segments[at].dof_names]
        at = figure.parents[at]
    return found


def _leg_dofs(build: Build, side: str) -> list[int]:
    """All of the hip; of the knee what bends it; of the ankle what does not turn it about the shin.

    The others stay as they are at rest, so that a place of the foot has one pose of the leg.
    """
    roles = build.body.roles
    left, up = build.axes[:, 0], build.axes[:, 1]
    hip = list(joint_axes(build, roles[f"{side}_thigh"]))
    knee = joint_axes(build, roles[f"{side}_shank"])
    ankle = joint_axes(build, roles[f"{side}_foot"])
    bends = sorted(knee, key=lambda dof: -abs(knee[dof] @ left))[:1]
    rolls = sorted(ankle, key=lambda dof: abs(ankle[dof] @ up))[:2]
    return [*hip, *bends, *rolls]


def joint_axes(build: Build, segment: str) -> dict[int, Array]:
    """The DOFs of a segment's joint with their axes in the world at rest."""
    return axes_of(build.body, segment)
