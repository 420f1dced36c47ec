"""Checking that segments form a tree, and their order."""

from __future__ import annotations

from collections.abc import Sequence

from poise.errors import FigureError, unknown_name
from poise.figure.segment import Segment


def depth_first(segments: list[Segment], figure: str) -> tuple[Segment, ...]:
    """Segments with parents before children; siblings keep their order."""
    if not segments:
        raise FigureError("a figure needs at least one segment")
    names = [segment.name for segment in segments]
    check_distinct("segment", names, figure)
    known = set(names)
    children: dict[str | None, list[Segment]] = {}
    for segment in segments:
        if segment.parent is not None and segment.parent not in known:
            what = f"parent of segment {segment.name!r}"
            raise FigureError(unknown_name(what, segment.parent, names))
        children.setdefault(segment.parent, []).append(segment)
    roots = children.get(None, [])
    if len(roots) != 1:
        found = ", ".join(repr(r.name) for r in roots) or "none"
        raise FigureError(f"a figure needs exactly one root segment (parent=None); found {found}")
    ordered: list[Segment] = []
    stack = [roots[0]]
    while stack:
        segment = stack.pop()
        ordered.append(segment)
        stack.extend(reversed(children.get(segment.name, [])))
    if len(ordered) < len(segments):
        reached = {segment.name for segment in ordered}
        lost = next(s.name for s in segments if s.name not in reached)
        raise FigureError(f"segment {lost!r} is its own ancestor; a figure must be a tree")
    return tuple(ordered)


def check_distinct(what: str, names: Sequence[str], figure: str) -> None:
    """Raise an error that names what is used twice."""
    if len(set(names)) < len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise FigureError(f"{what} name {twice!r} of figure {figure!r} is used twice")
