"""Options that several verbs take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from poise.errors import OptionError

POSITIVE = Number(gt=0)

Skeleton = Annotated[
    Path | None, Parameter(help="The .asf file of an .amc file, if not beside it.")
]
Unit = Annotated[
    float | None,
    Parameter(
        help="Metres per unit of a .bvh or marker file; guessed, or as it says, if not given.",
        validator=POSITIVE,
    ),
]
Axis = Literal["Y", "Z"]
Up = Annotated[
    Axis | None,
    Parameter(help="The axis of a .bvh or .urdf file that is up; guessed, or Z, if not given."),
]
Tolerance = Annotated[
    float, Parameter(help="How close counts as reached, in metres.", validator=POSITIVE)
]
Out = Annotated[Path | None, Parameter(help="Write the motion to this file.")]
Json = Annotated[bool, Parameter(help="Print JSON for machines.", negative="")]


def named_numbers(option: str, texts: list[str] | None, example: str) -> dict[str, float]:
    """What NAME=NUMBER words mean."""
    found = {}
    for text in texts or []:
        name, _, number = text.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            name = ""
        if not name:
            raise OptionError(f"{option} {text!r} is not NAME=NUMBER; write for example {example}")
    return found
