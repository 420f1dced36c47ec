"""Custom: a goal that the user writes in Python. P and ∇P are what a function says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import GoalError
from poise.figure.pose import Pose
from poise.goals.goal import Array, Atom, Goal

Function = Callable[[Pose], tuple[float, ArrayLike]]

_STEP = 1e-4  # of the differences that check a gradient [rad or m]


@dataclass(frozen=True, eq=False)
class Custom(Goal):
    """Make the value of `function(pose) -> (value, gradient)` as small as it gets.

    The value is a finite number >= 0, least where the goal holds best; `weight` times it is added
    to the value of the problem. The gradient (dofs,) is its derivative by every DOF, in the order
    of `figure.dof_names` [per rad or m]. The same pose must always give the same answer.

    Without `met_below` the goal is a preference like `Posture`: never "not met", and brought to
    its least. With it, it is met when value <= `met_below`, and a solve may end there.

    The function runs in Python at every evaluation, so solving takes longer than with the other
    kinds. `check` compares its gradient with differences of its value.
    """

    function: Function
    met_below: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if not self.name:
            self._set("name", "custom")
        super().__post_init__()
        if not callable(self.function):
            raise GoalError(
                f"function of {self._title()} is {self.function!r};"
                " give one that takes a pose and returns (value, gradient)"
            )
        if self.met_below is not None and not self._number(self.met_below, "met_below") > 0:
            raise GoalError(
                f"met_below of {self._title()} is 0; give a number above 0,"
                " or None for a goal that is a preference"
            )

    def atoms(self) -> list[Atom]:
        return []

    def moved(self, target: Any) -> Custom:
        """The same goal with another function."""
        return replace(self, function=target)

    def evaluated(self, pose: Pose) -> tuple[float, Array]:
        """What the function says at a pose, checked: the value and the gradient (dofs,)."""
        try:
            answer = self.function(pose)
        except Exception as error:
            raise GoalError(
                f"the function of {self._title()} raised {type(error).__name__}: {error}"
            ) from error
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise self._bad_answer(_shown(answer), "return the pair (value, gradient)")
        return self._value(answer[0]), self._gradient(answer[1], pose)

    def check(self, pose: Pose, *, tolerance: float = 1e-4) -> float:
        """Compare the gradient at a pose with central differences of the value.

        Returns the largest difference, as a share of the largest entry of either. Above
        `tolerance` it is an error that names the DOF.
        """
        if not isinstance(pose, Pose):
            raise GoalError(f"{self._title()} is checked at a pose, not at {pose!r}")
        value, given = self.evaluated(pose)
        measured = np.empty_like(given)
        for d, step in enumerate(_STEP * np.eye(given.size)):
            above, below = (
                self.evaluated(Pose(pose.figure, pose.angles + sign * step))[0] for sign in (1, -1)
            )
            measured[d] = (above - below) / (2.0 * _STEP)
        # Differences of a value v are good to about 1e-16 v / step: that much is no disagreement.
        noise = 1e-8 * (1.0 + value)
        scale = max(np.abs(given).max(initial=0.0), np.abs(measured).max(initial=0.0), noise)
        off = np.abs(given - measured) / scale
        worst = int(off.argmax()) if off.size else 0
        if off.size and off[worst] > tolerance:
            raise GoalError(
                f"the gradient of {self._title()} disagrees with its value:"
                f" by {pose.figure.dof_names[worst]!r} it is {given[worst]:.6g},"
                f" central differences give {measured[worst]:.6g}"
            )
        return float(off[worst]) if off.size else 0.0

    def _value(self, given: object) -> float:
        try:
            value = np.asarray(given, float)
        except (TypeError, ValueError):
            value = np.empty(0)
        if value.shape != () or not np.isfinite(value):
            raise self._bad_answer(f"the value {_shown(given)}", "return one finite number")
        if value < 0:
            remedy = "return a number >= 0 (add a constant; max(0.0, …) against rounding)"
            raise self._bad_answer(f"the value {_shown(given)}", remedy)
        return float(value)

    def _gradient(self, given: object, pose: Pose) -> Array:
        count = pose.angles.size
        remedy = f"return one finite number for each of the {count} DOFs (figure.dof_names)"
        try:
            gradient = np.asarray(given, float)
        except (TypeError, ValueError):
            raise self._bad_answer(f"the gradient {_shown(given)}", remedy) from None
        if gradient.shape != (count,):
            raise self._bad_answer(f"a gradient of shape {gradient.shape}", remedy)
        finite = np.isfinite(gradient)
        if not finite.all():
            d = int(np.argmin(finite))
            where = f"a gradient with {gradient[d]} for {pose.figure.dof_names[d]!r}"
            raise self._bad_answer(where, remedy)
        return gradient

    def _bad_answer(self, what: str, remedy: str) -> GoalError:
        return GoalError(f"the function of {self._title()} returned {what}; {remedy}")

    def _title(self) -> str:
        return f"the {type(self).__name__} goal {self.name!r}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]} …"
