"""FK: joints turned by hand, by a slider or a ring, from the button going down to its going up."""

from __future__ import annotations

from poise.errors import PoiseError
from poise.motion.document import Document
from poise.motion.editing import with_pose
from poise.motion.posing import Posed, Posing


class Turn:
    """Turns joints of the pose at the start; pins and goals still hold."""

    def __init__(self, posing: Posing, start: Posed) -> None:
        self._posing, self._start, self._wanted = posing, start, start.pose
        self.posed = start

    def move(self, dof: int, value: float) -> Posed:
        """The pose with a DOF, by its number, at a value [rad or m], as far as limits let it."""
        names = self._wanted.figure.dof_names
        if not dof < len(names):
            raise PoiseError(f"DOF {dof} of an angle frame; the figure has {len(names)}")
        self._wanted = self._wanted.with_angles({names[dof]: value}).clamped()
        self.posed = self._posing.at(self._start.time, start=self._wanted)
        return self.posed

    def released(self) -> Document:
        """The document when the button goes up."""
        if self.posed is self._start:
            return self._posing.document
        return with_pose(self._posing.document, self._start.time, self.posed.pose)
