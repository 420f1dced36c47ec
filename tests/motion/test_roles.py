"""What segments are, by their names: those of many makers."""

import pytest
from motion.bodies import puppet

import poise
from poise.motion.roles import body_of, words_of


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
