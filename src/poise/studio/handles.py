"""Which sites of a figure can be dragged, and as what."""

from __future__ import annotations

from typing import Literal

from poise.figure.figure import Figure
from poise.figure.segment import Site

Handle = Literal["end", "pole", "body", "none"]

_POLES = ("elbow", "knee")
_PARTS = ("heel", "ball", "toes", "eyes", "shoulder", "hip")
"""Sites that have a handle on the same limb already, or hardly move on their own."""


def handle_of(figure: Figure, site: Site) -> Handle:
    """end: a hand, foot or head; pole: an elbow or knee; body: pelvis, chest; none: not drawn."""
    words = site.name.lower().split("_")
    if any(word in _POLES for word in words):
        return "pole"
    if any(word in _PARTS for word in words):
        return "none"
    children = [s for s in figure.segments if s.parent == site.segment]
    return "body" if len(children) > 1 or figure.segments[0].name == site.segment else "end"


def with_handles(figure: Figure) -> Figure:
    """The figure itself if it has sites; else with one at the origin of every segment that ends a
    limb or branches."""
    if figure.sites:
        return figure
    count = {segment.name: 0 for segment in figure.segments}
    for segment in figure.segments:
        if segment.parent is not None:
            count[segment.parent] += 1
    ends = [name for name, children in count.items() if children != 1]
    return figure.with_sites([Site(name, name) for name in ends])


def limb_end(figure: Figure, effector: str) -> str | None:
    """The hand or foot below an elbow or knee; None for other sites."""
    site = figure.effector(effector)
    if handle_of(figure, site) != "pole":
        return None
    below = figure.below(site.segment) - {site.segment}
    ends = [s.name for s in figure.sites if s.segment in below and handle_of(figure, s) == "end"]
    return ends[0] if ends else None
