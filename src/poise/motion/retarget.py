"""Retarget: the motion of one figure on another, with other proportions, names and rest pose.

Every mapped segment is turned as its counterpart is, hips and feet follow theirs, scaled by the
length of the legs, and feet stand still where they stood. One problem a frame weighs all of it
inside the target's limits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Unpack

import numpy as np

from poise.errors import MotionError
from poise.figure.figure import Figure
from poise.motion.alignment import align
from poise.motion.clip import Clip
from poise.motion.contacts import Contact, ContactReport, ContactRule, measure
from poise.motion.equivalent import unwrapped
from poise.motion.feet import foot_points, up_axis
from poise.motion.footing import Footing, footing
from poise.motion.rest_frame import has_rest_frame, without_rest_frame
from poise.motion.retarget_problem import RetargetProblem
from poise.motion.skeleton_map import SkeletonMap
from poise.motion.source import Source
from poise.motion.world import site_positions
from poise.solve.sequence import Report
from poise.solve.solver import Options


@dataclass(frozen=True, eq=False)
class Retargeted:
    """The motion on the target figure, and how it came about."""

    clip: Clip
    mapping: SkeletonMap
    scale: float
    """How many times longer the legs of the target are."""
    turn_error: float
    """The mean angle between a segment and what it follows [rad]."""
    contacts: tuple[Contact, ...]
    feet: ContactReport | None
    """How still the feet stand."""
    notes: tuple[str, ...]
    """What was left out or assumed, each a sentence for people."""

    def document(self) -> dict[str, object]:
        """Plain data, for JSON."""
        return {
            "frames": len(self.clip),
            "scale": self.scale,
            "turn_error": self.turn_error,
            "feet": None if self.feet is None else asdict(self.feet),
            "notes": list(self.notes),
            "mapping": self.mapping.document(),
        }


def retarget(
    clip: Clip,
    to: Figure,
    mapping: SkeletonMap | None = None,
    *,
    contacts: bool | ContactRule | None = None,
    stiffness: Mapping[str, float] | None = None,
    report: Report | None = None,
    **options: Unpack[Options],
) -> Retargeted:
    """The motion of `clip` on the figure `to`, inside its limits.

    mapping: what follows what; matched by name if not given (`SkeletonMap.between`).
    contacts: lock heels and balls where they stand still. By default on another skeleton only.
    stiffness: from 0 to 1 by DOF name or pattern: how much a joint stays at rest instead of
        following (HJ's weights), e.g. {"left_knee*": 0.8} for an injured leg; 1 does not move.
    options: as `Solver` takes them.
    """
    notes = []
    if has_rest_frame(clip):
        clip = without_rest_frame(clip)
        notes.append("frame 0 is a rest pose that is no part of the motion: left out")
    if not len(clip):
        raise MotionError("a clip without frames cannot be retargeted")
    chosen = (mapping or SkeletonMap.between(clip.figure, to)).checked(clip.figure, to)
    alignment = align(clip.figure, to, chosen)
    same = _is_same_skeleton(clip.figure, to)
    locks = (not same) if contacts is None else contacts
    rule = (contacts if isinstance(contacts, ContactRule) else ContactRule()) if locks else None
    feet = footing(clip, to, alignment, rule)
    wanted = RetargetProblem(clip, to, chosen, alignment, feet)
    answers = wanted.solve(stiffness or {}, options, report)
    angles = unwrapped(to, answers.angles)
    made = Clip(to, angles, clip.frame_time, clip.name, Source(notes=clip.source.notes))
    turned = answers.errors[:, : len(chosen.pairs), 1]
    return Retargeted(
        made,
        chosen,
        alignment.scale,
        float(turned.mean()),
        tuple(feet.contacts) if feet else (),
        _standing(made, feet),
        (*notes, *chosen.doubts),
    )


def _standing(clip: Clip, feet: Footing | None) -> ContactReport | None:
    if feet is None:
        return None
    sites = foot_points(clip.figure)
    points = site_positions(clip.figure, clip.angles, [sites[name] for name in feet.names])
    return measure(feet.names, points, feet.contacts, up_axis(clip.figure))


def _is_same_skeleton(one: Figure, other: Figure) -> bool:
    return one.dof_names == other.dof_names and all(
        np.allclose(a.offset, b.offset) for a, b in zip(one.segments, other.segments, strict=True)
    )
