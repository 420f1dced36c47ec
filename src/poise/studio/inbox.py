"""What one window asked for and was not done yet: in order, but of moves only the newest."""

from __future__ import annotations

import asyncio
from collections import deque

import msgspec

from poise.errors import PoiseError
from poise.studio import commands
from poise.studio import messages as m
from poise.studio.frames import AngleFrame, Frame, GoalFrame, decode_frame

MOST_COMMANDS = 256
"""So many commands may wait; a window that sends more is not read until some are done."""


class RefusedError(PoiseError):
    """A message that is none of ours; `id` is its number where it has one, else -1."""

    def __init__(self, message: str, id: int = -1) -> None:  # noqa: A002
        super().__init__(message)
        self.id = id


def read_message(data: str | bytes) -> commands.Command | Frame:
    """A message of a window, checked."""
    if isinstance(data, bytes):
        return decode_frame(data)
    if len(data) > m.MOST_TEXT:
        raise RefusedError(f"a message of {len(data)} characters; the largest has {m.MOST_TEXT}")
    try:
        return m.decode(data.encode())
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RefusedError(f"not a message of this studio: {error}", _id(data)) from None


def _id(data: str) -> int:
    try:
        found = msgspec.json.decode(data.encode()).get("id", -1)
    except (msgspec.DecodeError, UnicodeError, RecursionError, AttributeError):
        return -1
    return found if isinstance(found, int) else -1


class Inbox:
    """Commands and frames in the order in which they came.

    A frame that follows one of the same thing replaces it: the newest wins.
    """

    def __init__(self) -> None:
        self._waiting: deque[commands.Command | Frame] = deque()
        self._taker: asyncio.Future[None] | None = None
        self._room = asyncio.Event()
        self._room.set()

    async def put(self, item: commands.Command | Frame) -> None:
        if self._waiting and _moves_same(self._waiting[-1], item):
            self._waiting[-1] = item
        else:
            self._waiting.append(item)
        _wake(self._taker)
        if len(self._waiting) >= MOST_COMMANDS:
            self._room.clear()
            await self._room.wait()

    def wake(self) -> None:
        """Whoever waits for the next item looks anew."""
        _wake(self._taker)

    async def get(self, timeout: float | None = None) -> commands.Command | Frame | None:
        """The next item; None if there is none within `timeout` seconds."""
        if not self._waiting:
            await self._wait(timeout)
        if not self._waiting:
            return None
        item = self._waiting.popleft()
        self._room.set()
        return item

    async def _wait(self, timeout: float | None) -> None:
        """Until there is something or `timeout` is over. `wait_for` would make a task each time."""
        loop = asyncio.get_running_loop()
        self._taker = loop.create_future()
        alarm = None if timeout is None else loop.call_later(timeout, _wake, self._taker)
        try:
            await self._taker
        finally:
            self._taker = None
            if alarm is not None:
                alarm.cancel()


def _wake(taker: asyncio.Future[None] | None) -> None:
    if taker is not None and not taker.done():
        taker.set_result(None)


def _moves_same(a: commands.Command | Frame, b: commands.Command | Frame) -> bool:
    if type(a) is not type(b) or isinstance(a, msgspec.Struct):
        return False
    if isinstance(a, GoalFrame) and isinstance(b, GoalFrame):
        return a.drag == b.drag
    if isinstance(a, AngleFrame) and isinstance(b, AngleFrame):
        return (a.drag, a.dof) == (b.drag, b.dof)
    return True
