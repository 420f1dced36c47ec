"""Chains: sets of joints that are named, or found in the tree, by the words people use."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from poise.errors import FigureError, unknown_name

if TYPE_CHECKING:
    from poise.figure.figure import Figure


def checked_chains(
    figure: Figure, chains: Mapping[str, str | Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """The DOF names of each chain; one may be made of those before it."""
    known: dict[str, tuple[str, ...]] = {}
    taken = {*figure.dof_names, *figure.segment_names, *(s.joint_name for s in figure.segments)}
    for name, words in chains.items():
        if not isinstance(name, str) or not name or name in taken:
            raise FigureError(
                f"a chain of {figure.name!r} cannot be called {name!r}: give a text that is not"
                " the name of a DOF, a joint or a segment"
            )
        dofs = matching_dofs(figure, words, known)
        if not dofs:
            raise FigureError(f"chain {name!r} of {figure.name!r} is empty; name some joints")
        known[name] = tuple(figure.dof_names[d] for d in dofs)
    return known


def matching_dofs(
    figure: Figure, words: str | Sequence[str], chains: Mapping[str, Iterable[str]]
) -> list[int]:
    """Indices of the DOFs that `words` mean (see `Figure.match_dofs`)."""
    if not isinstance(words, str | Iterable):
        raise FigureError(f"joints are chosen by {words!r}; give a name, a pattern or a list")
    given = [words] if isinstance(words, str) else list(words)
    found: set[int] = set()
    for word in given:
        hits = _meant(figure, word, chains) if isinstance(word, str) else []
        if not hits:
            valid = (*figure.dof_names, *chains, *figure.segment_names)
            raise FigureError(unknown_name(f"DOF, segment or chain of {figure.name}", word, valid))
        found.update(hits)
    return sorted(found)


def _meant(figure: Figure, word: str, chains: Mapping[str, Iterable[str]]) -> list[int]:
    if word in chains:
        return [figure.dof_index(name) for name in chains[word]]
    if word in figure.dof_names:
        return [figure.dof_index(word)]
    joints = [segment.joint_name for segment in figure.segments for _ in segment.joint.dofs]
    owners = [segment.name for segment in figure.segments for _ in segment.joint.dofs]
    for names in (figure.dof_names, joints, owners):
        hits = [i for i, name in enumerate(names) if fnmatch.fnmatchcase(name, word)]
        if hits:
            return hits
    return []


def chain_between(figure: Figure, first: str, last: str | None) -> tuple[str, ...]:
    """The names of the DOFs from one joint to another (see `Figure.chain`)."""
    start = _segment(figure, first)
    if last is None:
        members = [s for s in range(len(figure.segments)) if start in _way_up(figure, s)]
    else:
        end = _segment(figure, last)
        one, other = _way_up(figure, start), _way_up(figure, end)
        apart = set(one) ^ set(other)  # what lies above both moves them alike
        members = sorted(apart | {start, end})
    names = tuple(name for s in members for name in figure.segments[s].dof_names)
    if not names:
        where = f"beyond {first!r}" if last is None else f"from {first!r} to {last!r}"
        raise FigureError(f"no joint {where} of {figure.name!r} can move; choose other ends")
    return names


def _way_up(figure: Figure, segment: int) -> list[int]:
    way = [segment]
    while figure.parents[way[-1]] >= 0:
        way.append(figure.parents[way[-1]])
    return way


def _segment(figure: Figure, name: str) -> int:
    """The segment that a joint moves, or of that name, or that carries the site."""
    joints = {segment.joint_name: i for i, segment in enumerate(figure.segments)}
    if name in joints:
        return joints[name]
    if name in figure.effector_names:
        return figure.segment_index(figure.effector(name).segment)
    valid = dict.fromkeys((*joints, *figure.effector_names))
    raise FigureError(unknown_name(f"joint, segment or site of {figure.name}", name, valid))
