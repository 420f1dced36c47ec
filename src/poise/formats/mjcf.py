"""MuJoCo's models (.xml, .mjcf), read by MuJoCo itself: metres, radians, up is against gravity.

Bodies become segments; a body with several joints has a segment for each, the last of which is the
body. DOFs of hinges and slides have the names and values that MuJoCo has in qpos. A body that
floats is the root; else the world is. What a broken file does, it does in a process of its own.
"""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileError, OptionError, PoiseError, unknown_name
from poise.figure.figure import Figure, Up
from poise.figure.joint import (
    UNLIMITED,
    Joint,
    Range,
    fixed,
    free,
    prismatic,
    revolute,
    rotation_vector,
    swing_twist,
)
from poise.figure.rotation import from_quaternion, from_vector
from poise.figure.segment import Segment, Site
from poise.formats.child import read_in_child
from poise.formats.mjcf_equalities import Followers
from poise.formats.mjcf_qpos import QposJoint, dof_values
from poise.formats.names import distinct
from poise.formats.registry import Loaded
from poise.formats.text import LARGEST_LENGTH
from poise.motion.source import Source

Array = NDArray[np.float64]

LONGEST = 60.0
"""Seconds that reading may take, meshes included."""
ROOM = 2**32
"""Bytes that MuJoCo may have for it."""
SCRIPT = Path(__file__).with_name("mjcf_model.py")
IN_CHILD = f"""
import json, runpy
described = runpy.run_path({str(SCRIPT)!r})["described"]
answer.write(json.dumps(described(sys.argv[1])).encode())
"""


def read(path: Path, *, keyframe: str | None = None) -> Loaded:
    """The figure of a MuJoCo model; at rest it has the values of a keyframe, if one is named."""
    if find_spec("mujoco") is None:
        raise OptionError("MuJoCo's models need mujoco, which is not installed;"
                          " run: pip install 'poise[mjcf]'")  # fmt: skip
    found = read_in_child(path, IN_CHILD, "a MuJoCo model", room=ROOM, seconds=LONGEST)
    model = _Model(path, json.loads(found), keyframe)
    try:
        figure = model.figure()
    except PoiseError as error:
        raise FileError(f"{path}: {error}") from error
    details: dict[str, object] = {"joints": model.qpos(figure), "keyframes": list(model.keyframes)}
    return Loaded(figure, Source(str(path), "mjcf", notes=tuple(model.notes), details=details))


def qpos_order(path: Path) -> list[QposJoint]:
    """The joints of a model, in the order of qpos."""
    joints = read(path).source.details["joints"]
    assert isinstance(joints, list)
    return joints


class _Model:
    """What MuJoCo found, as a figure."""

    def __init__(self, path: Path, found: dict[str, Any], keyframe: str | None) -> None:
        self.path = path
        self.title: str = found["name"] or path.stem
        self.bodies: list[dict[str, Any]] = found["bodies"]
        self.joints: list[dict[str, Any]] = found["joints"]
        self.sites: list[dict[str, Any]] = found["sites"]
        self.up: Up = "Y" if -found["gravity"][1] > abs(found["gravity"][2]) else "Z"
        self.notes: list[str] = []
        self.renamed: list[str] = []
        for thing in (*self.bodies, *self.joints, *self.sites):
            if not np.all(np.abs(thing["place"]) < LARGEST_LENGTH):
                raise FileError(f"{path}: the place of {thing['name']!r} is {thing['place']};"
                                f" expected finite numbers below {LARGEST_LENGTH:g} m")  # fmt: skip
        self._name_all()
        self.left_out = self._left_out()
        self.root = self._root()
        self.keyframes: dict[str, list[float]] = found["keyframes"]
        self._start_at(keyframe)
        self.followers = Followers(found["equalities"], self.joints)
        self.notes += self.followers.notes
        others = {name: count for name, count in found["others"].items() if count}
        if others:
            counts = ", ".join(f"{n} {name}{'s' * (n > 1)}" for name, n in others.items())
            self.notes.append(f"not read: {counts}")

    def figure(self) -> Figure:
        segments = []
        for b in range(len(self.bodies)):
            if b not in self.left_out:
                segments += self._segments(b)
        sites = [site for s in self.sites if (site := self._site(s)) is not None]
        if self.renamed:
            names = ", ".join(self.renamed)
            self.notes.append(f"sites that are called as bodies got other names: {names}")
        return Figure(self.title, segments, sites, self.up, self.followers.groups())

    def qpos(self, figure: Figure) -> list[QposJoint]:
        """What the joints are on the figure, in the order of qpos."""
        dofs = {segment.joint_name: segment.dof_names for segment in figure.segments}
        return [
            QposJoint(j["name"], j["kind"], _is_limited(j), tuple(j["rest"]),
                      dofs.get(j["name"], ()))
            for j in sorted(self.joints, key=lambda joint: joint["address"])
        ]  # fmt: skip

    def _start_at(self, keyframe: str | None) -> None:
        """The numbers that joints have at rest: those of the keyframe, or of the file."""
        if keyframe is not None and keyframe not in self.keyframes:
            if not self.keyframes:
                raise OptionError(f"{self.path} has no keyframes; leave keyframe= out")
            what = f"keyframe of {self.path}"
            raise OptionError(unknown_name(what, keyframe, self.keyframes))
        for joint in self.joints:
            first = joint["address"]
            numbers = self.keyframes[keyframe][first:] if keyframe is not None else joint["rest"]
            joint["start"] = numbers[: len(joint["rest"])]

    def _name_all(self) -> None:
        """Whatever has no name gets one; bodies, joints and links of a joint differ."""
        bodies = {body["name"] for body in self.bodies}
        for b, body in enumerate(self.bodies):
            if not body["name"]:
                (body["name"],) = distinct([f"body{b}"], bodies)
                bodies.add(body["name"])
            body["joints"] = []
        for joint in self.joints:
            self.bodies[joint["body"]]["joints"].append(joint)
        named = {joint["name"] for joint in self.joints}
        for body in self.bodies:
            own = body["joints"]
            for k, joint in enumerate(own):
                numbered = f"_joint{k + 1}" if len(own) > 1 else ""
                if not joint["name"]:
                    (joint["name"],) = distinct([body["name"] + numbered], named)
                    named.add(joint["name"])
        inner = [joint for body in self.bodies for joint in body["joints"][:-1]]
        links = distinct([joint["name"] + "_link" for joint in inner], bodies)
        for joint, link in zip(inner, links, strict=True):
            joint["link"] = link
        self.taken = {*bodies, *links}

    def _left_out(self) -> set[int]:
        """Mocap bodies, which programmes place and no joint moves, and what hangs on them."""
        found: set[int] = set()
        for b, body in enumerate(self.bodies):
            if body["mocap"]:
                self.notes.append(f"mocap body {body['name']!r} is left out: no joint moves it")
            if body["mocap"] or body["parent"] in found:
                found.add(b)
        return found

    def _root(self) -> int:
        """The one body of the world if it floats, else the world."""
        top = [b for b, body in enumerate(self.bodies)
               if b and body["parent"] == 0 and b not in self.left_out]  # fmt: skip
        if not top:
            raise FileError(f"{self.path}: found no <body> in <worldbody>, expected at least one")
        first = self.bodies[top[0]]["joints"]
        if len(top) > 1 or not first or first[0]["kind"] != "free":
            return 0
        self.left_out.add(0)
        return top[0]

    def _segments(self, b: int) -> list[Segment]:
        """One a joint, in their order; the last is the body."""
        body = self.bodies[b]
        parent = None if b == self.root else self.bodies[body["parent"]]["name"]
        place, turn = np.array(body["place"]), from_quaternion(body["quaternion"])
        mass, center = body["mass"], np.array(body["center"])
        if not body["joints"]:
            return [Segment(body["name"], parent, fixed(), place, turn, mass=mass, center=center)]
        made: list[Segment] = []
        for joint in body["joints"]:
            name = joint.get("link", body["name"])
            made.append(self._segment(joint, name, parent, place, turn))
            parent, place, turn = name, np.zeros(3), np.eye(3)
        return [*made[:-1], replace(made[-1], mass=mass, center=center)]

    def _segment(
        self, joint: dict[str, Any], name: str, parent: str | None, place: Array, turn: Array
    ) -> Segment:
        """What a joint moves, whose frame without it is at `place`, turned by `turn`."""
        kind, title, axis = joint["kind"], joint["name"], np.array(joint["axis"])
        if kind == "free":  # its place and rotation are those in the world
            return Segment(name, parent, _at(free(), joint), joint_name=title)
        if kind == "slide":
            start = place - turn @ axis * joint["rest"][0]
            return Segment(name, parent, self._single(joint), start, turn, joint_name=title)
        anchor = np.array(joint["place"])
        if kind == "hinge":
            made, before = self._single(joint), from_vector(-joint["rest"][0] * axis)
        else:
            made, before = self._ball(joint), np.eye(3)
        return Segment(name, parent, made, place + turn @ anchor, turn @ before, joint_name=title,
                       after_offset=-anchor)  # fmt: skip

    def _single(self, joint: dict[str, Any]) -> Joint:
        lower, upper = self._limits(joint)
        made = prismatic if joint["kind"] == "slide" else revolute
        rest = float(np.clip(joint["start"][0], lower, upper))
        return made(joint["axis"], (lower, upper), rest=rest)

    def _limits(self, joint: dict[str, Any]) -> Range:
        held = self.followers.constant.get(joint["name"])
        if held is not None:
            return held, held
        return tuple(joint["range"]) if joint["range"] else UNLIMITED

    def _ball(self, joint: dict[str, Any]) -> Joint:
        """Of a ball MuJoCo limits the angle of the whole rotation."""
        if not _is_limited(joint):
            return _at(rotation_vector(), joint)
        most = joint["range"][1]
        widest = 2.0 * np.arccos(np.cos(0.5 * most) ** 2)
        self.notes.append(
            f"ball joint {joint['name']!r} may turn by {np.degrees(most):.4g}°: swing and twist are"
            f" limited to that each, so both together reach {np.degrees(widest):.4g}°"
        )
        return _at(swing_twist(most, (-most, most)), joint)

    def _site(self, site: dict[str, Any]) -> Site | None:
        name, body = site["name"] or "site", self.bodies[site["body"]]
        if site["body"] in self.left_out:
            self.notes.append(f"site {name!r} on {body['name']!r} is left out")
            return None
        place, turn = np.array(site["place"]), from_quaternion(site["quaternion"])
        if name == body["name"] and not place.any() and np.abs(turn - np.eye(3)).max() < 1e-12:
            return None  # the segment is it
        (free_name,) = distinct([name], self.taken)
        self.taken.add(free_name)
        if site["name"] and free_name != name:
            self.renamed.append(free_name)
        return Site(free_name, body["name"], place, turn)


def _is_limited(joint: dict[str, Any]) -> bool:
    """Whether a ball has limits; those from half a turn on are none."""
    return bool(joint["kind"] == "ball" and joint["range"] and joint["range"][1] < np.pi)


def _at(made: Joint, joint: dict[str, Any]) -> Joint:
    """A ball or a free joint that rests where it starts."""
    values = dof_values(joint["kind"], joint["start"], _is_limited(joint))
    dofs = [replace(dof, rest=value) for dof, value in zip(made.dofs, values, strict=True)]
    return made.with_dofs(dofs)
