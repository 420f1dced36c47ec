"""Fixes: what an animator changes of a clip, which itself is never altered.

A fix holds the feet that stand on something about its time: they stay where the clip has them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.motion.clip import Clip
from poise.motion.contacts import ContactRule
from poise.motion.demands import SOLE
from poise.motion.document import EASE, Document, Fix
from poise.motion.feet import foot_points
from poise.motion.locking import feet_of
from poise.motion.offsets import offset_between
from poise.motion.posing import Posing
from poise.motion.roles import SIDES, body_of


def fixed(document: Document, time: float, pose: Pose, moved: Iterable[str] = ()) -> Document:
    """A fix that makes the pose what it should be at a time. `moved`: what it must not hold."""
    document = fix_begun(document, time, set(moved))
    fix = document.fix_at(time)
    assert fix is not None
    before = Posing(document).angles(time, without_fix=fix.id)
    offset = offset_between(document.figure, before, pose.angles)
    return document.with_fix(replace(fix, offset=offset))


def fix_begun(document: Document, time: float, moved: Collection[str]) -> Document:
    """The document with a fix at a time that changes nothing yet, but holds what stands."""
    old = document.fix_at(time)
    if old is not None:
        held = tuple(name for name in old.held if name not in moved)
        return document.with_fix(replace(old, held=held))
    assert document.clip is not None
    held = tuple(name for name in standing(document.clip, time) if name not in moved)
    nothing = [0.0] * len(document.figure.dofs)
    return document.with_fix(Fix(document.next_id, time, nothing, held))


def below(figure: Figure, segment: str) -> set[str]:
    """What moves with a segment: it, the segments that hang on it, and their sites."""
    segments = figure.below(segment)
    return set(segments) | {site.name for site in figure.sites if site.segment in segments}


def standing(clip: Clip, time: float) -> list[str]:
    """The segments of the feet that stand on something about a time.

    About: while a fix at that time would count for more than half. Feet that are not known to be
    a person's are taken to stand always.
    """
    figure = clip.figure
    if not foot_points(figure):
        return feet(figure)
    first, last = ((time + shift) / clip.frame_time for shift in (-0.5 * EASE, 0.5 * EASE))
    roles = body_of(figure).roles
    found = [
        roles[f"{side}_foot"]
        for side, begin, end in _contacts(clip)
        if begin <= last and end >= first
    ]
    return list(dict.fromkeys(found))


def _contacts(clip: Clip) -> list[tuple[str, int, int]]:
    """Side, first and last frame of every contact of a foot; kept by the clip."""
    found = clip.__dict__.get("_foot_contacts")
    if found is None:
        contacts = feet_of(clip, ContactRule()).contacts
        found = [(c.point.partition("_")[0], c.first, c.last) for c in contacts]
        clip.__dict__["_foot_contacts"] = found
    return found


def feet(figure: Figure) -> list[str]:
    """The segments of the feet: a person's, or those that are called so."""
    roles = body_of(figure).roles
    named = [roles[f"{side}_foot"] for side in SIDES if f"{side}_foot" in roles]
    named = named or [s for s in figure.segment_names if "foot" in s.lower()]
    sites = [s for s in figure.sites if any(part in s.name.lower() for part in SOLE)]
    return named or list(dict.fromkeys(site.segment for site in sites))
