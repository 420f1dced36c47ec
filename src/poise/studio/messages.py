"""The one definition of what the studio's page and its session say to each other.

Here is what the session says, in commands.py what the page asks, in sections.py what the state is
made of. `python -m poise.studio.typescript` writes the page's types from them: messages.ts.

How a connection goes:

1. The page opens `ws://127.0.0.1:PORT/ws?token=TOKEN`, the token of its own address. It gets one
   `State` (text) and one pose (binary). `State.editable` is false in a second window: it gets all
   patches and poses, and its commands are refused with a `Failure`, until it sends `TakeOver` or
   the editor has gone. One that was opened with the token `State.watch` stays so for good.
2. The page sends commands (text, one object with `type`, and `id`, a number of its own). Each is
   answered by exactly one of `Done`, `Failure` (nothing changed) or the reply that the command
   names, with that `id`. What changed arrives before, as a `Patch`: whole sections of the state,
   only those that changed; replace yours. A pose follows when the pose changed.
3. What moves with the display is binary (frames.py): goal moves, angles and times in; poses and
   ghosts out. Frames in carry a sequence number that only grows. The newest wins: the session
   may skip frames, and a pose says which frame it answers (`sequence`). Send a frame only when
   the last one was answered, or overwrite the one that waits: never queue more than one.

A drag: `DragBegin` with a number of the page's own choice, then goal frames with that number (at
once, no need to wait), then `DragEnd`. It is one undo step; with `cancel` it leaves nothing. FK
sliders and rings do the same with `TurnBegin` and angle frames. Moving to a time (scrub, play) is
one time frame each; the page keeps the clock of play, and nothing of it can be undone.

A walk: `WalkBegin`, then `WalkDrive` whenever keys or stick say something else. Poses and walk
frames come in real time until `WalkEnd`, or until `WalkRecord` has made a clip of it.

Files: `POST /upload?token=…&name=walk.bvh` (body: the bytes) puts a dropped file beside the
session and answers {"path": …} for `OpenFile`; `GET /download?token=…&format=bvh` is the document
as a file. `GET /mesh/{key}?token=…` is the skin of an opened character, when `FigureInfo.mesh` is
set.

Metres, radians, seconds; quaternions are (w, x, y, z); null stands for an open limit.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from poise.studio.commands import Command, tag_of
from poise.studio.sections import (
    ChoicesInfo,
    FigureInfo,
    FileInfo,
    GoalInfo,
    HistoryInfo,
    RecoveryInfo,
    SelectionInfo,
    SettingsInfo,
    TimelineInfo,
    Vector,
    WalkInfo,
)

PROTOCOL = 1
"""Goes up when an old page could no longer talk to a new session."""

MOST_TEXT = 1 << 20
"""The largest text message that the session takes [bytes]."""

# -- from the session to the page ------------------------------------------------------------------


class _Out(Struct, tag=tag_of, tag_field="type"):
    pass


class State(_Out):
    """The whole state, once after connecting."""

    protocol: int
    version: str
    editable: bool
    watch: str | None
    """The token of an address at which others may look on; null for those who do."""
    figure: FigureInfo
    goals: list[GoalInfo]
    timeline: TimelineInfo
    settings: SettingsInfo
    history: HistoryInfo
    selection: SelectionInfo
    choices: ChoicesInfo
    recovery: RecoveryInfo | None
    walk: WalkInfo | None


class Patch(_Out, omit_defaults=True):
    """Sections that changed, each whole."""

    editable: bool | UnsetType = UNSET
    figure: FigureInfo | UnsetType = UNSET
    goals: list[GoalInfo] | UnsetType = UNSET
    timeline: TimelineInfo | UnsetType = UNSET
    settings: SettingsInfo | UnsetType = UNSET
    history: HistoryInfo | UnsetType = UNSET
    selection: SelectionInfo | UnsetType = UNSET
    recovery: RecoveryInfo | UnsetType | None = UNSET
    walk: WalkInfo | UnsetType | None = UNSET


class Done(_Out):
    """The command of that id is done."""

    id: int


class Failure(_Out):
    """The command of that id changed nothing; -1 for a frame or a message without one."""

    id: int
    message: str


class Notice(_Out):
    """Something to tell the person."""

    message: str
    level: Literal["info", "warning"]


class GoalSentence(Struct):
    """How one goal ended, and why."""

    goal: int
    met: bool
    sentence: str


class Explanation(_Out):
    """Reply to `Explain`."""

    id: int
    summary: str
    goals: list[GoalSentence]
    limits: list[str]
    """One sentence for each limit that presses, the strongest first."""


class LimitShape(Struct):
    """A joint's limit in the world, for drawing.

    arc: turns about `axis` through `origin`; the joint points along `pointer` now (at angle
    `value`), and the arc runs from `lower` to `upper`, null where open. cone: `axis` is its middle,
    `upper` its half-angle. slide: along `axis`. ring: what a ball joint, one with a cone or without
    limits, is turned about (`TurnBegin.about`); no DOF has its `value`, and `dofs` names one of
    the joint.
    """

    kind: Literal["arc", "cone", "slide", "ring"]
    dofs: list[int]
    origin: Vector
    axis: Vector
    pointer: Vector
    lower: float | None
    upper: float | None
    value: float


class Limits(_Out):
    """Reply to `LimitsOf`."""

    id: int
    segment: int
    shapes: list[LimitShape]


class Files(_Out):
    """Reply to `ListFiles`: what is in the project folder."""

    id: int
    folder: str
    files: list[FileInfo]


Outgoing = State | Patch | Done | Failure | Notice | Explanation | Limits | Files


encode = msgspec.json.Encoder().encode
"""A message as JSON."""
decode = msgspec.json.Decoder(Command).decode
"""JSON as a command; raises msgspec.DecodeError when it is not one."""
