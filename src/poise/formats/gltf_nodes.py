"""The nodes of a glTF file: their tree, where they are, and which of them are joints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.figure.rotation import from_quaternion, to_quaternion
from poise.formats.gltf_container import MOST_NODES, Container, Json

Array = NDArray[np.float64]
EVEN = 1e-3
"""How far the three scales of a node may be apart, as a share, and still be one."""
SMALLEST = 1e-9


@dataclass(frozen=True)
class Placement:
    """Where a node is in its parent: a turn, a place and one scale."""

    rotation: Array
    translation: Array
    scale: float

    def after(self, outer: Placement) -> Placement:
        """This one within another."""
        return Placement(
            outer.rotation @ self.rotation,
            outer.translation + outer.scale * (outer.rotation @ self.translation),
            outer.scale * self.scale,
        )


STILL = Placement(np.eye(3), np.zeros(3), 1.0)


@dataclass(frozen=True)
class Bound:
    """A segment of a figure and the node that it moves."""

    node: int
    parent: str | None
    """The segment whose node is the parent; None where that is no segment's."""
    outer: Placement
    """Then, where the parent node is in the world."""
    scale: float
    """How many metres a unit of length in the frame of the parent is."""
    rest: Placement


class Nodes:
    """All nodes of a file, checked to be trees."""

    def __init__(self, file: Container) -> None:
        self.file = file
        self.json = file.items(file.json, "nodes")
        self.notes: list[str] = []
        if not self.json:
            raise file.error("nodes", self.json, "at least one node")
        if len(self.json) > MOST_NODES:
            raise file.error("nodes", f"{len(self.json)} nodes", f"at most {MOST_NODES}")
        self.parents = self._parents()
        self.order = self._parents_first()
        self.names = [self._name(i) for i in range(len(self.json))]
        self.placements = [self._placement(i) for i in range(len(self.json))]

    def _name(self, i: int) -> str:
        name = self.json[i].get("name")
        return name if isinstance(name, str) and name.strip() else f"node{i}"

    def _parents(self) -> list[int]:
        parents = [-1] * len(self.json)
        for i, node in enumerate(self.json):
            for child in self.file.indices(node, "children", len(self.json), f"nodes[{i}]"):
                if parents[child] >= 0 or child == i:
                    raise self.file.error(
                        f"nodes[{i}].children", child, "each node in one parent alone"
                    )
                parents[child] = i
        return parents

    def _parents_first(self) -> list[int]:
        ordered = [i for i, parent in enumerate(self.parents) if parent < 0]
        for i in ordered:
            ordered.extend(self.json[i].get("children", []))
        if len(ordered) < len(self.json):
            lost = next(i for i in range(len(self.json)) if i not in set(ordered))
            raise self.file.error(f"nodes[{lost}]", "a node that is its own ancestor", "a tree")
        return ordered

    def _placement(self, i: int) -> Placement:
        node, place = self.json[i], f"nodes[{i}]"
        if "matrix" in node:
            matrix = self.file.vector(node, "matrix", np.eye(4).ravel().tolist(), place)
            matrix = matrix.reshape(4, 4).T
            scales = np.linalg.norm(matrix[:3, :3], axis=0)
            turn = matrix[:3, :3] / np.maximum(scales, SMALLEST)
            if np.abs(turn.T @ turn - np.eye(3)).max() > EVEN or np.linalg.det(turn) < 0.0:
                raise self.file.error(f"{place}.matrix", node["matrix"], "no shear and no mirror")
            rotation, translation = from_quaternion(to_quaternion(turn)), matrix[:3, 3]
        else:
            q = self.file.vector(node, "rotation", (0.0, 0.0, 0.0, 1.0), place)
            if not np.linalg.norm(q) > SMALLEST:
                raise self.file.error(f"{place}.rotation", q.tolist(), "a quaternion of length 1")
            rotation = from_quaternion(np.roll(q, 1))
            translation = self.file.vector(node, "translation", (0.0, 0.0, 0.0), place)
            scales = self.file.vector(node, "scale", (1.0, 1.0, 1.0), place)
        return Placement(rotation, translation, self._one_scale(i, scales))

    def _one_scale(self, i: int, scales: Array) -> float:
        has_children = bool(self.json[i].get("children"))
        if not has_children:
            return 1.0  # nothing is placed by it
        if scales.min() < SMALLEST:
            raise self.file.error(f"nodes[{i}].scale", scales.tolist(), "numbers above 0")
        mean = float(np.cbrt(np.prod(scales)))
        if np.ptp(scales) > EVEN * mean:
            self.notes.append(f"node {self.names[i]!r} is scaled unevenly: taken as {mean:.4g}")
        return mean

    def world(self, i: int) -> Placement:
        """Where a node is in the world, at rest."""
        placement = STILL
        for above in self.above(i):
            placement = self.placements[above].after(placement)
        return self.placements[i].after(placement)

    def above(self, i: int) -> list[int]:
        """The ancestors of a node, from the outermost inwards."""
        found = []
        while (i := self.parents[i]) >= 0:
            found.append(i)
        return found[::-1]

    def spanned(self, chosen: Iterable[int]) -> list[int]:
        """The nodes chosen and all between them, parents first.

        Several roots are left where the chosen ones have no common ancestor.
        """
        wanted = set(chosen)
        below = [int(i in wanted) for i in range(len(self.json))]
        for i in reversed(self.order):
            if self.parents[i] >= 0:
                below[self.parents[i]] += below[i]
        inside: set[int] = set()
        for i in self.order:
            # A node above the root has all that is chosen of its tree below one of its children.
            alone = any(below[child] == below[i] for child in self.json[i].get("children", []))
            if below[i] and (i in wanted or self.parents[i] in inside or not alone):
                inside.add(i)
        return [i for i in self.order if i in inside]


def joints_of_skins(file: Container, count: int) -> list[int]:
    """The nodes that are joints of any skin."""
    found: list[int] = []
    for i, skin in enumerate(file.items(file.json, "skins")):
        found += file.indices(skin, "joints", count, f"skins[{i}]")
    return list(dict.fromkeys(found))


def humanoid_bones(file: Container, count: int) -> dict[str, int]:
    """The nodes by the names that VRM (0.x and 1.0) gives the bones of a human."""
    extensions = file.part(file.json, "extensions", "")
    pairs: list[tuple[object, Json, str]] = []
    for key in ("VRM", "VRMC_vrm"):
        humanoid = file.part(file.part(extensions, key, "extensions"), "humanoid", key)
        place = f"extensions.{key}.humanoid.humanBones"
        bones = humanoid.get("humanBones", [])
        if isinstance(bones, dict):
            listed = [(bone, own) for bone, own in bones.items()]
        else:
            listed = [(own.get("bone"), own) for own in file.items(humanoid, "humanBones", place)]
        for bone, own in listed:
            if not isinstance(own, dict):
                raise file.error(f"{place}.{bone}", own, "an object with a node")
            pairs.append((bone, own, place))
    return {
        str(bone): file.checked_index(own.get("node"), count, f"{place}.{bone}.node")
        for bone, own, place in pairs
    }
