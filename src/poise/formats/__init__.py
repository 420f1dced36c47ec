"""File formats, one module each, behind `load` and `save`."""

from poise.formats.registry import Loaded, load, read, save

__all__ = ["Loaded", "load", "read", "save"]
