"""Writing files whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from poise.errors import FileError


def check_writable(path: str | os.PathLike[str]) -> Path:
    """`path` as a Path, or an error if no file can be written there. Call it before long work."""
    target = Path(path)
    if target.is_dir():
        raise FileError(f"cannot write {target}: it is a folder; give the name of a file")
    if not target.parent.is_dir():
        raise FileError(f"cannot write {target}: there is no folder {target.parent}; make it first")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise FileError(f"cannot write {target}: no permission; choose another place")
    return target


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary name beside `path`, with its suffix; renamed to `path` if the block succeeds.

    A reader sees the old file or the new one, never half of one. A symbolic link is followed, and
    what is not a plain file (a pipe, a device) is written directly.
    """
    target = check_writable(path)
    if target.exists() and not target.is_file():
        yield target
        return
    final = target.resolve()
    temporary = final.with_name(f".{final.stem[:64]}-{secrets.token_hex(4)}{final.suffix}")
    try:
        yield temporary
        temporary.replace(final)
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileError(f"cannot write {target}: {reason}; choose another place") from error
    finally:
        temporary.unlink(missing_ok=True)


def atomic_write(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write `content` (text as UTF-8, lines end in \\n) to `path`, whole or not at all."""
    data = content.encode() if isinstance(content, str) else content
    with replacing(path) as temporary:
        temporary.write_bytes(data)
