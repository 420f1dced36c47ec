"""What MuJoCo makes of a model, as plain data. This file runs alone, in a process of its own.

Angles are in rad whatever the file has, and all defaults and orientations are worked out.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any
from xml.etree import ElementTree

KINDS = ("free", "ball", "slide", "hinge")
"""By MuJoCo's numbers, as are these:"""
EQUALITIES = ("connect", "weld", "joint", "tendon", "flex", "distance")


def described(path: str) -> dict[str, Any]:
    """Its bodies with joints and sites, equalities, and how many there are of all else.

    What MuJoCo says of a broken file goes to standard error, in one line, and ends the process.
    """
    mujoco: Any = import_module("mujoco")
    if _root(path) == "robot":
        sys.exit("its root is <robot>, which is URDF: call it .urdf")
    try:
        model = mujoco.MjModel.from_xml_path(path)
    except (ValueError, mujoco.FatalError, mujoco.UnexpectedError) as error:
        sys.exit(", ".join(line.strip() for line in str(error).splitlines() if line.strip()))
    title = model.names.split(b"\0", 1)[0].decode(errors="replace")
    return {
        "name": "" if title == "MuJoCo Model" else title,
        "gravity": model.opt.gravity.tolist(),
        "bodies": [_body(model, b) for b in range(model.nbody)],
        "joints": [_joint(model, j) for j in range(model.njnt)],
        "sites": [_site(model, s) for s in range(model.nsite)],
        "equalities": [_equality(model, e) for e in range(model.neq)],
        "keyframes": {
            model.key(k).name or str(k): model.key_qpos[k].tolist() for k in range(model.nkey)
        },
        "others": {
            "actuator": model.nu,
            "deformable": model.nflex,
            "geom": model.ngeom,
            "sensor": model.nsensor,
            "tendon": model.ntendon,
        },
    }


def _root(path: str) -> str:
    """The tag of the outermost element; nothing where MuJoCo should say what is wrong."""
    try:
        return next(iter(ElementTree.iterparse(path, events=["start"])))[1].tag
    except (ElementTree.ParseError, LookupError, StopIteration, ValueError):
        return ""


def _body(model: Any, b: int) -> dict[str, Any]:
    return {
        "name": model.body(b).name,
        "parent": int(model.body_parentid[b]),
        "place": model.body_pos[b].tolist(),
        "quaternion": model.body_quat[b].tolist(),
        "mass": float(model.body_mass[b]),
        "center": model.body_ipos[b].tolist(),
        "mocap": bool(model.body_mocapid[b] >= 0),
    }


def _joint(model: Any, j: int) -> dict[str, Any]:
    kind = KINDS[model.jnt_type[j]]
    first = model.jnt_qposadr[j]
    return {
        "name": model.joint(j).name,
        "kind": kind,
        "body": int(model.jnt_bodyid[j]),
        "place": model.jnt_pos[j].tolist(),
        "address": int(first),
        "axis": model.jnt_axis[j].tolist(),
        "range": model.jnt_range[j].tolist() if model.jnt_limited[j] else None,
        "rest": model.qpos0[first : first + {"free": 7, "ball": 4}.get(kind, 1)].tolist(),
    }


def _site(model: Any, s: int) -> dict[str, Any]:
    return {
        "name": model.site(s).name,
        "body": int(model.site_bodyid[s]),
        "place": model.site_pos[s].tolist(),
        "quaternion": model.site_quat[s].tolist(),
    }


def _equality(model: Any, e: int) -> dict[str, Any]:
    kind = int(model.eq_type[e])
    return {
        "name": model.equality(e).name,
        "kind": EQUALITIES[kind] if kind < len(EQUALITIES) else "other",
        "active": bool(model.eq_active0[e]),
        "objects": [int(model.eq_obj1id[e]), int(model.eq_obj2id[e])],
        "coefficients": model.eq_data[e, :5].tolist(),
    }
