"""GaitFrame: what a gait wants of the body at one moment, named views into one row of floats."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from poise.kernels import walk_frame as at

Array = NDArray[np.float64]


class Rocker(IntEnum):
    """What a foot stands on."""

    NONE = at.NO_ROCKER
    HEEL = at.HEEL_ROCKER
    SOLE = at.SOLE_ROCKER
    BALL = at.BALL_ROCKER


class FootFrame:
    """One foot of a frame. All are views: write into them, `foot.heel[:] = ...`."""

    def __init__(self, row: Array) -> None:
        self.heel: Array = row[at.HEEL : at.HEEL + 3]
        """Where the heel's point of the sole should be [m]."""
        self.ball: Array = row[at.BALL : at.BALL + 3]
        """Where the ball of the foot should be [m]; as far from the heel as on the body."""
        self.turn: Array = row[at.SOLE_TURN : at.SOLE_TURN + 9].reshape(3, 3)
        """How the sole is turned: columns left, up and forward of the foot."""
        self.grip: Array = row[at.HEEL_GRIP : at.BALL_GRIP + 1]
        """How much heel and ball count, 0 to 1."""
        self._row = row

    @property
    def toes(self) -> float:
        """How far the toes are bent up against the sole [rad]."""
        return float(self._row[at.TOES])

    @toes.setter
    def toes(self, angle: float) -> None:
        self._row[at.TOES] = angle

    @property
    def cycle(self) -> float:
        """The share of its cycle, 0 at its strike, to 1."""
        return float(self._row[at.CYCLE])

    @cycle.setter
    def cycle(self, share: float) -> None:
        self._row[at.CYCLE] = share

    @property
    def rocker(self) -> Rocker:
        """What it stands on; NONE in the air."""
        return Rocker(int(self._row[at.ROCKER]))

    @rocker.setter
    def rocker(self, rocker: Rocker) -> None:
        self._row[at.ROCKER] = rocker
        self._row[at.CONTACT] = rocker is not Rocker.NONE

    @property
    def in_contact(self) -> bool:
        return bool(self._row[at.CONTACT])


class GaitFrame:
    """What a gait wants of the body at one moment, under canonical axes (x left, y up, z forward).

    `values` is the one row that kernels write; all else are views into it.
    """

    def __init__(self) -> None:
        self.values: Array = np.zeros(at.FRAME_SIZE)
        self.pelvis: Array = self.values[at.PELVIS_AT : at.PELVIS_AT + 3]
        """Where the middle of the hip joints should be [m]."""
        self.pelvis_turn: Array = self.values[at.PELVIS_TURN : at.PELVIS_TURN + 9].reshape(3, 3)
        """How the pelvis is turned against the body that stands and faces +z."""
        rows = self.values[at.FEET : at.DRIVES].reshape(2, at.FOOT_SIZE)
        self.feet = (FootFrame(rows[0]), FootFrame(rows[1]))
        """Left and right."""
        self.drives: Array = self.values[at.DRIVES :]
        """Turns of the upper body [rad], in the order of `DRIVE_NAMES`."""
        self.pelvis_turn[:] = np.eye(3)
        for foot in self.feet:
            foot.turn[:] = np.eye(3)
            foot.grip[:] = 1.0
