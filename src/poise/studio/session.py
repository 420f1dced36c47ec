"""The session: one document, what is shown of it, and every change a command. Headless.

The server feeds it commands and frames and sends what it gives back; tests do the same without one.
A command that raises a PoiseError has changed nothing.
"""

from __future__ import annotations

from poise.errors import PoiseError
from poise.motion.document import Document
from poise.motion.editing import with_pose
from poise.motion.posing import Posed, Posing
from poise.studio import describe, ghosts
from poise.studio import messages as m
from poise.studio.drag import Drag
from poise.studio.edits import EDITS, Here
from poise.studio.examples import EXAMPLES, example
from poise.studio.frames import AngleFrame, Frame, GoalFrame, TimeFrame
from poise.studio.history import History
from poise.studio.limit_shapes import limit_shapes
from poise.studio.opening import FIGURES, figure_named, opened_figure
from poise.studio.shown import pose_frame


class Turn:
    """FK: joints turned by hand from the pose at the start."""

    def __init__(self, posing: Posing, start: Posed) -> None:
        self._posing, self._start, self._wanted = posing, start, start.pose
        self.posed = start

    def move(self, dof: int, value: float) -> Posed:
        names = self._wanted.figure.dof_names
        if not dof < len(names):
            raise PoiseError(f"DOF {dof} of an angle frame; the figure has {len(names)}")
        self._wanted = self._wanted.with_angles({names[dof]: value}).clamped()
        self.posed = self._posing.at(self._start.time, start=self._wanted)
        return self.posed

    def released(self) -> Document:
        if self.posed is self._start:
            return self._posing.document
        return with_pose(self._posing.document, self._start.time, self.posed.pose)


class Session:
    """What one studio is doing."""

    def __init__(self, document: Document | None = None) -> None:
        self.history = History(document or opened_figure(figure_named("human")))
        self.path: str | None = None
        self.selection = m.SelectionInfo(None, None)
        self.ghosts = ghosts.Ghosts()
        self._gesture: tuple[int, Drag | Turn] | None = None
        self._revision = 0
        self._figure: object = None
        self._sent: dict[str, object] = {}
        self._show(0.0)

    # -- looking -------------------------------------------------------------------------------

    @property
    def document(self) -> Document:
        return self.history.document

    @property
    def posed(self) -> Posed:
        """The pose shown."""
        return self._gesture[1].posed if self._gesture else self._posed

    @property
    def time(self) -> float:
        return self._posed.time

    @property
    def is_dragging(self) -> bool:
        return self._gesture is not None

    def pose_bytes(self, sequence: int = 0) -> bytes:
        """The pose shown, as a binary frame that answers the frame `sequence`."""
        return pose_frame(self.posed, self._revision, sequence, self.is_dragging)

    def ghost_bytes(self) -> bytes | None:
        """The ghosts as a binary frame; None while there are none and none were sent."""
        reference = self._posed if self.is_dragging else None
        return self.ghosts.frame(self.posing, self._posed.time, self._revision, reference)

    def _sections(self) -> dict[str, object]:
        document, history = self.document, self.history
        figure = self._sent.get("figure")
        if document.figure is not self._figure or figure is None:
            figure = describe.figure_info(document, self._revision)
        return {
            "figure": figure,
            "goals": describe.goal_infos(self.posing, self.time, self._posed.pose),
            "timeline": describe.timeline_info(document),
            "settings": describe.settings_info(document),
            "history": m.HistoryInfo(
                history.undo_label, history.redo_label, self.path, history.is_saved
            ),
            "selection": self.selection,
        }

    def state(self, editable: bool = True) -> m.State:
        """The whole state."""
        import poise

        return m.State(
            protocol=m.PROTOCOL,
            version=poise.__version__,
            editable=editable,
            choices=_choices(),
            recovery=None,
            **self._sections(),  # type: ignore[arg-type]
        )

    def patch(self) -> m.Patch | None:
        """What changed since the last patch; None if nothing did."""
        now = self._sections()
        changed = {name: part for name, part in now.items() if part != self._sent.get(name)}
        self._sent, self._figure = now, self.document.figure
        return m.Patch(**changed) if changed else None  # type: ignore[arg-type]

    # -- changing ------------------------------------------------------------------------------

    def apply(self, command: m.Command) -> m.Done | m.Explanation | m.Limits:
        """Do what a command says and give its reply."""
        if isinstance(command, m.DragBegin | m.TurnBegin):
            self._begin(command)
        elif isinstance(command, m.DragEnd):
            self._end(command)
        elif isinstance(command, m.Explain):
            return self._explanation(command.id)
        elif isinstance(command, m.LimitsOf):
            segment = self.document.figure.segment_index(command.segment)
            shapes = limit_shapes(self.posed.pose, segment)
            return m.Limits(command.id, segment, shapes)
        else:
            self._change(command)
        return m.Done(command.id)

    def frame(self, frame: Frame) -> None:
        """Do what a frame says."""
        if isinstance(frame, TimeFrame):
            if self._gesture is not None:
                raise PoiseError("time stands still while something is dragged")
            self._show(frame.time)
            return
        if self._gesture is None or self._gesture[0] != frame.drag:
            raise PoiseError(f"nothing is dragged under the number {frame.drag}")
        gesture = self._gesture[1]
        if isinstance(frame, GoalFrame) and isinstance(gesture, Drag):
            gesture.move(frame.position, frame.rotation)
        elif isinstance(frame, AngleFrame) and isinstance(gesture, Turn):
            gesture.move(frame.dof, frame.value)
        else:
            raise PoiseError("a goal frame moves a drag, an angle frame a turn")

    def open(self, document: Document, path: str | None = None) -> None:
        """Go on with another document, from a file or an example. Cannot be undone."""
        self.history, self.path = History(document), path
        self.selection = m.SelectionInfo(None, None)
        self._show(0.0)

    def _begin(self, command: m.DragBegin | m.TurnBegin) -> None:
        if self._gesture is not None:
            raise PoiseError("something is dragged already; end that first")
        if isinstance(command, m.TurnBegin):
            gesture: Drag | Turn = Turn(self.posing, self._posed)
        else:
            gesture = Drag(self.posing, self._posed, command.effector, command.turn, command.goal)
        self._gesture = (command.drag, gesture)

    def _end(self, command: m.DragEnd) -> None:
        if self._gesture is None or self._gesture[0] != command.drag:
            raise PoiseError(f"nothing is dragged under the number {command.drag}")
        gesture = self._gesture[1]
        self._gesture = None
        if not command.cancel:
            name = f"drag {gesture.effector}" if isinstance(gesture, Drag) else "turn joints"
            self._step(name, gesture.released())

    def let_go(self) -> None:
        """End a drag whose window has gone, as if the button had gone up."""
        if self._gesture is not None:
            self._end(m.DragEnd(0, self._gesture[0]))

    def _change(self, command: m.Command) -> None:
        if self._gesture is not None:
            raise PoiseError("something is dragged; end that first")
        if type(command) in EDITS:
            label, edit = EDITS[type(command)]
            self._step(label, edit(Here(self.posing, self._posed), command))
        elif isinstance(command, m.Undo | m.Redo):
            self.history.undo() if isinstance(command, m.Undo) else self.history.redo()
            self._show(self.time)
        elif isinstance(command, m.Select):
            self._select(command)
        elif isinstance(command, m.SetGhosts):
            self.ghosts.set(command.mode, command.count, command.spacing)
        elif isinstance(command, m.OpenExample):
            self.open(example(command.name))
        else:
            raise PoiseError(f"{type(command).__name__} needs a project folder; start the studio")

    def _step(self, label: str, document: Document) -> None:
        """One step of undo. The document is posed before it is taken, so that one that cannot
        be posed is refused."""
        posed = Posing(document)
        posed.at(self.time)
        self.history.step(label, document)
        self._show(self.time)

    def _show(self, time: float) -> None:
        """Pose the document at a time."""
        document = self.document
        if not hasattr(self, "posing") or self.posing.document is not document:
            if self._figure is not None and document.figure is not self._figure:
                self._revision += 1
            self.posing = Posing(document)
        self._posed = self.posing.at(min(max(time, 0.0), document.duration))

    def _select(self, command: m.Select) -> None:
        figure = self.document.figure
        if command.effector is not None:
            figure.effector(command.effector)
        if command.segment is not None:
            figure.segment_index(command.segment)
        self.selection = m.SelectionInfo(command.effector, command.segment)

    def _explanation(self, id: int) -> m.Explanation:  # noqa: A002
        posed = self.posed
        if posed.solution is None:
            return m.Explanation(id, "There are no goals: the pose is as it is keyed.", [], [])
        found = posed.solution.explanation
        ids = {name: number for number, name in posed.names.items()}
        goals = [
            m.GoalSentence(ids[goal.name], goal.met, goal.sentence())
            for goal in found.goals
            if goal.name in ids
        ]
        limits = [
            f"{limit.dof} presses against its {limit.side} limit of {limit.shown()}."
            for limit in found.limits
        ]
        return m.Explanation(id, found.summary, goals, limits)


def _choices() -> m.ChoicesInfo:
    from poise.solve import methods

    return m.ChoicesInfo(
        figures=list(FIGURES),
        methods=[m.MethodInfo(name, method.source) for name, method in methods().items()],
        examples=[m.ExampleInfo(e.name, e.title, e.about) for e in EXAMPLES],
        read=[],
        write=[],
    )
