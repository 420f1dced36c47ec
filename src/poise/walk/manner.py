"""Manners of walking: a limp, a stiff knee, a heavy load, an old walk.

A chain of the body that weighs less does less of its part in the walk, as in Meredith & Maddock's
weighted chains; posture, time and the gait's own numbers do the rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from poise.errors import OptionError, unknown_name
from poise.kernels import walk_state as at
from poise.kernels.walk_frame import DRIVE_NAMES
from poise.walk.natural import MANNER

CHAINS: dict[str, tuple[str, ...]] = {
    "trunk": ("trunk_yaw", "trunk_list", "trunk_lean"),
    "head": ("head_yaw", "head_list", "head_nod"),
    "left_arm": ("left_swing", "left_elbow"),
    "right_arm": ("right_swing", "right_elbow"),
    "left_leg": (),
    "right_leg": (),
}
"""What can weigh less, and the turns of the upper body that it does. A leg that weighs less lifts
its heel less, and so bends its knee less."""


@dataclass(frozen=True)
class Manner:
    """How a walk differs from the usual one. `MANNERS` has some by name."""

    name: str
    weights: Mapping[str, float] = field(default_factory=dict)
    """By chain, a name of `CHAINS`: 1 does all of its part in the walk, 0 nothing of it."""
    posture: Mapping[str, float] = field(default_factory=dict)
    """By turn of the upper body (`DRIVE_NAMES`): what is added to it all the time [rad]."""
    knees: tuple[float, float] = (math.inf, math.inf)
    """How far the left and the right knee bend at most [rad]."""
    hurry: tuple[float, float] = (0.0, 0.0)
    """How much faster it goes while it stands on the left, the right leg, as a share."""
    lurch: tuple[float, float] = (0.0, 0.0)
    """How far the trunk leans over the left, the right leg while that stands [rad]."""
    crouch: float = 0.0
    """How much lower the pelvis is, as a share of the leg."""
    speed: float = 1.0
    """The share of the wanted speed that it goes."""
    habits: Mapping[int, float] = field(default_factory=dict)
    """Numbers of the natural gait that differ from its `MANNER`."""

    def __post_init__(self) -> None:
        for what, given, known in (
            ("chain", self.weights, CHAINS),
            ("turn", self.posture, DRIVE_NAMES),
        ):
            for name in given:
                if name not in known:
                    raise OptionError(unknown_name(f"{what} of a manner", name, known))
        if not set(self.habits) <= set(MANNER):
            raise OptionError("habits of a manner are those of poise.walk.natural.MANNER")
        self._check("weights", self.weights.values(), 0.0, 1.0)
        self._check("posture", self.posture.values(), -1.0, 1.0)
        self._check("knees", self.knees, 0.3, math.inf)
        self._check("hurry", self.hurry, -0.45, 0.45)
        self._check("lurch", self.lurch, -0.3, 0.3)
        self._check("crouch", [self.crouch], 0.0, 0.2)
        self._check("speed", [self.speed], 0.05, 2.0)
        self._check("habits", self.habits.values(), 0.0, 10.0)

    def _check(self, what: str, values, least: float, most: float) -> None:  # noqa: ANN001
        for value in values:
            if not least <= value <= most:
                raise OptionError(
                    f"{what} of the manner {self.name!r}: {value!r} must be from {least:g} to"
                    f" {most:g}"
                )

    @property
    def mirrored(self) -> Manner:
        """The same with left and right exchanged."""
        return replace(
            self,
            weights={_other(name): value for name, value in self.weights.items()},
            posture={_other(name): _reflected(name, v) for name, v in self.posture.items()},
            knees=self.knees[::-1],
            hurry=self.hurry[::-1],
            lurch=self.lurch[::-1],
        )


MANNERS = {
    "limp": Manner(
        "limp",  # it hurts to stand on the left leg
        weights={"left_leg": 0.75, "left_arm": 0.6, "head": 0.5},
        posture={"trunk_lean": 0.05},
        hurry=(0.3, -0.1),
        lurch=(0.13, 0.0),
        crouch=0.008,
        speed=0.65,
        habits={at.LANDING: 0.12},
    ),
    "stiff-knee": Manner(
        "stiff-knee",  # the right one: the pelvis lifts the leg, which swings out
        weights={"right_leg": 0.3, "right_arm": 0.7},
        knees=(math.inf, math.radians(40.0)),
        hurry=(0.05, -0.05),
        speed=0.75,
    ),
    "load": Manner(
        "load",  # on the back, the hands at its straps
        weights={"trunk": 0.4, "left_arm": 0.25, "right_arm": 0.25},
        posture={
            "trunk_lean": 0.3,
            "head_nod": -0.2,
            "left_swing": -0.05,
            "right_swing": -0.05,
            "left_elbow": 0.9,
            "right_elbow": 0.9,
        },
        crouch=0.02,
        speed=0.8,
        habits={at.STANCE_SHARE: 0.655, at.CADENCE: 2.4, at.LANDING: 0.17, at.BOUNCE: 0.015},
    ),
    "old": Manner(
        "old",  # stooped, with short quick steps that hardly leave the ground
        weights={
            "trunk": 0.5,
            "left_arm": 0.45,
            "right_arm": 0.45,
            "left_leg": 0.55,
            "right_leg": 0.55,
        },
        posture={"trunk_lean": 0.38, "head_nod": -0.3, "left_elbow": 0.55, "right_elbow": 0.55},
        crouch=0.025,
        speed=0.6,
        habits={at.STANCE_SHARE: 0.665, at.CADENCE: 3.4, at.LANDING: 0.1, at.BOUNCE: 0.012},
    ),
}


def manner_named(manner: str | Manner) -> Manner:
    """One of `MANNERS` by its name, or as given."""
    if isinstance(manner, Manner):
        return manner
    if manner not in MANNERS:
        raise OptionError(unknown_name("manner", manner, MANNERS))
    return MANNERS[manner]


def _other(name: str) -> str:
    """The name of what is on the other side."""
    side, _, part = name.partition("_")
    return {"left": "right_", "right": "left_"}.get(side, f"{side}_" if part else side) + part


def _reflected(name: str, turn: float) -> float:
    """A turn about the axes up or ahead goes the other way in a mirror."""
    return -turn if name.endswith(("_yaw", "_list")) else turn
