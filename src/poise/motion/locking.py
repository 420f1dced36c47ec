"""Feet that stand still in a clip, as further points for a figure to follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import MotionError
from poise.figure.figure import Figure
from poise.figure.segment import Site
from poise.motion.clip import Clip
from poise.motion.contacts import Contact, ContactRule, find_contacts, locked, rigid, spaced
from poise.motion.feet import foot_points, up_axis
from poise.motion.following import Place
from poise.motion.markers import Markers
from poise.motion.roles import SIDES, body_of, way_up
from poise.motion.segments import site_point
from poise.motion.world import site_positions

Array = NDArray[np.float64]

HELD = 30.0
"""How much more a point in contact counts than one that is not."""


class Feet(NamedTuple):
    """Heels and balls of a figure, and where a clip has them."""

    sites: dict[str, Site]
    points: Array
    """(frames, points, 3) [m]"""
    contacts: list[Contact]


def feet_of(clip: Clip, rule: ContactRule) -> Feet:
    """Heels and balls of a clip's own figure, and their contacts."""
    sites = foot_points(clip.figure)
    points = site_positions(clip.figure, clip.angles, list(sites.values()))
    up = up_axis(clip.figure)
    found = find_contacts(list(sites), points, clip.frame_time, up, rule, hip_heights(clip))
    return Feet(sites, points, found)


def hip_heights(clip: Clip) -> Array:
    """(frames,) how high the hips are [m]: what is higher stands on nothing."""
    pelvis = body_of(clip.figure).roles.get("pelvis", clip.figure.segment_names[0])
    hips = site_positions(clip.figure, clip.angles, [Site("hips", pelvis)])
    return hips[:, 0, up_axis(clip.figure)]


def foot_lengths(figure: Figure, sites: Mapping[str, Site]) -> dict[str, float]:
    """By side, how far apart heel and ball are [m], at rest."""
    rest = figure.rest()
    return {
        side: float(
            np.linalg.norm(
                site_point(rest, sites[f"{side}_heel"]) - site_point(rest, sites[f"{side}_ball"])
            )
        )
        for side in SIDES
        if f"{side}_heel" in sites and f"{side}_ball" in sites
    }


def lock_feet(
    source: Clip,
    clip: Clip,
    figure: Figure,
    markers: Markers,
    attached: Mapping[str, Place],
    rule: ContactRule,
) -> tuple[Markers, dict[str, Place], tuple[Contact, ...]]:
    """`markers` with heels and balls that stand still where they are in contact.

    Contacts are found in all frames of `source`; `clip` is the same motion, sampled as the markers
    are. Effectors on a foot are shifted with it.
    """
    feet, ours = feet_of(source, rule), foot_points(figure)
    if not feet.sites or set(feet.sites) != set(ours):
        raise MotionError(
            f"no feet are found by name in {source.figure.name} or {figure.name}; track without"
            " contacts"
        )
    names, lengths = list(feet.sites), foot_lengths(figure, ours)
    held = spaced(feet.contacts, lengths, up_axis(source.figure))
    paths, grip = locked(names, feet.points, held, source.frame_time, rule)
    at = np.clip(np.round(clip.times / source.frame_time).astype(int), 0, len(source) - 1)
    seen = site_positions(clip.figure, clip.angles, list(feet.sites.values()))
    targets = rigid(names, seen + (paths - feet.points)[at], grip[at], lengths)
    points = Markers(
        markers.names,
        _carried(figure, ours, attached, markers.points, (names, seen, targets)),
        markers.frame_time,
        weights=markers.factors,
    )
    called = {name: f"{name} contact" if name in attached else name for name in names}
    heavy = HELD ** grip[at]
    more = Markers(list(called.values()), targets, markers.frame_time, weights=heavy)
    places = {called[name]: Place.of(figure, ours[name]) for name in names}
    return points.joined(more), places, tuple(sampled_contacts(held, source.frame_time, clip))


def sampled_contacts(contacts: Sequence[Contact], frame_time: float, clip: Clip) -> list[Contact]:
    """The contacts in the frames of a clip sampled from theirs; those it misses fall out."""
    found = []
    for contact in contacts:
        inside = np.flatnonzero(
            (clip.times >= contact.first * frame_time - 1e-9)
            & (clip.times <= contact.last * frame_time + 1e-9)
        )
        if len(inside):
            found.append(Contact(contact.point, int(inside[0]), int(inside[-1]), contact.place))
    return found


def _carried(
    figure: Figure,
    sites: Mapping[str, Site],
    attached: Mapping[str, Place],
    points: Array,
    feet: tuple[list[str], Array, Array],
) -> Array:
    """(frames, effectors, 3) the points, those on a foot moved as one with its heel and ball."""
    names, seen, targets = feet
    moved = points.copy()
    for side in SIDES:
        if f"{side}_heel" not in names:
            continue
        heel, ball = names.index(f"{side}_heel"), names.index(f"{side}_ball")
        foot = sites[f"{side}_heel"].segment
        before, after = seen[:, ball] - seen[:, heel], targets[:, ball] - targets[:, heel]
        for k, place in enumerate(attached.values()):
            if foot in way_up(figure, figure.effector(place.effector).segment):
                turned = _turned(points[:, k] - seen[:, heel], before, after)
                moved[:, k] = targets[:, heel] + turned
    return moved


def _turned(vectors: Array, start: Array, end: Array) -> Array:
    """Vectors turned as `start` must turn to point along `end`, by the shortest way (frames, 3)."""
    a = start / np.linalg.norm(start, axis=1, keepdims=True)
    b = end / np.linalg.norm(end, axis=1, keepdims=True)
    axis = np.cross(a, b)
    cosine = np.sum(a * b, axis=1, keepdims=True)
    along = np.sum(axis * vectors, axis=1, keepdims=True)
    return (
        cosine * vectors + np.cross(axis, vectors) + axis * along / np.maximum(1.0 + cosine, 1e-9)
    )
