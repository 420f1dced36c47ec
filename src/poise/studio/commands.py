"""What the page can ask of the session. See messages.py."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from poise.studio.sections import (
    Chain,
    Ease,
    GhostMode,
    GoalKind,
    Ground,
    Jacobian,
    Name,
    Number,
    Path,
    Quaternion,
    Share,
    Stride,
    Vector,
)


def tag_of(name: str) -> str:
    """DragBegin is "drag-begin" on the wire."""
    return re.sub("(?<!^)(?=[A-Z])", "-", name).lower()


class _Command(Struct, tag=tag_of, tag_field="type", forbid_unknown_fields=True):
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
    """An FK slider or ring was taken; angle frames follow.

    With `about`, an axis in the world, a ball joint is turned as a whole: the frames then name any
    DOF of it, and say how far it has turned about the axis since [rad].
    """

    drag: Number
    about: Vector | None = None


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


class ChangeFix(_Command):
    """Change what is given of a fix: how long before and after its time it is eased in and out
    [s], and the feet that it holds where the clip has them."""

    fix: Number
    ease_in: Annotated[float, Meta(ge=0, le=60)] | UnsetType = UNSET
    ease_out: Annotated[float, Meta(ge=0, le=60)] | UnsetType = UNSET
    held: Annotated[list[Name], Meta(max_length=100)] | UnsetType = UNSET


class TrackClip(_Command):
    """Solve the motion anew, frame by frame, so that these effectors are where they were (hands,
    feet, head and pelvis if none are named), inside the limits of the figure or those that the
    clip itself keeps to, with a margin [rad]. The clip that comes of it replaces the clip."""

    effectors: Annotated[list[Name], Meta(max_length=200)] = []
    limits: Literal["figure", "learned"] = "figure"
    margin: Annotated[float, Meta(ge=0, le=3.2)] = 0.17
    contacts: bool = False
    """Lock feet where they stand."""


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


Company = Annotated[int, Meta(ge=0, le=99)]
"""How many others walk about the figure."""


class WalkBegin(_Command):
    """The figure walks off, from where the ground begins."""

    ground: Ground = "flat"
    stride: Stride = "natural"
    jacobian: Jacobian = "auto"
    company: Company = 0


class WalkDrive(_Command):
    """Where to: forward [m/s], to the left [rad/s], and how long a stride is [m]; null: as people
    choose it."""

    speed: Annotated[float, Meta(ge=0, le=5)]
    turn: Annotated[float, Meta(ge=-4, le=4)]
    stride: Annotated[float, Meta(ge=0.2, le=4)] | None = None


class WalkChange(_Command):
    """Change what is given. On other ground it begins anew; with another stride it halts."""

    ground: Ground | UnsetType = UNSET
    stride: Stride | UnsetType = UNSET
    jacobian: Jacobian | UnsetType = UNSET
    company: Company | UnsetType = UNSET


class WalkRecord(_Command):
    """Begin to record; or, with `on` false, end the walk with its clip as the document."""

    on: bool


class WalkEnd(_Command):
    """Back to the document; what was recorded is dropped."""


class TakeOver(_Command):
    """This window edits from now on, and the one that did looks on."""


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
    | ChangeFix
    | TrackClip
    | ChangeTimeline
    | Select
    | SetGhosts
    | NewDocument
    | OpenExample
    | OpenFile
    | SaveFile
    | Recover
    | WalkBegin
    | WalkDrive
    | WalkChange
    | WalkRecord
    | WalkEnd
    | TakeOver
    | Undo
    | Redo
    | Explain
    | LimitsOf
    | ListFiles
)
