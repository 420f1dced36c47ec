"""How well a figure followed: errors, limits, jitter and slip over a whole clip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from poise.motion.contacts import ContactReport

OFF = 0.01
"""A goal farther away than this [m] is off."""
NONE = 1e-9
"""Jitter below this [m] is that of rounded numbers."""


@dataclass(frozen=True)
class TrackReport:
    """Lengths in m, angles in rad."""

    frames: int
    goals: int
    missing: int
    """Samples that were missing: their goals were off in those frames."""
    worst_error: float
    mean_error: float
    frames_off: int
    """Frames in which a goal is off by more than 1 cm."""
    worst_frame: int
    worst_goal: str
    at_limit: Mapping[str, int]
    """How many frames each DOF spends exactly at a limit, the most first."""
    at_any_limit: int
    """Frames in which a DOF is exactly at a limit."""
    restarts: tuple[int, ...]
    """Frames that were solved from another pose, which may be a jump."""
    jitter: float
    """Root mean square of the second differences of all points [m]."""
    source_jitter: float
    angle_jitter: float
    """The same of all DOFs."""
    source_angle_jitter: float | None
    slip_before: ContactReport | None
    slip_after: ContactReport | None
    """How still heels and balls stand, in the source and now."""

    @property
    def jitter_ratio(self) -> float:
        """Jitter against the source's; where that has none 0 if this has none, else infinite."""
        if self.source_jitter < NONE:
            return 0.0 if self.jitter < NONE else float("inf")
        return self.jitter / self.source_jitter

    def document(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return asdict(self) | {"at_limit": dict(self.at_limit), "jitter_ratio": self.jitter_ratio}

    def __str__(self) -> str:
        lines = [
            f"{self.frames} frames, {self.goals} goals: worst {_mm(self.worst_error)}"
            f" ({self.worst_goal}, frame {self.worst_frame}), mean {_mm(self.mean_error)};"
            f" {self.frames_off} frames off by more than 1 cm",
            f"jitter {self.jitter_ratio:.2f} of the source's"
            if self.source_jitter >= NONE
            else f"jitter {1000.0 * self.jitter:.2g} mm; the source has none",
        ]
        if self.missing:
            lines.append(f"{self.missing} samples missing")
        if self.at_limit:
            shown = ", ".join(f"{n} {c}" for n, c in list(self.at_limit.items())[:6])
            lines.append(f"frames at limits: {shown}")
        if self.restarts:
            shown = ", ".join(map(str, self.restarts[:8]))
            lines.append(f"solved from another pose, maybe with a jump: frames {shown}")
        if self.slip_before is not None and self.slip_after is not None:
            lines.append(
                f"{self.slip_before.count} contacts: slip {_mm(self.slip_before.slip)} before,"
                f" {_mm(self.slip_after.slip)} after"
            )
        return "\n".join(lines)


def _mm(metres: float) -> str:
    return f"{1000.0 * metres:.2f} mm" if metres < 0.01 else f"{100.0 * metres:.1f} cm"
