"""The state of a session as the page has it, section by section. See messages.py."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

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
Ground = Literal["flat", "hills", "stairs", "ramp"]
Stride = Literal["natural", "paper"]
Jacobian = Literal["auto", "half", "full", "hybrid"]
"""How a walker's legs are solved: as all else, or by Meredith & Maddock's modes."""
GhostMode = Literal["off", "reference", "previous-key", "onion"]


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


class MeshInfo(Struct):
    """The skin that an opened character brings: `GET /mesh/{key}?token=…` is it (binary glTF)."""

    key: str
    nodes: list[int]
    """Of each segment the number of its node in that file; -1 for none."""


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
    mesh: MeshInfo | None
    """The character's own skin; null for a body of our making."""


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
    held: list[str]
    """Feet that stay where the clip has them."""


class ClipInfo(Struct):
    """The clip under the keys; it is never altered."""

    name: str
    frames: int
    fps: float
    duration: float
    feet: list[str]
    """What a fix can hold."""


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
    name: str
    """The document's."""
    path: str | None
    """Its file, in the project folder."""
    saved: bool


class SelectionInfo(Struct):
    """What is selected: by name, each may be null."""

    effector: str | None
    segment: str | None


class MethodInfo(Struct):
    """A method of the solver under "Advanced"."""

    name: str
    source: str
    leaves_out: list[str]
    """What it has nothing like, of what others do unasked."""
    positions_only: bool
    """Whether it takes no goal of a turn."""


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


class FileInfo(Struct):
    """A file of the project folder that can be opened."""

    path: str
    """Within the folder."""
    size: int
    """[bytes]"""
    modified: float
    """When, in seconds since 1970."""


class RecoveryInfo(Struct):
    """Work of a session that did not end well; offer it, then send `Recover`."""

    name: str
    when: str
    steps: int


class WalkInfo(Struct):
    """The figure walks: it goes where `WalkDrive` says, in real time, and walk frames come."""

    ground: Ground
    place: int
    """Goes up when there is other ground; `GET /ground?token=…&place=…` is its mesh."""
    stride: Stride
    jacobian: Jacobian
    company: int
    """How many others walk about the figure; their poses come as crowd frames."""
    recording: bool
    stopped: str | None
    """Why it cannot go on."""
