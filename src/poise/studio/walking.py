"""A walk: a figure that is driven over some ground in real time, and what of it is recorded."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise.errors import PoiseError
from poise.figure.figure import Figure
from poise.motion.clip import Clip
from poise.motion.document import Document
from poise.motion.posing import Posed
from poise.studio import commands, sections
from poise.studio.company import Company
from poise.studio.edits import given_by
from poise.studio.frames import WalkFrame, encode_walk
from poise.studio.ground_mesh import ground_mesh
from poise.studio.opening import opened_clip
from poise.walk.gait import Place
from poise.walk.jacobian_riding import leading_foot
from poise.walk.terrain import Terrain
from poise.walk.terrain_named import NAMES
from poise.walk.walker import Walker

STEP = 1.0 / 60.0
"""[s]"""
MOST_AT_ONCE = 6
"""Steps that are made up for at most; a walk that could not go on for longer stood still."""
LONGEST = 600.0
"""Of a recording [s]."""


Walking = (
    commands.WalkBegin
    | commands.WalkDrive
    | commands.WalkChange
    | commands.WalkRecord
    | commands.WalkEnd
)
"""The commands of a walk."""


@dataclass(frozen=True)
class WalkSettings:
    """How and where a figure walks."""

    ground: sections.Ground = "flat"
    stride: sections.Stride = "natural"
    jacobian: sections.Jacobian = "auto"
    company: int = 0
    """How many others walk about it, naturally, by the default method."""


class Walk:
    """A figure that walks. Steps are of 1/60 s, however often it is asked to go on."""

    def __init__(self, figure: Figure, settings: WalkSettings) -> None:
        self.figure, self.place = figure, 0
        self._frames: list[np.ndarray] | None = None
        self._last: float | None = None
        self._begin(settings, Place())

    def _begin(self, settings: WalkSettings, start: Place) -> None:
        """With a new walker; nothing changes when there can be none."""
        terrain = NAMES[settings.ground]()
        mode = None if settings.jacobian == "auto" else settings.jacobian
        walker = Walker(self.figure, terrain, stride=settings.stride, jacobian=mode, start=start)
        company = self._company_about(start, settings.company, terrain)
        self.settings, self._walker, self._terrain = settings, walker, terrain
        self._company = company
        self.step()

    def _company_about(self, place: Place, count: int, terrain: Terrain) -> Company | None:
        return Company(self.figure, terrain, count, place) if count else None

    def change(self, settings: WalkSettings) -> None:
        """Go on in another way: in place, but for other ground."""
        now, command = self.settings, self._walker.command
        if (
            self._frames is not None
            and replace(settings, jacobian=now.jacobian, company=now.company) != now
        ):
            raise PoiseError("the walk is being recorded; end that before it goes on elsewhere")
        if settings.ground != now.ground:
            self._begin(settings, Place())
            self.place += 1
        elif settings.stride != now.stride:
            self._begin(settings, self._walker.gait.place)
            self.drive(command.speed, command.turn, command.stride)
        else:
            if settings.company != now.company:
                place = self._walker.gait.place
                self._company = self._company_about(place, settings.company, self._terrain)
                self.drive(command.speed, command.turn, command.stride)
            self._walker.jacobian = None if settings.jacobian == "auto" else settings.jacobian
            self.settings = settings

    def drive(self, speed: float, turn: float, stride: float | None) -> None:
        self._walker.command = replace(
            self._walker.command, speed=speed, turn=turn, heading=None, stride=stride
        )
        if self._company is not None:
            self._company.drive(speed, turn)

    def step(self) -> None:
        """Go on by one step."""
        state = self._walker.step(STEP)
        if self._company is not None:
            self._company.step(STEP)
        self.posed = Posed(0.0, state.pose, state.solution, {}, {})
        if self._frames is not None and len(self._frames) * STEP < LONGEST:
            self._frames.append(state.pose.angles)

    def catch_up(self, now: float) -> bool:
        """Make the steps that are due at the clock's time [s]; whether there were any."""
        if self._last is None or now - self._last > MOST_AT_ONCE * STEP:
            self._last = now - STEP
        due = int((now - self._last) / STEP + 1e-6)
        for _ in range(due):
            self.step()
        self._last += due * STEP
        return due > 0

    def record(self) -> None:
        """Keep what it does from now on."""
        if self._frames is not None:
            raise PoiseError("the walk is being recorded already")
        self._frames = [self.posed.pose.angles]

    def recorded(self) -> Document:
        """What was kept, as a document."""
        if self._frames is None:
            raise PoiseError("nothing of the walk was recorded; begin to record first")
        clip = Clip(self.figure, np.array(self._frames), STEP, "walk")
        return opened_clip(clip.unwrapped())

    @property
    def info(self) -> sections.WalkInfo:
        s = self.settings
        return sections.WalkInfo(
            s.ground, self.place, s.stride, s.jacobian, s.company,
            self._frames is not None, self._walker.gait.stopped,
        )  # fmt: skip

    def frame(self, revision: int) -> bytes:
        """The binary frame of where it is."""
        frame, build = self._walker.gait.frame, self._walker.build
        place = self._walker.gait.place
        leading = leading_foot(frame)
        lead, trail = frame.feet[leading], frame.feet[1 - leading]
        ground = self._terrain.at(place.x, place.z)[0]
        marks = np.array([[place.x, ground, place.z], 0.5 * (lead.heel + lead.ball), trail.ball])
        speed = self._walker.command.speed
        found = WalkFrame(
            revision, leading, self._walker.time, speed, place.heading, marks @ build.axes.T
        )
        return encode_walk(found)

    def company_frame(self, revision: int) -> bytes | None:
        """The binary frame of those about it; None while it is alone."""
        return None if self._company is None else self._company.frame(revision)

    def mesh(self) -> bytes:
        """The ground about the walker, for `GET /ground`."""
        place = self._walker.gait.place
        return ground_mesh(self._terrain, self._walker.build.axes, place.x, place.z)


def led(walk: Walk | None, command: Walking, figure: Figure) -> tuple[Walk | None, Document | None]:
    """The walk after a command, and the document of a recording that it ends."""
    if isinstance(command, commands.WalkBegin):
        settings = WalkSettings(command.ground, command.stride, command.jacobian, command.company)
        return Walk(figure, settings), None
    if walk is None:
        raise PoiseError("the figure does not walk; begin a walk first")
    if isinstance(command, commands.WalkDrive):
        walk.drive(command.speed, command.turn, command.stride)
    elif isinstance(command, commands.WalkChange):
        walk.change(replace(walk.settings, **given_by(command)))
    elif isinstance(command, commands.WalkRecord):
        if not command.on:
            return None, walk.recorded()
        walk.record()
    else:
        return None, None
    return walk, None
