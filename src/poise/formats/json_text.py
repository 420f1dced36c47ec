"""JSON for people: short lists on one line, and where in the text a value stands."""

from __future__ import annotations

import json
import re
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def json_text(value: Any, indent: int = 0, width: int = 100) -> str:
    """A value as JSON. What fits goes on one line."""
    flat = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if indent + len(flat) <= width or not isinstance(value, dict | list) or _is_row(value):
        return flat
    inner = indent + 1
    if isinstance(value, dict):
        pairs = value.items()
        parts = [f"{json.dumps(k, ensure_ascii=False)}: {json_text(v, inner)}" for k, v in pairs]
        left, right = "{", "}"
    else:
        parts = [json_text(part, inner) for part in value]
        left, right = "[", "]"
    pad = " " * inner
    body = ",\n".join(pad + part for part in parts)
    return f"{left}\n{body}\n{' ' * indent}{right}"


def _is_row(value: Any) -> bool:
    """Whether a value is a row of numbers, which stays on one line however long."""
    return isinstance(value, list) and all(isinstance(part, int | float) for part in value)


def offset_of(text: str, path: str) -> int:
    """Where in a JSON text the value at a path such as "$.keys[3].time" stands, or what is
    nearest to it."""
    steps = re.findall(r"\.([^.\[\]]+)|\[(\d+)\]", path)
    at = _skip(text, 0)
    for name, index in steps:
        found = _member(text, at, name) if name else _item(text, at, int(index))
        if found is None:
            break
        at = found
    return at


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _member(text: str, at: int, name: str) -> int | None:
    """The value of a name in the object at a place."""
    if text[at : at + 1] != "{":
        return None
    at = _skip(text, at + 1)
    while text[at : at + 1] == '"':
        key, at = _DECODER.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
        if key == name:
            return at
        _, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        at = _skip(text, at + 1) if text[at : at + 1] == "," else at
    return None


def _item(text: str, at: int, index: int) -> int | None:
    """The value of an index in the list at a place."""
    if text[at : at + 1] != "[":
        return None
    at = _skip(text, at + 1)
    for _ in range(index):
        _, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if text[at : at + 1] != ",":
            return None
        at = _skip(text, at + 1)
    return at
