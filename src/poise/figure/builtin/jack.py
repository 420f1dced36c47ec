"""Jack: the figure of Zhao & Badler, with every thoracic and lumbar vertebra."""

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
from poise.figure.builtin.ranges import RANGES, joint_from
from poise.figure.builtin.vertebrae import VERTEBRAE, vertebral_joints, vertebral_ranges
from poise.figure.figure import Figure
from poise.figure.relations import JointGroup

ARM = ("collar", "shoulder", "elbow", "wrist")
LEG = ("hip", "knee", "ankle", "toes")
_UPPER_TRUNK = 9  # vertebrae T9 to T1 lie above the xiphoid


def jack() -> Figure:
    """The figure of Zhao & Badler (section 12): 17 vertebrae of 3 DOFs. 100 DOFs in all.

    The paper counts 70 above the legs: 51 of the spine, 3 of the neck, 2 of the head, and on each
    side 3 of a shoulder complex, 1 of the elbow and 3 of the wrist. Here the complex is a collar
    of 2 and a shoulder of 3; `shoulder_groups()` drives the collar by the shoulder, which leaves
    the paper's 3, and `spine_groups()` the whole spine by 3, which leaves 22 of the 70:

    >>> grouped = jack().with_relations(*spine_groups(), *shoulder_groups())

    The vertebrae move by less than 20° each, so at rest they are in the inner half of their ranges
    rather than 10° inside them. The body is otherwise that of `human`.
    """
    body = standing_body()
    names = [f"vertebra_{vertebra.name}" for vertebra in VERTEBRAE]
    centres = list(vertebral_joints().values())
    heights = [centre[1] for centre in centres] + [point("neck")[1]]
    slices = {name: (heights[i], heights[i + 1]) for i, name in enumerate(names)}
    loads = trunk_loads("middle_trunk", {name: slices[name] for name in names[:-_UPPER_TRUNK]})
    loads |= trunk_loads("upper_trunk", {name: slices[name] for name in names[-_UPPER_TRUNK:]})
    parent = "pelvis"
    for name, vertebra, centre in zip(names, VERTEBRAE, centres, strict=True):
        moving = joint_from(vertebral_ranges(vertebra))
        body.add(name, parent, centre, (f"spine_{vertebra.name}", moving), loads[name])
        parent = name
    flexion, _, axial_rotation = RANGES["head"]
    add_head(body, parent, joint_from((flexion, axial_rotation)))
    for side in SIDES:
        add_limb(body, side, ARM, parent, f"{side}_")
    for side in SIDES:
        add_limb(body, side, LEG, "pelvis", f"{side}_")
    add_sites(body, parent)
    chains = body_chains(ARM, LEG, [f"spine_{vertebra.name}" for vertebra in VERTEBRAE])
    return Figure("jack", body.segments, body.sites, chains=chains)


def spine_groups() -> tuple[JointGroup, ...]:
    """Flexion, lateral bending and axial rotation of the whole spine, each one parameter [rad].

    Every vertebra takes the share of its own range, so that all reach their limits together.
    """
    shares = {
        "flexion": {v.name: v.sagittal for v in VERTEBRAE},
        "lateral_bending": {v.name: v.lateral for v in VERTEBRAE},
        "axial_rotation": {v.name: v.axial for v in VERTEBRAE},
    }
    return tuple(
        JointGroup(
            f"spine_{motion}",
            {
                f"spine_{name}_{motion}": value / sum(by_name.values())
                for name, value in by_name.items()
            },
        )
        for motion, by_name in shares.items()
    )


COLLAR_SHARES = {"elevation": ("elevation", 0.3), "protraction": ("horizontal_flexion", 1.0 / 3.0)}
"""What a collar's motions take of the shoulder's, so that both reach their upper limits together
(Inman's rhythm of scapula and humerus is 1 to 2 above 30 degrees)."""


def shoulder_groups() -> tuple[JointGroup, ...]:
    """The collar follows the shoulder, on both sides: ZB's shoulder complex of 3 DOFs."""
    return tuple(
        JointGroup(
            f"{side}_shoulder_{leading}",
            {f"{side}_shoulder_{leading}": 1.0, f"{side}_collar_{following}": share},
        )
        for side in SIDES
        for following, (leading, share) in COLLAR_SHARES.items()
    )
