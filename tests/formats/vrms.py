"""Characters as VRM files have them, in both versions, whose bones are called nothing telling."""

import base64
import json

import numpy as np
from formats.gltfs import Builder

# What VRM calls a bone, its parent, and where it is from there [m] on a body that faces +Z.
BONES = [
    ("hips", None, (0, 0.95, 0)), ("spine", "hips", (0, 0.1, 0)), ("chest", "spine", (0, 0.15, 0)),
    ("neck", "chest", (0, 0.25, 0)), ("head", "neck", (0, 0.1, 0)),
]  # fmt: skip
for _side, _x in (("left", 1), ("right", -1)):
    BONES += [
        (f"{_side}Shoulder", "chest", (0.03 * _x, 0.2, 0)),
        (f"{_side}UpperArm", f"{_side}Shoulder", (0.12 * _x, 0, 0)),
        (f"{_side}LowerArm", f"{_side}UpperArm", (0.27 * _x, 0, 0)),
        (f"{_side}Hand", f"{_side}LowerArm", (0.25 * _x, 0, 0)),
        (f"{_side}UpperLeg", "hips", (0.09 * _x, -0.06, 0)),
        (f"{_side}LowerLeg", f"{_side}UpperLeg", (0, -0.42, 0)),
        (f"{_side}Foot", f"{_side}LowerLeg", (0, -0.4, 0)),
        (f"{_side}Toes", f"{_side}Foot", (0, -0.05, 0.13)),
    ]
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


def vrm(version):
    """The glTF document: a body of bones, a mesh with a face that can smile, two locks of hair.

    Version "0.0" faces -Z, "1.0" +Z.
    """
    forward = 1.0 if version == "1.0" else -1.0
    nodes, number = _nodes(forward)
    made = Builder()
    primitive = _primitive(made, nodes, len(BONES))
    hair = [{"name": f"hair{i}", "translation": [0, 0.08 * i - 0.1, -0.05]} for i in (1, 2)]
    first = len(nodes)
    hair[0]["children"] = [first + 1]
    nodes[number["head"]]["children"] = [first]
    nodes += [*hair, {"name": "Body", "mesh": 0, "skin": 0}]
    joints = [*range(1, 1 + len(BONES)), first, first + 1]
    inverse = np.tile(np.eye(4), (len(joints), 1, 1))
    made.views.append({"buffer": 0, "byteOffset": len(made.data), "byteLength": len(PICTURE)})
    made.data += PICTURE + b"\0" * (-len(PICTURE) % 4)
    document = {
        "asset": {"version": "2.0", "generator": "a maker of characters"},
        "scene": 0,
        "scenes": [{"nodes": [0, len(nodes) - 1]}],
        "nodes": nodes,
        "meshes": [{"name": "Face", "primitives": [primitive], "extras": {"targetNames": ["A"]}}],
        "materials": [{"name": "Skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [{"name": "t", "mimeType": "image/png", "bufferView": len(made.views) - 1}],
        "skins": [{"joints": joints, "inverseBindMatrices": made.add(inverse, "MAT4")}],
    }
    document |= _told(version, number, [first, first + 1], len(nodes) - 1)
    return made.finished(document)


def _nodes(forward):
    number = {bone: i + 1 for i, (bone, _, _) in enumerate(BONES)}
    nodes = [{"name": "Armature", "children": [number["hips"]]}]
    for bone, _, (x, y, z) in BONES:
        node = {"name": f"b{number[bone]:03}", "translation": [forward * x, y, forward * z]}
        below = [number[other] for other, parent, _ in BONES if parent == bone]
        nodes.append(node | ({"children": below} if below else {}))
    return nodes, number


def _primitive(made, nodes, bones):
    """A triangle with corners on the bones: nothing to look at, all that a skin needs."""
    points = np.array([[0, 0, 0], [0.3, 0, 0], [0, 1.5, 0]], float)
    attributes = {
        "POSITION": made.add(points, "VEC3", min=[0, 0, 0], max=[0.3, 1.5, 0]),
        "TEXCOORD_0": made.add(np.zeros((3, 2)), "VEC2"),
        "JOINTS_0": made.add(np.arange(12).reshape(3, 4), "VEC4", 5121),
        "WEIGHTS_0": made.add(np.full((3, 4), 0.25), "VEC4"),
    }
    low, high = (np.float32(0.01 * points).min(0), np.float32(0.01 * points).max(0))
    smile = made.add(0.01 * points, "VEC3", min=low.tolist(), max=high.tolist())
    return {"attributes": attributes, "targets": [{"POSITION": smile}], "material": 0}


def _told(version, number, hair, body):
    """What the extensions say: bones, faces, who looks where, hair that swings."""
    if version == "1.0":
        bones = {bone: {"node": node} for bone, node in number.items()}
        happy = {"morphTargetBinds": [{"node": body, "index": 0, "weight": 1.0}]}
        told = {
            "specVersion": "1.0",
            "meta": {
                "name": "Someone",
                "authors": ["us"],
                "licenseUrl": "https://vrm.dev/licenses/1.0/",
            },
            "humanoid": {"humanBones": bones},
            "firstPerson": {"meshAnnotations": [{"node": body, "type": "auto"}]},
            "lookAt": {"type": "bone", "offsetFromHeadBone": [0, 0.06, 0]},
            "expressions": {"preset": {"happy": happy}},
        }
        lock = {"hitRadius": 0.02, "stiffness": 1.0, "gravityPower": 0.1, "dragForce": 0.4}
        springs = [{"name": "hair", "joints": [{"node": n} | lock for n in hair]}]
        swing = {"specVersion": "1.0", "colliders": [], "springs": springs}
        return {
            "extensionsUsed": ["VRMC_vrm", "VRMC_springBone"],
            "extensions": {"VRMC_vrm": told, "VRMC_springBone": swing},
        }
    told = {
        "exporterVersion": "ours", "specVersion": "0.0",
        "meta": {"title": "Someone", "version": "1", "allowedUserName": "Everyone"},
        "humanoid": {"humanBones": [{"bone": b, "node": n} for b, n in number.items()]},
        "firstPerson": {"firstPersonBone": number["head"], "lookAtTypeName": "Bone"},
        "blendShapeMaster": {"blendShapeGroups": [
            {"name": "A", "presetName": "a", "binds": [{"mesh": 0, "index": 0, "weight": 100}]}]},
        "secondaryAnimation": {"colliderGroups": [], "boneGroups": [
            {"comment": "hair", "stiffiness": 1.0, "gravityPower": 0.1, "dragForce": 0.4,
             "center": -1, "hitRadius": 0.02, "bones": hair[:1], "colliderGroups": []}]},
        "materialProperties": [{"name": "Skin", "shader": "VRM_USE_GLTFSHADER"}],
    }  # fmt: skip
    return {"extensionsUsed": ["VRM"], "extensions": {"VRM": told}}


def saved(folder, version):
    """The file, binary as VRM files are."""
    document = vrm(version)
    data = base64.b64decode(document["buffers"][0].pop("uri").partition(",")[2])
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = [len(text).to_bytes(4, "little"), b"JSON", text]
    chunks += [len(data).to_bytes(4, "little"), b"BIN\0", data]
    body = b"".join(chunks)
    head = b"glTF" + (2).to_bytes(4, "little") + (12 + len(body)).to_bytes(4, "little")
    path = folder / f"character-{version}.vrm"
    path.write_bytes(head + body)
    return path
