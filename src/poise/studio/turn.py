"""FK: joints turned by hand, by a slider or a ring, from the button going down to its going up."""

from __future__ import annotations

from poise.errors import PoiseError
from poise.figure.figure import Figure
from poise.motion.document import Document
from poise.motion.editing import with_pose
from poise.motion.fixing import below, fix_begun
from poise.motion.joint_turns import ball_turned
from poise.motion.posing import Posed, Posing


class Turn:
    """Turns joints of the pose at the start; pins and goals still hold."""

    def __init__(
        self, posing: Posing, start: Posed, about: tuple[float, float, float] | None = None
    ) -> None:
        """`about`: an axis in the world, about which a ball joint is turned as a whole."""
        self._about = about
        self._before = posing.document
        self._posing, self._start, self._wanted = posing, start, start.pose
        self._moved: set[str] = set()
        self.posed = start

    def move(self, dof: int, value: float) -> Posed:
        """The pose with a DOF, by its number, at a value [rad or m], as far as limits let it; or
        its ball joint turned by that much since the start."""
        names = self._wanted.figure.dof_names
        if not dof < len(names):
            raise PoiseError(f"DOF {dof} of an angle frame; the figure has {len(names)}")
        if self._about is None:
            wanted = self._wanted.with_angles({names[dof]: value})
        else:
            wanted = ball_turned(self._start.pose, dof, self._about, value, self._wanted)
        self._let_go_below(dof)
        self._wanted = wanted.clamped()
        self.posed = self._posing.at(self._start.time, start=self._wanted)
        return self.posed

    def _let_go_below(self, dof: int) -> None:
        """Over a clip: what hangs on a joint that is turned is not held where the clip has it."""
        figure, document = self._wanted.figure, self._before
        if document.clip is None:
            return
        owners = [segment.name for segment in figure.segments for _ in segment.joint.dofs]
        moved = self._moved | (set() if dof < _root_dofs(figure) else below(figure, owners[dof]))
        if moved != self._moved or self._posing.document is document:
            self._moved = moved
            self._posing = Posing(fix_begun(document, self._start.time, moved))

    def released(self) -> Document:
        """The document when the button goes up."""
        if self.posed is self._start:
            return self._before
        document = self._posing.document
        return with_pose(document, self._start.time, self.posed.pose, moved=self._moved)


def turned(posing: Posing, start: Posed, angles: dict[str, float]) -> Document:
    """The document with DOFs by name set [rad or m], as far as limits let them."""
    turn = Turn(posing, start)
    for name, value in angles.items():
        turn.move(start.pose.figure.dof_index(name), value)
    return turn.released()


def _root_dofs(figure: Figure) -> int:
    return len(figure.segments[0].joint.dofs)
