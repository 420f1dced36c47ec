"""What an explanation says: of every goal whether it is met and why not, and which limits bind."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from poise.problem import GoalErrors

if TYPE_CHECKING:
    from poise.solve.solution import ActiveLimit

_TELLING = 5e-4  # [m or rad]: less would be shown as 0.0


class Cause(Enum):
    """Why a goal is not met."""

    STRETCHED = "the figure is stretched out towards it"
    LIMITS = "joint limits hold it off"
    CONFLICT = "other goals hold it back"
    VELOCITY = "joints may not turn so far in one step"
    UNFINISHED = "the solve ended before it was there"


@dataclass(frozen=True)
class GoalExplanation:
    """How one goal ended, and why."""

    name: str
    error: GoalErrors
    met: bool
    causes: tuple[Cause, ...] = ()
    """The strongest first."""
    limits: tuple[ActiveLimit, ...] = ()
    """The limits that hold this goal off; multipliers are those of its own potential."""
    rivals: tuple[str, ...] = ()
    """The goals that pull against it, the strongest first."""
    gain: float | None = None
    """By how much the error falls [m, or rad for goals without a position] with 5° (or 5 cm) more
    room at the first of `limits`: from a re-solve."""
    value: float | None = None
    """What the function of a `Custom` goal says; None for the other kinds."""
    alone: GoalErrors | None = None
    """The error that is left without the other goals, re-solved, where they hold this one back."""

    def sentence(self) -> str:
        """One sentence a person understands."""
        if self.value is None:
            off = describe_error(self.error)
            met, short = f"met, {off} off", f"{off} short"
        else:
            met, short = (f"{word}, at {self.value:.3g}" for word in ("met", "not met"))
        if self.met:
            return f"{self.name} is {met}."
        reasons = [text for cause in self.causes if (text := self._reason(cause))]
        told = ", and ".join(reasons) or Cause.UNFINISHED.value
        return f"{self.name} is {short}: {told}{self._resolved()}."

    def _reason(self, cause: Cause) -> str:
        """A cause in words; those that need names have them."""
        if cause is Cause.LIMITS:
            held = [f"{limit.dof} is at its {limit.shown()} limit" for limit in self.limits[:2]]
            return " and ".join(held)
        if cause is Cause.CONFLICT:
            verb = "holds" if len(self.rivals) == 1 else "hold"
            return f"{' and '.join(self.rivals[:2])} {verb} it back"
        return cause.value

    def _resolved(self) -> str:
        """What solving again has shown, as further clauses of the sentence."""
        found = []
        if self.alone is not None and Cause.STRETCHED in self.causes:
            found.append(f"without the other goals it would be {describe_error(self.alone)} short")
        if self.gain is not None and self.gain > _TELLING:
            room = "5 cm" if self.limits[0].kind == "translation" else "5°"
            gain = self._described_gain(self.gain)
            found.append(f"{room} more in {self.limits[0].dof} would gain {gain}")
        return "".join(f"; {clause} (re-solved)" for clause in found)

    def _described_gain(self, gain: float) -> str:
        if self.value is not None:
            return f"{gain:.3g}"
        return describe_error(
            GoalErrors(gain, 0.0) if self.error.position > 0 else GoalErrors(0.0, gain)
        )


@dataclass(frozen=True)
class Explanation:
    """What a solution can say about itself."""

    goals: tuple[GoalExplanation, ...]
    limits: tuple[ActiveLimit, ...]
    """All limits that press against the goals, ranked by how fast the value would fall."""
    optimal: bool
    """Whether the pose is proven locally optimal (the projected gradient is zero)."""
    summary: str

    def __str__(self) -> str:
        lines = [self.summary, *(f"  {goal.sentence()}" for goal in self.goals)]
        if any(not goal.met for goal in self.goals):
            for limit in self.limits[:5]:
                lines.append(
                    f"  {limit.dof} presses against its {limit.side} limit of {limit.shown()},"
                    f" multiplier {limit.multiplier:.3g}"
                )
        return "\n".join(lines)


def describe_error(error: GoalErrors) -> str:
    """An error in centimetres and degrees."""
    parts = []
    if error.position > 0 or error.angle == 0:
        parts.append(f"{100 * error.position:.1f} cm")
    if error.angle > 0:
        parts.append(f"{math.degrees(error.angle):.1f}°")
    return " and ".join(parts)
