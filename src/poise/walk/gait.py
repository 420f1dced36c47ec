"""What a gait is: commands, ground and time in, what the body should do out.

A walker is two parts. The *gait* knows strides: it says where feet, pelvis and upper body should
be (`GaitFrame`), and nothing of joints. The *rider* (riding.py) knows the figure: it finds the
pose that does so inside its limits. Gaits share walker, terrain, body and riders.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from poise.walk.frame import GaitFrame


@dataclass(frozen=True)
class Command:
    """What the walker is told, by a joystick or a path. It may change at any time."""

    speed: float = 0.0
    """Forward [m/s]."""
    heading: float | None = None
    """Where to walk [rad]: 0 is +z, positive to the left (+x). None: by `turn`, or as before."""
    turn: float = 0.0
    """How fast to turn to the left [rad/s], where no heading is given."""
    stride: float | None = None
    """The length of a stride, two steps [m]; None: as people choose it at that speed."""


@dataclass(frozen=True)
class Place:
    """Where a walker begins: a point of the ground [m] and a heading [rad]."""

    x: float = 0.0
    z: float = 0.0
    heading: float = 0.0


class Gait(Protocol):
    """Made as `gait(build, terrain)`; owns its state. One implementation a file."""

    frame: GaitFrame
    """What it wants now; written anew by every `advance`."""

    def reset(self, place: Place) -> None:
        """Stand at a place, both feet on the ground."""
        ...

    def advance(self, command: Command, dt: float) -> None:
        """Go on by `dt` [s]."""
        ...

    @property
    def stopped(self) -> str | None:
        """Why it cannot go on, for people; None while it can."""
        ...

    @property
    def moving(self) -> bool:
        """Whether it is taking steps."""
        ...

    @property
    def speed(self) -> float:
        """How fast the body goes forward [m/s]."""
        ...

    @property
    def place(self) -> Place:
        """Where the body is on the ground, without its sway, and where it faces."""
        ...
