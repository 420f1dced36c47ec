"""The same figure larger or smaller."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from poise.errors import FigureError
from poise.figure.relations import JointGroup, PolygonLimit, Relation

if TYPE_CHECKING:
    from poise.figure.figure import Figure
    from poise.figure.segment import Segment


def scaled(figure: Figure, factor: float) -> Figure:
    """All lengths times `factor`: offsets, sites, and limits and rest values of what slides.

    Masses keep their ratios: they grow with the third power.
    """
    if not (np.isfinite(factor) and factor > 0.0):
        raise FigureError(f"a figure cannot be scaled by {factor!r}; give a number above 0")
    for relation in figure.relations:
        for i in figure.match_dofs(_names(relation)):
            if figure.dofs[i].kind == "translation":
                raise FigureError(
                    f"{relation.name!r} of {figure.name} ties a translation,"
                    f" {figure.dof_names[i]}; such a figure cannot be scaled"
                )
    segments = [_scaled(segment, factor) for segment in figure.segments]
    sites = [replace(site, offset=factor * np.asarray(site.offset)) for site in figure.sites]
    return figure._with(segments=segments, sites=sites)


def _names(relation: Relation) -> list[str]:
    if isinstance(relation, PolygonLimit):
        return list(relation.dofs)
    return list(relation.shares if isinstance(relation, JointGroup) else relation.coefficients)


def _scaled(segment: Segment, factor: float) -> Segment:
    dofs = [
        dof
        if dof.kind == "rotation"
        else replace(
            dof, lower=factor * dof.lower, upper=factor * dof.upper, rest=factor * dof.rest
        )
        for dof in segment.joint.dofs
    ]
    return replace(
        segment,
        joint=segment.joint.with_dofs(dofs),
        mass=factor**3 * segment.mass,
        offset=factor * np.asarray(segment.offset),
        center=factor * np.asarray(segment.center),
        after_offset=factor * np.asarray(segment.after_offset),
    )
