"""Acclaim skeletons (.asf): bones with axes, DOFs and limits of their own."""

from poise.formats.amc_write import write_skeleton as write
from poise.formats.asf_read import read

__all__ = ["read", "write"]
