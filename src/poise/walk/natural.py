"""The natural gait: footsteps planned in the world, heel strike, roll, toe-off."""

from __future__ import annotations

import numpy as np

from poise.walk.build import Build
from poise.walk.frame import GaitFrame, Rocker
from poise.walk.gait import Command, Place
from poise.walk.terrain import Terrain


class NaturalGait:
    """Stands so far."""

    def __init__(self, build: Build, terrain: Terrain) -> None:
        self._build, self._terrain = build, terrain
        self.frame = GaitFrame()
        self.stopped: str | None = None
        self._place = Place()
        self.reset(Place())

    def reset(self, place: Place) -> None:
        self._place = place
        build, frame = self._build, self.frame
        c, s = np.cos(place.heading), np.sin(place.heading)
        turn = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
        middle = np.array([place.x, 0.0, place.z])
        grounds = []
        for hip, sole, foot in zip(build.hips, build.feet, frame.feet, strict=True):
            ankle = middle + turn @ [hip[0], 0.0, 0.0]
            ground = self._terrain.at(ankle[0], ankle[2])[0]
            grounds.append(ground)
            ankle[1] = ground - sole.ball[1]
            foot.turn[:] = turn
            foot.heel[:], foot.ball[:] = ankle + turn @ sole.heel, ankle + turn @ sole.ball
            foot.grip[:] = 1.0
            foot.rocker = Rocker.SOLE
        height = min(grounds) + 0.985 * build.leg
        frame.pelvis[:] = middle
        frame.pelvis[1] = height
        frame.pelvis_turn[:] = turn

    def advance(self, command: Command, dt: float) -> None:
        pass

    @property
    def moving(self) -> bool:
        return False

    @property
    def place(self) -> Place:
        return self._place
