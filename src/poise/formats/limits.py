"""A side-car for files that hold no limits, such as BVH: limits and relations by DOF, in JSON.

    {"format": "poise-limits", "version": 1,
     "limits": {"LeftElbow_rx": [-0.1, 2.5], "Spine*_ry": [null, 0.4]},
     "relations": [{"kind": "group", "name": "spine", "shares": {"Spine*_rx": 1.0}}]}

Radians and metres; null is an open side; a name may be a shell pattern. DOFs that are not named
keep what they have.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from poise.errors import FigureError, FileError
from poise.figure.figure import Figure
from poise.figure.plain import plain_relation, relation_from
from poise.files import atomic_write
from poise.formats.json_parts import checked, parsed
from poise.formats.json_text import json_text
from poise.formats.poise_schema import Limits, RelationPart
from poise.formats.text import Text

FORMAT = "poise-limits"
VERSION = 1


class LimitsPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    format: Literal["poise-limits"]
    version: Annotated[int, Meta(ge=1, le=VERSION)]
    limits: dict[str, Limits] = {}
    cones: dict[str, float] = {}
    relations: list[RelationPart] = []


def with_limits_of(figure: Figure, path: Path) -> Figure:
    """The figure with the limits and relations of a side-car."""
    if not path.is_file():
        raise FileError(f"cannot read {path}: there is no such file; limits= needs a side-car")
    text = Text(path)
    part = checked(text, parsed(text, FORMAT, "limits"), LimitsPart)
    try:
        relations = [relation_from(msgspec.to_builtins(relation)) for relation in part.relations]
        limits = {name: _sides(*pair) for name, pair in part.limits.items()}
        # Old relations may leave nothing of new limits: they come off first.
        return (
            figure.without_relations()
            .with_limits(limits)
            .with_cones(part.cones)
            .with_relations(*(relations or figure.relations))
        )
    except FigureError as error:
        raise FileError(f"{path}: {error}") from error


def write_limits(figure: Figure, path: Path) -> None:
    """Write all limits, cones and relations of a figure. Open DOFs are left out."""
    limits: dict[str, list[float | None]] = {}
    for name, dof in zip(figure.dof_names, figure.dofs, strict=True):
        sides = [dof.lower, dof.upper]
        if any(map(math.isfinite, sides)):
            limits[name] = [side if math.isfinite(side) else None for side in sides]
    plain: dict[str, Any] = {"format": FORMAT, "version": VERSION, "limits": limits}
    if figure.cones:
        plain["cones"] = {figure.dof_names[dof]: cone for dof, cone in figure.cones}
    if figure.relations:
        plain["relations"] = [plain_relation(relation) for relation in figure.relations]
    atomic_write(path, json_text(plain) + "\n")


def _sides(lower: float | None, upper: float | None) -> tuple[float, float]:
    return -math.inf if lower is None else lower, math.inf if upper is None else upper
