"""Poise's own JSON files: read strictly, by their types, with errors that name the line."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from poise.errors import FileError
from poise.formats.json_text import offset_of
from poise.formats.text import Text

Part = TypeVar("Part")


def parsed(text: Text, format_: str, what: str) -> dict[str, Any]:
    """The object in a file that says of itself that it is of this format."""
    try:
        plain = msgspec.json.decode(text.content.encode())
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        place = re.search(r"byte (\d+)", str(error))
        before = text.content.encode("utf-8", "replace")[: int(place[1]) if place else 0]
        line = before.count(b"\n") + 1
        raise FileError(f"{text.path}, line {line}: not JSON: {error}") from None
    if not isinstance(plain, dict) or plain.get("format") != format_:
        raise FileError(
            f'{text.path}, line 1: not {what} of Poise; it should begin {{"format": "{format_}"'
        )
    return plain


def checked(text: Text, plain: dict[str, Any], kind: type[Part]) -> Part:
    """The object as a part of a schema, or an error that names its place."""
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `")
        path = path.rstrip("`")
        line = text.line_at(offset_of(text.content, path))
        where = path.removeprefix("$.") or "the document"
        raise FileError(f"{text.path}, line {line}: {where}: {message}") from None
