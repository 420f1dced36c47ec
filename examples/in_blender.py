"""Inside Blender: pose the active armature by empties, with Poise, and write the pose back.

Every empty that is called like a bone, with "goal." before it, is where the tail of that bone
should be. Limits are those of the bones (Bone properties, Inverse Kinematics). Run it in Blender's
Text Editor; once before: BLENDER/5.0/python/bin/python3.11 -m pip install PATH/TO/poise
"""

import bpy
import numpy as np
from mathutils import Matrix

import poise


def limits(bone, axis):
    """(lower, upper) about one of the bone's axes [rad]."""
    if getattr(bone, f"lock_ik_{axis}"):
        return 0.0, 0.0
    if getattr(bone, f"use_ik_limit_{axis}"):
        return getattr(bone, f"ik_min_{axis}"), getattr(bone, f"ik_max_{axis}")
    return -np.inf, np.inf


def figure_of(armature):
    """The same tree in Poise, in the armature's space: a ball about the axes of each bone."""
    segments, tails = [poise.Segment("armature", None, poise.joint.fixed())], []
    for pose_bone in armature.pose.bones:  # parents come before children
        bone, parent = pose_bone.bone, pose_bone.bone.parent
        rest = np.array(bone.matrix_local.to_3x3())
        joint = poise.joint.ball("XYZ", [limits(pose_bone, a) for a in "xyz"], frame=rest)
        offset = bone.head_local - parent.head_local if parent else bone.head_local
        above = parent.name if parent else "armature"
        segments.append(poise.Segment(bone.name, above, joint, offset))
        end = bone.tail_local - bone.head_local
        tails.append(poise.Site("tail of " + bone.name, bone.name, end))
    return poise.Figure(armature.name, segments, tails, up="Z")


def solve(armature):
    """Pose the armature; returns the solution."""
    figure, into = figure_of(armature), armature.matrix_world.inverted()
    goals = [
        poise.Position("tail of " + empty.name[5:], into @ empty.matrix_world.translation)
        for empty in bpy.context.scene.objects
        if empty.name.startswith("goal.") and empty.name[5:] in armature.pose.bones
    ]
    solution = poise.solve(figure, goals)
    turned = dict(zip(figure.segment_names, solution.pose.frames[0], strict=True))
    for bone in armature.pose.bones:
        rest, above = np.array(bone.bone.matrix_local.to_3x3()), bone.parent
        before = turned[above.name] if above else np.eye(3)
        own = Matrix(rest.T @ before.T @ turned[bone.name] @ rest)
        bone.rotation_mode, bone.rotation_quaternion = "QUATERNION", own.to_quaternion()
    bpy.context.view_layer.update()
    return solution


if __name__ == "__main__":
    print(solve(bpy.context.object).explain())
