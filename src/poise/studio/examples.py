"""The examples of the menu."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from poise.errors import OptionError, unknown_name
from poise.motion.document import Document
from poise.studio.opening import figure_named, opened_figure


@dataclass(frozen=True)
class Example:
    """One example: what the menu says, and how its document is made."""

    name: str
    title: str
    about: str
    make: Callable[[], Document]


def _reach() -> Document:
    return opened_figure(figure_named("human"), "reach")


def _spider() -> Document:
    return opened_figure(figure_named("spider"), "spider")


EXAMPLES = (
    Example("reach", "Reach", "Drag a hand; the whole body follows, feet planted.", _reach),
    Example("spider", "Spider", "Eight legs, all pinned. Drag the body.", _spider),
)


def example(name: str) -> Document:
    """The document of an example."""
    for found in EXAMPLES:
        if found.name == name:
            return found.make()
    raise OptionError(unknown_name("example", name, [e.name for e in EXAMPLES]))
