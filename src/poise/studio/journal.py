"""The journal: autosave that never touches the person's own file.

A file beside no document, one line for every change of it, with only what changed. A session that
ends with all saved deletes its journal; what is left of one that did not is offered to the next.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from poise.errors import FileError, PoiseError
from poise.formats.character import character_of, embedded_character
from poise.formats.plain_document import document_from, plain_document
from poise.formats.poise_document import embedded, embedded_clip
from poise.motion.document import Document

INTERVAL = 0.5
"""How often the session looks for something to write [s]; it is never more than a second behind."""
_LISTS = ("goals", "keys", "fixes")
"""Parts of a document that are written item by item."""

Entries = dict[str, Any]


def journal_folder() -> Path:
    """Where journals are kept; the variable POISE_STATE_DIR moves it."""
    if custom := os.environ.get("POISE_STATE_DIR"):
        return Path(custom)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "poise"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "poise"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "poise"


class Journal:
    """Writes down what becomes of a document."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or journal_folder()
        self._file: IO[bytes] | None = None
        self._entries: Entries = {}
        self._last: Document | None = None

    @property
    def path(self) -> Path | None:
        """The journal's file; None until something was written."""
        return None if self._file is None else Path(self._file.name)

    def record(self, document: Document, file: str | None, saved: bool) -> None:
        """Write what has changed since the last time, and see it onto the disk."""
        state = {"file": file, "saved": saved}
        if document is self._last and self._entries.get("state") == state:
            return
        entries = _entries(document, self._last, self._entries)
        entries["state"] = state
        changed = {k: v for k, v in entries.items() if self._entries.get(k) != v}
        gone = [k for k in self._entries if k not in entries]
        if not changed and not gone:
            return
        if self._file is None:
            self._file = self._opened()
        line = {"when": time.strftime("%Y-%m-%d %H:%M:%S"), "set": changed, "gone": gone}
        try:
            self._file.write(json.dumps(line).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise FileError(f"autosave failed: {error.strerror or error}; save now") from error
        self._entries, self._last = entries, document

    def _opened(self) -> IO[bytes]:
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}.journal"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file = (self._folder / name).open("ab")
        except OSError as error:
            raise FileError(
                f"cannot autosave into {self._folder}: {error.strerror or error};"
                " set POISE_STATE_DIR to a folder that can be written"
            ) from error
        _lock(file)
        return file

    def close(self, keep: bool) -> None:
        """End the journal; it is offered to the next session if `keep`."""
        if self._file is not None:
            path = Path(self._file.name)
            self._file.close()
            self._file = None
            if not keep:
                path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Recovery:
    """What the journal of a session that did not end well has."""

    path: Path
    document: Document
    file: str | None
    when: str
    steps: int

    def forget(self) -> None:
        """Delete the journal."""
        self.path.unlink(missing_ok=True)


def recoverable(folder: Path | None = None) -> Recovery | None:
    """The newest work that was left behind unsaved; None if there is none.

    Journals of sessions that run are left alone; those with nothing in them are deleted.
    """
    where = folder or journal_folder()
    with contextlib.suppress(OSError):
        for path in sorted(where.glob("*.journal"), reverse=True):
            if _is_locked(path):
                continue
            found = _recovered(path)
            if found is not None:
                return found
            path.unlink(missing_ok=True)
    return None


def _recovered(path: Path) -> Recovery | None:
    entries: Entries = {}
    when, steps = "", 0
    for line in path.read_bytes().splitlines():
        try:
            found = json.loads(line)
            entries |= found["set"]
            for name in found["gone"]:
                entries.pop(name, None)
            when, steps = found["when"], steps + 1
        except (ValueError, KeyError, TypeError):
            break  # the last line, cut off by the crash
    state = entries.pop("state", {"saved": True})
    if state.get("saved") or steps == 0:
        return None
    try:
        document = _document(entries)
    except (PoiseError, KeyError, TypeError, ValueError):
        return None
    return Recovery(path, document, state.get("file"), when, steps)


def _entries(document: Document, last: Document | None, before: Entries) -> Entries:
    """A document in parts by name. Parts that are still the same object are not made again."""
    plain = plain_document(document)
    entries: Entries = {}
    for name in _LISTS:
        for item in plain.pop(name, ()):
            entries[f"{name}/{item['id']}"] = item
    if document.clip is not None:
        same = last is not None and last.clip is document.clip
        entries["clip"] = before["clip"] if same else embedded(document.clip)
    if character_of(document) is not None:
        same = last is not None and last.source is document.source
        entries["character"] = before["character"] if same else embedded_character(document)
    return entries | plain


def _document(entries: Entries) -> Document:
    plain: dict[str, Any] = {name: [] for name in _LISTS}
    for name, part in entries.items():
        kind, _, number = name.partition("/")
        if number:
            plain[kind].append(part)
        else:
            plain[name] = part
    return document_from(plain, embedded_clip(plain))


# -- locks: a journal whose session runs is not offered to another ---------------------------------


def _lock(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_locked(path: Path) -> bool:
    try:
        with path.open("ab") as file:
            _lock(file)
    except OSError:
        return True
    return False
