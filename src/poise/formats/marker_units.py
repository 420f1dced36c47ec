"""Units of length as files of markers name them."""

from __future__ import annotations

METRES = {
    "m": 1.0, "meter": 1.0, "meters": 1.0, "metre": 1.0, "metres": 1.0,
    "dm": 0.1, "cm": 0.01, "mm": 0.001,
    "in": 0.0254, "inch": 0.0254, "inches": 0.0254, "ft": 0.3048, "feet": 0.3048,
}  # fmt: skip
USUAL = "mm"


def metres_per(unit: str) -> tuple[float, list[str]]:
    """Metres per unit, and a note where the file does not say it or has one that is unknown."""
    known = METRES.get(unit.strip().lower())
    if known is not None:
        return known, []
    said = f"{unit!r} is no unit that is known" if unit.strip() else "the unit is not in the file"
    return METRES[USUAL], [f"{said}: taken as {USUAL}; give unit= [m]"]
