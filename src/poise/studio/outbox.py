"""What waits to be sent to one window. A slow window gets less, never later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from poise.studio import messages as m


class Outbox:
    """Messages for one window: patches are merged, of poses and ghosts only the newest is kept."""

    def __init__(self) -> None:
        self._ready = asyncio.Event()
        self._first: bytes | None = None
        self._patch: m.Patch | None = None
        self._replies: list[bytes] = []
        self._frames: dict[str, bytes] = {}

    def state(self, state: m.State) -> None:
        """The whole state, before all else."""
        self._first, self._patch = m.encode(state), None
        self._frames.clear()
        self._ready.set()

    def patch(self, patch: m.Patch) -> None:
        old = {} if self._patch is None else _given(self._patch)
        self._patch = m.Patch(**old | _given(patch))
        self._ready.set()

    def reply(self, message: m.Outgoing) -> None:
        self._replies.append(m.encode(message))
        self._ready.set()

    def frame(self, kind: str, frame: bytes) -> None:
        """A binary frame; it replaces one of its kind that was not sent yet."""
        self._frames[kind] = frame
        self._ready.set()

    async def messages(self) -> AsyncIterator[str | bytes]:
        """What is to be sent, as it comes: text as str, frames as bytes."""
        while True:
            await self._ready.wait()
            self._ready.clear()
            first, self._first = self._first, None
            patch, self._patch = self._patch, None
            replies, self._replies = self._replies, []
            frames, self._frames = self._frames, {}
            if first is not None:
                yield first.decode()
            if patch is not None:
                yield m.encode(patch).decode()
            for reply in replies:
                yield reply.decode()
            for frame in frames.values():
                yield frame


def _given(patch: m.Patch) -> dict[str, Any]:
    return {k: v for k, v in msgspec.structs.asdict(patch).items() if v is not msgspec.UNSET}
