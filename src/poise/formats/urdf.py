"""URDF robots (.urdf), read by yourdfpy: metres, radians, +Z up unless told. Meshes are not needed.

Links become segments and joints keep their names as those of their DOFs. Continuous joints have no
limits, mimic joints become joint groups, and frames at the ends that weigh nothing (tool0, a
camera's frame) become sites. The base stands where the world is, or moves freely with base="free".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from poise.errors import FigureError, FileError, OptionError, unknown_name
from poise.figure.figure import Figure, Up
from poise.figure.joint import UNLIMITED, Joint, Range, fixed, free, planar, prismatic, revolute
from poise.figure.relations import JointGroup
from poise.figure.segment import Segment, Site
from poise.formats.extras import extra
from poise.formats.registry import Loaded
from poise.formats.text import LARGEST_LENGTH, shown
from poise.motion.source import Source

Array = NDArray[np.float64]
Base = Literal["fixed", "free"]
KINDS = ("fixed", "revolute", "continuous", "prismatic", "floating", "planar")
NUMBERS = {"origin": ("xyz", "rpy"), "axis": ("xyz",), "limit": ("lower", "upper"),
           "mimic": ("multiplier", "offset"), "mass": ("value",)}  # fmt: skip
COUNTS = {"xyz": 3, "rpy": 3}


def read(path: Path, *, base: Base = "fixed", up: Up = "Z") -> Loaded:
    """The figure of a URDF file, which does not say which of its axes is up."""
    if base not in ("fixed", "free"):
        raise OptionError(f"base={base!r}: give 'fixed' or 'free'")
    if up not in ("Y", "Z"):
        raise OptionError(f"up={up!r}: give 'Y' or 'Z'")
    yourdfpy = extra("yourdfpy", "urdf", ".urdf files")
    content = path.read_bytes()
    _check(path, content)
    try:
        # Neither meshes nor the scene: what package:// stands for need not be there.
        model = yourdfpy.URDF.load(BytesIO(content), build_scene_graph=False, load_meshes=False)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise FileError(f"{path}: found a robot that cannot be read ({error!r})") from error
    robot = _Robot(path, model.robot, base, up)
    try:
        figure = robot.figure()
    except FigureError as error:
        raise FileError(f"{path}: {error}") from error
    details: dict[str, object] = {"joints": robot.order}
    return Loaded(figure, Source(str(path), "urdf", notes=tuple(robot.notes), details=details))


def joint_order(path: Path) -> list[str]:
    """The names of the joints that move, in the order of the file."""
    order = read(path).source.details["joints"]
    assert isinstance(order, list)
    return order


def _check(path: Path, content: bytes) -> None:
    """Every joint has what it needs, and every number is one; errors name the line."""
    etree: Any = extra("lxml.etree", "urdf", ".urdf files")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        raise FileError(
            f"{path}, line {line}: expected the XML of a robot ({error.msg})"
        ) from error
    except ValueError as error:
        raise FileError(f"{path}: expected the XML of a robot ({error})") from error

    def wrong(element: Any, found: str, expected: str) -> FileError:
        place = f"{path}, line {element.sourceline}"
        return FileError(f"{place}: found {shown(found)}, expected {expected}")

    if root.getroottree().docinfo.internalDTD is not None:
        raise wrong(root, "a DOCTYPE", "a plain <robot>")
    if root.tag != "robot" or not root.get("name"):
        raise wrong(root, f"<{root.tag}>", "<robot name=…>; run xacro first on what needs it")
    for element in [*root.findall("link"), *root.findall("joint")]:
        if not element.get("name"):
            raise wrong(element, f"a {element.tag} without a name", "a name")
    for joint in root.findall("joint"):
        if joint.get("type") not in KINDS:
            raise wrong(joint, f"type {joint.get('type')}", f"one of {', '.join(KINDS)}")
        for part in ("parent", "child"):
            if joint.find(part) is None or not joint.find(part).get("link"):
                raise wrong(
                    joint, f"joint {joint.get('name')} without a {part}", f"<{part} link=…>"
                )
        if joint.find("mimic") is not None and not joint.find("mimic").get("joint"):
            raise wrong(joint, "<mimic>", "<mimic joint=…>")
    for element in root.iter():
        if isinstance(element.tag, str):
            for key in NUMBERS.get(element.tag, ()):
                if key in element.attrib and not _numbers(element.get(key), COUNTS.get(key, 1)):
                    expected = f"{COUNTS.get(key, 1)} finite numbers for {element.tag} {key}"
                    raise wrong(element, element.get(key) or "nothing", expected)


def _numbers(text: str, count: int) -> bool:
    try:
        values = [float(word) for word in text.split()]
    except ValueError:
        return False
    return len(values) == count and all(abs(value) < LARGEST_LENGTH for value in values)


@dataclass
class _Robot:
    """What yourdfpy found, as a figure."""

    path: Path
    robot: Any
    base: Base
    up: Up
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.links = {link.name: link for link in self.robot.links}
        self.joints: dict[str, Any] = {}
        """By the link that they move."""
        for joint in self.robot.joints:
            for link in (joint.parent, joint.child):
                if link not in self.links:
                    what = f"link of joint {joint.name!r}"
                    raise FileError(f"{self.path}: {unknown_name(what, link, self.links)}")
            if joint.child in self.joints:
                raise FileError(
                    f"{self.path}: link {joint.child!r} has two parents; expected a tree, without"
                    " closed loops"
                )
            self.joints[joint.child] = joint
        self.by_name = {joint.name: joint for joint in self.robot.joints}
        if len(self.links) < len(self.robot.links) or len(self.by_name) < len(self.robot.joints):
            raise FileError(f"{self.path}: a name of a link or joint is used twice")
        self.constant: dict[str, float] = {}
        self.groups = self._groups()
        self.order = [joint.name for joint in self.robot.joints if joint.type != "fixed"]

    def figure(self) -> Figure:
        frames = self._frames()
        segments = []
        for name, link in self.links.items():
            if name in frames:
                continue
            mass, center = _mass(link)
            joint = self.joints.get(name)
            if joint is None:
                root = free() if self.base == "free" else fixed()
                segments.append(Segment(name, None, root, mass=mass, center=center))
                continue
            place = _matrix(joint.origin)
            segments.append(
                Segment(name, joint.parent, self._joint(joint), place[:3, 3], place[:3, :3],
                        joint_name=joint.name, mass=mass, center=center)
            )  # fmt: skip
        sites = [self._site(name, frames) for name in self.links if name in frames]
        title = self.robot.name
        return Figure(title, segments, sites, self.up, [JointGroup(n, *g) for n, g in self.groups])

    def _frames(self) -> set[str]:
        """The links at the ends that are frames only: fixed and without mass."""
        children: dict[str, list[str]] = {}
        for child, joint in self.joints.items():
            children.setdefault(joint.parent, []).append(child)
        found: set[str] = set()
        waiting = [name for name in self.links if name not in children]
        while waiting:
            name = waiting.pop()
            joint = self.joints.get(name)
            if joint is None or joint.type != "fixed" or _mass(self.links[name])[0]:
                continue
            if found.issuperset(children.get(name, [])):
                found.add(name)
                waiting.append(joint.parent)
        return found

    def _site(self, name: str, frames: set[str]) -> Site:
        joint = self.joints[name]
        place = _matrix(joint.origin)
        while joint.parent in frames:
            joint = self.joints[joint.parent]
            place = _matrix(joint.origin) @ place
        return Site(name, joint.parent, place[:3, 3], place[:3, :3])

    def _joint(self, joint: Any) -> Joint:
        if joint.type in ("fixed", "floating"):
            return fixed() if joint.type == "fixed" else free()
        axis = joint.axis if np.linalg.norm(joint.axis) > 1e-9 else None
        if axis is None:
            raise FileError(f"{self.path}: the axis of joint {joint.name!r} is zero")
        if joint.type == "planar":
            return planar(axis)
        low, high = self._limits(joint)
        made = prismatic if joint.type == "prismatic" else revolute
        return made(axis, (low, high), rest=float(np.clip(0.0, low, high)))

    def _limits(self, joint: Any) -> Range:
        if joint.name in self.constant:
            return self.constant[joint.name], self.constant[joint.name]
        if joint.type == "continuous":
            return UNLIMITED
        if joint.limit is None:
            self.notes.append(
                f"joint {joint.name!r} has no limits, which its type needs: left open"
            )
            return UNLIMITED
        low, high = joint.limit.lower or 0.0, joint.limit.upper or 0.0
        if low > high:
            raise FileError(
                f"{self.path}: limits of joint {joint.name!r} are [{low}, {high}]; expected lower"
                " <= upper"
            )
        return low, high

    def _groups(self) -> list[tuple[str, tuple[dict[str, float], dict[str, float]]]]:
        """The shares and offsets of the joints that follow one that does not."""
        found: dict[str, tuple[dict[str, float], dict[str, float]]] = {}
        for joint in self.robot.joints:
            if joint.mimic is None or joint.type == "fixed":
                continue
            leader, share, offset = self._leader(joint)
            if share == 0.0:
                self.constant[joint.name] = offset
                continue
            shares, offsets = found.setdefault(leader, ({leader: 1.0}, {}))
            shares[joint.name], offsets[joint.name] = share, offset
        return [(f"{leader} and what mimics it", group) for leader, group in found.items()]

    def _leader(self, joint: Any) -> tuple[str, float, float]:
        """The joint at the end of a chain of mimics: value = share · leader + offset."""
        share, offset, seen = 1.0, 0.0, {joint.name}
        while joint.mimic is not None:
            name = joint.mimic.joint
            if name not in self.by_name or self.by_name[name].type in (
                "fixed",
                "floating",
                "planar",
            ):
                moving = [n for n, j in self.by_name.items() if j.type in KINDS[1:4]]
                what = f"joint that {joint.name!r} mimics"
                raise FileError(f"{self.path}: {unknown_name(what, name, moving)}")
            if name in seen:
                raise FileError(f"{self.path}: joint {name!r} mimics itself; expected another")
            seen.add(name)
            offset += share * joint.mimic.offset
            share *= joint.mimic.multiplier
            joint = self.by_name[name]
        return joint.name, share, offset


def _matrix(origin: Any) -> Array:
    return np.eye(4) if origin is None else np.asarray(origin, float)


def _mass(link: Any) -> tuple[float, Array]:
    """Kilograms, and the centre of mass in the link's frame [m]."""
    if link.inertial is None:
        return 0.0, np.zeros(3)
    return float(link.inertial.mass or 0.0), _matrix(link.inertial.origin)[:3, 3]
