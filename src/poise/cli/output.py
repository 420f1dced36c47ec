"""What the verbs print: consoles, and JSON that every reader accepts."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

WIDTH_WHEN_PIPED = 120
SHOWN = 8
"""So many limits in the way are named; `--json` has all."""


def console(*, stderr: bool = False) -> Console:
    """Standard output (or error): as wide as the terminal, 120 columns in a pipe or file."""
    from rich.console import Console

    made = Console(stderr=stderr, highlight=False)
    if not made.is_terminal:
        made.width = WIDTH_WHEN_PIPED
    return made


def cm(metres: float) -> str:
    """A length for people; small ones with more digits."""
    return f"{100.0 * metres:.3f} cm" if metres < 0.01 else f"{100.0 * metres:.1f} cm"


def to_json(document: object) -> str:
    """`document` as indented JSON; an infinite limit is null. Lists of numbers stay on a line."""
    return _dump(document, "") + "\n"


def _dump(value: Any, indent: str) -> str:
    inner = indent + "  "
    if isinstance(value, dict) and value:
        items = (f"{inner}{json.dumps(k)}: {_dump(v, inner)}" for k, v in value.items())
        return "{\n" + ",\n".join(items) + f"\n{indent}}}"
    if isinstance(value, list | tuple) and value:
        if not any(isinstance(v, dict | list | tuple) for v in value):
            return "[" + ", ".join(_dump(v, "") for v in value) + "]"
        items = (inner + _dump(v, inner) for v in value)
        return "[\n" + ",\n".join(items) + f"\n{indent}]"
    if isinstance(value, float) and not math.isfinite(value):
        return "null"
    return json.dumps(value)
