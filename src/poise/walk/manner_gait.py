"""The natural gait in a manner, and the figure whose knees bend as that lets them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.kernels.walk_frame import DRIVE_NAMES
from poise.motion.roles import SIDES
from poise.motion.segments import segment_origin
from poise.walk.build import Build
from poise.walk.frame import GaitFrame
from poise.walk.gait import Command, Place
from poise.walk.manner import CHAINS, Manner
from poise.walk.natural import NaturalGait
from poise.walk.riding import joint_axes
from poise.walk.terrain import Terrain

Array = NDArray[np.float64]

MOST_TILT = 0.2
"""How far the pelvis tilts to lift a stiff leg [rad]."""
MOST_CIRCLE = 0.35
"""How far a stiff leg swings out, for the human [m]."""


class MannerGait:
    """The natural gait in a manner: its frames, and its time, are not quite the natural ones."""

    def __init__(self, build: Build, terrain: Terrain, manner: Manner) -> None:
        from poise.kernels.walk_manner import hurried, lay_manner

        self._lay, self._hurried = lay_manner, hurried
        self._gait = NaturalGait(build, terrain, manner.habits)
        self._share = manner.speed
        self._row = manner_row(build, manner)
        self.frame = GaitFrame()
        self._dress()

    def reset(self, place: Place) -> None:
        self._gait.reset(place)
        self._dress()

    def advance(self, command: Command, dt: float) -> None:
        gait = self._gait
        time = self._hurried(gait.frame.values, self._row, gait.activity, dt)
        gait.advance(replace(command, speed=self._share * command.speed), time)
        self._dress()

    def _dress(self) -> None:
        gait = self._gait
        self._lay(gait.frame.values, self._row, gait.activity, self.frame.values)

    @property
    def stopped(self) -> str | None:
        return self._gait.stopped

    @property
    def moving(self) -> bool:
        return self._gait.moving

    @property
    def speed(self) -> float:
        return self._gait.speed

    @property
    def place(self) -> Place:
        return self._gait.place


def manner_row(build: Build, manner: Manner) -> Array:
    """The numbers of a manner that kernels read (kernels/walk_manner.py)."""
    from poise.kernels import walk_manner as at

    row = np.zeros(at.MANNER_SIZE)
    for k, name in enumerate(DRIVE_NAMES):
        chain = next(chain for chain, turns in CHAINS.items() if name in turns)
        row[at.WEIGHTS + k] = manner.weights.get(chain, 1.0)
        row[at.POSTURE + k] = manner.posture.get(name, 0.0)
    for i, side in enumerate(SIDES):
        row[at.HEEL_RISE + i] = manner.weights.get(f"{side}_leg", 1.0)
        row[at.LURCH + i], row[at.HURRY + i] = manner.lurch[i], manner.hurry[i]
        if math.isfinite(manner.knees[i]):
            row[at.SHORTEST + i] = abs(build.thigh + build.shank * np.exp(1j * manner.knees[i]))
    row[at.CROUCH] = manner.crouch * build.leg
    row[at.TILT], row[at.CIRCLE] = MOST_TILT, MOST_CIRCLE * build.scale
    row[at.HIP_X] = build.hips[0, 0]
    row[at.ANKLE_Y], row[at.ANKLE_Z] = np.mean([foot.heel for foot in build.feet], axis=0)[1:]
    return row


def stiffened(build: Build, manner: Manner) -> Build:
    """The build of a figure whose knees bend no farther than the manner lets them."""
    limits: dict[str, tuple[float, float]] = {}
    for side, most in zip(SIDES, manner.knees, strict=True):
        if math.isfinite(most):
            limits |= _knee_limits(build, side, most)
    return replace(build, figure=build.figure.with_limits(limits)) if limits else build


def _knee_limits(build: Build, side: str, most: float) -> dict[str, tuple[float, float]]:
    """The limits of the DOF that bends a knee, which a straight leg counts from."""
    figure, left = build.figure, build.axes[:, 0]
    rest, roles = figure.rest(), build.body.roles
    axes = joint_axes(build, roles[f"{side}_shank"])
    dof = max(axes, key=lambda d: abs(axes[d] @ left))
    hip, knee, ankle = (
        segment_origin(rest, roles[f"{side}_{part}"]) for part in ("thigh", "shank", "foot")
    )
    thigh, shank = knee - hip, ankle - knee
    bent = math.atan2(float(np.cross(thigh, shank) @ left), float(thigh @ shank))
    name, low, high = figure.dof_names[dof], float(figure.lower[dof]), float(figure.upper[dof])
    # A turn about the left axis bends a knee.
    if axes[dof] @ left > 0.0:
        return {name: (low, min(high, float(rest.angles[dof]) + most - bent))}
    return {name: (max(low, float(rest.angles[dof]) - most + bent), high)}
