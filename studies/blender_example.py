"""Run examples/in_blender.py in Blender, on an arm with limits, and measure where its bones end.

    python studies/blender_example.py [--environment FOLDER]

Blender is bpy from PyPI, a large download, in an environment of its own that is kept between calls;
Poise is installed there. The tail of the hand must be within 1 mm of where Poise has it, and the
elbow inside its limits; the exit code says so.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from blender_roundtrip import environment

ROOT = Path(__file__).resolve().parent.parent
SCENE = f"""
import math, runpy
import bpy

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.object.armature_add(location=(0.3, 0.1, 1.0), rotation=(0.0, 0.0, 0.7))
armature = bpy.context.object
bpy.ops.object.mode_set(mode="EDIT")
bones = armature.data.edit_bones
bones.remove(bones[0])
above = None
for name, head, tail in (("upper", (0, 0, 0), (0.3, 0, 0.05)),
                         ("fore", (0.3, 0, 0.05), (0.55, 0.02, 0)),
                         ("hand", (0.55, 0.02, 0), (0.65, 0.02, 0))):
    bone = bones.new(name)
    bone.head, bone.tail, bone.parent = head, tail, above
    above = bone
bpy.ops.object.mode_set(mode="POSE")
elbow = armature.pose.bones["fore"]
elbow.lock_ik_y = elbow.lock_ik_z = True
elbow.use_ik_limit_x, elbow.ik_min_x, elbow.ik_max_x = True, 0.0, 2.4
bpy.ops.object.mode_set(mode="OBJECT")
worst = 0.0
for place in ((0.5, 0.4, 1.2), (0.2, 0.3, 1.4), (0.6, 0.5, 0.8), (2.0, 2.0, 2.0)):
    bpy.ops.object.empty_add(location=place)
    bpy.context.object.name = "goal.hand"
    bpy.context.view_layer.update()
    solve = runpy.run_path(r"{ROOT / "examples" / "in_blender.py"}", run_name="poser")["solve"]
    solution = solve(armature)
    tail = armature.matrix_world @ armature.pose.bones["hand"].tail
    here = armature.matrix_world.inverted() @ tail
    off = max(abs(a - b) for a, b in zip(here, solution.pose.position("tail of hand")))
    turn = elbow.rotation_quaternion.to_euler("XYZ")
    assert -1e-5 <= turn.x <= 2.4 + 1e-5 and abs(turn.y) + abs(turn.z) < 1e-5, turn
    miss = (tail - bpy.data.objects["goal.hand"].location).length
    print(f"goal {{place}}: Blender's hand is {{1000 * miss:.2f}} mm from it,"
          f" {{1000 * off:.4f}} mm from ours, {{solution.status.name}}")
    worst = max(worst, off)
    bpy.data.objects.remove(bpy.data.objects["goal.hand"])
raise SystemExit(0 if worst < 1e-3 else 1)
"""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--environment", type=Path, default=ROOT / ".blender")
    python = environment(parser.parse_args(arguments).environment)
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", ROOT], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "numba>=0.61", "msgspec"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "scene.py"
        script.write_text(SCENE)
        return subprocess.run([python, script], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
