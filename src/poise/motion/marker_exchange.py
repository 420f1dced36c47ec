"""Markers whose names look exchanged: with those of the other side a bad fit becomes a good one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from poise.motion.marker_map import MarkerMap
from poise.motion.sides import partner_name

Errors = Mapping[str, float]
"""By marker, how far it is off in the mean [m]."""
Pairs = tuple[tuple[str, str], ...]

BAD = 0.012
"""A fit whose worst marker is off by less [m] is not doubted."""
BETTER = 0.7
"""An exchange that leaves less than this share of the misses is believed."""
TRIED = 4
"""So many pairs, those that fit worst, are tried."""


def exchanged_pairs(
    mapping: MarkerMap, errors: Errors, fitted: Callable[[MarkerMap], Errors]
) -> Pairs:
    """The pairs of left and right markers that fit far better with their names exchanged.

    fitted: of a map with other names the errors that are left.
    """
    if max(errors.values()) < BAD:
        return ()
    pairs = _pairs(mapping)
    found: Pairs = ()
    while max(errors.values()) >= BAD:
        misses = {pair: max(errors[name] for name in pair) for pair in pairs if pair not in found}
        worst = sorted(misses, key=lambda pair: -misses[pair])[:TRIED]
        choices: list[Pairs] = [(*found, pair) for pair in worst]
        if not found and len(pairs) > 1:
            choices.append(pairs)
        results = [(fitted(_exchanged(mapping, choice)), choice) for choice in choices]
        if not results:
            break
        best, choice = min(results, key=lambda result: _size(result[0]))
        if _size(best) > BETTER * _size(errors):
            break
        errors, found = best, choice
    return found


def exchange_doubt(mapping: MarkerMap, found: Pairs) -> str:
    """What is said about them."""
    if len(found) > 1 and len(found) == len(_pairs(mapping)):
        return (
            "left and right look exchanged: in the names of all markers, or the data are mirrored"
        )
    listed = "; ".join(" and ".join(pair) for pair in found)
    return f"the names of these markers look exchanged, the fit is far better so: {listed}"


def _pairs(mapping: MarkerMap) -> Pairs:
    names = list(mapping.effectors)
    others = {name: partner_name(name, names) for name in names}
    return tuple((one, other) for one, other in others.items() if other is not None and one < other)


def _exchanged(mapping: MarkerMap, pairs: Pairs) -> MarkerMap:
    places = dict(mapping.places)
    for one, other in pairs:
        places[one], places[other] = places[other], places[one]
    return replace(mapping, places=places)


def _size(errors: Errors) -> float:
    return float(np.linalg.norm(list(errors.values())))
