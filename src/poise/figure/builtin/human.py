"""The built-in human: 71 DOFs, 1.80 m, 75 kg."""

from __future__ import annotations

from poise.figure.builtin.body import (
    SIDES,
    add_head,
    add_limb,
    add_sites,
    body_chains,
    standing_body,
    trunk_loads,
)
from poise.figure.builtin.proportions import point
from poise.figure.builtin.ranges import human_joint
from poise.figure.builtin.vertebrae import grouped_joints
from poise.figure.figure import Figure

ARM = ("collar", "shoulder", "elbow", "wrist", "knuckles")
LEG = ("hip", "knee", "ankle", "midfoot", "toes")
_SPINE = ("spine_1", "spine_2", "spine_3", "spine_4", "chest")


def human() -> Figure:
    """A person of 1.80 m standing on y = 0, facing +Z, left side towards +X. 71 DOFs.

    The root is free; every other DOF has limits. The height is that of the upright zero pose; the
    rest pose bends the knees and elbows a little.
    """
    body = standing_body()
    centres = list(grouped_joints().items())
    heights = [centre[1] for _, centre in centres] + [point("neck")[1]]
    slices = {name: (heights[i], heights[i + 1]) for i, name in enumerate(_SPINE)}
    loads = trunk_loads("middle_trunk", {name: slices[name] for name in _SPINE[:3]})
    loads |= trunk_loads("upper_trunk", {name: slices[name] for name in _SPINE[3:]})
    parent = "pelvis"
    for segment, (joint_name, centre) in zip(_SPINE, centres, strict=True):
        body.add(segment, parent, centre, (joint_name, human_joint(joint_name)), loads[segment])
        parent = segment
    add_head(body, "chest", human_joint("head"))
    for side in SIDES:
        add_limb(body, side, ARM, "chest", f"{side}_")
    for side in SIDES:
        add_limb(body, side, LEG, "pelvis", f"{side}_")
    add_sites(body, "chest")
    chains = body_chains(ARM, LEG, list(grouped_joints()))
    return Figure("human", body.segments, body.sites, chains=chains)
