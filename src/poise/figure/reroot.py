"""Re-rooting: the same figure seen from another segment, e.g. standing on its left foot."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from poise.errors import FigureError
from poise.figure.figure import Figure
from poise.figure.joint import Joint, fixed, free
from poise.figure.pose import Pose
from poise.figure.rotation import to_vector
from poise.figure.segment import Segment

Matrix = NDArray[np.float64]


def rerooted(figure: Figure, segment: str, anchor: Pose | None = None) -> Figure:
    """The figure with `segment` as its root. Names, limits and angles of all joints are the same.

    The new root is free in space; with `anchor` it is fixed where it is in that pose, so that
    the figure stands on it. `pose.on(...)` carries poses over.
    """
    chain = _chain(figure, segment)
    new_root = figure.segments[chain[0]]
    place = _place(anchor or figure.rest(), segment)
    old_root = figure.segments[chain[-1]]
    shared = {
        "parent": None,
        "joint_name": old_root.joint_name,
        "after_rotation": None,
        "after_offset": (0.0, 0.0, 0.0),
    }
    if anchor is not None:
        root = replace(
            new_root, joint=fixed(), offset=place[:3, 3], rotation=place[:3, :3], **shared
        )
    else:
        names = tuple(dof.name for dof in old_root.joint.dofs)
        joint = free(names) if old_root.joint.kind == "free" else free()
        values = [*place[:3, 3], *to_vector(place[:3, :3])]
        dofs = [replace(dof, rest=float(v)) for dof, v in zip(joint.dofs, values, strict=True)]
        root = replace(
            new_root, joint=joint.with_dofs(dofs), offset=(0.0,) * 3, rotation=None, **shared
        )
    changed = {new_root.name: root}
    for below, above in pairwise(chain):
        joint_owner, moved = figure.segments[below], figure.segments[above]
        changed[moved.name] = _hung(moved, joint_owner)
    segments = [changed.get(s.name, s) for s in figure.segments]
    gone = set(old_root.dof_names) - set(root.dof_names)
    chains = {name: [d for d in dofs if d not in gone] for name, dofs in figure.chains.items()}
    left = {name: dofs for name, dofs in chains.items() if dofs}
    return Figure(figure.name, segments, figure.sites, figure.up, figure.relations, left)


def carried_over(pose: Pose, figure: Figure) -> Pose:
    """The pose of another rooting of the same figure in which every segment is where it is here."""
    source = pose.figure
    known = {name: float(value) for name, value in zip(source.dof_names, pose.angles, strict=True)}
    root = figure.segments[0]
    if set(figure.segment_names) != set(source.segment_names):
        raise FigureError(
            f"{figure.name!r} is not a rooting of {source.name!r}: their segments differ"
        )
    if root.joint.kind == "free":
        inner = _inner_motion(root, _place(pose, root.name))
        values = [*inner[:3, 3], *to_vector(inner[:3, :3])]
        known |= dict(zip(root.dof_names, map(float, values), strict=True))
    result = figure.pose({name: known[name] for name in figure.dof_names if name in known})
    if np.abs(_place(result, root.name) - _place(pose, root.name)).max() > 1e-9:
        raise FigureError(
            f"segment {root.name!r} is fixed elsewhere in {figure.name!r} than it is in the pose;"
            " re-root with anchor=pose, or without an anchor"
        )
    return result


def _chain(figure: Figure, segment: str) -> list[int]:
    """From the segment up to the root."""
    at = figure.segment_index(segment)
    chain = []
    while at >= 0:
        chain.append(at)
        at = figure.parents[at]
    return chain


def _hung(segment: Segment, joint_owner: Segment) -> Segment:
    """`segment`, until now the parent of `joint_owner`, as its child by the reversed joint."""
    return replace(
        segment,
        parent=joint_owner.name,
        joint=_reversed(joint_owner.joint),
        joint_name=joint_owner.joint_name,
        offset=-np.asarray(joint_owner.after_offset),
        rotation=np.asarray(joint_owner.after_rotation).T,
        after_rotation=np.asarray(joint_owner.rotation).T,
        after_offset=-np.asarray(joint_owner.offset),
    )


def _reversed(joint: Joint) -> Joint:
    """The inverse motion: the motions in the other order, each the other way round."""
    motions = tuple(replace(m, reversed=not m.reversed) for m in reversed(joint.motions))
    return replace(joint, motions=motions)


def _inner_motion(root: Segment, world: Matrix) -> Matrix:
    """What the motions of the root's joint must be (4x4) to put the root at `world`."""
    frame = root.joint.frame
    before = _transform(np.asarray(root.rotation) @ frame, np.asarray(root.offset))
    turn = frame.T @ np.asarray(root.after_rotation)
    after = _transform(turn, turn @ np.asarray(root.after_offset))
    return np.linalg.solve(before, world) @ np.linalg.inv(after)


def _place(pose: Pose, segment: str) -> Matrix:
    """World transform (4x4) of a segment, even where a site has the same name."""
    rotations, origins = pose.frames
    at = pose.figure.segment_index(segment)
    return _transform(rotations[at], origins[at])


def _transform(rotation: Matrix, origin: Matrix) -> Matrix:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation, origin
    return matrix
