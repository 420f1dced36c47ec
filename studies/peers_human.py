"""The humanoid of the peers' study: its forms, its motion, and a check that needs no solver.

A configuration is MuJoCo's: place of the root [m], its quaternion (w, x, y, z), hinges [rad].
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from peers_arm import OUTSIDE, turn_about

import poise
from poise.figure.rotation import from_quaternion

Array = NDArray[np.float64]

GOALS = ("lhand", "rhand", "lfoot", "rfoot", "head", "root")
FRAMES, PERIOD, FPS = 300, 30, 30.0  # a new key pose every PERIOD frames
COLD = 100
ROOT_JOINTS = ("slide_x", "slide_y", "slide_z", "turn_z", "turn_y", "turn_x")
ROOT_SPREAD = 0.5  # [m] and [rad] how far cold poses are moved and turned about each axis


@dataclass(frozen=True)
class Hinge:
    """One hinge, and the body that it moves."""

    name: str
    axis: Array
    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class Humanoid:
    """Bodies in order from the root; each has a place in its parent, then hinges at its origin."""

    bodies: tuple[dict, ...]
    mjcf: str

    @property
    def hinges(self) -> list[Hinge]:
        return [
            Hinge(h["name"], np.array(h["axis"]), *h["range"]) for b in self.bodies
            for h in b["hinges"]
        ]  # fmt: skip

    @property
    def lower(self) -> Array:
        return np.array([hinge.lower for hinge in self.hinges])

    @property
    def upper(self) -> Array:
        return np.array([hinge.upper for hinge in self.hinges])

    @property
    def middle(self) -> Array:
        """(7 + hinges,) the root where the file has it, hinges in the middle of their ranges."""
        root = self.bodies[0]
        halves = 0.5 * (self.lower + self.upper)
        return np.concatenate([root["position"], root["quaternion"], halves])

    def places(self, configuration: Array) -> dict[str, Array]:
        """(4, 4) of each body in the world, as products of plain matrices."""
        at = np.eye(4)
        at[:3, 3], at[:3, :3] = configuration[:3], from_quaternion(configuration[3:7])
        found, moved = {self.bodies[0]["name"]: at}, 7
        for body in self.bodies[1:]:
            at = np.eye(4)
            at[:3, 3], at[:3, :3] = body["position"], from_quaternion(body["quaternion"])
            for hinge in body["hinges"]:
                at[:3, :3] = at[:3, :3] @ turn_about(np.array(hinge["axis"]), configuration[moved])
                moved += 1
            found[body["name"]] = found[body["parent"]] @ at
        return found

    def points(self, configuration: Array) -> Array:
        """(goals, 3) [m]"""
        places = self.places(configuration)
        return np.array([places[name][:3, 3] for name in GOALS])

    def figure(self) -> poise.Figure:
        """The same as a figure of ours."""
        joint = poise.joint
        segments = [poise.Segment(self.bodies[0]["name"], None, joint.free())]
        for body in self.bodies[1:]:
            place, turn = body["position"], from_quaternion(body["quaternion"])
            parent, last = body["parent"], len(body["hinges"]) - 1
            for k, hinge in enumerate(body["hinges"]):
                name = body["name"] if k == last else hinge["name"] + "_link"
                made = joint.revolute(hinge["axis"], tuple(hinge["range"]), rest=_inside(hinge))
                segments.append(
                    poise.Segment(name, parent, made, place, turn, joint_name=hinge["name"])
                )
                parent, place, turn = name, (0.0, 0.0, 0.0), np.eye(3)
            if last < 0:
                segments.append(poise.Segment(body["name"], parent, joint.fixed(), place, turn))
        return poise.Figure("humanoid_CMU", segments, up="Z")

    def urdf(self, rooted: bool = False) -> str:
        """The same as a URDF file, for what reads no MJCF. Its root link moves freely; `rooted`
        stands on three slides and three hinges (z, y, x), for what knows no free root."""
        root = self.bodies[0]["name"]
        lines = ['<robot name="humanoid_CMU">', *(_root_joints(root) if rooted else [_link(root)])]
        for body in self.bodies[1:]:
            origin, parent = _origin(body), body["parent"]
            last = len(body["hinges"]) - 1
            for k, hinge in enumerate(body["hinges"]):
                name = body["name"] if k == last else hinge["name"] + "_link"
                lower, upper = hinge["range"]
                limit = f'<limit lower="{lower!r}" upper="{upper!r}" effort="100" velocity="100"/>'
                axis = f'<axis xyz="{_text(hinge["axis"])}"/>'
                lines += [_link(name), _joint(hinge["name"], "revolute", parent, name, origin,
                                              axis + limit)]  # fmt: skip
                parent, origin = name, ""
            if last < 0:
                name = body["name"]
                lines += [_link(name), _joint(name + "_fixed", "fixed", parent, name, origin, "")]
        return "\n".join([*lines, "</robot>\n"])


def _root_joints(root: str) -> list[str]:
    lines, parent = [_link("world_base")], "world_base"
    for k, name in enumerate(ROOT_JOINTS):
        axis = np.eye(3)["xyz".index(name[-1])].tolist()
        child = root if k == 5 else name + "_link"
        reach = 10.0 if k < 3 else 2.0 * np.pi
        limit = f'<limit lower="{-reach!r}" upper="{reach!r}" effort="100" velocity="100"/>'
        kind = "prismatic" if k < 3 else "revolute"
        lines += [
            _link(child),
            _joint(name, kind, parent, child, "", f'<axis xyz="{_text(axis)}"/>{limit}'),
        ]
        parent = child
    return lines


def _inside(hinge: dict) -> float:
    lower, upper = hinge["range"]
    return min(max(0.0, lower), upper)


def _text(values: list[float]) -> str:
    return " ".join(repr(float(value)) for value in values)


def _link(name: str) -> str:
    inertia = '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>'
    return f'<link name="{name}"><inertial><mass value="1"/>{inertia}</inertial></link>'


def _joint(name: str, kind: str, parent: str, child: str, origin: str, rest: str) -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{origin}{rest}</joint>'


def _origin(body: dict) -> str:
    turn = from_quaternion(body["quaternion"])
    pitch = float(np.arctan2(-turn[2, 0], np.hypot(turn[0, 0], turn[1, 0])))
    if abs(np.cos(pitch)) > 1e-9:
        roll = float(np.arctan2(turn[2, 1], turn[2, 2]))
        yaw = float(np.arctan2(turn[1, 0], turn[0, 0]))
    else:
        roll, yaw = float(np.arctan2(-turn[1, 2], turn[1, 1])), 0.0
    return f'<origin xyz="{_text(body["position"])}" rpy="{_text([roll, pitch, yaw])}"/>'


@dataclass(frozen=True, eq=False)
class HumanTask:
    """A motion to follow frame by frame, or unrelated poses to take from the same start."""

    body: Humanoid
    start: Array
    """(7 + hinges,)"""
    targets: Array
    """(frames, goals, 3) [m]"""
    near: float
    """[m]"""
    follows: bool
    """Whether a frame starts from the answer before, instead of the start."""

    def write(self, folder: Path, name: str) -> None:
        """For the peers' `runner.read_human`."""
        urdf = folder / "humanoid.urdf"
        urdf.write_text(self.body.urdf())
        rooted = folder / "humanoid_rooted.urdf"
        rooted.write_text(self.body.urdf(rooted=True))
        np.savez(folder / f"{name}.npz", start=self.start, targets=self.targets,
                 lower=self.body.lower, upper=self.body.upper)  # fmt: skip
        plain = {"urdf": str(urdf), "rooted": str(rooted), "mjcf": self.body.mjcf,
                 "root_joints": ROOT_JOINTS, "effectors": GOALS, "near": self.near,
                 "hinges": [h.name for h in self.body.hinges], "follows": self.follows,
                 "bodies": self.body.bodies}  # fmt: skip
        (folder / f"{name}.json").write_text(json.dumps(plain))

    def off(self, goal: int, configuration: Array) -> tuple[float, float]:
        """How far the worst of a frame's goals is off [m], and how far limits are broken [rad]."""
        if not np.isfinite(configuration).all():
            return np.inf, 0.0
        apart = np.linalg.norm(self.body.points(configuration) - self.targets[goal], axis=1).max()
        hinges = configuration[7:]
        outside = max((self.body.lower - hinges).max(), (hinges - self.body.upper).max(), 0.0)
        return float(apart), float(outside)

    def is_reached(self, goal: int, configuration: Array) -> bool:
        distance, outside = self.off(goal, configuration)
        return distance <= self.near + 1e-9 and outside <= OUTSIDE


def motion(body: Humanoid, seed: int = 0) -> Array:
    """(FRAMES + 1, 7 + hinges) easing from one random pose inside the limits to the next."""
    draw = np.random.default_rng(seed)
    keys = [random_pose(body, draw, 0.3) for _ in range(FRAMES // PERIOD + 2)]
    frames = []
    for frame in range(FRAMES + 1):
        k, share = divmod(frame, PERIOD)
        weight = 0.5 * (1.0 - np.cos(np.pi * share / PERIOD))
        mixed = (1.0 - weight) * keys[k] + weight * keys[k + 1]
        mixed[3:7] /= np.linalg.norm(mixed[3:7])
        frames.append(mixed)
    return np.array(frames)


def random_pose(body: Humanoid, draw: np.random.Generator, spread: float) -> Array:
    """Hinges anywhere in their ranges, the root moved and turned by up to `spread` an axis."""
    pose = body.middle
    pose[7:] = draw.uniform(body.lower, body.upper)
    pose[:3] += draw.uniform(-spread, spread, 3)
    turn = draw.uniform(-spread, spread, 3)
    angle = float(np.linalg.norm(turn))
    half = np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * turn / angle])
    pose[3:7] = _product(half, pose[3:7])
    return pose


def _product(a: Array, b: Array) -> Array:
    """Of two quaternions (w, x, y, z)."""
    w = a[0] * b[0] - a[1:] @ b[1:]
    return np.concatenate([[w], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def tasks(body: Humanoid) -> dict[str, HumanTask]:
    """The motion to 1 cm and 1 mm, and cold poses to 1 mm."""
    frames = motion(body)
    followed = np.array([body.points(frame) for frame in frames[1:]])
    draw = np.random.default_rng(7)
    cold = np.array([body.points(random_pose(body, draw, ROOT_SPREAD)) for _ in range(COLD)])
    return {
        "motion_1cm": HumanTask(body, frames[0], followed, 1e-2, True),
        "motion_1mm": HumanTask(body, frames[0], followed, 1e-3, True),
        "cold_1mm": HumanTask(body, body.middle, cold, 1e-3, False),
    }
