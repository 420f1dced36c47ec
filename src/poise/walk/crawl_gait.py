"""The alternating gait of many legs: half of the feet stand while the others step.

Feet are planned in the world when they leave, and stay where they come down.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from poise.walk.crawl_build import CrawlBuild
from poise.walk.gait import Command, Place
from poise.walk.terrain import Terrain

Array = NDArray[np.float64]

DUTY = 0.62
"""The share of a cycle in which a foot stands."""
SWEEP = 0.55
"""How far a foot goes from front to back at most, over the reach."""
SLOWEST, FASTEST = 3.2, 1.25
"""The time of a cycle over sqrt(reach / g)."""
MOST_TURN = 1.6
"""[rad/s]"""
SETTLED = 0.05
"""A foot this near to its home needs no step, over the reach."""
HIGHEST_STEP = 0.6
"""What a foot climbs at most, over the height of the body."""
SPARE = 0.16
"""How high a foot swings over even ground, over the height of the body."""
LATE = 0.09
"""The share of a swing before it goes ahead, and after."""
RAISED = 0.4
"""The share of a swing in which the foot goes up, and that in which it comes down."""
SAMPLES = np.linspace(0.16, 0.84, 15)
GRAVITY = 9.81
TOO_HIGH, TOO_DEEP = (
    "the ground ahead rises too high for a step",
    "the ground ahead falls away too deep for a step",
)


class CrawlGait:
    """Where feet and body should be; all under canonical axes."""

    def __init__(self, build: CrawlBuild, terrain: Terrain) -> None:
        self._build, self._terrain = build, terrain
        self._natural = math.sqrt(build.reach / GRAVITY)
        self.stopped: str | None = None
        self.reset(Place())

    def reset(self, place: Place) -> None:
        """Stand at a place, all feet on the ground."""
        count = len(self._build.feet)
        self.phase, self.moving = 0.0, False
        self._x, self._z, self._heading = place.x, place.z, place.heading
        self._speed, self._speed_rate, self._turn, self._turn_rate = 0.0, 0.0, 0.0, 0.0
        self._pace, self._pace_rate = 0.0, 0.0
        self._from = np.array([self._spot(i, 0.0) for i in range(count)])
        self._to, self._lift = self._from.copy(), np.zeros(count)
        self._share = np.ones(count)
        self._carry()

    @property
    def speed(self) -> float:
        """How fast the body goes forward [m/s]."""
        return self._speed

    @property
    def place(self) -> Place:
        return Place(self._x, self._z, self._heading)

    @property
    def in_contact(self) -> NDArray[np.bool_]:
        """(feet,)"""
        return self._share >= 1.0

    @property
    def feet(self) -> Array:
        """(feet, 3) where the feet should be [m]."""
        s = self._share[:, None]
        path = self._from + _ahead(s) * (self._to - self._from)
        path[:, 1] += self._lift * _bump(self._share)
        return path

    def advance(self, command: Command, dt: float) -> None:
        """Go on by `dt` [s]."""
        wanted, turn = self._wanted(command)
        cycle = self._cycle(wanted + self._build.reach * abs(turn), dt)
        self._speed, self._speed_rate = _follow(
            self._speed, self._speed_rate, wanted, 0.65 / self._natural, dt
        )
        self._speed = max(self._speed, 0.0)
        self._turn, self._turn_rate = _follow(
            self._turn, self._turn_rate, turn, 1.2 / self._natural, dt
        )
        go = self._speed * self._leash() * dt
        middle = self._heading + 0.5 * self._turn * dt
        self._x += go * math.sin(middle)
        self._z += go * math.cos(middle)
        self._heading = (self._heading + self._turn * dt + math.pi) % (2.0 * math.pi) - math.pi
        self._step(wanted > 0.0 or abs(turn) > 0.02, cycle, dt)
        self._carry()

    def _cycle(self, wanted: float, dt: float) -> float:
        """How long a cycle lasts: as long as the sweep of a foot allows, soon [s]."""
        self._pace, self._pace_rate = _follow(
            self._pace, self._pace_rate, wanted, 2.0 / self._natural, dt
        )
        now = self._speed + self._build.reach * abs(self._turn)
        longest = SWEEP * self._build.reach / (DUTY * max(self._pace, now, 1e-6))
        return min(max(longest, FASTEST * self._natural), SLOWEST * self._natural)

    def _wanted(self, command: Command) -> tuple[float, float]:
        """The speed and the turn to go on to."""
        fastest = SWEEP / (DUTY * FASTEST * self._natural)
        speed = min(max(command.speed, 0.0), 0.9 * fastest * self._build.reach)
        turn = command.turn
        if command.heading is not None:
            away = (command.heading - self._heading + math.pi) % (2.0 * math.pi) - math.pi
            turn = 2.5 * away
            speed *= min(max(1.25 - abs(away) / 1.2, 0.0), 1.0)
        most = min(MOST_TURN, fastest - speed / self._build.reach)
        self.stopped = self._ahead() if speed > 0.0 else None
        return (0.0 if self.stopped else speed), min(max(turn, -most), most)

    def _ahead(self) -> str | None:
        """What stops it before the foremost feet."""
        build = self._build
        front = float(build.homes[:, 1].max())
        way = front + np.linspace(0.0, 0.5 * build.reach + 0.5 * self._speed, 12)
        s, c = math.sin(self._heading), math.cos(self._heading)
        rises = np.diff(self._terrain.height(self._x + way * s, self._z + way * c))
        most = HIGHEST_STEP * build.height
        return TOO_HIGH if rises.max() > most else TOO_DEEP if rises.min() < -most else None

    def _leash(self) -> float:
        """The share of its speed with which no foot on the ground stays too far behind."""
        away = np.linalg.norm(self._away(), axis=1)[self.in_contact]
        slack = (away.max(initial=0.0) / self._build.reach - 0.5 * SWEEP - 0.01) / 0.12
        return 1.0 - float(_smooth(np.array(slack)))

    def _away(self) -> Array:
        """(feet, 2) how far the feet are from their homes."""
        homes = np.array([self._home(i, 0.0) for i in range(len(self._to))])
        return np.asarray(self._to - homes, np.float64)[:, [0, 2]]

    def _step(self, wanted: bool, cycle: float, dt: float) -> None:
        """Move the cycle on, and the feet that are in the air."""
        if not self.moving:
            out = np.linalg.norm(self._away(), axis=1).max() > 1.5 * SETTLED * self._build.reach
            self.moving = wanted or bool(out)
            if not self.moving:
                return
            self.phase = DUTY - 0.5 - 1e-9  # the second group leaves now
        before = self._phases()
        self.phase = (self.phase + dt / cycle) % 1.0
        for i, (old, new) in enumerate(zip(before, self._phases(), strict=True)):
            if new < old:  # it comes down
                self._share[i], self._from[i] = 1.0, self._to[i]
            elif new >= DUTY:
                if old < DUTY:
                    self._leave(i, (1.0 - new + 0.5 * DUTY) * cycle)
                self._share[i] = (new - DUTY) / (1.0 - DUTY)
        still = not wanted and self._speed < 0.02 * self._build.reach and abs(self._turn) < 0.03
        if still and self.in_contact.all():
            near = np.linalg.norm(self._away(), axis=1).max() < SETTLED * self._build.reach
            self.moving = not near

    def _phases(self) -> Array:
        return np.asarray((self.phase + 0.5 * self._build.groups) % 1.0, np.float64)

    def _leave(self, foot: int, ahead: float) -> None:
        """Plan a step: to where the foot belongs in the middle of its next stance."""
        self._from[foot], self._to[foot] = self._to[foot], self._spot(foot, ahead)
        way = self._from[foot] + _ahead(SAMPLES)[:, None] * (self._to[foot] - self._from[foot])
        ground = self._terrain.height(way[:, 0], way[:, 2])
        spare = SPARE * self._build.height
        needed = float(((ground - way[:, 1]) / _bump(SAMPLES)).max())
        self._lift[foot] = spare + min(max(needed, 0.0), self._build.height)

    def _spot(self, foot: int, ahead: float) -> Array:
        at = self._home(foot, ahead)
        at[1] = float(self._terrain.height(at[0], at[2]))
        return at

    def _home(self, foot: int, ahead: float) -> Array:
        """Where a foot belongs `ahead` [s] from now, without its height."""
        middle, then = self._heading + 0.5 * self._turn * ahead, self._heading + self._turn * ahead
        left, front = self._build.homes[foot]
        s, c = math.sin(then), math.cos(then)
        x = self._x + self._speed * ahead * math.sin(middle) + left * c + front * s
        z = self._z + self._speed * ahead * math.cos(middle) - left * s + front * c
        return np.array([x, 0.0, z])

    def _carry(self) -> None:
        """The body over the plane that the feet stand on or are on their way to."""
        s = _ahead(self._share)
        ground = self._from + s[:, None] * (self._to - self._from)
        table = np.column_stack(
            [np.ones(len(ground)), ground[:, 0] - self._x, ground[:, 2] - self._z]
        )
        level, along_x, along_z = np.linalg.lstsq(table, ground[:, 1], rcond=None)[0]
        up = np.array([-along_x, 1.0, -along_z])
        up = up / np.linalg.norm(up)
        forward = np.array([math.sin(self._heading), 0.0, math.cos(self._heading)])
        left = np.cross(up, forward)
        left = left / np.linalg.norm(left)
        self.turn = np.column_stack([left, up, np.cross(left, up)])
        self.body = np.array([self._x, level, self._z]) + self._build.height * up


def _smooth(x: Array) -> Array:
    """From 0 to 1 with no slope and no bend at either end."""
    x = np.clip(x, 0.0, 1.0)
    return x * x * x * (10.0 + x * (6.0 * x - 15.0))


def _ahead(x: Array) -> Array:
    """How much of its way a foot has made: it has gone up before, and comes down after."""
    return _smooth((x - LATE) / (1.0 - 2.0 * LATE))


def _bump(x: Array) -> Array:
    """Up to 1 soon, and down to nothing late."""
    return _smooth(x / RAISED) * _smooth((1.0 - x) / RAISED)


def _follow(
    value: float, rate: float, wanted: float, stiffness: float, dt: float
) -> tuple[float, float]:
    """A value that approaches another as a critically damped spring, and how fast."""
    away, fall = value - wanted, math.exp(-stiffness * dt)
    mixed = (rate + stiffness * away) * dt
    return wanted + (away + mixed) * fall, (rate - stiffness * mixed) * fall
