"""Run examples/in_blender.py in Blender, on an arm with limits, and measure where its bones end.

    python studies/blender_example.py [--environment FOLDER] [--picture FILE]

Blender is bpy from PyPI, a large download, in an environment of its own that is kept between calls;
Poise is installed there. The tail of the hand must be within 1 mm of where Poise has it, and the
elbow inside its limits; the exit code says so. The picture is the arm before and after, rendered by
Blender: docs/images/tasks/blender.png.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from blender_roundtrip import environment
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
SCENE = f"""
import math, runpy, sys
import bpy
from mathutils import Vector

pictures = sys.argv[1:]  # of the first goal, before and after

def draw(file):  # the bones as rods, and the goals as balls
    made = []
    def add(make, color, **how):
        make(**how)
        made.append(bpy.context.object)
        bpy.ops.object.shade_smooth()
        paint = bpy.data.materials.new("paint")
        paint.use_nodes = True
        paint.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = color
        made[-1].data.materials.append(paint)
    ball, rod = bpy.ops.mesh.primitive_uv_sphere_add, bpy.ops.mesh.primitive_cone_add
    for bone in armature.pose.bones:
        head, tail = (armature.matrix_world @ end for end in (bone.head, bone.tail))
        along = tail - head
        turn = along.to_track_quat("Z", "Y").to_euler()
        add(rod, (0.10, 0.25, 0.45, 1), radius1=0.03, radius2=0.02, depth=along.length,
            location=(head + tail) / 2, rotation=turn, vertices=48)
        add(ball, (0.05, 0.12, 0.25, 1), radius=0.035, location=head)
    for empty in bpy.context.scene.objects:
        if empty.name.startswith("goal."):
            add(ball, (0.05, 0.55, 0.15, 1), radius=0.022, location=empty.location)
    scene = bpy.context.scene
    scene.render.filepath = file
    bpy.ops.render.render(write_still=True)
    for thing in made:
        bpy.data.objects.remove(thing)

def stage():  # a camera, a sun and a white world
    scene, middle = bpy.context.scene, Vector((0.52, 0.32, 1.08))
    seen_from = Vector((0.05, 1.65, 1.55))
    turn = (middle - seen_from).to_track_quat("-Z", "Y").to_euler()
    bpy.ops.object.camera_add(location=seen_from, rotation=turn)
    scene.camera = bpy.context.object
    bpy.ops.object.light_add(type="SUN", rotation=(0.5, 0.3, 0.4))
    bpy.context.object.data.energy = 2.5
    scene.world = bpy.data.worlds.new("white")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (1, 1, 1, 1)
    scene.view_settings.view_transform = "Standard"
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 64, False
    scene.render.resolution_x, scene.render.resolution_y = 400, 320

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
stage()
worst = 0.0
for place in ((0.5, 0.4, 1.2), (0.2, 0.3, 1.4), (0.6, 0.5, 0.8), (2.0, 2.0, 2.0)):
    bpy.ops.object.empty_add(location=place)
    bpy.context.object.name = "goal.hand"
    bpy.context.view_layer.update()
    if pictures:
        draw(pictures.pop(0))
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
    if pictures:
        draw(pictures.pop(0))
    bpy.data.objects.remove(bpy.data.objects["goal.hand"])
raise SystemExit(0 if worst < 1e-3 else 1)
"""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--environment", type=Path, default=ROOT / ".blender")
    parser.add_argument("--picture", type=Path)
    asked = parser.parse_args(arguments)
    python = environment(asked.environment)
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", ROOT], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "numba>=0.61", "msgspec"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "scene.py"
        script.write_text(SCENE)
        renders = [Path(folder) / f"{when}.png" for when in ("before", "after")]
        shown = renders if asked.picture else []
        code = subprocess.run([python, script, *shown], check=False).returncode
        if asked.picture and code == 0:
            side_by_side(renders).save(asked.picture, optimize=True)
        return code


def side_by_side(files: list[Path]) -> Image.Image:
    images = [Image.open(file).convert("RGB") for file in files]
    joined = Image.new("RGB", (sum(image.width for image in images), images[0].height))
    for i, image in enumerate(images):
        joined.paste(image, (i * image.width, 0))
    return joined


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
