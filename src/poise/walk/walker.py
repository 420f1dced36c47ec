"""The Walker: a figure driven over a ground, step by step."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import OptionError, unknown_name
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.solve import Solution
from poise.walk.build import Build, Legs
from poise.walk.drives import Responses
from poise.walk.frame import Rocker
from poise.walk.gait import Command, Gait, Place
from poise.walk.manner import Manner, manner_named
from poise.walk.manner_gait import MannerGait, stiffened
from poise.walk.riding import Rider
from poise.walk.terrain import Terrain, ground

Array = NDArray[np.float64]

GAITS = {"natural": "poise.walk.natural:NaturalGait", "paper": "poise.walk.paper:PaperGait"}
"""By name, where the class of each gait is: made as `Gait(build, terrain)`."""
RIDERS = {
    None: "poise.walk.riding:EngineRider",
    "half": "poise.walk.jacobian_riding:HalfRider",
    "full": "poise.walk.jacobian_riding:FullRider",
    "hybrid": "poise.walk.jacobian_riding:HybridRider",
}
"""By the walker's `jacobian`, where the class of each rider is:
`Rider(build, responses, max_velocity)`."""


@dataclass(frozen=True)
class FootState:
    """What a foot should do now, in the figure's world."""

    side: str
    """"left" or "right"; the foot's name if there are more."""
    in_contact: bool
    rocker: Rocker
    target: Array
    """Where the rocker, or the ball in the air, should be [m]."""


@dataclass(frozen=True)
class WalkState:
    """The walker at one moment."""

    pose: Pose
    time: float
    """[s] since it began."""
    phase: float
    """The share of the left foot's cycle, 0 at its strike, to 1."""
    feet: tuple[FootState, ...]
    """Left and right; of a crawler all."""
    solution: Solution
    stopped: str | None
    """Why it cannot go on, e.g. before a cliff; None while it can."""


class Walker:
    """A figure that walks where it is driven.

    >>> walker = poise.Walker(human, terrain=poise.terrain.hills(3))
    >>> walker.drive(speed=1.3, heading=0.2)
    >>> state = walker.step(1 / 60)

    `stride` is "natural" or "paper"; `manner` "limp", "stiff-knee", "load" or "old", or a `Manner`
    of your own; `jacobian` None for the default method, or one of the paper's modes, "half", "full"
    or "hybrid", which may be changed while it walks. It owns its memory: use one Walker a thread.
    """

    def __init__(
        self,
        figure: Figure,
        terrain: Terrain | None = None,
        *,
        stride: str = "natural",
        jacobian: str | None = None,
        manner: str | Manner | None = None,
        legs: Legs | None = None,
        max_velocity: float = 20.0,
        start: Place = Place(),  # noqa: B008 -- a frozen value
    ) -> None:
        self.figure = figure
        self.terrain = ground(terrain)
        self.build = Build.of(figure, legs)
        self.gait = self._gait_of(stride, manner)
        self.gait.reset(start)
        self.max_velocity = max_velocity
        self.time = 0.0
        self.command = Command()
        self._responses = Responses.of(self.build)
        self._riders: dict[str | None, Rider] = {}
        self._pose = self._responses.standing
        self.jacobian = jacobian
        # The first pose is reached at once, however far it is.
        self._rider.ride(self.gait.frame, math.inf)
        self._pose = self._rider.pose

    def _gait_of(self, stride: str, manner: str | Manner | None) -> Gait:
        """Made for the build, which a manner makes stiffer."""
        if manner is None:
            return _made(GAITS, "stride", stride)(self.build, self.terrain)
        if stride != "natural":
            raise OptionError(f'a manner needs stride="natural", not {stride!r}')
        chosen = manner_named(manner)
        self.build = stiffened(self.build, chosen)
        return MannerGait(self.build, self.terrain, chosen)

    @property
    def jacobian(self) -> str | None:
        return self._jacobian

    @jacobian.setter
    def jacobian(self, mode: str | None) -> None:
        rider = self._riders.get(mode)
        if rider is None:
            make = _made(RIDERS, "jacobian", mode)
            rider = self._riders[mode] = make(self.build, self._responses, self.max_velocity)
        rider.pose = self._pose
        self._jacobian, self._rider = mode, rider

    def drive(
        self,
        speed: float | None = None,
        heading: float | None = None,
        *,
        turn: float | None = None,
        stride: float | None = None,
    ) -> None:
        """Say how to go on: how fast [m/s], where to or how quickly to turn, in strides how long.

        A heading of 0 is +z, positive to the left [rad]; a turn to the left is positive [rad/s];
        a stride is two steps [m]. What is not given stays, except that a heading ends a turn and
        a turn a heading.
        """
        self.command = commanded(
            self.command, speed=speed, heading=heading, turn=turn, stride=stride
        )

    def step(self, dt: float) -> WalkState:
        """Go on by `dt` [s]."""
        if not (math.isfinite(dt) and dt > 0.0):
            raise OptionError(f"dt {dt!r} of a step must be seconds above 0")
        self.gait.advance(self.command, dt)
        solution = self._rider.ride(self.gait.frame, dt)
        self._pose = self._rider.pose
        self.time += dt
        frame = self.gait.frame
        return WalkState(
            self._pose,
            self.time,
            frame.feet[0].cycle,
            (self._foot(0), self._foot(1)),
            solution,
            self.gait.stopped,
        )

    def _foot(self, index: int) -> FootState:
        foot = self.gait.frame.feet[index]
        point = foot.heel if foot.rocker is Rocker.HEEL else foot.ball
        return FootState(
            ("left", "right")[index], foot.in_contact, foot.rocker, self.build.axes @ point
        )


def commanded(command: Command, **given: float | None) -> Command:
    """A command with what is given changed."""
    for name, value in given.items():
        if value is not None and not math.isfinite(value):
            raise OptionError(f"{name} {value!r} of the walker must be a finite number")
    changes: dict[str, Any] = {name: v for name, v in given.items() if v is not None}
    if "turn" in changes:
        changes["heading"] = None
    elif "heading" in changes:
        changes["turn"] = 0.0
    return replace(command, **changes)


def _made(table: dict, what: str, name: str | None) -> Callable[..., Any]:
    if name not in table:
        raise OptionError(unknown_name(what, name, [key for key in table if key]))
    module, _, attribute = table[name].partition(":")
    return getattr(import_module(module), attribute)
