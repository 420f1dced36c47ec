"""What a skeleton file does not say: its unit, and which way is up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.errors import OptionError
from poise.figure.figure import Up
from poise.goals.goal import is_number

TYPICAL_HEIGHT = 1.7
"""Of the joints of a standing person [m]."""
UNITS = {
    "metres": 1.0,
    "decimetres": 0.1,
    "centimetres": 0.01,
    "millimetres": 0.001,
    "inches": 0.0254,
    "CMU units of 1/0.45 inch": 0.0254 / 0.45,
}
"""Metres per unit of the files that people have."""
CLEAR = 1.25
"""How many times further apart the joints must be along one axis than along another."""


def guess_unit(height: float) -> tuple[float, str]:
    """Metres per unit for a skeleton of that height [units], and a note that says so."""
    if not height > 0.0:
        return UNITS["centimetres"], (
            "the unit is not in the file and the skeleton has no height: taken as centimetres;"
            " give unit= [m]"
        )
    misfits = {name: abs(np.log(height * unit / TYPICAL_HEIGHT)) for name, unit in UNITS.items()}
    name = min(misfits, key=lambda key: misfits[key])
    unit = UNITS[name]
    return unit, (
        f"the unit is not in the file: taken as {name}, which makes the skeleton"
        f" {height * unit:.2f} m tall; give unit= [m] if that is wrong"
    )


def guess_up(at_zero: NDArray[np.float64], posed: NDArray[np.float64]) -> tuple[Up, str]:
    """The up axis of joints (joints, 3) in the zero pose and (frames, joints, 3) in the motion.

    Also a note, empty where the zero pose alone is clear.
    """
    extent = np.ptp(at_zero, axis=0)
    if extent[1] >= CLEAR * extent[2] or not len(posed):
        return "Y", ""
    if extent[2] >= CLEAR * extent[1]:
        return "Z", ""
    moving = np.median(np.ptp(posed, axis=1), axis=0)
    up: Up = "Y" if moving[1] >= moving[2] else "Z"
    return up, f"the up axis is not in the file: taken as {up} from the motion; give up= otherwise"


def checked_unit(unit: float | None) -> float | None:
    if unit is not None and not (is_number(unit) and unit > 0.0):
        raise OptionError(f"unit={unit!r}: give metres per unit of the file, e.g. 0.01")
    return unit


def checked_fps(fps: float | None) -> float | None:
    if fps is not None and not (is_number(fps) and fps > 0.0):
        raise OptionError(f"fps={fps!r}: give frames a second above 0")
    return fps


def checked_up(up: Up | None) -> Up | None:
    if up not in (None, "Y", "Z"):
        raise OptionError(f"up={up!r}: give 'Y' or 'Z'")
    return up
