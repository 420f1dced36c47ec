"""Riders that solve the legs as MovingIK does: by a half Jacobian, a full one, or one of each.

Meredith & Maddock solve two chains a frame, one for each leg: that of the leading foot, and that
which anchors the trailing toes. Pelvis, trunk, arms and toes come from the default rider; the legs
from hip to ankle start from their own last pose.

half    three rows each, by their trick of the penultimate link: the ankle is placed, then the foot
        turned about it. Limits of the hips that follow the pose keep the knees ahead, which is
        what their text does in place of an orientation.
full    six rows each: position and orientation of the leading foot and of the trailing toes.
hybrid  six rows for the leading foot, three and the trick for the trailing toes.
"""

from __future__ import annotations

import numpy as np

from poise.figure.pose import Pose
from poise.figure.rotation import to_vector
from poise.figure.segment import Site
from poise.goals import Pose6D
from poise.motion.roles import SIDES
from poise.motion.segments import segment_origin, segment_rotation
from poise.problem import DynamicLimit
from poise.solve import Solution, Solver
from poise.walk.build import Build
from poise.walk.drives import Responses
from poise.walk.frame import GaitFrame
from poise.walk.riding import EngineRider

TOLERANCE = 1e-3
"""Of a chain [m]; ten times as many radians."""
SWERVE = ((-0.4, 0.35), (0.6, 0.2), (1.4, 0.1))
"""HJ's limits of the hip that follow the pose: (flexion, how far the thigh may turn about itself
each way) [rad]. The further a leg is lifted, the less its knee may point aside."""


class JacobianRider:
    """Solves the legs by `mode`; see the module."""

    mode = "half"

    def __init__(self, build: Build, responses: Responses, max_velocity: float) -> None:
        self._build = build
        self._body = EngineRider(build, responses, max_velocity)
        self._dt = 0.0
        self.pose = responses.standing
        figure = build.figure
        own = {d: name for side in SIDES for d, name in _leg_dofs(build, side).items()}
        self._legs = np.array(sorted(own), int)
        frozen = {name: 1.0 for d, name in enumerate(figure.dof_names) if d not in own}
        sites = [_ball_frame(build, i) for i in range(2)]
        named = figure.with_sites([*(foot.site for foot in build.feet), *sites])
        self._solvers = [
            Solver(
                named.with_rigidity(frozen),
                self._goals(leading),
                method="half-jacobian",
                parameters={"mode": self.mode, "last_link": "turned"},
                dynamic_limits=[] if self.mode == "full" else hip_limits(build),
                tolerance=TOLERANCE,
                optimality=0.0,
                max_velocity=dict.fromkeys(own.values(), max_velocity),
                dt=1.0,
            )
            for leading in range(2)
        ]

    def _goals(self, leading: int) -> list[Pose6D]:
        """The leading foot, then the trailing toes: hybrid takes six rows for the first."""
        zero, level = np.zeros(3), np.eye(3)
        lead, trail = self._build.feet[leading], SIDES[1 - leading]
        return [
            Pose6D(lead.site.name, zero, level, name="leading foot"),
            Pose6D(f"{trail}_ball_frame", zero, level, name="trailing toes"),
        ]

    def ride(self, frame: GaitFrame, dt: float) -> Solution:
        """The pose for a frame; the solution is that of the legs."""
        leading = leading_foot(frame)
        self._body.pose = self.pose
        self._body.ride(frame, dt)
        start = self._body.pose.angles.copy()
        start[self._legs] = self.pose.angles[self._legs]
        if dt != self._dt:
            self._dt = dt
            for solver in self._solvers:
                solver.set_time_step(dt)
        axes = self._build.axes
        lead, trail = frame.feet[leading], frame.feet[1 - leading]
        ankle = lead.heel - lead.turn @ self._build.feet[leading].heel
        targets = {
            "leading foot": (axes @ ankle, axes @ lead.turn),
            "trailing toes": (axes @ trail.ball, axes @ trail.turn),
        }
        solution = self._solvers[leading].solve(targets, start=start)
        self.pose = Pose(self._build.figure, solution.angles)
        return solution


class HalfRider(JacobianRider):
    mode = "half"


class FullRider(JacobianRider):
    mode = "full"


class HybridRider(JacobianRider):
    mode = "hybrid"


def leading_foot(frame: GaitFrame) -> int:
    """The foot in the air, or else that which came down last."""
    left, right = frame.feet
    if left.in_contact != right.in_contact:
        return int(left.in_contact)
    return int(left.cycle > right.cycle)


def hip_limits(build: Build) -> list[DynamicLimit]:
    """The limits of both hips that follow the pose, for hips that turn about three axes."""
    figure, rest = build.figure, build.figure.rest()
    swings = {figure.dof_names[d + k] for d, _ in figure.cones for k in range(2)}
    found = []
    for side in SIDES:
        thigh = build.body.roles[f"{side}_thigh"]
        names = figure.segments[figure.segment_index(thigh)].dof_names
        if len(names) != 3 or swings & set(names):
            continue
        turned = [rest.with_angles({name: rest[name] + 0.05}) for name in names]
        before = segment_rotation(rest, thigh)
        axes = np.array([to_vector(segment_rotation(p, thigh) @ before.T) for p in turned]) / 0.05
        down = segment_origin(rest, build.body.roles[f"{side}_shank"])
        down = down - segment_origin(rest, thigh)
        about = int(np.argmax(np.abs(axes @ down)))
        lift = int(np.argmax(np.abs(axes @ build.axes[:, 0])))
        if about == lift:
            continue
        sign = -np.sign(axes[lift] @ build.axes[:, 0])
        middle = rest[names[about]]
        rows = sorted((sign * angle, middle - most, middle + most) for angle, most in SWERVE)
        found.append(DynamicLimit(names[about], names[lift], rows))
    return found


def _leg_dofs(build: Build, side: str) -> dict[int, str]:
    """DOFs of a leg by index, from the hip to the ankle."""
    figure, roles = build.figure, build.body.roles
    names = figure.chain(roles[f"{side}_thigh"], roles[f"{side}_foot"])
    return {figure.dof_index(name): name for name in names}


def _ball_frame(build: Build, side: int) -> Site:
    """A site of the foot at its ball, turned as the sole."""
    foot = build.feet[side].site
    turned = np.asarray(foot.rotation, float)
    offset = np.asarray(foot.offset, float) + turned @ build.feet[side].ball
    return Site(f"{SIDES[side]}_ball_frame", foot.segment, offset, turned)
