"""glTF and VRM files to clips, or figures where nothing moves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileError
from poise.figure.figure import Figure
from poise.figure.joint import Joint, ball, channels, fixed, free
from poise.figure.rotation import to_vector
from poise.figure.segment import Segment, Site
from poise.formats.gltf_animation import Animation, read_animation
from poise.formats.gltf_container import Container, read_container
from poise.formats.gltf_kept import Kept
from poise.formats.gltf_nodes import STILL, Bound, Nodes, humanoid_bones, joints_of_skins
from poise.formats.guesses import checked_fps
from poise.formats.names import distinct
from poise.formats.registry import Loaded
from poise.motion.clip import Clip
from poise.motion.rotations import euler_angles, matrix_vectors, quaternion_matrices
from poise.motion.source import Source

Array = NDArray[np.float64]
EULER = "ZXY"
MOVES = 1e-6
"""Metres by which a joint must leave its place to count as one that slides."""


def read(path: Path, *, fps: float | None = None, animation: str | int | None = None) -> Loaded:
    """The clip of a glTF file, or its figure where it has no animation of the skeleton."""
    checked_fps(fps)
    return loaded(read_container(path), fps, animation)


def loaded(file: Container, fps: float | None, animation: str | int | None) -> Loaded:
    """What a container holds."""
    path = file.path
    file.check_views()
    nodes = Nodes(file)
    moving = read_animation(file, len(nodes.json), animation)
    skeleton = _Skeleton(nodes, moving, humanoid_bones(file, len(nodes.json)))
    figure = skeleton.figure(path.stem)
    notes = (*nodes.notes, *skeleton.notes)
    details: dict[str, object] = {"gltf": skeleton.kept(), "humanoid": skeleton.humanoid}
    if moving is None:
        return Loaded(figure, Source(str(path), "gltf", notes=notes, details=details))
    times, frame_time = moving.frames(fps)
    source = Source(str(path), "gltf", notes=(*notes, *moving.notes), details=details)
    angles = skeleton.angles(figure, times)
    return Loaded(Clip(figure, angles, frame_time, moving.name, source).unwrapped(), source)


@dataclass
class _Skeleton:
    """The joints of a file as a figure: a ball for each, a free root, sites at the ends."""

    nodes: Nodes
    moving: Animation | None
    bones: dict[str, int]
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        nodes, file = self.nodes, self.nodes.file
        animated = {i for i, _ in self.moving.channels} if self.moving else set()
        chosen = {*joints_of_skins(file, len(nodes.json)), *animated, *self.bones.values()}
        self.turning = chosen or set(range(len(nodes.json)))
        self.inside = nodes.spanned(self.turning)
        used = distinct(nodes.names[i] for i in self.inside)
        self.names = dict(zip(self.inside, used, strict=True))
        self.humanoid = {bone: self.names[i] for bone, i in self.bones.items()}
        roots = [i for i in self.inside if nodes.parents[i] not in self.names]
        self.root = roots[0] if len(roots) == 1 else -1
        if self.root < 0:
            self.names[-1] = distinct(["scene"], self.names.values())[0]
            self.notes.append(f"the joints have {len(roots)} roots: {self.names[-1]!r} holds them")
        self.scale = self._scales()
        if self.moving and any(
            path == "scale" and np.ptp(channel.values, axis=0).max() > 1e-3
            for (_, path), channel in self.moving.channels.items()
        ):
            self.notes.append("animated scales are left out: bones keep their lengths")

    def _scales(self) -> dict[int, float]:
        """By node, how much a length in its parent's frame is in the world."""
        found = {-1: 1.0}
        inner: dict[int, float] = {-1: 1.0}
        for i in self.nodes.order:
            found[i] = inner[self.nodes.parents[i]]
            inner[i] = found[i] * self.nodes.placements[i].scale
        return found

    def kept(self) -> Kept:
        return Kept(self.nodes.file, {self.names[i]: self._bound(i) for i in self.inside})

    def _bound(self, i: int) -> Bound:
        parent = self.nodes.parents[i]
        outside = parent >= 0 and parent not in self.names
        return Bound(
            i,
            self.names[parent] if parent >= 0 and not outside else None,
            self.nodes.world(parent) if outside else STILL,
            self.scale[i],
            self.nodes.placements[i],
        )

    def figure(self, name: str) -> Figure:
        bones = {i: bone for bone, i in self.bones.items()}
        segments = [replace(self._segment(i), bone=bones.get(i, "")) for i in self.inside]
        if self.root < 0:
            segments.insert(0, Segment(self.names[-1], None, fixed()))
        return Figure(name, segments, self._sites())

    def _segment(self, i: int) -> Segment:
        bound = self._bound(i)
        if bound.parent is None:
            placed = bound.rest.after(bound.outer)
        else:
            placed = replace(bound.rest, translation=bound.scale * bound.rest.translation)
        if i == self.root:
            rest = [*placed.translation, *to_vector(placed.rotation)]
            joint = free()
            dofs = [replace(d, rest=float(v)) for d, v in zip(joint.dofs, rest, strict=True)]
            return Segment(self.names[i], None, joint.with_dofs(dofs))
        parent = bound.parent or self.names[-1]
        return Segment(self.names[i], parent, self._joint(i), placed.translation, placed.rotation)

    def _joint(self, i: int) -> Joint:
        if i not in self.turning:
            return fixed()
        return channels(EULER, "XYZ") if self._slides(i) else ball(EULER)

    def _slides(self, i: int) -> bool:
        channel = self.moving.channels.get((i, "translation")) if self.moving else None
        if channel is None:
            return False
        keys = channel.values
        if channel.interpolation == "CUBICSPLINE":
            keys = keys[1::3]
        rest = self.nodes.placements[i].translation
        return bool(self.scale[i] * np.abs(keys - rest).max() > MOVES)

    def _sites(self) -> list[Site]:
        """Nodes at the ends that hold nothing: the tips of bones, and points that were marked."""
        nodes = self.nodes
        ends = [
            i for i in nodes.order
            if i not in self.names and nodes.parents[i] in self.names and nodes.parents[i] >= 0
            and not {"children", "mesh", "camera", "skin"} & nodes.json[i].keys()
        ]  # fmt: skip
        # A site may be called as a segment is: so it comes back as it was written.
        names = distinct(nodes.names[i] for i in ends)
        return [
            Site(
                name,
                self.names[nodes.parents[i]],
                self.scale[i] * nodes.placements[i].translation,
                nodes.placements[i].rotation,
            )
            for name, i in zip(names, ends, strict=True)
        ]

    def angles(self, figure: Figure, times: Array) -> Array:
        """(times, dofs) [rad, m]"""
        angles = np.tile(figure.rest_angles, (len(times), 1))
        for i in self.inside:
            names = figure.segments[figure.segment_index(self.names[i])].dof_names
            if names:
                first = figure.dof_index(names[0])
                angles[:, first : first + len(names)] = self._values(i, times, len(names))
        return angles

    def _values(self, i: int, times: Array, count: int) -> Array:
        rest = self.nodes.placements[i]
        turns = self._sampled(i, "rotation", times)
        places = self._sampled(i, "translation", times)
        rotations = rest.rotation[None] if turns is None else quaternion_matrices(turns)
        places = rest.translation[None] if places is None else places
        if i == self.root:
            outer = self._bound(i).outer
            world = outer.translation + outer.scale * places @ outer.rotation.T
            found = (world, matrix_vectors(outer.rotation @ rotations))
        else:
            shift = self.scale[i] * (places - rest.translation) @ rest.rotation
            found = (shift, euler_angles(EULER, rest.rotation.T @ rotations))
        values = np.concatenate([np.broadcast_to(f, (len(times), 3)) for f in found], 1)
        return values[:, 6 - count :]

    def _sampled(self, i: int, path: str, times: Array) -> Array | None:
        channel = self.moving.channels.get((i, path)) if self.moving else None
        if channel is None:
            return None
        values = channel.at(times)
        if path == "rotation" and not (np.linalg.norm(values, axis=1) > 1e-6).all():
            raise FileError(
                f"{self.nodes.file.path}: the rotation of node {self.nodes.names[i]!r} passes"
                " through a quaternion of length 0; expected length 1"
            )
        return values
