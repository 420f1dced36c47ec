"""What waits to be sent to one window. A slow window gets less, never later."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from poise.studio import messages as m

Send = Callable[[str | bytes], Awaitable[None]]


class Outbox:
    """Messages for one window: patches are merged, of poses and ghosts only the newest is kept."""

    def __init__(self) -> None:
        self._ready = asyncio.Event()
        self._first: bytes | None = None
        self._patch: m.Patch | None = None
        self._replies: list[bytes] = []
        self._frames: dict[str, bytes] = {}
        self._sending = asyncio.Lock()
        self._is_held = False

    def state(self, state: m.State) -> None:
        """The whole state, before all else."""
        self._first, self._patch = m.encode(state), None
        self._frames.clear()
        self._wake()

    def patch(self, patch: m.Patch) -> None:
        old = {} if self._patch is None else _given(self._patch)
        self._patch = m.Patch(**old | _given(patch))
        self._wake()

    def reply(self, message: m.Outgoing) -> None:
        self._replies.append(m.encode(message))
        self._wake()

    def frame(self, kind: str, frame: bytes) -> None:
        """A binary frame; it replaces one of its kind that was not sent yet."""
        self._frames[kind] = frame
        self._wake()

    def hold(self) -> None:
        """Keep what comes from now on for a `flush` that will follow at once."""
        self._is_held = True

    async def flush(self, send: Send) -> None:
        """Send what waits: text as str, frames as bytes. One after the other, whoever calls."""
        self._is_held = False
        async with self._sending:
            self._ready.clear()
            for message in self._taken():
                await send(message)

    async def keep_sending(self, send: Send) -> None:
        """Send whatever comes, until cancelled."""
        while True:
            await self._ready.wait()
            await self.flush(send)

    def _taken(self) -> list[str | bytes]:
        first, self._first = self._first, None
        patch, self._patch = self._patch, None
        replies, self._replies = self._replies, []
        frames, self._frames = self._frames, {}
        texts = [] if first is None else [first]
        if patch is not None:
            texts.append(m.encode(patch))
        return [*(text.decode() for text in (*texts, *replies)), *frames.values()]

    def _wake(self) -> None:
        if not self._is_held:
            self._ready.set()


def _given(patch: m.Patch) -> dict[str, Any]:
    return {k: v for k, v in msgspec.structs.asdict(patch).items() if v is not msgspec.UNSET}
