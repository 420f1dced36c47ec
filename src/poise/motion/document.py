"""The Document: a figure that moves by keys. The pose at a time is a function of it alone.

1. Angles A(t): of a clip, or of the keys that have angles, or one standing pose.
2. Goals, each with targets that keys may change.
3. Fixes: offsets over a clip, which itself is never altered.

`posing.py` makes poses of it. A value: a change makes a new document, so undo is the old one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import MotionError
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.figure.relations import JointGroup
from poise.motion.clip import Clip
from poise.motion.source import Source

Array = NDArray[np.float64]
GoalKind = Literal["position", "pose", "orientation", "aim", "line", "plane", "half-space"]
Chain = Literal["limb", "limb+torso", "all"]
Ease = Literal["smooth", "linear", "hold"]

EASE = 0.15
"""How long before and after its time a fix is eased in and out [s]."""
SAME_TIME = 1e-6
"""Keys nearer than this [s] are at the same time."""


@dataclass(frozen=True, eq=False)
class Target:
    """Where a goal wants its effector, in the world or in the frame of the goal's `space`."""

    position: ArrayLike
    """[m] of the effector; or the point aimed at, or one on the line or plane."""
    rotation: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    """Quaternion (w, x, y, z) of pose and orientation."""
    direction: ArrayLike = (0.0, 1.0, 0.0)
    """Of a line, or the normal of a plane or half-space."""
    blend: float = 1.0
    """From 0, where A(t) has the effector, to 1, the target."""
    on: bool = True

    def __post_init__(self) -> None:
        for name, size in (("position", 3), ("rotation", 4), ("direction", 3)):
            object.__setattr__(self, name, _vector(getattr(self, name), size, name))
        for name in ("rotation", "direction"):
            vector = np.asarray(getattr(self, name))
            length = float(np.linalg.norm(vector))
            if length < 1e-9:
                raise MotionError(f"{name} of a target must not be zero")
            if abs(length - 1.0) > 1e-12:  # what is of length 1 keeps its bits
                object.__setattr__(self, name, float_array(vector / length))
        if not 0.0 <= self.blend <= 1.0:
            raise MotionError(f"blend of a target is {self.blend!r}; give a number from 0 to 1")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Target):
            return NotImplemented
        vectors = ("position", "rotation", "direction")
        same = all(np.array_equal(getattr(self, v), getattr(other, v)) for v in vectors)
        return same and self.blend == other.blend and self.on == other.on

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class KeyedGoal:
    """A goal on an effector; its target is the one here until a key has one for it."""

    id: int
    effector: str
    kind: GoalKind
    target: Target
    pinned: bool = False
    """Held before all goals that are not."""
    weight: float = 1.0
    chain: Chain = "all"
    space: str = ""
    """The site or segment in whose frame the target is; empty for the world."""
    strained: tuple[float, float] | None = None
    """How far [m, rad] a pin was from its target when it was dropped out of its reach. It pulls
    no other pin off, and no pose that has it as near."""

    def __post_init__(self) -> None:
        for name, valid in (("kind", GoalKind), ("chain", Chain)):
            if getattr(self, name) not in get_args(valid):
                raise MotionError(
                    f"{name} of the goal on {self.effector!r} is {getattr(self, name)!r};"
                    f" give one of {', '.join(get_args(valid))}"
                )
        if not (np.isfinite(self.weight) and self.weight > 0):
            raise MotionError(
                f"weight of the goal on {self.effector!r} is {self.weight!r};"
                " give a number above 0, or switch the goal off"
            )


@dataclass(frozen=True, eq=False)
class Key:
    """What was keyed at one time: all angles, or none, and the targets of some goals."""

    id: int
    time: float
    angles: ArrayLike | None = None
    """(dofs,) [rad or m]."""
    targets: Mapping[int, Target] = field(default_factory=dict)
    """By the goal's id."""
    ease: Ease = "smooth"

    def __post_init__(self) -> None:
        _check_time(self.time, "a key")
        if self.ease not in get_args(Ease):
            raise MotionError(
                f"ease of the key at {self.time:g} s is {self.ease!r};"
                f" give one of {', '.join(get_args(Ease))}"
            )
        if self.angles is not None:
            object.__setattr__(self, "angles", float_array(self.angles))
        object.__setattr__(self, "targets", MappingProxyType(dict(self.targets)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Key):
            return NotImplemented
        plain = (self.id, self.time, self.ease) == (other.id, other.time, other.ease)
        return plain and _same(self.angles, other.angles) and self.targets == other.targets

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Fix:
    """An offset over the clip, whole at its time and eased to nothing on both sides."""

    id: int
    time: float
    offset: ArrayLike
    """(dofs,) [rad or m]; of rotation vectors the rotation that comes first."""
    held: tuple[str, ...] = ()
    """Effectors that stay where the clip has them: contacts."""
    ease_in: float = EASE
    ease_out: float = EASE

    def __post_init__(self) -> None:
        _check_time(self.time, "a fix")
        object.__setattr__(self, "offset", float_array(self.offset))
        for name in ("ease_in", "ease_out"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0.0):
                raise MotionError(f"{name} of a fix is {value!r}; give seconds, 0 or more")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fix):
            return NotImplemented
        names = ("id", "time", "held", "ease_in", "ease_out")
        plain = all(getattr(self, n) == getattr(other, n) for n in names)
        return plain and _same(self.offset, other.offset)

    __hash__ = None  # type: ignore[assignment]

    def share(self, time: float) -> float:
        """How much of the offset counts at a time, from 0 to 1: a smooth bump."""
        distance = time - self.time
        width = self.ease_in if distance < 0.0 else self.ease_out
        if distance == 0.0:
            return 1.0
        if abs(distance) >= width:
            return 0.0
        rest = 1.0 - abs(distance) / width
        return rest * rest * (3.0 - 2.0 * rest)


@dataclass(frozen=True)
class Settings:
    """How poses are solved."""

    method: str = "auto"
    balance: bool = False
    """Keep the centre of mass over the pinned feet."""
    ground: bool = True
    """Keep the feet above the ground."""
    stiff_root: float = 0.5
    """How much less readily than other joints the root moves, from 0 to 1 (not at all)."""

    def __post_init__(self) -> None:
        if not 0.0 <= self.stiff_root <= 1.0:
            raise MotionError(f"stiff_root is {self.stiff_root!r}; give a number from 0 to 1")


@dataclass(frozen=True, eq=False)
class Document:
    """See the module. Keys and fixes are kept in the order of their times."""

    figure: Figure
    angles: ArrayLike
    """(dofs,) the standing pose: A(t) while there is neither a clip nor a key with angles."""
    goals: tuple[KeyedGoal, ...] = ()
    keys: tuple[Key, ...] = ()
    fixes: tuple[Fix, ...] = ()
    clip: Clip | None = None
    settings: Settings = field(default_factory=Settings)
    fps: float = 30.0
    duration: float = 4.0
    loop: bool = False
    name: str = ""
    spare_groups: tuple[JointGroup, ...] = ()
    """Joint groups of the figure that are switched off."""
    source: Source = field(default_factory=Source)
    """Where the figure came from; with the character's mesh, if it brought one."""

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "angles", float_array(self.angles))
        for name in ("keys", "fixes"):
            set_(self, name, tuple(sorted(getattr(self, name), key=lambda item: item.time)))
        set_(self, "goals", tuple(self.goals))
        for name in ("fps", "duration"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0.0):
                raise MotionError(f"{name} of a document is {value!r}; give a number above 0")
        self._check_references()

    def _check_references(self) -> None:
        dofs, figure = len(self.figure.dofs), self.figure
        rows = [("the standing pose", self.angles)]
        rows += [(f"the key at {key.time:g} s", key.angles) for key in self.keys]
        rows += [(f"the fix at {fix.time:g} s", fix.offset) for fix in self.fixes]
        for what, row in rows:
            if row is not None and (np.shape(row) != (dofs,) or not np.isfinite(row).all()):
                raise MotionError(f"{what} needs {dofs} finite angles of {figure.name}")
        for goal in self.goals:
            figure.effector(goal.effector)
            if goal.space:
                figure.effector(goal.space)
        for fix in self.fixes:
            for name in fix.held:
                figure.effector(name)
        known = {goal.id for goal in self.goals}
        ids = [item.id for item in (*self.goals, *self.keys, *self.fixes)]
        if len(set(ids)) < len(ids):
            raise MotionError("two goals, keys or fixes of the document have the same id")
        for key in self.keys:
            if not known.issuperset(key.targets):
                lost = next(i for i in key.targets if i not in known)
                raise MotionError(f"the key at {key.time:g} s has a target for no goal: id {lost}")
        if self.clip is not None and self.clip.figure.dof_names != figure.dof_names:
            raise MotionError("the clip of the document has other DOFs than its figure")

    def __eq__(self, other: object) -> bool:
        from poise.figure.plain import plain_figure

        if not isinstance(other, Document):
            return NotImplemented
        names = ("goals", "keys", "fixes", "settings", "fps", "duration", "loop", "name")
        names += ("spare_groups",)
        return (
            all(getattr(self, n) == getattr(other, n) for n in names)
            and _same(self.angles, other.angles)
            and _same_clip(self.clip, other.clip)
            and plain_figure(self.figure) == plain_figure(other.figure)
        )

    __hash__ = None  # type: ignore[assignment]

    # -- looking -------------------------------------------------------------------------------

    @cached_property
    def next_id(self) -> int:
        """A number that no goal, key or fix has."""
        return 1 + max((i.id for i in (*self.goals, *self.keys, *self.fixes)), default=0)

    @cached_property
    def angle_keys(self) -> tuple[Key, ...]:
        """The keys that have angles."""
        return tuple(key for key in self.keys if key.angles is not None)

    def goal(self, id: int) -> KeyedGoal:  # noqa: A002
        """The goal of an id."""
        for goal in self.goals:
            if goal.id == id:
                return goal
        raise MotionError(f"there is no goal with id {id}")

    def keys_of(self, goal: int) -> tuple[Key, ...]:
        """The keys that have a target for a goal."""
        return tuple(key for key in self.keys if goal in key.targets)

    def key_at(self, time: float) -> Key | None:
        """The key at a time."""
        near = (key for key in self.keys if abs(key.time - time) <= SAME_TIME)
        return next(near, None)

    def fix_at(self, time: float) -> Fix | None:
        """The fix at a time."""
        near = (fix for fix in self.fixes if abs(fix.time - time) <= SAME_TIME)
        return next(near, None)

    # -- changed copies ------------------------------------------------------------------------

    def with_goal(self, goal: KeyedGoal) -> Document:
        """A copy with one more goal; one of the same id is replaced, in its place."""
        if all(goal.id != other.id for other in self.goals):
            return replace(self, goals=(*self.goals, goal))
        changed = tuple(goal if g.id == goal.id else g for g in self.goals)
        return replace(self, goals=changed)

    def without_goal(self, id: int) -> Document:  # noqa: A002
        """A copy without a goal and its keyed targets."""
        self.goal(id)
        keys = []
        for key in self.keys:
            targets = {i: t for i, t in key.targets.items() if i != id}
            if targets or key.angles is not None:
                keys.append(replace(key, targets=targets))
        goals = tuple(goal for goal in self.goals if goal.id != id)
        return replace(self, goals=goals, keys=tuple(keys))

    def with_key(self, key: Key) -> Document:
        """A copy with one more key; what it has replaces that of a key at its time."""
        old = self.key_at(key.time)
        if old is not None and old.id != key.id:
            angles = old.angles if key.angles is None else key.angles
            targets = {**old.targets, **key.targets}
            key = replace(key, time=old.time, angles=angles, targets=targets)
        ids = {key.id} | ({old.id} if old else set())
        return replace(self, keys=(*(k for k in self.keys if k.id not in ids), key))

    def with_fix(self, fix: Fix) -> Document:
        """A copy with one more fix; one of the same id or time is replaced."""
        old = self.fix_at(fix.time)
        ids = {fix.id} | ({old.id} if old else set())
        return replace(self, fixes=(*(f for f in self.fixes if f.id not in ids), fix))

    def without(self, ids: Iterable[int]) -> Document:
        """A copy without the keys and fixes of these ids."""
        gone = set(ids)
        known = {item.id for item in (*self.keys, *self.fixes)}
        for lost in gone - known:
            raise MotionError(f"there is no key or fix with id {lost}")
        return replace(
            self,
            keys=tuple(key for key in self.keys if key.id not in gone),
            fixes=tuple(fix for fix in self.fixes if fix.id not in gone),
        )


def _vector(values: ArrayLike, size: int, what: str) -> Array:
    vector = float_array(values)
    if vector.shape != (size,) or not np.isfinite(vector).all():
        raise MotionError(f"{what} of a target needs {size} finite numbers, not {values!r}")
    return vector


def _check_time(time: float, what: str) -> None:
    if not (np.isfinite(time) and time >= 0.0):
        raise MotionError(f"the time of {what} is {time!r}; give seconds, 0 or more")


def _same(a: ArrayLike | None, b: ArrayLike | None) -> bool:
    return a is None and b is None if a is None or b is None else np.array_equal(a, b)


def _same_clip(a: Clip | None, b: Clip | None) -> bool:
    if a is None or b is None:
        return a is b
    same = np.array_equal(a.angles, b.angles) and a.frame_time == b.frame_time
    return same and a.name == b.name  # wherever each was read from
