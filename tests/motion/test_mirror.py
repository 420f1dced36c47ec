"""Mirroring: positions are reflected, and twice is the identity, whatever the joints are."""

from dataclasses import replace

import numpy as np
import pytest
from motion.bodies import puppet, wandering

import poise
from poise import Figure, MotionError, Segment, joint
from poise.figure.rotation import EULER_ORDERS
from poise.motion.sides import partner_name

PUPPETS = {
    **{order: puppet(order) for order in EULER_ORDERS},
    "two axes": puppet("ZX"),
    "turned axes": puppet("-ZX-Y", "ZXY"),
    "two turned axes": puppet("Z-Y", "-Z-Y"),
    "other orders on either side": puppet("ZXY", "YZX"),
    "vector and Euler": puppet(joint.rotation_vector(), "XYX"),
    "swing": puppet(joint.swing_twist(3.0, axis="X"), joint.swing_twist(3.0, axis="-X")),
    "swing and Euler": puppet(joint.swing_twist(3.0, axis="X"), "ZYX"),
    "vectors": puppet(joint.rotation_vector(), root=joint.free(), spine=joint.rotation_vector()),
    "Z up": puppet(up="Z"),
    "slides": puppet(joint.channels("ZXY", "XYZ")),
    "frames": puppet(
        joint.ball("ZXY", frame=poise.figure.rotation.about("Y", 0.5)),
        joint.ball("ZXY", frame=poise.figure.rotation.about("Y", -0.5)),
    ),
}


def names_mirrored(figure):
    names = figure.effector_names
    return [names.index(partner_name(n, names)) for n in names]


def check(clip, tolerance=1e-9):
    mirrored = clip.mirrored()
    expected = clip.positions()[:, names_mirrored(clip.figure)] * [-1.0, 1.0, 1.0]
    np.testing.assert_allclose(mirrored.positions(), expected, atol=tolerance)
    return mirrored


@pytest.mark.parametrize("figure", PUPPETS.values(), ids=PUPPETS.keys())
def test_positions_are_reflected_and_twice_is_the_identity(figure):
    clip = wandering(figure)
    twice = check(clip).mirrored()
    np.testing.assert_allclose(twice.positions(), clip.positions(), atol=1e-9)
    np.testing.assert_allclose(twice.rotations(), clip.rotations(), atol=1e-9)
    kinds = [[m.kind for m in figure.segments[i].joint.motions] for i in (2, 4)]
    if kinds[0] == kinds[1]:
        np.testing.assert_allclose(twice.angles, clip.angles, atol=1e-9)


@pytest.mark.parametrize("make", [poise.figures.human, poise.figures.jack], ids=["human", "jack"])
def test_built_in_figures_mirror_inside_their_limits(make):
    figure = make()
    rng = np.random.default_rng(0)
    angles = [
        figure.pose(figure.rest_angles + rng.normal(0, 0.4, len(figure.dofs))).clamped().angles
        for _ in range(5)
    ]
    clip = poise.Clip(figure, angles)
    mirrored = check(clip)
    np.testing.assert_allclose(mirrored.mirrored().angles, clip.angles, atol=1e-9)
    over = np.maximum(figure.lower - mirrored.angles, mirrored.angles - figure.upper)
    assert over.max() < 1e-12


def test_rest_rotations_and_a_root_off_the_middle():
    from scipy.spatial.transform import Rotation

    flip = np.diag([-1.0, 1.0, 1.0])
    turn = Rotation.from_euler("XYZ", [0.3, -0.6, 0.9]).as_matrix()
    base = puppet()
    changed = {
        "hips": {"offset": (0.4, 1.0, 0.2)},
        "LeftArm": {"rotation": turn},
        "RightArm": {"rotation": flip @ turn @ flip},
    }
    segments = [replace(s, **changed.get(s.name, {})) for s in base.segments]
    figure = Figure("turned", segments, base.sites)
    clip = wandering(figure)
    np.testing.assert_allclose(check(clip).mirrored().angles, clip.angles, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("left_hand", "right_hand"),
        ("LeftUpLeg", "RightUpLeg"),
        ("mixamorig:RightArm", "mixamorig:LeftArm"),
        ("LHipJoint", "RHipJoint"),
        ("lfemur", "rfemur"),
        ("upperarm01.L", "upperarm01.R"),
        ("J_Bip_R_Hand", "J_Bip_L_Hand"),
        ("hand_l", "hand_r"),
        ("FootR", "FootL"),
        ("l_upright_left", "l_upright_right"),
    ],
)
def test_partners_by_name(name, other):
    assert partner_name(name, [name, other, "root"]) == other
    assert partner_name(other, [name, other, "root"]) == name


@pytest.mark.parametrize("name", ["lowerback", "root", "LowerBack", "Rib", "chest", "spine_lower"])
def test_names_without_a_side_are_their_own(name):
    assert partner_name(name, [name, "hips"]) == name


def test_what_cannot_be_mirrored_is_said():
    hips = Segment("hips", None, joint.free())
    lone = Figure("lone", [hips, Segment("LeftArm", "hips", joint.channels("X"), (1, 0, 0))])
    with pytest.raises(MotionError, match=r"other side is missing; give pairs=.*LeftArm"):
        wandering(lone).mirrored()
    assert len(wandering(lone).mirrored({"LeftArm": "LeftArm"})) == 12
    with pytest.raises(MotionError, match="unknown segment"):
        wandering(lone).mirrored({"LeftArm": "nobody"})
    with pytest.raises(MotionError, match="not mirror images"):
        wandering(puppet("ZX", "X")).mirrored()
    crooked = Figure(
        "crooked",
        [hips, Segment("a", "hips"), Segment("LeftArm", "hips"), Segment("RightArm", "a")],
    )
    with pytest.raises(MotionError, match="do not hang on mirror images"):
        wandering(crooked).mirrored()
