"""Built-in figures by what people call them."""

from __future__ import annotations

from poise.errors import OptionError, unknown_name
from poise.figure.figure import Figure

BUILT_IN = ("human", "jack", "arm", "spider", "snake:N")


def built_in(name: str) -> Figure:
    """The built-in figure of that name; snake:N has N joints."""
    kind, _, count = name.partition(":")
    number = [_count(name, count)] if kind == "snake" else []
    if not number and name not in BUILT_IN:
        raise OptionError(unknown_name("figure", name, BUILT_IN))
    from poise.figure import builtin

    return getattr(builtin, kind)(*number)


def _count(name: str, count: str) -> int:
    if not (count.isascii() and count.isdigit() and 1 <= int(count) <= 1_000_000):
        raise OptionError(f"figure {name!r} needs a number of joints; write for example snake:10")
    return int(count)
