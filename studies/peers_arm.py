"""The arm of the peers' study: its file, its goals, and a check of answers that needs no solver."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

GOALS = 500
TRIES = 100  # starts that a goal is worth where restarts are allowed
NEAR, TURNED = 1e-3, 1e-2  # [m], [rad] a goal is reached within these
OUTSIDE = 1e-6  # [rad] a joint this far outside its limits breaks them
BASE, TIP = "panda_link0", "panda_link8"
ONE_START = {
    "one start": {},
    "one start, short steps": {"step_cap": 0.5, "free_range": 0.2, "pull": 0.6},
}
"""Parameters of ours for a single descent. The second were chosen on other goals than the study's:
the sets 1, 2 and 3 of `one_start_table`, of which set 0 are the study's."""
FINGERS = ("panda_finger_joint1", "panda_finger_joint2")


def kinematics_only(urdf: str) -> str:
    """The robot of a URDF file without meshes, its fingers fixed: what all peers can read."""
    root = ElementTree.fromstring(urdf)
    for link in root.findall("link"):
        for part in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(part)
    for joint in root.findall("joint"):
        for part in [*joint.findall("safety_controller"), *joint.findall("mimic")]:
            joint.remove(part)
        if joint.get("name") in FINGERS:
            joint.set("type", "fixed")
    for part in root.findall("transmission"):
        root.remove(part)
    return ElementTree.tostring(root, encoding="unicode")


@dataclass(frozen=True, eq=False)
class Chain:
    """Revolute and fixed joints from a base to a tip, as products of plain matrices."""

    places: tuple[Array, ...]
    """(4, 4) of each joint in its parent."""
    axes: tuple[Array | None, ...]
    """(3,) of each joint, None where it is fixed."""
    joints: tuple[str, ...]
    lower: Array
    upper: Array

    @classmethod
    def of(cls, urdf: str, base: str, tip: str) -> Chain:
        above = {j.find("child").get("link"): j for j in ElementTree.fromstring(urdf).iter("joint")}
        way = []
        while tip != base:
            way.insert(0, above[tip])
            tip = above[tip].find("parent").get("link")
        moving = [joint for joint in way if joint.get("type") == "revolute"]
        limits = [joint.find("limit") for joint in moving]
        return cls(
            tuple(_place(joint.find("origin")) for joint in way),
            tuple(_axis(joint) if joint in moving else None for joint in way),
            tuple(joint.get("name") for joint in moving),
            *(np.array([float(x.get(side)) for x in limits]) for side in ("lower", "upper")),
        )

    @property
    def middle(self) -> Array:
        return 0.5 * (self.lower + self.upper)

    def tip_at(self, angles: Array) -> Array:
        """(4, 4) of the tip in the base."""
        at, moved = np.eye(4), 0
        for place, axis in zip(self.places, self.axes, strict=True):
            at = at @ place
            if axis is not None:
                at[:3, :3] = at[:3, :3] @ turn_about(axis, angles[moved])
                moved += 1
        return at


def turn_about(axis: Array, angle: float) -> Array:
    """Rodrigues' formula."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def _axis(joint: ElementTree.Element) -> Array:
    axis = np.array(joint.find("axis").get("xyz").split(), float)
    return axis / np.linalg.norm(axis)


def _place(origin: ElementTree.Element | None) -> Array:
    place = np.eye(4)
    if origin is not None:
        place[:3, 3] = np.array(origin.get("xyz", "0 0 0").split(), float)
        for angle, axis in zip(origin.get("rpy", "0 0 0").split(), np.eye(3), strict=True):
            place[:3, :3] = turn_about(axis, float(angle)) @ place[:3, :3]
    return place


@dataclass(frozen=True, eq=False)
class ArmTask:
    """Goals that configurations inside the limits reach."""

    chain: Chain
    goals: Array  # (goals, 4, 4)

    @classmethod
    def of(cls, chain: Chain, count: int, seed: int = 0) -> ArmTask:
        draw = np.random.default_rng(seed)
        angles = draw.uniform(chain.lower, chain.upper, (count, len(chain.joints)))
        return cls(chain, np.array([chain.tip_at(own) for own in angles]))

    def write(self, folder: Path, urdf: str) -> None:
        """For the peers' `runner.read_arm`."""
        file = folder / "arm.urdf"
        file.write_text(urdf)
        chain = self.chain
        np.savez(folder / "arm.npz", lower=chain.lower, upper=chain.upper, start=chain.middle,
                 positions=self.goals[:, :3, 3], rotations=self.goals[:, :3, :3])  # fmt: skip
        plain = {"urdf": str(file), "base": BASE, "tip": TIP, "joints": chain.joints,
                 "near": NEAR, "turned": TURNED, "tries": TRIES}  # fmt: skip
        (folder / "arm.json").write_text(json.dumps(plain))

    def off(self, goal: int, angles: Array) -> tuple[float, float, float]:
        """How far an answer is from a goal [m], [rad] and outside the limits [rad]."""
        if not np.isfinite(angles).all():
            return np.inf, np.inf, 0.0
        chain, wanted = self.chain, self.goals[goal]
        found = chain.tip_at(angles)
        turn = found[:3, :3] @ wanted[:3, :3].T
        sine = 0.5 * np.linalg.norm([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0],
                                     turn[1, 0] - turn[0, 1]])  # fmt: skip
        outside = max((chain.lower - angles).max(), (angles - chain.upper).max(), 0.0)
        return (
            float(np.linalg.norm(found[:3, 3] - wanted[:3, 3])),
            float(np.arctan2(sine, 0.5 * (np.trace(turn) - 1.0))),
            float(outside),
        )

    def is_reached(self, goal: int, angles: Array) -> bool:
        distance, angle, outside = self.off(goal, angles)
        return distance <= NEAR and angle <= TURNED and outside <= OUTSIDE
