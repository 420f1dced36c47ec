"""Riders: find the pose that does what a gait wants, inside all limits."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poise.figure.pose import Pose
from poise.goals import Orientation, Pose6D, Position
from poise.motion.roles import SIDES
from poise.solve import Solution, Solver
from poise.walk.build import Build
from poise.walk.frame import GaitFrame

Array = NDArray[np.float64]


class Rider(Protocol):
    """Made as `rider(build, standing)`; owns the pose and the solvers that lead to it."""

    pose: Pose
    """The last answer, on the walker's figure."""

    def ride(self, frame: GaitFrame, dt: float) -> Solution:
        """The pose for a frame, `dt` [s] after the last one."""
        ...


class EngineRider:
    """Solves by the default method: the pelvis where the gait has it, both feet on their soles."""

    def __init__(self, build: Build, standing: Pose) -> None:
        self._build = build
        figure = build.figure.with_sites([site for foot in build.feet for site in (foot.site,)])
        self.figure = figure
        self.pose = standing
        zero = np.zeros(3)
        goals: list = [Pose6D(build.body.roles["pelvis"], zero, np.eye(3), name="pelvis", weight=4)]
        for side, foot in zip(SIDES, build.feet, strict=True):
            goals += [
                Position(foot.site.name, zero, offset=foot.heel, name=f"{side} heel"),
                Position(foot.site.name, zero, offset=foot.ball, name=f"{side} ball"),
                Orientation(foot.site.name, np.eye(3), name=f"{side} sole", weight=0.1),
            ]
        self._solver = Solver(figure, goals, restarts=0, tolerance=1e-4)

    def ride(self, frame: GaitFrame, dt: float) -> Solution:
        axes, body = self._build.axes, self._build.body
        rest = self._build.figure.rest()
        pelvis = rest.rotation(body.roles["pelvis"])
        turn = axes @ frame.pelvis_turn @ axes.T
        hips = np.mean([rest.position(body.roles[f"{s}_thigh"]) for s in SIDES], axis=0)
        origin = rest.position(body.roles["pelvis"])
        targets: dict = {
            "pelvis": (axes @ frame.pelvis + turn @ (origin - hips), turn @ pelvis),
        }
        for side, foot in zip(SIDES, frame.feet, strict=True):
            targets[f"{side} heel"] = axes @ foot.heel
            targets[f"{side} ball"] = axes @ foot.ball
            targets[f"{side} sole"] = axes @ foot.turn
        solution = self._solver.solve(targets)
        self.pose = Pose(self._build.figure, solution.angles)
        return solution
