"""Opens what Poise saves in Blender, and prints how far its joints are from ours.

    python studies/blender_roundtrip.py              (or: … walk.bvh, any clip that Poise reads)

Blender is bpy from PyPI, a large download, in an environment of its own that is kept between
calls. Every joint in every frame must be within 0.1 mm; the exit code says so.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

BLENDER = "bpy==5.0.1"  # wants Python 3.11
BAR = 1e-4  # [m]

IN_BLENDER = """
import json, sys
import bpy

file, out = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
asked = json.load(open(out))
rate = 1.0 / asked["frame_time"]
# So that frames of the clip are frames in Blender. It divides fps by fps_base, but its glTF add-on
# (of 5.0.1, both ways) multiplies: other values put the keys between frames, and what it then
# writes, sampled at whole frames, is another motion by as much as the joints move in between.
share = round(rate) / rate
bpy.context.scene.render.fps = round(rate)
bpy.context.scene.render.fps_base = share if file.endswith(".bvh") else 1.0 / share
if file.endswith(".bvh"):
    bpy.ops.import_anim.bvh(
        filepath=file, global_scale=0.01, axis_forward="-Z", axis_up="Y", use_fps_scale=False,
        update_scene_fps=True, update_scene_duration=True, rotate_mode="QUATERNION")
else:
    bpy.ops.import_scene.gltf(filepath=file)
armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
scene = bpy.context.scene
# Frames of the clip are where the importer put the keys, which may be between Blender's frames.
bag = armature.animation_data.action.layers[0].strips[0].channelbags[0]
keys = max(([k.co.x for k in curve.keyframe_points] for curve in bag.fcurves), key=len)
assert len(keys) == asked["frames"], (len(keys), asked)
found = []
for at in keys:
    scene.frame_set(int(at // 1), subframe=at % 1)
    found.append({
        bone.name: list((armature.matrix_world @ bone.matrix).translation)
        for bone in armature.pose.bones})
json.dump(found, open(out, "w"))
if file.endswith(".glb"):
    bpy.ops.export_scene.gltf(filepath=out.replace(".json", "-blender.glb"))
"""


def environment(folder: Path) -> Path:
    """The Python of an environment with Blender in it, made where there is none."""
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        print(f"installing {BLENDER} into {folder} …", file=sys.stderr)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", BLENDER], check=True)
    return python


def blender_positions(python: Path, path: Path, clip) -> list[dict[str, list[float]]]:
    """By frame and bone, in the world of the file: Blender's has Z up."""
    out = path.with_suffix(".json")
    out.write_text(json.dumps({"frames": len(clip), "frame_time": clip.frame_time}))
    script = path.with_name("in_blender.py")
    script.write_text(IN_BLENDER)
    subprocess.run([python, script, path, out], check=True, stdout=subprocess.DEVNULL)
    return json.loads(out.read_text())


def largest_distance(clip, found) -> tuple[float, int]:
    """The largest distance [m] of a joint in any frame, and how many joints were compared."""
    import numpy as np

    names = [name for name in clip.figure.segment_names if name in found[0]]
    theirs = np.array([[frame[name] for name in names] for frame in found])
    theirs = np.stack([theirs[..., 0], theirs[..., 2], -theirs[..., 1]], -1)
    from poise.motion.world import segment_frames

    ours = segment_frames(clip.figure, clip.angles)[1]
    ours = ours[:, [clip.figure.segment_index(name) for name in names]]
    if clip.figure.up == "Z":
        ours = np.stack([ours[..., 0], ours[..., 2], -ours[..., 1]], -1)
    return float(np.linalg.norm(ours - theirs, axis=-1).max()), len(names)


def read_again(clip, path: Path) -> float:
    """The largest distance [m] of a joint after Blender has written the clip itself."""
    import numpy as np

    import poise
    from poise.motion.world import segment_frames

    back = poise.load(path, fps=clip.fps)
    places = []
    for found in (clip, back):
        figure = found.figure
        order = [figure.segment_index(name) for name in clip.figure.segment_names]
        places.append(segment_frames(figure, found.angles)[1][:, order])
    assert len(back) == len(clip), (len(back), len(clip))
    ours, theirs = places
    if clip.figure.up == "Z":
        ours = np.stack([ours[..., 0], ours[..., 2], -ours[..., 1]], -1)
    return float(np.linalg.norm(ours - theirs, axis=-1).max())


def wandering(frames: int = 60):
    """The human, every joint of it moving inside its limits."""
    import numpy as np

    import poise

    human = poise.figures.human()
    rng = np.random.default_rng(5)
    phase, size = rng.uniform(0, 6.28, (2, len(human.dofs)))
    time = np.arange(frames)[:, None] / 30.0
    waves = human.rest_angles + 0.1 * size * np.sin(4.0 * time + phase)
    return poise.Clip(human, [human.pose(row).clamped().angles for row in waves], 1 / 30, "wander")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clip", nargs="?", help="a clip to save; a motion of the human if none")
    parser.add_argument("--environment", type=Path, default=Path(".blender"))
    options = parser.parse_args()
    import poise

    clip = poise.load(options.clip) if options.clip else wandering()
    python = environment(options.environment.resolve())
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for suffix in (".bvh", ".glb"):
            path = Path(folder) / f"clip{suffix}"
            poise.save(clip, path, **({"unit": 0.01} if suffix == ".bvh" else {}))
            found = blender_positions(python, path, clip)
            far, joints = largest_distance(clip, found)
            print(f"{suffix}: {len(clip)} frames, {joints} of {len(clip.figure.segments)} joints,"
                  f" largest distance {1000 * far:.4f} mm")  # fmt: skip
            worst = max(worst, far)
        again = read_again(clip, Path(folder) / "clip-blender.glb")
        print(f"Blender's own .glb, read by Poise: {len(clip)} frames, largest distance"
              f" {1000 * again:.4f} mm")  # fmt: skip
        worst = max(worst, again)
    raise SystemExit(0 if worst < BAR else 1)


if __name__ == "__main__":
    main()
