"""Clips to glTF files: into the file that they came from, or with a simple body of our own."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileError, OptionError
from poise.figure.figure import Figure
from poise.figure.rotation import about, to_quaternion
from poise.files import atomic_write, check_writable
from poise.formats.gltf_accessors import SHORT, Writer
from poise.formats.gltf_container import Json, packed
from poise.formats.gltf_kept import OWN, Kept, embed_images
from poise.formats.gltf_mesh import bone_mesh
from poise.formats.gltf_nodes import STILL, Bound, Placement
from poise.formats.gltf_read import read
from poise.motion.clip import Clip
from poise.motion.rotations import quaternion_matrices
from poise.motion.world import segment_frames

Array = NDArray[np.float64]
VERTICES = 34962
"""What a buffer view of vertex attributes is for."""
Z_UP = about("X", -0.5 * np.pi)
"""From a world with Z up to that of glTF."""
STILL_WITHIN = 1e-7
"""A joint that stays so close to rest [m, or as a quaternion] needs no keys."""
COLOUR = [0.75, 0.72, 0.66, 1.0]


def write(clip: Clip, path: Path, *, character: str | os.PathLike[str] | None = None) -> None:
    """Write a clip as .gltf (text) or .glb, .vrm (binary).

    `character` names a glTF or VRM file whose mesh, materials and nodes are kept; the segments of
    the clip's figure are those of its skeleton. A clip that came from such a file needs none.
    """
    check_writable(path)
    kept = clip.source.details.get("gltf") if character is None else _character(clip, character)
    if isinstance(kept, Kept) and set(kept.bound) <= set(clip.figure.segment_names):
        document, buffer = _into(clip, kept)
    else:
        document, buffer = _new(clip)
    atomic_write(path, packed(document, buffer, binary=path.suffix.lower() != ".gltf"))


def _character(clip: Clip, name: str | os.PathLike[str]) -> Kept:
    path = Path(name)
    if not path.is_file():
        raise FileError(f"cannot read {path}: there is no such file; character= needs a glTF file")
    kept = read(path).source.details["gltf"]
    assert isinstance(kept, Kept)
    missing = [segment for segment in kept.bound if segment not in clip.figure.segment_names]
    if missing:
        raise OptionError(
            f"{path} has a joint {missing[0]!r} that {clip.figure.name} has not;"
            " retarget the clip to its figure first"
        )
    return kept


def _new(clip: Clip) -> tuple[Json, bytes]:
    """A document of our own: the segments, then the sites, what turns a figure with Z up, and
    the body."""
    figure = clip.figure
    bound = _own_bound(figure)
    nodes: list[Json] = [
        _node(name, to_quaternion(own.rest.rotation), own.rest.translation)
        for name, own in bound.items()
    ]
    for i, parent in enumerate(figure.parents):
        if parent >= 0:
            nodes[parent].setdefault("children", []).append(i)
    for site in figure.sites:
        nodes[bound[site.segment].node].setdefault("children", []).append(len(nodes))
        turn = to_quaternion(np.asarray(site.rotation))
        nodes.append(_node(site.name, turn, np.asarray(site.offset)))
    root = 0
    if figure.up == "Z":
        root = len(nodes)
        nodes.append(_node("z_up", to_quaternion(Z_UP), np.zeros(3)) | {"children": [0]})
    document: Json = {
        "asset": {"version": "2.0", "generator": OWN},
        "scene": 0,
        "scenes": [{"name": figure.name or "figure", "nodes": [root, len(nodes)]}],
        "nodes": [*nodes, {"name": "body", "mesh": 0, "skin": 0}],
    }
    writer = Writer(document, [])
    _add_body(document, writer, figure)
    _animate(document, writer, clip, bound)
    return writer.finished(), writer.buffer


def _own_bound(figure: Figure) -> dict[str, Bound]:
    """A node for each segment, in the same order."""
    names = figure.segment_names
    parents = [None if p < 0 else names[p] for p in figure.parents]
    unplaced = {
        name: Bound(i, parent, STILL, 1.0, STILL)
        for i, (name, parent) in enumerate(zip(names, parents, strict=True))
    }
    local = _local_frames(figure, figure.rest_angles[None], unplaced)
    return {
        name: replace(
            own, rest=Placement(quaternion_matrices(local[name][0][0]), local[name][1][0], 1.0)
        )
        for name, own in unplaced.items()
    }


def _node(name: str, quaternion: Array, place: Array) -> Json:
    return {
        "name": name,
        "translation": np.asarray(place, np.float32).tolist(),
        "rotation": np.roll(np.asarray(quaternion, np.float32), -1).tolist(),
    }


def _add_body(document: Json, writer: Writer, figure: Figure) -> None:
    """A skin of all segments, and the mesh that it moves."""
    rotations, origins = (part[0] for part in segment_frames(figure, figure.rest_angles[None]))
    if figure.up == "Z":
        rotations, origins = Z_UP @ rotations, origins @ Z_UP.T
    mesh = bone_mesh(figure, rotations, origins)
    inverse = np.tile(np.eye(4), (len(rotations), 1, 1))
    inverse[:, :3, :3] = np.swapaxes(rotations, 1, 2)
    inverse[:, :3, 3] = -np.einsum("sji,sj->si", rotations, origins)
    joints = np.zeros((len(mesh.points), 4), int)
    joints[:, 0] = mesh.segments
    attributes = {
        "POSITION": writer.array(mesh.points, bounds=True, target=VERTICES),
        "NORMAL": writer.array(mesh.normals, target=VERTICES),
        "JOINTS_0": writer.array(joints, SHORT, target=VERTICES),
        "WEIGHTS_0": writer.array(np.eye(4)[np.zeros(len(joints), int)], target=VERTICES),
    }
    document["meshes"] = [{"primitives": [{"attributes": attributes, "material": 0}]}]
    look = {"baseColorFactor": COLOUR, "metallicFactor": 0.0, "roughnessFactor": 0.8}
    document["materials"] = [{"name": "body", "pbrMetallicRoughness": look}]
    skin = {"inverseBindMatrices": writer.array(inverse), "joints": list(range(len(rotations)))}
    document["skins"] = [{**skin, "skeleton": 0}]


def _into(clip: Clip, kept: Kept) -> tuple[Json, bytes]:
    """The document that the clip came from, with this animation in place of its own."""
    document: Json = {k: v for k, v in kept.file.json.items() if k != "animations"}
    document["nodes"] = [dict(node) for node in kept.file.json["nodes"]]
    writer = Writer(document, kept.file.buffers)
    embed_images(document, writer, kept.file)
    _animate(document, writer, clip, kept.bound)
    return writer.finished(), writer.buffer


def _animate(document: Json, writer: Writer, clip: Clip, bound: dict[str, Bound]) -> None:
    """Add the clip as the one animation. A single frame of the rest pose is a figure: none."""
    figure = clip.figure
    if not len(clip) or (len(clip) == 1 and np.array_equal(clip.angles[0], figure.rest_angles)):
        return
    samplers: list[Json] = []
    channels: list[Json] = []
    times = writer.array(clip.times, bounds=True)
    for name, (turns, places) in _local_frames(figure, clip.angles, bound).items():
        own = bound[name]
        rest = to_quaternion(own.rest.rotation)
        is_root = own.parent is None  # always written, so that no frame is lost
        parts = {}
        if is_root or np.abs(places - own.rest.translation).max() * own.scale > STILL_WITHIN:
            parts["translation"] = places
        if is_root or 1.0 - np.abs(turns @ rest).min() > STILL_WITHIN**2:
            parts["rotation"] = np.roll(turns, -1, axis=1)
        if parts:
            _without_matrix(document["nodes"], own.node)
        for path, values in parts.items():
            channels.append({"sampler": len(samplers), "target": {"node": own.node, "path": path}})
            samplers.append({"input": times, "output": writer.array(values)})
    title = {"name": clip.name} if clip.name else {}
    document["animations"] = [{**title, "samplers": samplers, "channels": channels}]


def _without_matrix(nodes: list[Json], index: int) -> None:
    """An animated node must be placed by a translation, a rotation and a scale."""
    values = nodes[index].pop("matrix", None)
    if values is None:
        return
    matrix = np.array(values, float).reshape(4, 4).T
    scales = np.linalg.norm(matrix[:3, :3], axis=0)
    own = _node("", to_quaternion(matrix[:3, :3] / scales), matrix[:3, 3])
    nodes[index] |= {"translation": own["translation"], "rotation": own["rotation"]}
    nodes[index]["scale"] = scales.tolist()


def _local_frames(
    figure: Figure, angles: Array, bound: dict[str, Bound]
) -> dict[str, tuple[Array, Array]]:
    """Segments as their nodes see them: quaternions (frames, 4), each near the one before, and
    places (frames, 3), in the frame of the parent node."""
    world, origins = segment_frames(figure, angles)
    found = {}
    for name, own in bound.items():
        s = figure.segment_index(name)
        if own.parent is None:
            back, start = own.outer.rotation.T[None], own.outer.translation
        else:
            p = figure.segment_index(own.parent)
            back, start = np.swapaxes(world[:, p], 1, 2), origins[:, p]
        places = np.einsum(
            "fij,fj->fi", np.broadcast_to(back, world[:, s].shape), origins[:, s] - start
        )
        found[name] = _continuous(to_quaternion(back @ world[:, s])), places / own.scale
    return found


def _continuous(quaternions: Array) -> Array:
    """The same turns with signs such that none jumps: viewers go the short way between them."""
    dots = np.einsum("fi,fi->f", quaternions[1:], quaternions[:-1])
    signs = np.cumprod(np.where(dots < 0.0, -1.0, 1.0))
    return quaternions * np.concatenate([[1.0], signs])[:, None]
