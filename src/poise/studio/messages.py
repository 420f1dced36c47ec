"""The one definition of what the studio's page and its session say to each other.

`python -m poise.studio.typescript` writes the page's types from it (web/src/messages.ts).

How a connection goes:

1. The page opens `ws://127.0.0.1:PORT/ws?token=TOKEN`, the token of its own address. It gets one
   `State` (text) and one pose (binary). `State.editable` is false in a second window: it gets all
   patches and poses, and its commands are refused with a `Failure`.
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

Files: `POST /upload?token=…&name=walk.bvh` (body: the bytes) puts a dropped file beside the
session and answers {"path": …} for `OpenFile`; `GET /download?token=…&format=bvh` is the document
as a file. `GET /mesh/…?token=…` is the skin of an opened character, when `FigureInfo.mesh` is set.

Metres, radians, seconds; quaternions are (w, x, y, z); null stands for an open limit.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

PROTOCOL = 1
"""Goes up when an old page could no longer talk to a new session."""

MOST_TEXT = 1 << 20
"""The largest text message that the session takes [bytes]."""

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Path = Annotated[str, Meta(min_length=1, max_length=1000)]
Number = Annotated[int, Meta(ge=0, lt=2**32)]
Share = Annotated[float, Meta(ge=0, le=1)]
Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Placement = tuple[float, float, float, float, float, float, float]
"""Position x y z and quaternion w x y z in the world."""

GoalKind = Literal["position", "pose", "orientation", "aim", "line", "plane", "half-space"]
Chain = Literal["limb", "limb+torso", "all"]
"""Which joints move for a goal: those of its limb, those of the trunk too, or all with the root."""
Ease = Literal["smooth", "linear", "hold"]
"""From a key to the next: monotone cubic, straight, or stay until the next."""
GhostMode = Literal["off", "reference", "previous-key", "onion"]


def _tag(name: str) -> str:
    """DragBegin is "drag-begin" on the wire."""
    return re.sub("(?<!^)(?=[A-Z])", "-", name).lower()


# -- the state, section by section -----------------------------------------------------------------


class SegmentInfo(Struct):
    """A rigid part. Its frame in the parent's at rest is offset and rotation, then the joint."""

    name: str
    parent: int
    """-1 for the root."""
    offset: Vector
    rotation: Quaternion
    mass: float
    center: Vector
    joint: str
    """Its kind: "revolute", "ball", "free", …"""
    dofs: list[int]


class DofInfo(Struct):
    """One degree of freedom [rad, or m for translations]."""

    name: str
    segment: int
    kind: Literal["rotation", "translation"]
    lower: float | None
    upper: float | None
    rest: float
    rigidity: float
    leader: int
    """The DOF that drives this one through a joint group; -1 if it moves on its own."""


class ConeInfo(Struct):
    """A limit of two swing DOFs together."""

    dofs: tuple[int, int]
    half_angle: float


class SiteInfo(Struct):
    """A named point of a segment, and how it can be dragged."""

    name: str
    segment: int
    offset: Vector
    rotation: Quaternion
    handle: Literal["end", "pole", "body", "none"]
    """end: a hand, foot or head; pole: an elbow or knee; body: pelvis, chest; none: not drawn."""
    chains: list[Chain]
    """What a goal on it can choose; more than one only where they differ."""


class LimbInfo(Struct):
    """A round cone of the body in the frame of its segment."""

    segment: int
    start: Vector
    end: Vector
    start_radius: float
    end_radius: float


class GroupInfo(Struct):
    """Joints that move together."""

    name: str
    dofs: list[int]
    on: bool


class FigureInfo(Struct):
    """Everything about the figure that does not move."""

    revision: int
    """Poses carry it; drop those of another revision."""
    name: str
    up: Literal["Y", "Z"]
    segments: list[SegmentInfo]
    dofs: list[DofInfo]
    cones: list[ConeInfo]
    sites: list[SiteInfo]
    limbs: list[LimbInfo]
    trunk: list[int]
    """Segments whose first limbs a skin joins, upwards; may be empty."""
    bind: list[Placement]
    """Of each segment in the pose about whose limbs the page lays a skin: limbs apart."""
    groups: list[GroupInfo]
    mesh: str | None
    """Where to get the character's own skin (glTF binary), bound to segments by their names."""


class GoalInfo(Struct):
    """A goal at the current time. Which of its targets count depends on its kind."""

    id: int
    effector: str
    kind: GoalKind
    on: bool
    pinned: bool
    """Held before all goals that are not, and kept when a drag ends elsewhere."""
    weight: float
    blend: float
    """0: as the angle keys have it; 1: at the target."""
    chain: Chain
    space: str
    """"" for the world, or the site or segment in whose frame the target is."""
    position: Vector
    """In the world, whatever `space` is: of the site; or the point aimed at, or one on the line or
    plane."""
    rotation: Quaternion
    """Of pose and orientation."""
    direction: Vector
    """Of a line, or the normal of a plane; a half-space is on its side."""
    keyed: bool


class KeyInfo(Struct):
    """What was keyed at one time."""

    id: int
    time: float
    ease: Ease
    angles: bool
    goals: list[int]


class FixInfo(Struct):
    """An offset over the clip, eased in before its time and out after it [s]."""

    id: int
    time: float
    ease_in: float
    ease_out: float


class ClipInfo(Struct):
    """The clip under the keys; it is never altered."""

    name: str
    frames: int
    fps: float
    duration: float


class TimelineInfo(Struct):
    """Keys over time."""

    fps: float
    duration: float
    loop: bool
    keys: list[KeyInfo]
    fixes: list[FixInfo]
    clip: ClipInfo | None


class SettingsInfo(Struct):
    """How the session solves."""

    method: str
    balance: bool
    """Keep the centre of mass over the pinned feet."""
    ground: bool
    """Keep the feet above the ground."""
    stiff_root: float
    """The root's rigidity while dragging, from 0 to 1."""


class HistoryInfo(Struct):
    """What undo and redo would do, and whether there is something to save."""

    undo: str | None
    redo: str | None
    path: str | None
    """The document's file, in the project folder."""
    saved: bool


class SelectionInfo(Struct):
    """What is selected: by name, each may be null."""

    effector: str | None
    segment: str | None


class MethodInfo(Struct):
    """A method of the solver under "Advanced"."""

    name: str
    source: str


class ExampleInfo(Struct):
    """An example of the menu."""

    name: str
    title: str
    about: str


class ChoicesInfo(Struct):
    """What menus offer. Does not change."""

    figures: list[str]
    methods: list[MethodInfo]
    examples: list[ExampleInfo]
    read: list[str]
    """File endings that can be opened, e.g. ".bvh"."""
    write: list[str]


class RecoveryInfo(Struct):
    """Work of a session that did not end well; offer it, then send `Recover`."""

    name: str
    when: str
    steps: int


# -- from the session to the page ------------------------------------------------------------------


class _Out(Struct, tag=_tag, tag_field="type"):
    pass


class State(_Out):
    """The whole state, once after connecting."""

    protocol: int
    version: str
    editable: bool
    figure: FigureInfo
    goals: list[GoalInfo]
    timeline: TimelineInfo
    settings: SettingsInfo
    history: HistoryInfo
    selection: SelectionInfo
    choices: ChoicesInfo
    recovery: RecoveryInfo | None


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
    `upper` its half-angle. slide: along `axis`.
    """

    kind: Literal["arc", "cone", "slide"]
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
    """Reply to `ListFiles`: paths within the project folder."""

    id: int
    folder: str
    files: list[str]


Outgoing = State | Patch | Done | Failure | Notice | Explanation | Limits | Files


# -- from the page to the session ------------------------------------------------------------------


class _Command(Struct, tag=_tag, tag_field="type", forbid_unknown_fields=True):
    id: Number


class DragBegin(_Command):
    """The button went down on a site. Position it, or with `turn` also rotate it.

    With `goal` the target of that goal is dragged, whatever its kind: a point to look at, say.
    """

    drag: Number
    effector: Name
    turn: bool = False
    goal: Number | None = None


class TurnBegin(_Command):
    """An FK slider or ring was taken; angle frames follow."""

    drag: Number


class DragEnd(_Command):
    """The button went up, or Esc was pressed (`cancel`)."""

    drag: Number
    cancel: bool = False


class AddGoal(_Command):
    """A goal on a site, with its target where the site is."""

    effector: Name
    kind: GoalKind = "position"
    pinned: bool = False


class ChangeGoal(_Command):
    """Change what is given of a goal. Positions and directions are in the world."""

    goal: Number
    kind: GoalKind | UnsetType = UNSET
    on: bool | UnsetType = UNSET
    pinned: bool | UnsetType = UNSET
    weight: Annotated[float, Meta(gt=0, le=1e6)] | UnsetType = UNSET
    blend: Share | UnsetType = UNSET
    chain: Chain | UnsetType = UNSET
    space: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    position: Vector | UnsetType = UNSET
    rotation: Quaternion | UnsetType = UNSET
    direction: Vector | UnsetType = UNSET


class RemoveGoal(_Command):
    goal: Number


class SetAngles(_Command):
    """FK: set DOFs by name [rad or m]."""

    angles: dict[str, float]


class RestPose(_Command):
    """Back to the figure's rest pose at the current time."""


class SetLimits(_Command):
    """Change the limits of a DOF [rad or m]; null opens a side."""

    dof: Name
    lower: float | None
    upper: float | None


class SetRigidity(_Command):
    """How readily DOFs move, 0 free to 1 frozen; by names or patterns."""

    dofs: Annotated[list[Name], Meta(min_length=1, max_length=1000)]
    rigidity: Share


class SetGroup(_Command):
    """Switch a joint group on or off."""

    name: Name
    on: bool


class ChangeSettings(_Command):
    """Change what is given."""

    method: Name | UnsetType = UNSET
    balance: bool | UnsetType = UNSET
    ground: bool | UnsetType = UNSET
    stiff_root: Share | UnsetType = UNSET


class AddKey(_Command):
    """K: key the solved angles and the active targets at the current time."""


class MoveKeys(_Command):
    """Shift keys and fixes in time [s]; one that arrives at another's time replaces it."""

    keys: list[Number]
    by: float


class CopyKeys(_Command):
    """Copy keys, the first of them to `time`."""

    keys: list[Number]
    time: float


class DeleteKeys(_Command):
    """Delete keys and fixes."""

    keys: list[Number]


class EaseKeys(_Command):
    keys: list[Number]
    ease: Ease


class EaseFix(_Command):
    """How long before and after its time a fix is eased in and out [s]."""

    fix: Number
    ease_in: Annotated[float, Meta(ge=0, le=60)]
    ease_out: Annotated[float, Meta(ge=0, le=60)]


class ChangeTimeline(_Command):
    """Change what is given."""

    fps: Annotated[float, Meta(ge=1, le=1000)] | UnsetType = UNSET
    duration: Annotated[float, Meta(gt=0, le=36000)] | UnsetType = UNSET
    loop: bool | UnsetType = UNSET


class Select(_Command):
    effector: Name | None = None
    segment: Name | None = None


class SetGhosts(_Command):
    """What to draw besides the pose. Onion: so many frames each way, so many seconds apart."""

    mode: GhostMode
    count: Annotated[int, Meta(ge=1, le=10)] = 2
    spacing: Annotated[float, Meta(gt=0, le=10)] = 0.2


class NewDocument(_Command):
    """Begin anew with a built-in figure."""

    figure: Name


class OpenExample(_Command):
    name: Name


class OpenFile(_Command):
    """Open a file of the project folder, or an uploaded one. `also`: its skeleton (.asf)."""

    path: Path
    also: Path | None = None


class SaveFile(_Command):
    """Save into the project folder; the ending chooses the format. Null: where it came from."""

    path: Path | None = None


class Recover(_Command):
    """Take the work that `State.recovery` offers, or let it go."""

    accept: bool


class Undo(_Command):
    pass


class Redo(_Command):
    pass


class Explain(_Command):
    """Why goals are not met. Answered by `Explanation`."""


class LimitsOf(_Command):
    """The limits of a segment's joint as they are now. Answered by `Limits`."""

    segment: Name


class ListFiles(_Command):
    """What can be opened. Answered by `Files`."""


Command = (
    DragBegin
    | TurnBegin
    | DragEnd
    | AddGoal
    | ChangeGoal
    | RemoveGoal
    | SetAngles
    | RestPose
    | SetLimits
    | SetRigidity
    | SetGroup
    | ChangeSettings
    | AddKey
    | MoveKeys
    | CopyKeys
    | DeleteKeys
    | EaseKeys
    | EaseFix
    | ChangeTimeline
    | Select
    | SetGhosts
    | NewDocument
    | OpenExample
    | OpenFile
    | SaveFile
    | Recover
    | Undo
    | Redo
    | Explain
    | LimitsOf
    | ListFiles
)

encode = msgspec.json.Encoder().encode
"""A message as JSON."""
decode = msgspec.json.Decoder(Command).decode
"""JSON as a command; raises msgspec.DecodeError when it is not one."""
