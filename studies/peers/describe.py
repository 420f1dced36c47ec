"""Prints the robots of the study as JSON: `python describe.py FOLDER`, in their environment.

The Panda's URDF is from example-robot-data, the humanoid from dm_control; MuJoCo reads the latter
and writes it into FOLDER as one plain MJCF file, from which all other forms are made.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import distribution, version
from importlib.util import find_spec
from pathlib import Path

import mujoco


def panda() -> str:
    files = distribution("example-robot-data").files or []
    (found,) = [f for f in files if str(f).endswith("panda_description/urdf/panda.urdf")]
    return Path(found.locate()).read_text()


def humanoid(folder: Path) -> dict:
    spec = find_spec("dm_control")
    source = Path(spec.submodule_search_locations[0]) / "suite" / "humanoid_CMU.xml"
    file = folder / "humanoid.xml"
    mujoco.mj_saveLastXML(str(file), mujoco.MjModel.from_xml_path(str(source)))
    model = mujoco.MjModel.from_xml_path(str(file))
    bodies = []
    for b in range(1, model.nbody):
        first = model.body_jntadr[b]
        hinges = []
        for j in range(first, first + model.body_jntnum[b]):
            if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE:
                continue
            assert model.jnt_type[j] == mujoco.mjtJoint.mjJNT_HINGE
            assert not model.jnt_pos[j].any()
            assert model.jnt_limited[j]
            assert model.qpos0[6 + j] == 0.0
            hinges.append({"name": model.joint(j).name, "axis": model.jnt_axis[j].tolist(),
                           "range": model.jnt_range[j].tolist()})  # fmt: skip
        body, parent = model.body(b), model.body(model.body_parentid[b])
        bodies.append({"name": body.name, "parent": parent.name, "position": body.pos.tolist(),
                       "quaternion": body.quat.tolist(), "hinges": hinges})  # fmt: skip
    return {"mjcf": str(file), "bodies": bodies}


if __name__ == "__main__":
    made = {
        "panda": panda(),
        "humanoid": humanoid(Path(sys.argv[1])),
        "versions": {p: version(p) for p in ("example-robot-data", "dm_control", "mujoco")},
    }
    print(json.dumps(made))
