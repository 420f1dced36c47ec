"""The figure that a command names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from poise.errors import OptionError, unknown_name

if TYPE_CHECKING:
    from poise.figure.figure import Figure

BUILT_IN = ("human", "jack", "arm", "spider", "snake:N")


def figure_named(name: str) -> Figure:
    """A built-in figure: human, jack, arm, spider, or snake:N for a snake of N joints."""
    kind, _, count = name.partition(":")
    number = [_count(name, count)] if kind == "snake" else []
    if not number and name not in BUILT_IN:
        if Path(name).suffix or Path(name).exists():
            raise OptionError(
                f"figure {name!r}: this version reads no files; use a built-in one:"
                f" {', '.join(BUILT_IN)}"
            )
        raise OptionError(unknown_name("figure", name, BUILT_IN))
    from poise.figure import builtin

    return getattr(builtin, kind)(*number)


def _count(name: str, count: str) -> int:
    if not (count.isascii() and count.isdigit() and 1 <= int(count) <= 1_000_000):
        raise OptionError(f"figure {name!r} needs a number of joints; write for example snake:10")
    return int(count)
