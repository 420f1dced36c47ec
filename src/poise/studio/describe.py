"""The session's state as messages, section by section."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.figure.relations import JointGroup
from poise.figure.rotation import to_quaternion
from poise.formats.character import character_of
from poise.motion.chains import chains_of
from poise.motion.clip import Clip
from poise.motion.demands import in_world
from poise.motion.document import Document
from poise.motion.fixing import feet
from poise.motion.posing import Posing
from poise.studio import sections
from poise.studio.handles import handle_of
from poise.studio.shown import placements
from poise.view.bind import bind_pose
from poise.view.body import limbs
from poise.view.shapes import trunk_of


def figure_info(document: Document, revision: int) -> sections.FigureInfo:
    """Everything about the figure of a document."""
    figure = document.figure
    return sections.FigureInfo(
        revision=revision,
        name=figure.name,
        up=figure.up,
        segments=_segments(figure),
        dofs=_dofs(figure),
        cones=[sections.ConeInfo((d, d + 1), angle) for d, angle in figure.cones],
        sites=[
            sections.SiteInfo(
                site.name,
                figure.segment_index(site.segment),
                vector(site.offset),
                quaternion(site.rotation),
                handle_of(figure, site),
                chains_of(figure, site.name),
            )
            for site in figure.sites
        ],
        limbs=[
            sections.LimbInfo(
                *(limb.segment, vector(limb.start), vector(limb.end)),
                *(float(limb.start_radius), float(limb.end_radius)),
            )
            for limb in _limbs(figure)
        ],
        trunk=[figure.segment_index(name) for name in trunk_of(figure.name)],
        bind=[tuple(row) for row in placements(bind_pose(figure)).astype(float).round(7).tolist()],
        groups=_groups(document),
        mesh=_mesh(document),
    )


def _mesh(document: Document) -> sections.MeshInfo | None:
    kept = character_of(document)
    if kept is None or not kept.has_mesh:
        return None
    nodes = {name: bound.node for name, bound in kept.bound.items()}
    names = document.figure.segment_names
    return sections.MeshInfo(kept.key, [nodes.get(name, -1) for name in names])


@lru_cache(maxsize=8)
def _limbs(figure: Figure) -> list:
    return limbs(figure)


def _segments(figure: Figure) -> list[sections.SegmentInfo]:
    found, first = [], 0
    for segment, parent in zip(figure.segments, figure.parents, strict=True):
        count = len(segment.joint.dofs)
        found.append(
            sections.SegmentInfo(
                segment.name,
                parent,
                vector(segment.offset),
                quaternion(segment.rotation),
                segment.mass,
                vector(segment.center),
                segment.joint.kind,
                list(range(first, first + count)),
            )
        )
        first += count
    return found


def _dofs(figure: Figure) -> list[sections.DofInfo]:
    leaders = {f.dof: f.leader for f in figure.relation_tables.followers}
    owners = [i for i, s in enumerate(figure.segments) for _ in s.joint.dofs]
    return [
        sections.DofInfo(
            figure.dof_names[i],
            owners[i],
            dof.kind,
            bound(figure.lower[i]),
            bound(figure.upper[i]),
            dof.rest,
            dof.rigidity,
            leaders.get(i, -1),
        )
        for i, dof in enumerate(figure.dofs)
    ]


def _groups(document: Document) -> list[sections.GroupInfo]:
    figure = document.figure
    on = [relation for relation in figure.relations if isinstance(relation, JointGroup)]
    return [
        sections.GroupInfo(group.name, [figure.dof_index(dof) for dof in group.shares], group in on)
        for group in (*on, *document.spare_groups)
    ]


def goal_infos(posing: Posing, time: float, pose: Pose) -> list[sections.GoalInfo]:
    """The goals as they are at a time, their targets in the world."""
    found = []
    for goal in posing.document.goals:
        own = posing.target(goal, time)
        target = in_world(goal, own, pose)
        found.append(
            sections.GoalInfo(
                id=goal.id,
                effector=goal.effector,
                kind=goal.kind,
                on=target.on,
                pinned=goal.pinned,
                weight=goal.weight,
                blend=target.blend,
                chain=goal.chain,
                space=goal.space,
                position=vector(target.position),
                rotation=tuple(np.asarray(target.rotation).tolist()),
                direction=vector(target.direction),
                keyed=bool(posing.document.keys_of(goal.id)),
            )
        )
    return found


def timeline_info(document: Document) -> sections.TimelineInfo:
    clip = document.clip
    return sections.TimelineInfo(
        fps=document.fps,
        duration=document.duration,
        loop=document.loop,
        keys=[
            sections.KeyInfo(
                key.id, key.time, key.ease, key.angles is not None, sorted(key.targets)
            )
            for key in document.keys
        ],
        fixes=[
            sections.FixInfo(fix.id, fix.time, fix.ease_in, fix.ease_out, list(fix.held))
            for fix in document.fixes
        ],
        clip=None if clip is None else _clip(clip),
    )


def _clip(clip: Clip) -> sections.ClipInfo:
    return sections.ClipInfo(clip.name, len(clip), clip.fps, clip.duration, feet(clip.figure))


def settings_info(document: Document) -> sections.SettingsInfo:
    s = document.settings
    return sections.SettingsInfo(s.method, s.balance, s.ground, s.stiff_root)


def vector(values: ArrayLike) -> tuple[float, float, float]:
    x, y, z = np.asarray(values, float).tolist()
    return x, y, z


def quaternion(matrix: ArrayLike | None) -> tuple[float, float, float, float]:
    w, x, y, z = to_quaternion(np.asarray(matrix, float)).tolist()
    return w, x, y, z


def bound(value: float) -> float | None:
    """A limit; null where open."""
    return float(value) if math.isfinite(value) else None
