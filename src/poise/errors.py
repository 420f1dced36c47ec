"""The one exception family of Poise. Every message names what was wrong and the remedy."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class PoiseError(Exception):
    """Base of every error that Poise raises on purpose."""


class FigureError(PoiseError):
    """A figure, joint, limit or pose is not well formed."""


class GoalError(PoiseError):
    """A goal is not well formed, or does not fit the figure."""


class OptionError(PoiseError):
    """A method, a parameter or an option of a solve is unknown or out of range."""


class MotionError(PoiseError):
    """A clip, a key or what is asked of a motion is not well formed."""


class FileError(PoiseError):
    """A file cannot be read or written, or what it says is wrong."""


class FileWarning(UserWarning):
    """A file was read, but something in it had to be assumed or is amiss."""


class UnreachedError(PoiseError):
    """`Solution.require()` was called on a solution that does not meet its goals.

    `solution` holds the closest pose and its explanation.
    """

    def __init__(self, message: str, solution: object) -> None:
        super().__init__(message)
        self.solution = solution


def unknown_name(what: str, name: object, valid: Iterable[str]) -> str:
    """The text of an error about `name`, with the nearest valid names."""
    names = list(valid)
    near = difflib.get_close_matches(str(name), names, n=3, cutoff=0.5)
    if near:
        return f"unknown {what} {name!r}; did you mean {', '.join(map(repr, near))}?"
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return f"unknown {what} {name!r}; valid names are: {shown or 'none'}"
