"""Runs inside Blender's Python: Blender's solvers follow a motion. Called by studies/blender.py.

    python blender_solve.py REQUEST.json ANSWER.json

The request names a .bvh file, the joints that are followed, the frame numbers of every pass by
interval, margins [rad] and a slot [s]. Each solver runs with Blender's defaults, and with as many
iterations as its typical frame has time for in the slot. The answer has, for every case, the heads
of all bones in every frame [m, in Blender's world] and the time of every solve [s].

The root bone is put where the reference has it: Blender's solvers turn it but do not move it. The
other goals are empties; one IK constraint each, whose chain goes up to the root, so that all are
solved together as a tree. Each frame starts from the answer before: its rotations are written into
the bones before the next solve.
"""

import json
import math
import sys
import time
from pathlib import Path

import bpy
from mathutils import Matrix

TRIED = 20  # iterations, to see how long one takes


def import_motion(path, frames):
    """The armature of a file, and its reference: matrices of all bones in every frame."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_anim.bvh(
        filepath=path, global_scale=1.0, axis_forward="-Z", axis_up="Y", use_fps_scale=False,
        update_scene_fps=False, update_scene_duration=False, rotate_mode="QUATERNION",
    )  # fmt: skip
    armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
    scene = bpy.context.scene
    poses, heads = [], []
    for frame in range(frames):
        scene.frame_set(frame + 1)
        poses.append({b.name: b.matrix_basis.copy() for b in armature.pose.bones})
        heads.append(all_heads(armature))
    armature.animation_data_clear()
    scene.frame_set(1)
    return armature, poses, heads


def all_heads(armature):
    return [list(armature.matrix_world @ bone.head) for bone in armature.pose.bones]


# -- limits in Blender's own coordinates -----------------------------------------------------------


def swing_and_twist(basis):
    """Blender's own parameters of a rotation R: half-sines of the swing about X and Z, the twist.

    The signs are such that a turn about an axis by a gives sin(a / 2).
    """
    r = basis.to_3x3()
    twist = 2.0 * math.atan2(r[0][2] - r[2][0], 1.0 + r[0][0] + r[1][1] + r[2][2])
    twist = math.remainder(twist, 2.0 * math.pi)
    size = math.sqrt(max(2.0 * (1.0 + r[1][1]), 1e-12))
    return r[2][1] / size, -r[0][1] / size, twist


def learned(poses, name, margin):
    """(lower, upper) about X, Y and Z that the motion uses and `margin` more; None for no limit.

    Blender wants 0 inside every range, and takes the two swings together as an ellipse: both are
    widened until every pose of the motion has its margin about both axes at once.
    """
    seen = [swing_and_twist(pose[name]) for pose in poses]
    ranges = []
    for k in (0, 1):
        angles = [2.0 * math.asin(max(-1.0, min(1.0, one[k]))) for one in seen]
        ranges.append([min(min(angles) - margin, 0.0), max(max(angles) + margin, 0.0)])
    swings = [[-math.sin(0.5 * min(-low, math.pi)), math.sin(0.5 * min(high, math.pi))]
              for low, high in ranges]  # fmt: skip
    wider = 1.0
    for one in seen:
        share = []
        for k in (0, 1):
            room = abs(2.0 * math.asin(max(-1.0, min(1.0, one[k])))) + margin
            share.append(math.sin(0.5 * min(room, math.pi)) / abs(swings[k][one[k] > 0.0]))
        wider = max(wider, math.hypot(*share))
    ends = [[wider * low, wider * high] for low, high in swings]
    open_ = max(abs(value) for pair in ends for value in pair) >= 1.0
    x, z = (None, None) if open_ else ([2.0 * math.asin(v) for v in pair] for pair in ends)
    twists = [one[2] for one in seen]
    y = [min(min(twists) - margin, 0.0), max(max(twists) + margin, 0.0)]
    return x, (None if max(-y[0], y[1]) >= math.pi else y), z


def set_limits(armature, poses, margin, solver):
    """Limits for all bones but the root. iTaSC reads the range of Z from X: both get both."""
    limits = {}
    for bone in armature.pose.bones:
        if bone.parent is None:
            continue
        x, y, z = learned(poses, bone.name, margin)
        if solver == "ITASC" and x is not None:
            x = z = [min(x[0], z[0]), max(x[1], z[1])]
        limits[bone.name] = x, y, z
        for axis, pair in zip("xyz", (x, y, z), strict=True):
            setattr(bone, f"use_ik_limit_{axis}", pair is not None)
            if pair is not None:
                setattr(bone, f"ik_min_{axis}", pair[0])
                setattr(bone, f"ik_max_{axis}", pair[1])
    return limits


def beyond(basis, limits, slack=0.01):
    """Whether a rotation is outside the limits of its bone by more than `slack` [rad]."""
    x, y, z = limits
    px, pz, twist = swing_and_twist(basis)
    if y is not None and not y[0] - slack <= twist <= y[1] + slack:
        return True
    if x is None:
        return False
    share = 0.0
    for value, pair in ((px, x), (pz, z)):
        end = math.sin(0.5 * (abs(pair[1] if value > 0.0 else pair[0]) + slack))
        share += (value / end) ** 2
    return share > 1.0


# -- solving ---------------------------------------------------------------------------------------


def add_goals(armature, names):
    """An empty and an IK constraint for each joint: its bone's head should be there."""
    goals = {}
    for name in names:
        empty = bpy.data.objects.new(f"goal {name}", None)
        bpy.context.scene.collection.objects.link(empty)
        constraint = armature.pose.bones[name].constraints.new("IK")
        constraint.target = empty
        constraint.use_tail = False
        constraint.chain_count = 0
        goals[name] = (empty, constraint)
    return goals


def follow(armature, goals, reference, passes, limits):
    """Every pass from its own first pose; heads of all bones, times, and frames beyond limits."""
    poses, heads = reference
    order = {bone.name: i for i, bone in enumerate(armature.pose.bones)}
    root = next(b for b in armature.pose.bones if b.parent is None)
    layer = bpy.context.view_layer
    found = {"heads": [], "seconds": [], "broken": 0}
    for frames in passes:
        for bone in armature.pose.bones:
            bone.matrix_basis = poses[frames[0]][bone.name]
        answers = []
        for frame in frames[1:]:
            place = poses[frame][root.name].to_translation()
            turn = root.matrix_basis.to_3x3().to_4x4()
            root.matrix_basis = Matrix.Translation(place) @ turn
            for name, (empty, _) in goals.items():
                empty.location = heads[frame][order[name]]
            began = time.perf_counter()
            layer.update()
            found["seconds"].append(time.perf_counter() - began)
            answers.append(all_heads(armature))
            turned = local_rotations(armature)
            found["broken"] += any(
                beyond(turned[name], pair) for name, pair in limits.items() if any(pair)
            )
            for bone in armature.pose.bones:  # the next one starts here
                place = bone.matrix_basis.to_translation()
                bone.matrix_basis = Matrix.Translation(place) @ turned[bone.name].to_4x4()
        found["heads"].append(answers)
    return found


def local_rotations(armature):
    """The rotation of every bone from its rest, as solved."""
    turned = {}
    for bone in armature.pose.bones:
        local = armature.convert_space(
            pose_bone=bone, matrix=bone.matrix, from_space="POSE", to_space="LOCAL"
        )
        turned[bone.name] = local.to_3x3()
    return turned


def idle_time(armature, goals):
    """The median time of an update without any solving [s]."""
    for _, constraint in goals.values():
        constraint.mute = True
    times = []
    for k in range(50):
        next(iter(goals.values()))[0].location.x += 1e-3 * (k % 2)
        armature.pose.bones[0].matrix_basis = armature.pose.bones[0].matrix_basis.copy()
        began = time.perf_counter()
        bpy.context.view_layer.update()
        times.append(time.perf_counter() - began)
    for _, constraint in goals.values():
        constraint.mute = False
    return sorted(times)[len(times) // 2]


def set_effort(armature, goals, solver, iterations):
    """How often the solver may iterate; None leaves Blender's defaults."""
    armature.pose.ik_solver = solver
    if solver == "ITASC":
        parameters = armature.pose.ik_param
        parameters.mode = "ANIMATION"
        if iterations is not None:
            parameters.reiteration_method = "ALWAYS"
            parameters.iterations = iterations
        return
    for _, constraint in goals.values():
        if iterations is not None:
            constraint.iterations = iterations


def iterations_in(slot, armature, goals, solver, reference, passes, limits):
    """How many iterations the typical frame of some passes has time for."""
    set_effort(armature, goals, solver, TRIED)
    seconds = follow(armature, goals, reference, passes, limits)["seconds"]
    typical = sorted(seconds)[len(seconds) // 2]
    return max(1, int(slot / (typical / TRIED)))


def cases(asked, solver, margin):
    """What one solver makes of one margin; also the names of all bones and the reference."""
    armature, poses, heads = import_motion(asked["file"], asked["frames"])
    limits = set_limits(armature, poses, margin, solver)
    for name, own in limits.items():  # or it would be no fair task
        assert not any(beyond(pose[name], own, slack=1e-6) for pose in poses), name
    goals = add_goals(armature, asked["joints"])
    idle = idle_time(armature, goals)
    found = []
    for effort in ("defaults", "slot"):
        for interval, passes in asked["passes"].items():
            iterations = None
            if effort == "slot":
                iterations = iterations_in(
                    asked["slot"], armature, goals, solver, (poses, heads), passes, limits
                )
                set_effort(armature, goals, solver, iterations)
            else:
                set_effort(armature, goals, solver, None)
            case = {"solver": solver, "margin": margin, "effort": effort,
                    "interval": float(interval), "iterations": iterations, "idle": idle,
                    "unlimited": sum(x is None for x, _, _ in limits.values())}  # fmt: skip
            found.append(case | follow(armature, goals, (poses, heads), passes, limits))
    return found, [bone.name for bone in armature.pose.bones], heads


def main():
    asked = json.loads(Path(sys.argv[1]).read_text())
    answer = {"version": bpy.app.version_string, "cases": []}
    for solver in asked["solvers"]:
        for margin in asked["margins"]:
            found, answer["bones"], heads = cases(asked, solver, margin)
            answer["cases"] += found
    answer["reference"] = {
        interval: [[heads[frame] for frame in frames[1:]] for frames in passes]
        for interval, passes in asked["passes"].items()
    }
    Path(sys.argv[2]).write_text(json.dumps(answer))


main()
