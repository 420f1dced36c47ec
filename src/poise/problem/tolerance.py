"""Tolerance: when a goal counts as met, with units."""

from __future__ import annotations

import math
from numbers import Real
from typing import NamedTuple

from poise.errors import OptionError


class Tolerance(NamedTuple):
    """A goal is met when its position error and its angle error are both within these."""

    position: float = 1e-3
    """[m]"""
    angle: float = 1e-2
    """[rad]"""

    @classmethod
    def of(cls, value: Tolerance | float) -> Tolerance:
        """A plain number means metres, with ten times as many radians."""
        if isinstance(value, Tolerance):
            made = value
        elif isinstance(value, Real):
            made = cls(float(value), 10.0 * float(value))
        else:
            raise OptionError(f"tolerance {value!r} is neither a number [m] nor a poise.Tolerance")
        if not all(isinstance(part, Real) and 0.0 < part < math.inf for part in made):
            raise OptionError(f"tolerance {value!r} must be finite and above 0, e.g. 1e-3 [m]")
        return made
