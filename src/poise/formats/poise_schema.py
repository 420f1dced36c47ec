"""The schema of .poise files: what they may hold, and of which types.

Metres, radians, seconds. Angles are by DOF; those that are left out are at rest. Open limits are
null. `python -m poise.formats.poise_schema` prints it as a JSON schema.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

FORMAT = "poise-document"
VERSION = 1
"""Of the files that are written. Those of lower versions are brought up when they are read."""

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Matrix = tuple[Vector, Vector, Vector]
Limits = tuple[float | None, float | None]
Number = Annotated[int, Meta(ge=1, lt=2**31)]
Seconds = Annotated[float, Meta(ge=0)]


class _Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


class DofPart(_Part, frozen=True):
    name: str
    limits: Limits
    rigidity: float = 0.0
    rest: float = 0.0


class MotionPart(_Part, frozen=True):
    """An elementary motion of a joint, such as "rotate_x" or "swing"."""

    kind: str
    dofs: list[DofPart]
    reversed: bool = False
    cone: float | None = None


class JointPart(_Part, frozen=True):
    kind: str
    motions: list[MotionPart]
    frame: Matrix | None = None


class SegmentPart(_Part, frozen=True):
    name: str
    parent: str | None
    joint: JointPart
    joint_name: str = ""
    offset: Vector = (0.0, 0.0, 0.0)
    rotation: Matrix | None = None
    mass: float = 0.0
    center: Vector = (0.0, 0.0, 0.0)
    after_rotation: Matrix | None = None
    after_offset: Vector = (0.0, 0.0, 0.0)
    bone: str = ""


class SitePart(_Part, frozen=True):
    name: str
    segment: str
    offset: Vector = (0.0, 0.0, 0.0)
    rotation: Matrix | None = None


class RelationPart(_Part, frozen=True):
    """A joint group, a linear limit or a polygon; each has fields of its own."""

    kind: Literal["group", "linear", "polygon"]
    name: str
    shares: dict[str, float] | None = None
    offsets: dict[str, float] | None = None
    coefficients: dict[str, float] | None = None
    limits: Limits | None = None
    dofs: tuple[str, str] | None = None
    corners: list[tuple[float, float]] | None = None


class FigurePart(_Part, frozen=True):
    name: str
    segments: list[SegmentPart]
    up: Literal["Y", "Z"] = "Y"
    sites: list[SitePart] = []
    relations: list[RelationPart] = []
    chains: dict[str, list[str]] = {}


class TargetPart(_Part, frozen=True):
    position: Vector
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    direction: Vector = (0.0, 1.0, 0.0)
    blend: Annotated[float, Meta(ge=0, le=1)] = 1.0
    on: bool = True


class GoalPart(_Part, frozen=True):
    id: Number
    effector: str
    kind: Literal["position", "pose", "orientation", "aim", "line", "plane", "half-space"]
    target: TargetPart
    pinned: bool = False
    weight: Annotated[float, Meta(gt=0)] = 1.0
    chain: Literal["limb", "limb+torso", "all"] = "all"
    space: str = ""
    strained: tuple[float, float] | None = None


class KeyTarget(_Part, frozen=True):
    goal: Number
    target: TargetPart


class KeyPart(_Part, frozen=True):
    id: Number
    time: Seconds
    ease: Literal["smooth", "linear", "hold"] = "smooth"
    angles: dict[str, float] | None = None
    targets: list[KeyTarget] = []


class FixPart(_Part, frozen=True):
    id: Number
    time: Seconds
    offset: dict[str, float]
    held: list[str] = []
    ease_in: Seconds = 0.15
    ease_out: Seconds = 0.15


class ClipPart(_Part, frozen=True):
    """A clip: its frames, or the file that has them, relative to this one."""

    name: str = ""
    frame_time: Annotated[float, Meta(gt=0)] | None = None
    frames: list[list[float]] | None = None
    """A row a frame, in the order of the figure's DOFs."""
    unit: Annotated[float, Meta(gt=0)] = 1.0
    """Of the file that the frames came from [m], for writing them back."""
    file: str | None = None
    sha256: str | None = None


class SettingsPart(_Part, frozen=True):
    method: str = "auto"
    balance: bool = False
    ground: bool = True
    stiff_root: Annotated[float, Meta(ge=0, le=1)] = 0.5


class TimelinePart(_Part, frozen=True):
    fps: Annotated[float, Meta(gt=0)] = 30.0
    duration: Annotated[float, Meta(gt=0)] = 4.0
    loop: bool = False


class DocumentPart(_Part, frozen=True):
    """The whole file."""

    format: Literal["poise-document"]
    version: Literal[1]
    figure: FigurePart
    name: str = ""
    angles: dict[str, float] = {}
    goals: list[GoalPart] = []
    keys: list[KeyPart] = []
    fixes: list[FixPart] = []
    clip: ClipPart | None = None
    settings: SettingsPart = SettingsPart()
    timeline: TimelinePart = TimelinePart()
    spare_groups: list[RelationPart] = []
    character: str | None = None
    """The mesh of the figure: a binary glTF file, as base64."""


if __name__ == "__main__":
    import sys

    schema = msgspec.json.schema(DocumentPart)
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(schema)).decode() + "\n")
