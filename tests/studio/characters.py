"""A character as others make them: a skinned, textured mesh on bones in centimetres."""

import struct
import zlib

import numpy as np

import poise
from poise.figure.rotation import to_quaternion
from poise.formats.gltf_accessors import SHORT, Writer
from poise.formats.gltf_container import packed
from poise.motion.world import segment_frames
from poise.view.body import limbs

AROUND, ALONG = 10, 7
BONES = {"hips": "pelvis", "head": "head", "leftHand": "left_hand", "rightHand": "right_hand"}
"""Of VRM, and what the built-in human calls them."""


def character_file(path, packed_with=""):
    """Write a human with a mesh of tubes, its armature turned and in centimetres; .glb or .vrm.

    `packed_with`: the extension with which it says that its mesh is compressed.
    """
    figure = poise.figures.human()
    rotations, origins = (part[0] for part in segment_frames(figure, figure.rest_angles[None]))
    nodes = [_node(figure, s, rotations, origins) for s in range(len(figure.segments))]
    names = figure.segment_names
    turn = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])  # a quarter about x, undone by the root
    root = nodes[0]
    root["translation"] = (100.0 * turn.T @ origins[0]).tolist()
    root["rotation"] = _xyzw(turn.T @ rotations[0])
    armature = {"name": "Armature", "scale": [0.01] * 3, "rotation": _xyzw(turn), "children": [0]}
    nodes += [armature, {"name": "Body", "mesh": 0, "skin": 0}]
    document = {
        "asset": {"version": "2.0", "generator": "a test"},
        "scene": 0,
        "scenes": [{"nodes": [len(names), len(names) + 1]}],
        "nodes": nodes,
        "extensionsUsed": ["VRMC_vrm"],
        "extensions": {"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": {
            bone: {"node": names.index(name)} for bone, name in BONES.items()}}}},
    }  # fmt: skip
    writer = Writer(document, [])
    inverse = np.tile(np.eye(4), (len(names), 1, 1))
    inverse[:, :3, :3] = 100.0 * np.swapaxes(rotations, 1, 2)
    inverse[:, :3, 3] = -100.0 * np.einsum("sji,sj->si", rotations, origins)
    document["meshes"] = [{"primitives": [_tubes(figure, writer, rotations, origins)]}]
    document["skins"] = [
        {"joints": list(range(len(names))), "inverseBindMatrices": writer.array(inverse)}
    ]
    _paint(document, writer)
    if packed_with:
        document["extensionsUsed"].append(packed_with)
        document["extensionsRequired"] = [packed_with]
        document["meshes"][0]["primitives"][0]["extensions"] = {packed_with: {"bufferView": 0}}
    path.write_bytes(packed(writer.finished(), writer.buffer, binary=True))
    return path


def _node(figure, s, rotations, origins):
    parent = figure.parents[s]
    children = [c for c, p in enumerate(figure.parents) if p == s]
    node = {"name": figure.segment_names[s]} | ({"children": children} if children else {})
    if parent >= 0:
        back = rotations[parent].T
        node["translation"] = (100.0 * back @ (origins[s] - origins[parent])).tolist()
        node["rotation"] = _xyzw(back @ rotations[s])
    return node


def _xyzw(matrix):
    return np.roll(to_quaternion(np.asarray(matrix)), -1).tolist()


def _tubes(figure, writer, rotations, origins):
    """A tube about each limb; its beginning moves half with the segment before."""
    points, normals, joints, weights, places, faces = [], [], [], [], [], []
    for limb in limbs(figure):
        s = limb.segment
        ends = [origins[s] + rotations[s] @ np.asarray(end) for end in (limb.start, limb.end)]
        axis = ends[1] - ends[0]
        length = np.linalg.norm(axis)
        axis = axis / length if length > 1e-6 else np.array([0.0, 1.0, 0.0])
        side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
        side /= np.linalg.norm(side)
        other = np.cross(axis, side)
        first = len(points)
        for row in range(ALONG):
            tilt = np.pi * row / (ALONG - 1)  # from pole to pole
            share = 0.5 - 0.5 * np.cos(tilt)
            radius = limb.start_radius + share * (limb.end_radius - limb.start_radius)
            cap = -np.cos(tilt) * (limb.start_radius if tilt < np.pi / 2 else limb.end_radius)
            for k in range(AROUND + 1):
                angle = 2 * np.pi * k / AROUND
                out = np.cos(angle) * side + np.sin(angle) * other
                centre = ends[0] + share * (ends[1] - ends[0]) + cap * axis
                points.append(centre + np.sin(tilt) * radius * out)
                normals.append(np.sin(tilt) * out - np.cos(tilt) * axis)
                half = 0.5 if row == 0 and figure.parents[s] >= 0 else 0.0
                joints.append([s, max(figure.parents[s], 0), 0, 0])
                weights.append([1 - half, half, 0, 0])
                places.append([k / AROUND, share])
        for row in range(ALONG - 1):
            for k in range(AROUND):
                a = first + row * (AROUND + 1) + k
                b = a + AROUND + 1
                faces += [a, a + 1, b, a + 1, b + 1, b]
    return {
        "attributes": {
            "POSITION": writer.array(np.array(points), bounds=True),
            "NORMAL": writer.array(np.array(normals)),
            "TEXCOORD_0": writer.array(np.array(places)),
            "JOINTS_0": writer.array(np.array(joints), SHORT),
            "WEIGHTS_0": writer.array(np.array(weights)),
        },
        "indices": writer.array(np.array(faces), SHORT),
        "material": 0,
    }


def _paint(document, writer):
    view = writer.bytes(_stripes())
    document["images"] = [{"bufferView": view, "mimeType": "image/png"}]
    document["textures"] = [{"source": 0}]
    look = {"metallicFactor": 0.0, "roughnessFactor": 0.8, "baseColorTexture": {"index": 0}}
    document["materials"] = [{"pbrMetallicRoughness": look}]


def _stripes(size=32):
    """A PNG of red and cream stripes."""
    rows = np.zeros((size, size, 3), np.uint8)
    rows[:] = (235, 225, 205)
    rows[(np.arange(size) // 4) % 2 == 0] = (190, 60, 50)
    raw = b"".join(b"\0" + row.tobytes() for row in rows)
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(raw)),
        (b"IEND", b""),
    ]
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + body
