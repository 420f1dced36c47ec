"""Documents that several tests use."""

from dataclasses import replace

import numpy as np

from poise.figure.builtin import human
from poise.motion.clip import Clip
from poise.motion.demands import snapped
from poise.motion.document import Document, Key, KeyedGoal, Settings, Target

HUMAN = human()
REST = HUMAN.rest()
NOWHERE = Target((0.0, 0.0, 0.0))


def goal(number, effector, kind="pose", pinned=True, shift=(0.0, 0.0, 0.0), pose=REST, **more):
    target = snapped(kind, effector, NOWHERE, pose)
    moved = replace(target, position=np.asarray(target.position) + shift)
    return KeyedGoal(number, effector, kind, moved, pinned=pinned, **more)


def standing(*goals, **more):
    """The human at rest with both feet pinned, and more goals."""
    feet = (goal(1, "left_foot"), goal(2, "right_foot"))
    return Document(HUMAN, REST.angles, (*feet, *goals), **more)


def swaying(amplitude=0.2):
    """Keys that bend knees, hips and trunk and turn the root, so that the feet would slip."""
    bends = {
        "left_hip_flexion": 0.6, "right_hip_flexion": 0.4, "left_knee_flexion": 1.0,
        "right_knee_flexion": 0.9, "spine_2_flexion": 0.3, "left_shoulder_elevation": 0.8,
        "root_ty": -0.12, "root_tx": 0.04, "root_ry": 0.4,
    }  # fmt: skip
    keys = []
    for i, share in enumerate((0.0, 1.0, -0.3, 0.6)):
        values = {name: REST[name] + amplitude * share * by for name, by in bends.items()}
        keys.append(Key(100 + i, 0.5 * i, HUMAN.pose(values).clamped().angles))
    return standing(keys=tuple(keys), duration=1.5)


def waving(frames=40):
    """A clip of the human: an arm that waves while the root sinks and turns."""
    times = np.arange(frames) / 30.0
    angles = np.tile(REST.angles, (frames, 1))
    for name, size in (("left_shoulder_elevation", 0.5), ("root_ry", 0.8), ("root_ty", -0.02)):
        angles[:, HUMAN.dof_index(name)] += size * np.sin(3.0 * times)
    return Clip(HUMAN, angles, 1.0 / 30.0, "waving")


def over_clip(**more):
    return Document(
        HUMAN, REST.angles, clip=waving(), settings=Settings(ground=False), duration=1.3, **more
    )
