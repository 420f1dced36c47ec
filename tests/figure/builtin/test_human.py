import numpy as np
import pytest
from figure.builtin.checks import (
    assert_symmetric,
    center_of_mass,
    movement,
    smallest_singular_value,
)
from scipy.optimize import least_squares

from poise.figure.builtin import human
from poise.figure.builtin.proportions import point

SITES = [
    "left_hand",
    "right_hand",
    "left_foot",
    "right_foot",
    "left_toes",
    "right_toes",
    "left_heel",
    "right_heel",
    "left_ball",
    "right_ball",
    "head",
    "eyes",
    "pelvis",
    "chest",
    "left_elbow",
    "right_elbow",
    "left_knee",
    "right_knee",
    "left_shoulder",
    "right_shoulder",
    "left_hip",
    "right_hip",
]
SIDES = {"left": 1.0, "right": -1.0}
UP, FORWARD, OUT = np.eye(3)[1], np.eye(3)[2], np.eye(3)[0]
FINGERTIP = (0.0, -0.1, 0.0)

# DOF, effector, point in its frame, where that point goes (OUT: away from the middle).
LIMB_MOVEMENTS = [
    ("collar_protraction", "shoulder", (0, 0, 0), FORWARD),
    ("collar_elevation", "shoulder", (0, 0, 0), UP),
    ("shoulder_elevation", "elbow", (0, 0, 0), OUT + FORWARD),
    ("shoulder_horizontal_flexion", "elbow", (0, 0, 0), FORWARD - OUT),
    ("shoulder_internal_rotation", "hand", (0, 0, 0), -OUT),
    ("elbow_flexion", "hand", (0, 0, 0), FORWARD),
    ("wrist_pronation", "hand", (0, -1, 0), -FORWARD),  # the palm turns back
    ("wrist_ulnar_deviation", "fingers", FINGERTIP, -FORWARD),
    ("wrist_flexion", "fingers", FINGERTIP, -OUT),  # towards the palm
    ("knuckles_flexion", "fingers", FINGERTIP, -OUT),
    ("knuckles_ulnar_deviation", "fingers", FINGERTIP, -FORWARD),
    ("hip_flexion", "knee", (0, 0, 0), FORWARD),
    ("hip_abduction", "knee", (0, 0, 0), OUT),
    ("hip_internal_rotation", "toes", (0, 0, 0), -OUT),
    ("knee_flexion", "heel", (0, 0, 0), -FORWARD),
    ("knee_internal_rotation", "toes", (0, 0, 0), -OUT),
    ("ankle_dorsiflexion", "toes", (0, 0, 0), UP),
    ("ankle_inversion", "foot", (0, -1, 0), -OUT),  # the sole turns to the middle
    ("ankle_internal_rotation", "toes", (0, 0, 0), -OUT),
    ("midfoot_flexion", "ball", (0, 0, 0), -UP),
    ("toes_flexion", "toes", (0, 0, 0), -UP),
    ("toes_abduction", "toes", (0, 0, 0), OUT),
]
TRUNK = [f"spine_{i}" for i in range(1, 6)] + ["neck", "head"]


@pytest.fixture(scope="module")
def figure():
    return human()


def test_dofs_are_those_of_the_design(figure):
    per_joint = {}
    for segment in figure.segments:
        per_joint[segment.joint_name] = len(segment.joint.dofs)
    arm = {"collar": 2, "shoulder": 3, "elbow": 1, "wrist": 3, "knuckles": 2}
    leg = {"hip": 3, "knee": 2, "ankle": 3, "midfoot": 1, "toes": 2}
    expected = {"root": 6} | dict.fromkeys(TRUNK, 3)
    expected |= {f"{side}_{name}": n for side in SIDES for name, n in (arm | leg).items()}
    assert per_joint == expected
    assert len(figure.dofs) == len(set(figure.dof_names)) == 71


def test_limb_dof_names(figure):
    limbs = [name for name in figure.dof_names if name.startswith(("left_", "right_"))]
    wanted = [f"{side}_{row[0]}" for side in SIDES for row in LIMB_MOVEMENTS]
    assert sorted(limbs) == sorted(wanted)


def test_sites(figure):
    assert [site.name for site in figure.sites] == SITES


def test_upright_it_is_180_cm_tall(figure):
    upright = figure.pose(np.zeros(71))
    crown = upright.position("head", point("crown") - point("head_middle"))
    assert crown[1] - upright.position("left_heel")[1] == pytest.approx(1.80, abs=1e-12)


def test_rest_stands_on_flat_soles(figure):
    rest = figure.rest()
    for side in SIDES:
        for name in ("heel", "ball", "toes"):
            assert rest.position(f"{side}_{name}")[1] == pytest.approx(0.0, abs=1e-12)
        for name in ("foot", "ball", "toes"):
            np.testing.assert_allclose(rest.rotation(f"{side}_{name}"), np.eye(3), atol=1e-12)


def test_rest_faces_forward_with_its_left_towards_x(figure):
    rest = figure.rest()
    np.testing.assert_allclose(rest.rotation("eyes")[:, 2], FORWARD, atol=1e-12)
    assert rest.position("eyes")[2] > rest.position("head")[2]
    assert all(rest.position(f"left_{name}")[0] > 0.05 for name in ("hand", "foot", "hip"))


def test_rest_is_relaxed(figure):
    rest = figure.rest()
    for side, sign in SIDES.items():
        out = sign * (rest.position(f"{side}_elbow") - rest.position(f"{side}_shoulder"))[0]
        assert 0.03 < out < 0.12
        for dof in ("elbow_flexion", "knee_flexion"):
            assert 10.0 < np.rad2deg(rest.angles[figure.dof_index(f"{side}_{dof}")]) < 30.0


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("dof", "effector", "offset", "where"),
    LIMB_MOVEMENTS,
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_limb_dofs_move_as_their_names_say(figure, side, dof, effector, offset, where):
    direction = where * np.array([SIDES[side], 1.0, 1.0]) / np.linalg.norm(where)
    assert movement(figure, f"{side}_{dof}", f"{side}_{effector}", offset) @ direction > 0.8


@pytest.mark.parametrize("joint", TRUNK)
def test_trunk_dofs_move_as_their_names_say(figure, joint):
    crown, ahead = (0.0, 0.5, 0.0), (0.0, 0.0, 2.0)
    assert movement(figure, f"{joint}_flexion", "head", crown) @ FORWARD > 0.8
    assert movement(figure, f"{joint}_lateral_bending", "head", crown) @ -OUT > 0.8
    assert movement(figure, f"{joint}_axial_rotation", "eyes", ahead) @ OUT > 0.8


@pytest.mark.parametrize("side", SIDES)
def test_raised_arm_points_forward_and_sideways_far_from_gimbal_lock(figure, side):
    def direction(elevation, horizontal_flexion):
        angles = {
            f"{side}_collar_elevation": 0.0,
            f"{side}_shoulder_elevation": np.deg2rad(elevation),
            f"{side}_shoulder_horizontal_flexion": np.deg2rad(horizontal_flexion),
        }
        pose = figure.pose(angles)
        arm = pose.position(f"{side}_elbow") - pose.position(f"{side}_shoulder")
        return arm / np.linalg.norm(arm)

    np.testing.assert_allclose(direction(90, 45), FORWARD, atol=1e-9)
    np.testing.assert_allclose(direction(90, -45), SIDES[side] * OUT, atol=1e-9)
    assert direction(150, 0) @ UP == pytest.approx(np.cos(np.deg2rad(30)))


@pytest.mark.parametrize("side", SIDES)
def test_palm_and_fingers_give_the_hand_its_frame(figure, side):
    upright = figure.pose(np.zeros(71))
    frame = upright.rotation(f"{side}_hand")
    np.testing.assert_allclose(frame[:, 2], -UP, atol=1e-12)  # along the fingers
    np.testing.assert_allclose(frame[:, 1], SIDES[side] * OUT, atol=1e-12)  # the back of the hand
    assert np.linalg.det(frame) == pytest.approx(1.0)


def test_the_same_angles_give_the_mirror_image(figure):
    rng = np.random.default_rng(3)
    for _ in range(20):
        assert_symmetric(figure, rng)


@pytest.mark.parametrize("side", SIDES)
def test_rest_is_not_singular(figure, side):
    arm = [f"{side}_{name}_*" for name in ("shoulder", "elbow", "wrist")]
    leg = [f"{side}_{name}_*" for name in ("hip", "knee", "ankle")]
    assert smallest_singular_value(figure, f"{side}_hand", arm) > 0.05
    assert smallest_singular_value(figure, f"{side}_foot", leg) > 0.04
    assert smallest_singular_value(figure, f"{side}_toes", leg) > 0.1
    assert smallest_singular_value(figure, "eyes", ["spine_*", "neck_*", "head_*"]) > 0.1


def test_mass_and_its_centre(figure):
    assert sum(segment.mass for segment in figure.segments) == pytest.approx(75.0)
    upright = center_of_mass(figure.pose(np.zeros(71)))
    assert 0.54 < upright[1] / 1.80 < 0.58  # Winter: a little above the hips
    rest = figure.rest()
    balance = center_of_mass(rest)
    assert balance[0] == pytest.approx(0.0, abs=1e-12)
    assert rest.position("left_foot")[2] < balance[2] < rest.position("left_ball")[2]


@pytest.mark.parametrize(
    "target",
    {
        "mouth": (0.0, 1.60, 0.12),
        "right shoulder": (-0.17, 1.49, 0.06),
        "overhead": (0.19, 2.07, 0.0),
        "sideways": (0.75, 1.47, -0.02),
        "forward": (0.19, 1.47, 0.54),
        "back pocket": (0.12, 0.93, -0.15),
        "navel": (0.0, 1.05, 0.16),
    }.items(),
    ids=lambda item: item[0],
)
def test_left_arm_reaches_everyday_places(figure, target):
    dofs = figure.match_dofs([f"left_{j}_*" for j in ("collar", "shoulder", "elbow", "wrist")])
    angles = figure.rest().angles.copy()

    def miss(values):
        angles[dofs] = values
        return figure.pose(angles).position("left_hand") - target[1]

    bounds = figure.lower[dofs], figure.upper[dofs]
    assert np.linalg.norm(least_squares(miss, angles[dofs], bounds=bounds).fun) < 1e-3
