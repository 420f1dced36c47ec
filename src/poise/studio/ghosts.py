"""Ghosts: poses drawn besides the pose, of the reference, the key before, or around in time."""

from __future__ import annotations

from poise.figure.pose import Pose
from poise.motion.document import SAME_TIME
from poise.motion.posing import Posed, Posing
from poise.studio.frames import encode_ghosts
from poise.studio.sections import GhostMode
from poise.studio.shown import placements


class Ghosts:
    """Which ghosts are wanted."""

    def __init__(self) -> None:
        self._mode: GhostMode = "off"
        self._count, self._spacing = 2, 0.2
        self._last: bytes | None = None

    def set(self, mode: GhostMode, count: int, spacing: float) -> None:
        """Choose the ghosts: for "onion" so many each way, so many seconds apart."""
        self._mode, self._count, self._spacing = mode, count, spacing

    def frame(
        self, posing: Posing, time: float, revision: int, reference: Posed | None
    ) -> bytes | None:
        """The ghosts as a binary frame, or None if the last one still holds."""
        poses = self._poses(posing, time, reference)
        if not poses and self._last is None:
            return None
        frame = encode_ghosts(revision, [(at, placements(pose)) for at, pose in poses])
        if frame == self._last:
            return None
        self._last = frame if poses else None
        return frame

    def _poses(
        self, posing: Posing, time: float, reference: Posed | None
    ) -> list[tuple[float, Pose]]:
        document = posing.document
        if self._mode == "reference":
            if reference is not None:
                return [(reference.time, reference.pose)]
            return [(time, Pose(document.figure, posing.angles(time)))]
        times: list[float] = []
        if self._mode == "previous-key":
            items = (*document.keys, *document.fixes)
            before = [item.time for item in items if item.time < time - SAME_TIME]
            times = [max(before)] if before else []
        elif self._mode == "onion":
            steps = [s for s in range(-self._count, self._count + 1) if s != 0]
            wanted = [time + s * self._spacing for s in steps]
            times = [t for t in wanted if 0.0 <= t <= document.duration]
        return [(t, posing.at(t).pose) for t in times]
