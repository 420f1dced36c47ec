"""The windows of one session: who may edit, who gets what. Knows no HTTP."""

from __future__ import annotations

import asyncio
import logging

from poise.errors import PoiseError
from poise.studio import commands
from poise.studio import messages as m
from poise.studio.frames import Frame
from poise.studio.inbox import Inbox, RefusedError, read_message
from poise.studio.journal import INTERVAL
from poise.studio.outbox import Outbox, Send
from poise.studio.session import Session

log = logging.getLogger("poise.studio")

_SLOW = (
    commands.OpenFile,
    commands.SaveFile,
    commands.OpenExample,
    commands.Recover,
    commands.ChangeSettings,
    commands.NewDocument,
    commands.TrackClip,
    commands.WalkBegin,
    commands.WalkChange,
)
"""Commands that read, write or compile: done in a thread, so that other windows stay alive."""
SETTLE = 1.0 / 120.0
"""While the mouse rests, a drag that is behind goes on this often [s]."""
_LOOKS = (commands.Explain, commands.LimitsOf, commands.ListFiles)
"""Commands that change nothing: every window may send them,"""
_GLANCES = (commands.Explain, commands.LimitsOf)
"""and of those these, where one may only watch."""


class Window:
    """One connected page."""

    def __init__(self, watches: bool = False) -> None:
        self.inbox, self.outbox = Inbox(), Outbox()
        self.watches = watches
        """Whether it may never change anything."""


class Hub:
    """Feeds the session with what the first window sends, and all windows with what it shows."""

    def __init__(self, session: Session, watch_token: str = "") -> None:
        self.session = session
        self._watch_token = watch_token
        self._windows: list[Window] = []
        self._turn = asyncio.Lock()

    @property
    def editor(self) -> Window | None:
        """The window that may change things: the one that has been there longest."""
        return next((window for window in self._windows if not window.watches), None)

    def join(self, watches: bool = False) -> Window:
        """A new window, which gets the whole state."""
        window = Window(watches)
        self._windows.append(window)
        self.session.patch()  # what follows is measured against this state
        watch = None if watches else self._watch_token
        window.outbox.state(self.session.state(window is self.editor, watch))
        window.outbox.frame("pose", self.session.pose_bytes())
        return window

    def leave(self, window: Window) -> None:
        """A window has gone. If it was the editor, the next one is."""
        was_editor = window is self.editor
        self._windows.remove(window)
        if was_editor:
            try:
                self.session.let_go()
            except PoiseError:
                log.exception("a drag could not be ended")
            self._publish(0)
            if self.editor is not None:
                self.editor.outbox.patch(m.Patch(editable=True))
                self.editor.inbox.wake()  # to go on with a walk

    def _hand_over(self, window: Window) -> None:
        """Let another window edit; what the editor drags ends, as if the button had gone up."""
        if window.watches:
            raise PoiseError("who has the link to watch cannot edit; ask for the studio's address")
        before = self.editor
        if window is before or before is None:
            return
        self.session.let_go()
        self._windows.remove(window)
        self._windows.insert(0, window)
        before.outbox.patch(m.Patch(editable=False))
        before.outbox.reply(m.Notice("Another window edits now; this one looks on", "info"))
        window.outbox.patch(m.Patch(editable=True))

    async def autosave(self) -> None:
        """Keep the journal at most a second behind, until cancelled."""
        failed = False
        while True:
            await asyncio.sleep(INTERVAL)
            try:
                session = self.session
                await asyncio.to_thread(session.keeper.autosave, session.history)
                failed = False
            except PoiseError as error:
                if not failed:  # say it once
                    self.session.notices.append(str(error))
                    self._publish(0)
                failed = True

    async def receive(self, window: Window, data: str | bytes) -> None:
        """A message from a window; what is none is refused and forgotten."""
        try:
            await window.inbox.put(read_message(data))
        except RefusedError as error:
            window.outbox.reply(m.Failure(error.id, str(error)))
        except PoiseError as error:
            window.outbox.reply(m.Failure(-1, str(error)))

    async def serve(self, window: Window, send: Send) -> None:
        """Do what a window asks, one thing after the other, until cancelled.

        The answer to a frame is sent from here: waking another task for it takes its time.
        """
        sequence = 0
        while True:
            waiting = None if self.session.is_settled or window is not self.editor else SETTLE
            item = await window.inbox.get(waiting)
            async with self._turn:
                if item is None:
                    self._go_on(sequence)
                    continue
                if isinstance(item, commands.Command):
                    sequence = 0
                    await self._do(window, item)
                    continue
                sequence = item.sequence
                window.outbox.hold()
                await self._do(window, item)
            await window.outbox.flush(send)

    def _go_on(self, sequence: int) -> None:
        """While nothing is asked: what a drag or a walk has left to do."""
        walk = self.session.walk
        try:
            moved = self.session.settle()
        except Exception as error:
            if walk is None:
                raise
            log.exception("a walk has failed")
            self.session.walk = None
            self.session.notices.append(f"the walk has ended: {error}")
            self._publish(sequence)
            return
        if moved:
            self._publish(sequence, moved=True)

    async def _do(self, window: Window, item: commands.Command | Frame) -> None:
        number = item.id if isinstance(item, commands.Command) else -1
        sequence = 0 if isinstance(item, commands.Command) else item.sequence
        try:
            looks = _GLANCES if window.watches else _LOOKS
            if isinstance(item, commands.TakeOver):
                self._hand_over(window)
                reply = m.Done(number)
            elif window is not self.editor and not isinstance(item, looks):
                raise PoiseError("another window edits this document; this one only shows it")
            else:
                reply = await self._ask(item)
        except PoiseError as error:
            window.outbox.reply(m.Failure(number, str(error)))
            return
        except Exception as error:
            # One faulty command must not end the session with the person's work in it.
            log.exception("a fault in Poise")
            window.outbox.reply(m.Failure(number, f"a fault in Poise: {error!r}; please report it"))
            return
        if not isinstance(item, _LOOKS):
            self._publish(sequence, moved=not isinstance(item, commands.Command))
        if reply is not None:
            window.outbox.reply(reply)

    async def _ask(self, item: commands.Command | Frame) -> m.Outgoing | None:
        if not isinstance(item, commands.Command):
            self.session.frame(item)
            return None
        if isinstance(item, _SLOW):
            return await asyncio.to_thread(self.session.apply, item)
        return self.session.apply(item)

    def _publish(self, sequence: int, moved: bool = False) -> None:
        """Tell all windows what has changed."""
        session = self.session
        patch = session.patch(moved)
        pose = session.pose_bytes(sequence)
        ghosts, walk = session.ghost_bytes(), session.walk_bytes()
        company = session.company_bytes()
        notices = [m.Notice(text, "warning") for text in session.notices]
        session.notices.clear()
        for window in self._windows:
            for notice in notices:
                window.outbox.reply(notice)
            if patch is not None:
                window.outbox.patch(patch)
            window.outbox.frame("pose", pose)
            if ghosts is not None:
                window.outbox.frame("ghosts", ghosts)
            if walk is not None:
                window.outbox.frame("walk", walk)
            if company is not None:
                window.outbox.frame("company", company)
