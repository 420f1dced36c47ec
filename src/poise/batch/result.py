"""What came of one clip: a row of the manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from poise.motion.track_report import TrackReport

Status = Literal["pending", "done", "failed"]


class Measures(Struct, frozen=True, kw_only=True):
    """How well a clip went. Lengths in m; None: not measured by this job."""

    frames: int = 0
    worst_error: float | None = None
    mean_error: float | None = None
    worst_frame: int | None = None
    worst_goal: str = ""
    frames_off: int | None = None
    """Frames in which a goal is off by more than 1 cm."""
    frames_at_limits: int | None = None
    """Frames in which a joint is exactly at a limit; of the job report, outside."""
    slip: float | None = None
    """How far a foot that stands moves, at most."""
    jitter: float | None = None
    """Root mean square of the second differences of all points."""
    source_jitter: float | None = None

    @classmethod
    def of(cls, told: TrackReport, slip: float | None) -> Measures:
        """How well effectors were followed; jitter against the captured motion."""
        return cls(
            frames=told.frames,
            worst_error=told.worst_error,
            mean_error=told.mean_error,
            worst_frame=told.worst_frame,
            worst_goal=told.worst_goal,
            frames_off=told.frames_off,
            frames_at_limits=told.at_any_limit,
            slip=slip,
            jitter=told.jitter,
            source_jitter=told.source_jitter,
        )


class Result(Struct, frozen=True, kw_only=True):
    """A row of the manifest."""

    name: str
    """The clip's path inside the archive."""
    source: str
    """The file."""
    out: str = ""
    """What was written, inside the output folder; nothing by the job report."""
    status: Status = "pending"
    error: str = ""
    """Why it failed."""
    notes: tuple[str, ...] = ()
    """What had to be assumed about the file."""
    measures: Measures = Measures()
    seconds: float = 0.0
    """The time that it took a worker."""
    input_size: int = 0
    input_modified: int = 0
    input_hash: str = ""
    settings_hash: str = ""
    version: str = ""
    out_size: int = 0
    attempts: int = 0

    @property
    def ok(self) -> bool:
        return self.status == "done"
