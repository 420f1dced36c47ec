"""What segments are, by their names: those of many makers."""

import pytest
from formats.humanoid import humanoid
from motion.bodies import puppet

import poise
from poise.motion.roles import body_of, stack, words_of


@pytest.mark.parametrize(
    ("name", "side", "words"),
    [
        ("LeftUpLeg", "left", ["up", "leg"]),
        ("mixamorig:RightForeArm", "right", ["fore", "arm"]),
        ("lfemur", "left", ["femur"]),
        ("UpLeg_R", "right", ["up", "leg"]),
        ("left_thigh", "left", ["thigh"]),
        ("hand.L", "left", ["hand"]),
        ("LHipJoint", "left", ["hip", "joint"]),
        ("Spine1", "", ["spine", "1"]),
        ("lowerback", "", ["lowerback"]),
        ("right_upperleg", "right", ["upper", "leg"]),
        ("LHipYawLink", "left", ["hip", "yaw", "link"]),
        ("RLEG_LINK3", "right", ["leg", "link", "3"]),
    ],
)
def test_sides_and_words(name, side, words):
    assert words_of(name) == (side, words)


def test_the_human_knows_all_its_parts():
    body = body_of(poise.figures.human())
    assert body.roles["left_shank"] == "left_shank"
    assert body.roles["chest"] == "chest"
    assert body.spine == ["spine_1", "spine_2", "spine_3", "spine_4"]
    assert body.neck == ["neck"]
    assert body.doubts == []


def test_two_of_a_name_are_a_doubt_and_nothing_is_no_error():
    assert any("might be" in doubt for doubt in body_of(poise.figures.spider()).doubts)
    assert body_of(poise.figures.snake(3)).roles.get("left_hand") is None
    assert body_of(puppet()).roles["chest"] == "spine"


def robot(tmp_path, text):
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    return poise.load(path, base="free")


def test_of_hinges_in_a_chain_the_last_one_is_meant(tmp_path):
    body = body_of(robot(tmp_path, humanoid()))
    assert body.roles["left_thigh"] == "left_hip_yaw_link"
    assert body.roles["left_shank"] == "left_knee_pitch_link"
    assert body.roles["right_foot"] == "right_ankle_roll_link"
    assert body.roles["right_upper_arm"] == "right_shoulder_yaw_link"
    assert body.roles["right_hand"] == "right_wrist_pitch_link"
    assert body.roles["head"] == "head_pitch_link"
    assert (body.roles["pelvis"], body.roles["chest"]) == ("pelvis", "torso")
    assert "left_clavicle" not in body.roles
    assert body.spine == body.neck == body.doubts == []
    thigh = stack(body.figure, "left_hip_yaw_link", {"pelvis"})
    assert thigh == ["left_hip_yaw_link", "left_hip_roll_link", "left_hip_pitch_link"]
    assert stack(body.figure, "left_ankle_roll_link", {"left_knee_pitch_link"}) == [
        "left_ankle_roll_link", "left_ankle_pitch_link"
    ]  # fmt: skip


def test_limbs_with_numbers_only_are_told_apart_by_their_bones(tmp_path):
    text = humanoid()
    for side in ("left", "right"):
        hinges = ("hip_pitch", "hip_roll", "hip_yaw", "knee_pitch", "ankle_pitch", "ankle_roll")
        for number, hinge in enumerate(hinges, 1):
            text = text.replace(f"{side}_{hinge}_link", f"leg_{side}_{number}_link")
    body = body_of(robot(tmp_path, text))
    assert body.roles["left_thigh"] == "leg_left_3_link"
    assert body.roles["left_shank"] == "leg_left_4_link"
    assert body.roles["left_foot"] == "leg_left_6_link"
    assert any("numbers only" in doubt for doubt in body.doubts)
