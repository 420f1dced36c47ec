"""Which sites of a figure can be dragged, and as what."""

from __future__ import annotations

from typing import Literal

import numpy as np

from poise.figure.figure import Figure
from poise.figure.segment import Site
from poise.motion.roles import SIDES, body_of

Handle = Literal["end", "pole", "body", "none"]

_POLES = ("elbow", "knee")
_PARTS = ("heel", "ball", "toes", "eyes", "shoulder", "hip")
"""Sites that have a handle on the same limb already, or hardly move on their own."""
_ROLES: dict[str, Handle] = {
    "hand": "end", "foot": "end", "forearm": "pole", "shank": "pole",
    "head": "end", "pelvis": "body", "chest": "body",
}  # fmt: skip
"""The handles of a person whose joints others have named: at the origins of these segments."""


def handle_of(figure: Figure, site: Site) -> Handle:
    """end: a hand, foot or head; pole: an elbow or knee; body: pelvis, chest; none: not drawn."""
    person = _person(figure)
    if person:
        at_origin = not np.any(site.offset)
        return person.get(site.segment, "none") if at_origin else "none"
    words = site.name.lower().split("_")
    if any(word in _POLES for word in words):
        return "pole"
    if any(word in _PARTS for word in words):
        return "none"
    children = [s for s in figure.segments if s.parent == site.segment]
    return "body" if len(children) > 1 or figure.segments[0].name == site.segment else "end"


def with_handles(figure: Figure) -> Figure:
    """The figure with sites to drag: those of a person's joints, or of what it is made of.

    One that has sites of its own and is no person stays as it is. Else one at the origin of every
    segment that ends a limb or branches.
    """
    person = _person(figure)
    if person:
        has = {site.segment for site in figure.sites if not np.any(site.offset)}
        return _with_sites(figure, [name for name in person if name not in has])
    if figure.sites:
        return figure
    count = {segment.name: 0 for segment in figure.segments}
    for segment in figure.segments:
        if segment.parent is not None:
            count[segment.parent] += 1
    return _with_sites(figure, [name for name, children in count.items() if children != 1])


def feet_of(figure: Figure) -> list[str]:
    """The sites by which the figure stands."""
    person = _person(figure)
    ends = [site for site in figure.sites if handle_of(figure, site) == "end"]
    if person:
        feet = body_of(figure).named("left_foot", "right_foot")
        return [site.name for site in ends if site.segment in feet]
    return [site.name for site in ends if "foot" in site.name.lower()]


def limb_end(figure: Figure, effector: str) -> str | None:
    """The hand or foot below an elbow or knee; None for other sites."""
    site = figure.effector(effector)
    if handle_of(figure, site) != "pole":
        return None
    below = figure.below(site.segment) - {site.segment}
    ends = [s.name for s in figure.sites if s.segment in below and handle_of(figure, s) == "end"]
    return ends[0] if ends else None


def _with_sites(figure: Figure, segments: list[str]) -> Figure:
    """The figure with a site at the origin of each of some segments, called as it is."""
    taken = {site.name for site in figure.sites}
    names = {name: name if name not in taken else f"{name} joint" for name in segments}
    added = [Site(names[segment], segment) for segment in segments]
    return figure.with_sites(added) if added else figure


def _person(figure: Figure) -> dict[str, Handle]:
    """By segment, the handles of a person that has no sites for its elbows and knees; empty for
    all else. Kept by the figure."""
    found = figure.__dict__.get("_person")
    if found is None:
        found = figure.__dict__["_person"] = _find_person(figure)
    return found


def _find_person(figure: Figure) -> dict[str, Handle]:
    if any(pole in site.name.lower().split("_") for site in figure.sites for pole in _POLES):
        return {}
    roles = body_of(figure).roles
    ends = [f"{side}_{end}" for side in SIDES for end in ("hand", "foot")]
    if not all(end in roles for end in ends):
        return {}
    found = {}
    for role, segment in roles.items():
        kind = _ROLES.get(role.removeprefix("left_").removeprefix("right_"))
        if kind is not None:
            found.setdefault(segment, kind)
    return found
