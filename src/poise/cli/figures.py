"""The figure, and perhaps the motion, that a command names: built in, or in a file."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poise.errors import OptionError

if TYPE_CHECKING:
    from poise.figure.figure import Figure
    from poise.formats import Loaded


def figure_named(name: str) -> Figure:
    """A built-in figure (human, jack, arm, spider, snake:N for N joints) or that of a file."""
    return _figure_of(name, loaded_from(name)) if is_file(name) else built_in(name)


def target_named(name: str, up: str | None = None) -> Figure:
    """The same, for a motion to be put on: `up` is the axis of a robot's file that is up."""
    if not is_file(name):
        return built_in(name)
    from poise.formats.registry import read_target

    return _figure_of(name, read_target(name, up))


def _figure_of(name: str, loaded: Loaded) -> Figure:
    print_notes(name, loaded.source.notes)
    if loaded.figure is None:
        raise OptionError(f"{name} holds no figure; give a file with a skeleton")
    return loaded.figure


def built_in(name: str) -> Figure:
    """The built-in figure of that name."""
    from poise.figure import builtin

    return builtin.built_in(name)


def is_file(name: str) -> bool:
    """Whether a name means a file: it has a suffix, or a file is there."""
    from poise.figure.builtin.by_name import BUILT_IN

    return name not in BUILT_IN and bool(Path(name).suffix or Path(name).exists())


def loaded_from(path: str | Path, **options: Any) -> Loaded:
    """What a file holds; options that are None are not given."""
    from poise.formats import read

    return read(path, **{key: value for key, value in options.items() if value is not None})


def print_notes(name: object, notes: Iterable[str]) -> None:
    """What was assumed or amiss in a file, on standard error."""
    for note in notes:
        print(f"poise: {name}: {note}", file=sys.stderr)
