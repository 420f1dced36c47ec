"""The natural gait: footsteps planned in the world, heel strike, roll, toe-off."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from poise.kernels import walk_state as at
from poise.motion.roles import SIDES
from poise.motion.segments import segment_origin, segment_rotation
from poise.walk.build import Build
from poise.walk.frame import GaitFrame
from poise.walk.gait import Command, Place
from poise.walk.riding import joint_axes
from poise.walk.terrain import Terrain

REASONS = {
    at.TOO_HIGH: "the ground ahead rises too high for a step",
    at.TOO_DEEP: "the ground ahead falls away too deep for a step",
    at.TOO_STEEP: "the ground ahead is too steep to walk on",
}

WITHOUT_LIMIT = math.radians(25.0)
SCRATCH_SIZE = 24

MANNER: dict[int, float] = {
    at.GAIN: 0.28,
    at.LOSS: 0.214,
    at.TURN_GAIN: 0.668,
    at.TURN_LOSS: 0.185,
    at.FLAT_FROM: 0.15,
    at.HEEL_OFF: 0.582,
    at.PUSH_OFF: 0.289,
    at.PUSH_SPEED: 2.2,
    at.DIP_DEPTH: 0.052,
    at.LOW_RIDE: 0.0001,
    at.BOUNCE: 0.0122,
    at.BOUNCE_LEAD: -0.33,
    at.LANDING: 0.305,
    at.BEHIND: 0.03,
    at.CADENCE: 2.1,
    at.STANCE_SHARE: 0.652,
    at.PUSH_KNEE: 0.184,
    at.PUSH_FROM: 0.721,
}
"""How it walks: found by a search, so that hip, knee and ankle follow the curves of normal gait and
what `studies/walk.py` prints is in its ranges."""


class NaturalGait:
    """Walks, turns, runs, climbs stairs and stops as people do. See kernels/natural_gait.py."""

    def __init__(
        self, build: Build, terrain: Terrain, habits: Mapping[int, float] | None = None
    ) -> None:
        """`habits` are numbers of the walk that differ from `MANNER`."""
        self._terrain = terrain
        self._build = build_row(build)
        for place, value in (habits or {}).items():
            self._build[place] = value
        self._state = np.zeros(at.STATE_SIZE)
        self._command = np.zeros(at.COMMAND_SIZE)
        self._scratch = np.zeros(SCRATCH_SIZE)
        self.frame = GaitFrame()
        self.reset(Place())

    def reset(self, place: Place) -> None:
        from poise.kernels.natural_gait import natural_advance, natural_reset

        self._advance = natural_advance
        natural_reset(
            self._state,
            self._build,
            self._terrain.values,
            self._terrain.shape,
            float(place.x),
            float(place.z),
            float(place.heading),
            self.frame.values,
            self._scratch,
        )

    def advance(self, command: Command, dt: float) -> None:
        row = self._command
        row[at.WANTED_SPEED] = command.speed
        row[at.HAS_HEADING] = command.heading is not None
        row[at.WANTED_HEADING] = command.heading or 0.0
        row[at.WANTED_TURN] = command.turn
        row[at.WANTED_STRIDE] = command.stride or 0.0
        terrain = self._terrain
        self._advance(
            self._state,
            self._build,
            terrain.values,
            terrain.shape,
            row,
            dt,
            self.frame.values,
            self._scratch,
        )

    @property
    def stopped(self) -> str | None:
        return REASONS.get(int(self._state[at.BLOCKED]))

    @property
    def moving(self) -> bool:
        return self._state[at.STEPPING] > 0.0

    @property
    def speed(self) -> float:
        return float(self._state[at.SPEED])

    @property
    def activity(self) -> float:
        """From 0, standing, to 1, walking."""
        return float(self._state[at.ACTIVITY])

    @property
    def place(self) -> Place:
        state = self._state
        return Place(float(state[at.X]), float(state[at.Z]), float(state[at.HEADING]))


def build_row(build: Build) -> np.ndarray:
    """The numbers of a build that kernels read (kernels/walk_state.py)."""
    row = np.zeros(at.BUILD_SIZE)
    # One foot for both sides: where they differ in length each is off by half of that.
    heel, ball, toe = (
        np.mean([getattr(foot, point) for foot in build.feet], axis=0)
        for point in ("heel", "ball", "toe")
    )
    row[at.THIGH], row[at.SHANK] = build.thigh, build.shank
    row[at.HIP_X], row[at.SCALE] = build.hips[0, 0], build.scale
    row[at.HEEL_Y], row[at.HEEL_Z] = heel[1:]
    row[at.BALL_Y], row[at.BALL_Z] = ball[1:]
    row[at.TOE_Y], row[at.TOE_Z] = toe[1:]
    for place, value in MANNER.items():
        row[place] = value
    row[at.TOE_RAISE] = build.feet[0].toe_joint / max(toe[2] - ball[2], 1e-6)
    row[at.LARGEST_DORSIFLEXION] = min(largest_dorsiflexion(build, s) for s in SIDES)
    return row


def largest_dorsiflexion(build: Build, side: str) -> float:
    """How far the ankle lets the shank lean forward over the sole [rad]; 25 degrees if it has no
    limit."""
    figure, rest, roles = build.figure, build.figure.rest(), build.body.roles
    axes = joint_axes(build, roles[f"{side}_foot"])
    if not axes:
        return 0.0
    left = build.axes[:, 0]
    dof = max(axes, key=lambda d: abs(axes[d] @ left))
    foot = build.feet[SIDES.index(side)]
    sole = segment_rotation(rest, foot.site.segment) @ np.asarray(foot.site.rotation)
    shank = segment_origin(rest, roles[f"{side}_shank"]) - segment_origin(
        rest, roles[f"{side}_foot"]
    )
    standing = math.atan2(float(shank @ sole[:, 2]), float(shank @ sole[:, 1]))
    # A turn to the left axis lets the toes down.
    down = float(axes[dof] @ left) > 0.0
    room = rest.angles[dof] - figure.lower[dof] if down else figure.upper[dof] - rest.angles[dof]
    return min(standing + float(room), WITHOUT_LIMIT)
