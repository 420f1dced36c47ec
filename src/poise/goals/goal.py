"""What all goals share, and the atoms that they are made of in the tables of the kernels."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import GoalError, unknown_name
from poise.figure.rotation import rotation_from
from poise.kernels.layout import TARGET_SIZE

Array = NDArray[np.float64]

CENTER_OF_MASS = "center of mass"
"""The effector of goals that hold the figure's centre of mass instead of a site."""


@dataclass(frozen=True, eq=False)
class Atom:
    """One row of the kernels' goal table (kernels/potentials.py)."""

    kind: int
    row_count: int
    effector: str
    target: Array
    """`TARGET_SIZE` floats."""
    weights: Array
    """Square roots of the weights of its parts, four floats."""
    offset: Array = field(default_factory=lambda: np.zeros(3))
    """The point of the effector that counts, in the effector's frame [m]."""
    other: str | None = None
    """The second effector of a goal between two."""
    other_offset: Array = field(default_factory=lambda: np.zeros(3))
    alternatives: object = None
    """Atoms with the same object are alternatives: only the best of them counts."""


class GoalSettings(TypedDict, total=False):
    """What every goal has besides its target: see `Goal`."""

    weight: float
    level: int
    chain: str | Sequence[str] | None
    name: str


@dataclass(frozen=True, eq=False)
class Goal(ABC):
    """Something that a figure should do. Frozen: `moved` makes a goal with another target."""

    weight: float = field(default=1.0, kw_only=True)
    """How much the goal's potential counts against the others of its level."""
    level: int = field(default=1, kw_only=True)
    """Strict priority, 1 the highest: a goal never worsens one of a higher level."""
    chain: str | Sequence[str] | None = field(default=None, kw_only=True)
    """The joints that may move for this goal, as `Figure.match_dofs` takes them; None: all."""
    name: str = field(default="", kw_only=True)
    """What `Solver.solve` and `Solution.errors` call the goal; the effector's name when empty."""

    def __post_init__(self) -> None:
        if not (is_number(self.weight) and self.weight > 0):
            raise GoalError(
                f"weight of {self._title()} is {self.weight!r}; give a number above 0,"
                " or leave the goal out (ConstraintSet.switch_off)"
            )
        whole = isinstance(self.level, int | np.integer) and not isinstance(self.level, bool)
        if not (whole and self.level >= 1):
            raise GoalError(
                f"level of {self._title()} is {self.level!r}; give a whole number from 1,"
                " the most important level"
            )
        self._set("level", int(self.level))
        if isinstance(self.chain, Iterable) and not isinstance(self.chain, str):
            self._set("chain", tuple(self.chain))
        elif not isinstance(self.chain, str | None):
            raise GoalError(
                f"chain of {self._title()} is {self.chain!r}; give names or patterns of joints"
            )
        if not isinstance(self.name, str):
            raise GoalError(f"name of {self._title()} is {self.name!r}; give a text")

    @abstractmethod
    def atoms(self) -> list[Atom]:
        """The rows of the goal table that the goal consists of."""

    @abstractmethod
    def moved(self, target: Any) -> Goal:
        """The same goal with another target, as `Solver.solve({name: target})` gives it."""

    def changed(self, **settings: Unpack[GoalSettings]) -> Self:
        """The same goal with another weight, level, chain or name."""
        for setting in settings:
            if setting not in GoalSettings.__annotations__:
                raise GoalError(unknown_name("setting", setting, GoalSettings.__annotations__))
        made = copy.copy(self)
        for setting, value in settings.items():
            made._set(setting, value)
        Goal.__post_init__(made)
        return made

    def _title(self) -> str:
        return f"the {type(self).__name__} goal"

    def _set(self, attribute: str, value: object) -> None:
        object.__setattr__(self, attribute, value)

    def _vector(self, values: ArrayLike, what: str) -> Array:
        """Three finite numbers as a read-only array, or an error that names the goal."""
        try:
            vector = np.array(values, float)
        except (TypeError, ValueError):
            vector = np.empty(0)
        if vector.shape != (3,) or not np.isfinite(vector).all():
            raise GoalError(f"{what} of {self._title()} needs three finite numbers, not {values!r}")
        vector.flags.writeable = False
        return vector

    def _direction(self, values: ArrayLike, what: str) -> Array:
        """A unit vector, or an error."""
        vector = self._vector(values, what)
        length = float(np.linalg.norm(vector))
        if length < 1e-9:
            raise GoalError(f"{what} of {self._title()} needs a vector that is not zero")
        unit = vector / length
        unit.flags.writeable = False
        return unit

    def _take_rotation(self) -> Array | None:
        """The rotation in whichever form it was given, or None; only `rotation` keeps it."""
        forms = ("rotation", "quat_wxyz", "quat_xyzw", "euler")
        given = {form: getattr(self, form) for form in forms}
        matrix = rotation_from(**given, what=f"rotation of {self._title()}")
        for form in forms:
            self._set(form, None)
        self._set("rotation", matrix)
        return matrix

    def _number(self, value: object, what: str, least: float = 0.0) -> float:
        """A finite number, or an error."""
        if not (is_number(value) and value >= least):  # type: ignore[operator]
            raise GoalError(f"{what} of {self._title()} is {value!r}; give a number >= {least:g}")
        return float(value)  # type: ignore[arg-type]

    def _degrees_factor(self, degrees_per_metre: float) -> float:
        """ZB's c_d = 360 / (2 pi d): one metre matters as much as d degrees."""
        if not (is_number(degrees_per_metre) and degrees_per_metre > 0):
            raise GoalError(
                f"degrees_per_metre of {self._title()} is {degrees_per_metre!r};"
                " give a number above 0: so many degrees matter as much as one metre"
            )
        return 360.0 / (2.0 * math.pi * degrees_per_metre)


@dataclass(frozen=True, eq=False)
class SiteGoal(Goal):
    """A goal of one effector: a site or a segment of the figure."""

    kind: ClassVar[int]
    row_count: ClassVar[int]

    effector: str
    offset: ArrayLike = field(default=(0.0, 0.0, 0.0), kw_only=True)
    """The point of the effector that counts, in its own frame [m]."""

    def __post_init__(self) -> None:
        if not isinstance(self.effector, str):
            raise GoalError(
                f"effector of a {type(self).__name__} goal is {self.effector!r};"
                " give the name of a site or segment"
            )
        super().__post_init__()
        self._set("offset", self._vector(self.offset, "offset"))
        if not self.name:
            self._set("name", self.effector)

    @abstractmethod
    def target_row(self) -> Array:
        """The goal's row of the target table, `TARGET_SIZE` floats."""

    def weight_row(self) -> Array:
        """Square roots of the weights of the goal's parts, four floats."""
        return padded(math.sqrt(self.weight), size=4)

    def atoms(self) -> list[Atom]:
        return [
            Atom(
                self.kind,
                self.row_count,
                self.effector,
                self.target_row(),
                self.weight_row(),
                np.asarray(self.offset),
            )
        ]

    def _title(self) -> str:
        return f"the {type(self).__name__} goal on {self.effector!r}"


def padded(*parts: ArrayLike, size: int = TARGET_SIZE) -> Array:
    """The parts one after the other, filled up with zeros to a row of a table."""
    row = np.zeros(size)
    flat = np.concatenate([np.atleast_1d(np.asarray(part, float)).reshape(-1) for part in parts])
    row[: flat.size] = flat
    return row


def is_number(value: object) -> bool:
    """Whether a value is one finite number."""
    return isinstance(value, int | float | np.integer | np.floating) and math.isfinite(value)
