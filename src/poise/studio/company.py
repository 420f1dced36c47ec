"""Company: others who walk about the figure that is driven, as it is told."""

from __future__ import annotations

import numpy as np

from poise.figure.figure import Figure
from poise.studio.frames import encode_crowd
from poise.studio.shown import placements
from poise.walk.crowd import Crowd
from poise.walk.gait import Place
from poise.walk.terrain import Terrain

APART = 1.9
"""From one to the next [m]."""
COLUMNS = 9
AHEAD = 4
"""Rows of them that are ahead of the figure."""
STRAY = 0.3
"""How far they stand from their places in the rows [m]."""
PACES = (0.92, 1.08)
"""Of the speed that is asked for, so that they do not march in step."""


class Company:
    """A crowd about a place."""

    def __init__(self, figure: Figure, terrain: Terrain, count: int, about: Place) -> None:
        rng = np.random.default_rng(0)
        columns = np.arange(COLUMNS) - COLUMNS // 2
        rows = AHEAD - np.arange(1 + AHEAD + count // COLUMNS)
        across, along = (axis.ravel() for axis in np.meshgrid(columns, rows))
        others = (across != 0) | (along != 0)  # the middle is where the figure is
        spots = APART * np.stack([across, along], axis=1)[others][:count]
        spots = spots + rng.uniform(-STRAY, STRAY, spots.shape)
        c, s = np.cos(about.heading), np.sin(about.heading)
        places = spots @ np.array([[c, -s], [s, c]]) + (about.x, about.z)
        headings = np.full((count, 1), about.heading)
        self._crowd = Crowd(figure, np.hstack([places, headings]), terrain=terrain)
        self._paces = rng.uniform(*PACES, count)

    def __len__(self) -> int:
        return len(self._crowd)

    def drive(self, speed: float, turn: float) -> None:
        self._crowd.drive(speed=speed * self._paces, turn=turn)

    def step(self, dt: float) -> None:
        self._crowd.step(dt)

    def frame(self, revision: int) -> bytes:
        """The binary frame of where all are."""
        poses = [placements(self._crowd.pose(i)) for i in range(len(self))]
        return encode_crowd(revision, np.array(poses))
