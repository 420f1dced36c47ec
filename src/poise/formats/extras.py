"""Packages that only some formats need."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from poise.errors import OptionError


def extra(package: str, name: str, what: str) -> ModuleType:
    """A package that the extra `name` of Poise brings, or an error that says how to get it."""
    try:
        return import_module(package)
    except ImportError as error:
        raise OptionError(
            f"{what} need {package}, which is not installed ({error});"
            f" run: pip install 'poise[{name}]'"
        ) from error
