"""Acclaim motions (.amc): values for the bones of an .asf file, frame by frame."""

from poise.formats.amc_read import read
from poise.formats.amc_write import write

__all__ = ["read", "write"]
