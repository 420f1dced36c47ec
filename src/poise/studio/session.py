"""The session: one document, what is shown of it, and every change a command. Headless.

The server feeds it commands and frames and sends what it gives back; tests do the same without one.
A command that raises a PoiseError has changed nothing.
"""

from __future__ import annotations

import time
from pathlib import Path

from poise.errors import FileError, PoiseError
from poise.motion.document import Document
from poise.motion.posing import Posed, Posing
from poise.studio import commands, describe, ghosts, sections
from poise.studio import messages as m
from poise.studio.drag import Drag
from poise.studio.edits import EDITS, Here
from poise.studio.examples import CROWD, WALKER, example
from poise.studio.frames import AngleFrame, Frame, GoalFrame, TimeFrame
from poise.studio.history import History
from poise.studio.keeper import Keeper
from poise.studio.opening import figure_named, opened_figure
from poise.studio.project import Project
from poise.studio.shown import pose_frame
from poise.studio.state import (
    Sections,
    document_sections,
    explanation,
    limits,
    patch_of,
    recovery_info,
    whole_state,
)
from poise.studio.tracking import tracked
from poise.studio.turn import Turn
from poise.studio.walking import Walk, Walking, WalkSettings, led

WALKS = {WALKER: WalkSettings(), CROWD: WalkSettings("hills", company=49)}
"""The examples that walk, and how."""
WHILE_WALKING = (
    *(commands.Select, commands.SetGhosts, commands.SaveFile),
    *(commands.OpenExample, commands.OpenFile, commands.Recover),
)
"""What may be done during a walk; the last three end it."""


class Session:
    """What one studio is doing."""

    def __init__(
        self,
        document: Document | None = None,
        project: Project | None = None,
        journals: Path | None = None,
    ) -> None:
        """Of `project` and `journals` see the keeper."""
        self.history = History(document or opened_figure(figure_named("human")))
        self.keeper = Keeper(project, journals)
        self.notices: list[str] = []
        """What to tell the person; whoever shows it takes it out."""
        self.selection = sections.SelectionInfo(None, None)
        self.ghosts = ghosts.Ghosts()
        self._gesture: tuple[int, Drag | Turn] | None = None
        self.walk: Walk | None = None
        self._revision = 0
        self._figure: object = None
        self._sent: Sections = {}
        self._show(0.0)

    # -- looking -------------------------------------------------------------------------------

    @property
    def document(self) -> Document:
        return self.history.document

    @property
    def posed(self) -> Posed:
        """The pose shown."""
        if self.walk is not None:
            return self.walk.posed
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

    def walk_bytes(self) -> bytes | None:
        """Where the walk is, as a binary frame; None while there is none."""
        return None if self.walk is None else self.walk.frame(self._revision)

    def company_bytes(self) -> bytes | None:
        """Those who walk about the figure, as a binary frame; None while there are none."""
        return None if self.walk is None else self.walk.company_frame(self._revision)

    def state(self, editable: bool = True, watch: str | None = None) -> m.State:
        """The whole state. `watch`: the token of those who may look on."""
        return whole_state(self._sections(), editable, watch)

    def _sections(self) -> Sections:
        figure = self._sent.get("figure")
        if self.document.figure is not self._figure or figure is None:
            figure = describe.figure_info(self.document, self._revision)
        shown = {"figure": figure, "selection": self.selection}
        shown["recovery"] = recovery_info(self.keeper.recovery)
        shown["walk"] = None if self.walk is None else self.walk.info
        return shown | document_sections(self.posing, self._posed, self.history, self.keeper.path)

    def patch(self, moved: bool = False) -> m.Patch | None:
        """What changed since the last patch; None if nothing did.

        `moved`: nothing but time has passed, so that only what moves is looked at.
        """
        if moved and self.is_dragging:
            return None
        if moved and self.walk is not None:
            return patch_of({"walk": self.walk.info}, self._sent)
        found = patch_of(self._sections(), self._sent)
        self._figure = self.document.figure
        return found

    # -- changing ------------------------------------------------------------------------------

    def apply(self, command: commands.Command) -> m.Done | m.Explanation | m.Limits | m.Files:
        """Do what a command says and give its reply."""
        if isinstance(command, commands.DragBegin | commands.TurnBegin):
            self._begin(command)
        elif isinstance(command, commands.DragEnd):
            self._end(command)
        elif isinstance(command, Walking):
            self._lead(command)
        elif isinstance(command, commands.Explain):
            return explanation(command.id, self.posing, self.posed)
        elif isinstance(command, commands.LimitsOf):
            return limits(command, self.posed.pose)
        elif isinstance(command, commands.ListFiles):
            return self.keeper.files(command.id)
        else:
            self._change(command)
        return m.Done(command.id)

    def frame(self, frame: Frame) -> None:
        """Do what a frame says."""
        if isinstance(frame, TimeFrame):
            if self.walk is not None:
                raise PoiseError("the figure is walking; end the walk to go to another time")
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

    @property
    def is_settled(self) -> bool:
        """Whether what is dragged is where it can be; else `settle` brings it nearer. A walk
        never rests."""
        if self.walk is not None:
            return False
        gesture = self._gesture[1] if self._gesture else None
        return not isinstance(gesture, Drag) or gesture.is_settled

    def settle(self) -> bool:
        """While the mouse rests: go on with what a drag or a walk has left to do; whether there
        was anything."""
        if self.walk is not None:
            return self.walk.catch_up(time.perf_counter())
        if self._gesture is not None and isinstance(self._gesture[1], Drag):
            self._gesture[1].settle()
        return True

    def open(self, document: Document) -> None:
        """Go on with another document, from a file or an example. Cannot be undone."""
        self.walk = None
        self.history = History(document)
        self.selection = sections.SelectionInfo(None, None)
        self._show(0.0)

    def open_file(self, path: str, also: str | None = None) -> None:
        """Open a file of the project."""
        document, notes = self.keeper.open(path, also)
        self.open(document)
        self.notices += notes

    def show_frame(self, frame: int) -> None:
        """Go to a frame of the document, or to its last."""
        document = self.document
        self._show(frame * (document.clip.frame_time if document.clip else 1.0 / document.fps))

    def ground(self, place: str) -> bytes:
        """The mesh of the ground about the figure, while it walks there."""
        if self.walk is None or str(self.walk.place) != place:
            raise FileError("there is no such ground; the walk has ended, or goes on elsewhere")
        return self.walk.mesh()

    def close(self) -> None:
        """End the session. Work that was not saved is offered to the next one."""
        try:
            self.let_go()
        finally:
            self.keeper.close(self.history)

    def _recover(self, accept: bool) -> None:
        found = self.keeper.left_behind()
        if accept:
            self.open(found.document)
            self.keeper.path = found.file
            self.history.unsaved()
            self.keeper.autosave(self.history)  # the new journal has it before the old one goes
        self.keeper.forget()

    def _begin(self, command: commands.DragBegin | commands.TurnBegin) -> None:
        if self._gesture is not None or self.walk is not None:
            raise PoiseError("something is dragged already, or the figure walks; end that first")
        if isinstance(command, commands.TurnBegin):
            gesture: Drag | Turn = Turn(self.posing, self._posed, command.about)
        else:
            gesture = Drag(self.posing, self._posed, command.effector, command.turn, command.goal)
        self._gesture = (command.drag, gesture)

    def _end(self, command: commands.DragEnd) -> None:
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
            self._end(commands.DragEnd(0, self._gesture[0]))

    def _change(self, command: commands.Command) -> None:
        if self._gesture is not None:
            raise PoiseError("something is dragged; end that first")
        if self.walk is not None and not isinstance(command, WHILE_WALKING):
            raise PoiseError("the figure is walking; end the walk first")
        if type(command) in EDITS:
            label, edit = EDITS[type(command)]
            self._step(label, edit(Here(self.posing, self._posed), command))
            if isinstance(command, commands.NewDocument):
                self.keeper.path = None  # or saving it would replace the file of the one before
                self._show(0.0)
        elif isinstance(command, commands.Undo | commands.Redo):
            self.history.undo() if isinstance(command, commands.Undo) else self.history.redo()
            self._show(self.time)
        elif isinstance(command, commands.Select):
            self._select(command)
        elif isinstance(command, commands.SetGhosts):
            self.ghosts.set(command.mode, command.count, command.spacing)
        elif isinstance(command, commands.TrackClip):
            document, told = tracked(self.document, command)
            self._step("track clip", document)
            self.notices.append(told)
        elif isinstance(command, commands.OpenExample):
            self.open(example(command.name))
            self.keeper.path = None
            if command.name in WALKS:
                self.walk = Walk(self.document.figure, WALKS[command.name])
        elif isinstance(command, commands.OpenFile):
            self.open_file(command.path, command.also)
        elif isinstance(command, commands.SaveFile):
            self.keeper.save(self.history, command.path)
        else:
            assert isinstance(command, commands.Recover)
            self._recover(command.accept)

    def _lead(self, command: Walking) -> None:
        """Begin, drive, change, record or end a walk."""
        if self._gesture is not None:
            raise PoiseError("something is dragged; end that first")
        self.walk, recorded = led(self.walk, command, self.document.figure)
        if recorded is not None:
            self._step("record a walk", recorded)

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

    def _select(self, command: commands.Select) -> None:
        figure = self.document.figure
        if command.effector is not None:
            figure.effector(command.effector)
        if command.segment is not None:
            figure.segment_index(command.segment)
        self.selection = sections.SelectionInfo(command.effector, command.segment)
