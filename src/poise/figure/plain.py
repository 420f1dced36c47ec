"""A figure as plain data (numbers, strings, lists), and back: for files and for comparing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from poise.errors import FigureError, unknown_name
from poise.figure.figure import Figure
from poise.figure.joint import Dof, Joint, Motion, MotionKind
from poise.figure.relations import JointGroup, LinearLimit, PolygonLimit, Relation
from poise.figure.segment import Segment, Site

Plain = dict[str, Any]


def plain_figure(figure: Figure) -> Plain:
    """All that a figure is. What has its usual value is left out; open limits are null."""
    return {
        "name": figure.name,
        "up": figure.up,
        "segments": [_segment(segment) for segment in figure.segments],
        "sites": [
            {"name": site.name, "segment": site.segment}
            | _placed(offset=site.offset, rotation=site.rotation)
            for site in figure.sites
        ],
        "relations": [plain_relation(relation) for relation in figure.relations],
        "chains": {name: list(dofs) for name, dofs in figure.chains.items()},
    }


def figure_from(plain: Plain) -> Figure:
    """The figure of plain data. Raises a FigureError, KeyError or TypeError if it is not one."""
    return Figure(
        plain["name"],
        [_segment_from(segment) for segment in plain["segments"]],
        [Site(**site) for site in plain.get("sites", ())],
        plain.get("up", "Y"),
        [relation_from(relation) for relation in plain.get("relations", ())],
        plain.get("chains", {}),
    )


def _segment(segment: Segment) -> Plain:
    found: Plain = {"name": segment.name, "parent": segment.parent}
    if segment.joint_name != segment.name:
        found["joint_name"] = segment.joint_name
    if segment.bone:
        found["bone"] = segment.bone
    found |= _placed(offset=segment.offset, rotation=segment.rotation)
    if segment.mass:
        found["mass"] = segment.mass
    found |= _placed(
        center=segment.center,
        after_rotation=segment.after_rotation,
        after_offset=segment.after_offset,
    )
    joint = segment.joint
    found["joint"] = {"kind": joint.kind, "motions": [_motion(m) for m in joint.motions]}
    found["joint"] |= _placed(frame=joint.frame)
    return found


def _segment_from(plain: Plain) -> Segment:
    joint = plain["joint"]
    motions = tuple(_motion_from(motion) for motion in joint["motions"])
    frame = np.array(joint.get("frame", np.eye(3)), float)
    fields: Plain = {**plain, "joint": Joint(joint["kind"], motions, frame)}
    return Segment(**fields)


def _placed(**arrays: Any) -> Plain:
    """Vectors that are not zero and matrices that are not the identity, as lists."""
    found = {}
    for name, array in arrays.items():
        usual = np.zeros(3) if np.ndim(array) == 1 else np.eye(3)
        if not np.array_equal(array, usual):
            found[name] = np.asarray(array).tolist()
    return found


def _motion(motion: Motion) -> Plain:
    found: Plain = {"kind": motion.kind.name.lower(), "dofs": [_dof(dof) for dof in motion.dofs]}
    if motion.reversed:
        found["reversed"] = True
    if motion.cone is not None:
        found["cone"] = motion.cone
    return found


def _motion_from(plain: Plain) -> Motion:
    names = [kind.name.lower() for kind in MotionKind]
    if plain["kind"] not in names:
        raise FigureError(unknown_name("motion", plain["kind"], names))
    kind = MotionKind[plain["kind"].upper()]
    dofs = tuple(_dof_from(dof, kind) for dof in plain["dofs"])
    wanted = {MotionKind.ROTATION_VECTOR: 3, MotionKind.SWING: 2}.get(kind, 1)
    if len(dofs) != wanted:
        raise FigureError(f"a motion {plain['kind']!r} has {len(dofs)} DOFs; it needs {wanted}")
    cone = plain.get("cone")
    if (cone is not None) != (kind == MotionKind.SWING):
        raise FigureError("a swing needs a cone, and nothing else has one")
    return Motion(kind, dofs, bool(plain.get("reversed", False)), cone)


def _dof(dof: Dof) -> Plain:
    found: Plain = {"name": dof.name, "limits": [_open(dof.lower), _open(dof.upper)]}
    if dof.rigidity:
        found["rigidity"] = dof.rigidity
    if dof.rest:
        found["rest"] = dof.rest
    return found


def _dof_from(plain: Plain, kind: MotionKind) -> Dof:
    lower, upper = plain["limits"]
    return Dof(
        plain["name"],
        "translation" if kind.is_translation else "rotation",
        -math.inf if lower is None else float(lower),
        math.inf if upper is None else float(upper),
        float(plain.get("rigidity", 0.0)),
        float(plain.get("rest", 0.0)),
    )


def plain_relation(relation: Relation) -> Plain:
    """A joint group, linear limit or polygon as plain data."""
    if isinstance(relation, JointGroup):
        found = {"kind": "group", "shares": dict(relation.shares)}
        return found | {"name": relation.name, "offsets": dict(relation.offsets)}
    if isinstance(relation, LinearLimit):
        return {
            "kind": "linear",
            "name": relation.name,
            "coefficients": dict(relation.coefficients),
            "limits": [_open(relation.lower), _open(relation.upper)],
        }
    corners = np.asarray(relation.corners).tolist()
    return {
        "kind": "polygon", "name": relation.name, "dofs": list(relation.dofs), "corners": corners,
    }  # fmt: skip


def relation_from(plain: Plain) -> Relation:
    """The relation of plain data."""
    try:
        return _relation_from(plain)
    except (KeyError, TypeError) as error:
        name, kind = plain.get("name"), plain.get("kind")
        raise FigureError(f"relation {name!r} lacks what a {kind} needs ({error})") from error


def _relation_from(plain: Plain) -> Relation:
    kind = plain["kind"]
    if kind == "group":
        return JointGroup(plain["name"], plain["shares"], plain.get("offsets", {}))
    if kind == "linear":
        lower, upper = plain["limits"]
        return LinearLimit(
            plain["name"],
            plain["coefficients"],
            -math.inf if lower is None else lower,
            math.inf if upper is None else upper,
        )
    if kind == "polygon":
        return PolygonLimit(plain["name"], tuple(plain["dofs"]), plain["corners"])
    raise FigureError(unknown_name("relation", kind, ("group", "linear", "polygon")))


def _open(value: float) -> float | None:
    return None if math.isinf(value) else value
