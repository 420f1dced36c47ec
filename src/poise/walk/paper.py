"""The paper's gait: Meredith & Maddock's stride, two curves over a cycle of 3π (MovingIK).

Their Figure 1.3 draws how the foot moves while the cycle runs from 0 to 3π; the joystick gives the
stride's length, its speed and the direction. As read here a foot flies from 0 to π, along half a
cosine and up and down along half a sine, lands on its heel, rolls flat until 1.5π ("gravitate the
toes towards the ground"), and stands until 3π, its toes anchored while the heel rises. The other
foot is half a cycle behind, so that at any time one foot leads, from its take-off until that of the
other, which trails.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.kernels.walk_frame import DRIVE_NAMES
from poise.walk.build import Build
from poise.walk.footholds import Foothold, clearing_rise, foothold_near, pitched
from poise.walk.frame import FootFrame, GaitFrame, Rocker
from poise.walk.gait import Command, Place
from poise.walk.terrain import Terrain

Array = NDArray[np.float64]

CYCLE = 3.0 * math.pi
HALF = 0.5 * CYCLE
LANDING = math.pi

CLEARANCE = 0.06  # how high a foot is lifted on the flat [m, for a leg as the human's]
TOES_UP = 0.30  # how far the sole is pitched when the heel lands [rad]
HEEL_UP = 0.9  # and when the toes leave the ground
ANKLE = 0.30  # shin against sole: where it would bend more, the heel rises instead [rad]
REACH = 0.98  # share of its length that a leg is stretched to at most
BACK = 0.04  # how far behind half a stance the foot lands, for it rolls on to its ball [strides]
STANCE = 0.985  # height of the hips over the ground where nothing asks for less [legs]
EASY_STEP = 0.2  # what is higher or lower from foot to foot is walked more slowly [m]
CAUTION = (1.0, 0.85, 0.7, 0.55, 0.4, 0.25, 0.1)  # shares of the speed that are tried there
HIGHEST_STEP = 0.32  # what is higher or lower from foot to foot is not walked on [m]
FASTEST = 2.0  # [m/s]
ACCELERATION = 2.0  # [m/s²]
SLOWEST, QUICKEST = 0.7, 1.5  # strides a second
MOST_TURN = 0.25 * math.pi  # a step [rad]
LOW = 0.25  # of two feet at different heights: how far above the lower the ground counts
SETTLING = 0.12  # with what time constant the hips follow the ground [s]


@dataclass
class Flight:
    """A foot in the air: from where to where the ankle's point of the sole goes."""

    start: Array
    start_hold: Foothold
    end: Foothold
    rise: float
    heel_up: float
    """How far the sole was pitched when it left the ground [rad]."""
    toes_up: float
    """And the other way when it lands."""


class PaperGait:
    """MovingIK's gait. Everything is planned at a foot's take-off, and kept until it lands."""

    def __init__(self, build: Build, terrain: Terrain) -> None:
        self._build, self._terrain = build, terrain
        self.frame = GaitFrame()
        self.stopped: str | None = None
        self.reset(Place())

    def reset(self, place: Place) -> None:
        """Stand, the left foot about to lead."""
        self.stopped = None
        self._place, self._speed, self._rate, self._caution = place, 0.0, 0.0, 1.0
        self._phase = HALF - 1e-9  # of the left foot
        self._holds = [self._neutral(side) for side in range(2)]
        self._flights: list[Flight | None] = [None, None]
        self._toes_up = [0.0, 0.0]
        self._ground = float(np.mean([hold.at[1] for hold in self._holds]))
        self._draw()

    @property
    def moving(self) -> bool:
        return self._rate > 0.0

    @property
    def speed(self) -> float:
        return self._speed

    @property
    def place(self) -> Place:
        return self._place

    def advance(self, command: Command, dt: float) -> None:
        """Go on by `dt` [s], in parts of at most a hundredth, so that no phase is left out."""
        parts = max(1, math.ceil(dt / 0.01))
        for _ in range(parts):
            self._part(command, dt / parts)
        self._draw()

    # -- the cycle -----------------------------------------------------------------------------

    def _part(self, command: Command, dt: float) -> None:
        most = min(max(command.speed, 0.0), FASTEST * math.sqrt(self._build.scale))
        wanted = 0.0 if self.stopped else self._caution * most
        change = ACCELERATION * dt * (3.0 if self.stopped else 1.0)
        self._speed += min(max(wanted - self._speed, -change), change)
        length = command.stride or self._chosen_stride(self._speed)
        rate = min(max(self._speed / max(length, 0.1), SLOWEST), QUICKEST)
        turn = self._turn(command, rate, dt)
        if self._may_rest(command, wanted):
            self._rate = 0.0
        else:
            self._rate = rate
            self._step_on(rate, 0.0 if self.stopped else most, dt)
        heading = self._place.heading + turn
        way = self._speed * dt if self._rate > 0.0 else 0.0
        x = self._place.x + way * math.sin(heading)
        z = self._place.z + way * math.cos(heading)
        self._place = Place(x, z, heading)
        self._settle(dt)

    def _chosen_stride(self, speed: float) -> float:
        """How long people stride at a speed [m]."""
        return 1.35 * self._build.scale * math.sqrt(max(speed, 0.05) / 1.3)

    def _turn(self, command: Command, rate: float, dt: float) -> float:
        """How far to turn now [rad]."""
        most = 2.0 * MOST_TURN * rate
        if command.heading is None:
            return dt * min(max(command.turn, -most), most)
        away = (command.heading - self._place.heading + math.pi) % (2.0 * math.pi) - math.pi
        return min(max(away, -most * dt), most * dt)

    def _may_rest(self, command: Command, wanted: float) -> bool:
        """Whether both feet are down and nothing asks for a step."""
        if any(flight is not None for flight in self._flights):
            return False
        if self.stopped and self._asks_anew(command):
            self.stopped = None
        if (wanted > 0.0 and not self.stopped) or self._speed > 0.0:
            return False
        return all(hold.near(self._neutral(i)) for i, hold in enumerate(self._holds))

    def _asks_anew(self, command: Command) -> bool:
        """Whether there is another way to go than the one that ended."""
        if command.speed <= 0.0 or self._speed > 0.0:
            return command.speed <= 0.0
        ahead = self._hold_ahead(0, 0.5 * self._chosen_stride(0.5))
        return abs(ahead.at[1] - self._ground) <= HIGHEST_STEP * self._build.scale

    def _step_on(self, rate: float, wanted: float, dt: float) -> None:
        """Let the cycle run; feet take off and land as it passes."""
        before = self._phase
        self._phase = (before + CYCLE * rate * dt) % CYCLE
        for side in range(2):
            start = (before + side * HALF) % CYCLE
            end = start + CYCLE * rate * dt
            if end >= CYCLE:
                self._take_off(side, rate, wanted)
            flight = self._flights[side]
            if flight is not None and start < LANDING <= end:
                self._holds[side], self._flights[side] = flight.end, None

    def _take_off(self, side: int, rate: float, wanted: float) -> None:
        """Plan the flight, slower and shorter where the ground rises or falls a lot."""
        hold = self._holds[side]
        end = self._landing(side, rate, wanted)
        start = self._on_ball(side, hold, self._heel_up())
        scale = self._build.scale
        toes_up = TOES_UP * min(1.0, self._speed / 0.8)
        toes_up *= max(0.0, 1.0 - abs(end.at[1] - hold.at[1]) / (EASY_STEP * scale))
        toes_up *= min(max(0.0, 1.0 - 4.0 * end.turn[1, 2]), 1.0)  # uphill the sole is up already
        landing = self._on_heel(side, end, toes_up)
        low = CLEARANCE * scale
        lift = clearing_rise(self._terrain, self._build.feet[side], start, landing, low)
        self._flights[side] = Flight(start, hold, end, lift, self._heel_up(), toes_up)
        self._toes_up[side] = toes_up

    def _landing(self, side: int, rate: float, wanted: float) -> Foothold:
        """Half its stance ahead of where the body will be when the foot lands."""
        flight = LANDING / CYCLE / rate
        gained = ACCELERATION * flight
        other, rise = self._holds[1 - side].at[1], 0.0
        end = self._neutral(side)
        for self._caution in CAUTION:
            goal = self._caution * wanted
            reached = self._speed + min(max(goal - self._speed, -gained), gained)
            ahead = 0.5 * (self._speed + reached) * flight + reached / rate * (1.0 / 3.0 - BACK)
            end = self._hold_ahead(side, ahead)
            rise = end.at[1] - other
            if abs(rise) <= EASY_STEP * self._build.scale:
                return end
        if abs(rise) <= HIGHEST_STEP * self._build.scale:
            return end
        what = "up" if rise > 0 else "down"
        self.stopped = f"a step of {abs(rise):.2f} m {what} is ahead; turn, or go elsewhere"
        return self._neutral(side)

    def _hold_ahead(self, side: int, ahead: float) -> Foothold:
        heading = self._place.heading
        x = self._place.x + ahead * math.sin(heading)
        z = self._place.z + ahead * math.cos(heading)
        return foothold_near(self._terrain, self._build, side, Place(x, z, heading))

    def _neutral(self, side: int) -> Foothold:
        return foothold_near(self._terrain, self._build, side, self._place)

    # -- the body ------------------------------------------------------------------------------

    def _settle(self, dt: float) -> None:
        """The ground under the hips: nearer to the lower foot, where that lands, and smoothed."""
        ends = [flight.end if flight else None for flight in self._flights]
        heights = [(end or hold).at[1] for end, hold in zip(ends, self._holds, strict=True)]
        wanted = min(heights) + LOW * (max(heights) - min(heights))
        self._ground += (wanted - self._ground) * -math.expm1(-dt / SETTLING)

    def _heel_up(self) -> float:
        return HEEL_UP * min(1.0, self._speed / 0.8)

    def _on_ball(self, side: int, hold: Foothold, pitch: float) -> Array:
        """Where the ankle's point is when the sole is pitched about the ball."""
        ball = self._build.feet[side].ball
        return hold.at + hold.turn @ ball - pitched(hold.turn, pitch) @ ball

    def _on_heel(self, side: int, hold: Foothold, toes_up: float) -> Array:
        heel = self._build.feet[side].heel
        return hold.at + hold.turn @ heel - pitched(hold.turn, -toes_up) @ heel

    def _draw(self) -> None:
        """Write the frame."""
        frame, build, place = self.frame, self._build, self._place
        soles = [self._draw_foot(i, foot) for i, foot in enumerate(frame.feet)]
        c, s = math.cos(place.heading), math.sin(place.heading)
        turn = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
        frame.pelvis_turn[:] = turn
        frame.pelvis[:] = place.x, self._ground + STANCE * build.leg, place.z
        longest = REACH * (build.thigh + build.shank)
        for hip, ankle in zip(build.hips, soles, strict=True):
            over = frame.pelvis + turn @ hip - ankle
            room = math.sqrt(max(longest**2 - over[0] ** 2 - over[2] ** 2, 0.0))
            frame.pelvis[1] -= max(0.0, over[1] - room)
        for side, ankle in enumerate(soles):
            self._spare_ankle(side, frame.pelvis + turn @ build.hips[side] - ankle)
        self._swing(soles, turn)

    def _spare_ankle(self, side: int, leg: Array) -> None:
        """Raise the heel about the ball where the shin leans too far over the sole.

        `leg` goes from the ankle to the hip [m].
        """
        foot, build = self.frame.feet[side], self._build
        length = min(float(np.linalg.norm(leg)), build.thigh + build.shank)
        bent = (build.shank**2 + length**2 - build.thigh**2) / (2.0 * build.shank * length)
        c, s = math.cos(self._place.heading), math.sin(self._place.heading)
        lean = math.atan2(s * leg[0] + c * leg[2], leg[1]) + math.acos(min(max(bent, -1.0), 1.0))
        raised = min(lean + math.asin(min(max(foot.turn[1, 2], -1.0), 1.0)) - ANKLE, 1.2)
        if raised > 0.0 and foot.rocker is not Rocker.HEEL:
            points = build.feet[side]
            foot.turn[:] = pitched(foot.turn, raised)
            foot.heel[:] = foot.ball + foot.turn @ (points.heel - points.ball)
            if foot.in_contact:
                foot.rocker = Rocker.BALL
                foot.toes += raised

    def _draw_foot(self, side: int, foot: FootFrame) -> Array:
        """Write a foot; returns its ankle's point."""
        phase = (self._phase + side * HALF) % CYCLE
        hold, flight = self._holds[side], self._flights[side]
        foot.cycle = ((phase - LANDING) % CYCLE) / CYCLE
        foot.grip[:] = 1.0
        foot.toes = 0.0
        if flight is not None:
            share = 0.5 - 0.5 * math.cos(phase)
            pitch = flight.heel_up * (1.0 - share) ** 2 - flight.toes_up * share**4
            turn = pitched(flight.start_hold.towards(flight.end, share), pitch)
            landing = self._on_heel(side, flight.end, flight.toes_up)
            at = flight.start + share * (landing - flight.start)
            at[1] += flight.rise * math.sin(phase)
            foot.rocker = Rocker.NONE
            foot.toes = max(0.0, pitch) * (1.0 - share)
        elif phase < HALF:
            pitch = -self._toes_up[side] * _easing((phase - LANDING) / (HALF - LANDING))
            turn, at = pitched(hold.turn, pitch), self._on_heel(side, hold, -pitch)
            foot.rocker = Rocker.HEEL if pitch < -1e-3 else Rocker.SOLE
        else:
            pitch = self._heel_up() * (1.0 - _easing((phase - HALF) / HALF))
            turn, at = pitched(hold.turn, pitch), self._on_ball(side, hold, pitch)
            foot.rocker = Rocker.BALL if pitch > 1e-3 else Rocker.SOLE
            foot.grip[0] = 0.0
            foot.toes = pitch
        foot.turn[:] = turn
        build = self._build.feet[side]
        foot.heel[:], foot.ball[:] = at + turn @ build.heel, at + turn @ build.ball
        return at

    def _swing(self, ankles: list[Array], turn: Array) -> None:
        """Arms swing with the foot of the other side."""
        drives = self.frame.drives
        for arm, ankle in zip(("left", "right"), ankles[::-1], strict=True):
            ahead = float(turn[:, 2] @ (ankle - self.frame.pelvis)) / self._build.leg
            drives[DRIVE_NAMES.index(f"{arm}_swing")] = 0.8 * ahead
            drives[DRIVE_NAMES.index(f"{arm}_elbow")] = 0.35


def _easing(share: float) -> float:
    """From 1 at 0 to 0 at 1, level at both."""
    share = min(max(share, 0.0), 1.0)
    return 0.5 + 0.5 * math.cos(math.pi * share)
