"""What is worked out once a figure: figures never change, so it is kept with them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

from poise.figure.figure import Figure

Result = TypeVar("Result")


def once_a_figure(function: Callable[[Figure], Result]) -> Callable[[Figure], Result]:
    """Remember the result of a function of a figure in the figure. Nobody may change it."""
    key = f"{function.__module__}.{function.__qualname__}"

    @functools.wraps(function)
    def remembered(figure: Figure) -> Result:
        known = figure.__dict__.setdefault("_known", {})
        if key not in known:
            known[key] = function(figure)
        return known[key]

    return remembered
