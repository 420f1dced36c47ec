"""Retargeting: identity, other names and rests, maps to be edited, stiffness, contacts."""

import json
import re

import numpy as np
import pytest
from formats.humanoid import humanoid, humanoid_with_y_up
from mocap import FOLDER, needs_mocap
from motion.bodies import puppet, wandering

import poise
from poise import FileError, MotionError, SkeletonMap
from poise.motion.feet import foot_points
from poise.motion.limit_choice import with_human_limits, without_limits
from poise.motion.world import segment_frames

HUMAN = poise.figures.human()


def largest_turn(one, other):
    """The largest angle [°] between segments of two clips on one figure."""
    a, b = (segment_frames(clip.figure, clip.angles)[0] for clip in (one, other))
    chord = np.sqrt(np.sum((a - b) ** 2, axis=(2, 3)) / 8.0)
    return float(np.degrees(2.0 * np.arcsin(np.clip(chord, 0.0, 1.0))).max())


def renamed(figure, rename, size=1.0):
    """The same figure, larger, with other names and without limits on anything."""
    from dataclasses import replace

    names = {name: rename(name) for name in figure.segment_names}
    segments = [
        replace(
            segment,
            name=names[segment.name],
            parent=None if segment.parent is None else names[segment.parent],
            offset=size * np.asarray(segment.offset),
            joint_name="",
        )
        for segment in figure.segments
    ]
    return poise.Figure("renamed", segments, (), figure.up)


def camel(name):
    words = {"shank": "Leg", "thigh": "UpLeg", "upper_arm": "Arm", "clavicle": "Shoulder"}
    for ours, theirs in words.items():
        name = name.replace(ours, theirs)
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def test_onto_itself_it_is_the_identity():
    clip = poise.motions.gymnastics().resampled(6.0)
    made = poise.retarget(clip, HUMAN)
    assert largest_turn(clip, made.clip) <= 0.1
    assert np.abs(made.clip.positions() - clip.positions()).max() < 1e-3
    assert made.scale == pytest.approx(1.0)
    assert made.clip.is_inside_limits


def test_other_names_and_another_size():
    clip = poise.motions.walk().resampled(20.0)
    other = renamed(HUMAN, camel, 0.5)
    made = poise.retarget(clip, other)
    assert made.mapping.pairs["LeftLeg"].first == "left_shank"
    assert made.scale == pytest.approx(0.5, rel=0.05)
    assert np.degrees(made.turn_error) < 4.0
    assert made.feet.count > 4
    assert made.feet.slip < 0.005
    assert made.feet.penetration < 0.01
    again = poise.retarget(made.clip, HUMAN)
    assert again.clip.is_inside_limits
    assert np.degrees(again.turn_error) < 6.0


def test_z_up_becomes_y_up():
    from poise.motion.alignment import align

    flat, tall = puppet(up="Z"), puppet(up="Y")
    mapping = SkeletonMap.between(flat, tall)
    assert align(flat, tall, mapping).axes @ [0, 0, 1] == pytest.approx([0, 1, 0])
    clip = wandering(flat, 6, 0.2)
    assert len(poise.retarget(clip, tall).clip) == 6


def test_a_map_can_be_written_edited_and_read(tmp_path):
    clip = poise.motions.walk().resampled(10.0)[:6]
    other = renamed(HUMAN, camel)
    path = tmp_path / "map.json"
    SkeletonMap.between(clip.figure, other).save(path)
    document = json.loads(path.read_text())
    assert document["pairs"]["LeftUpLeg"] == "left_thigh"
    document["pairs"]["LeftUpLeg"] = "right_thigh"
    document["pairs"]["LeftFingers"] = None
    document["pairs"]["Spine2"] = ["pelvis", "chest", 0.5]
    path.write_text(json.dumps(document))
    read = SkeletonMap.load(path)
    assert read.pairs["LeftUpLeg"].first == "right_thigh"
    assert "LeftFingers" not in read.pairs
    assert poise.retarget(clip, other, read).mapping is read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("[]", "pairs"),
        ('{"pairs": {"a": 3}}', "follows 3"),
        ('{"pairs": {"a": ["b", "c", true]}}', "follows"),
        ('{"pairs": {}, "version": 9}', "version 9"),
    ],
)
def test_bad_map_files_are_refused(tmp_path, text, message):
    path = tmp_path / "map.json"
    path.write_text(text)
    with pytest.raises(FileError, match=message):
        SkeletonMap.load(path)
    with pytest.raises(FileError, match=r"cannot read .*none.json: No such file"):
        SkeletonMap.load(tmp_path / "none.json")


def test_maps_that_do_not_fit_are_refused():
    clip = poise.motions.walk()[:3]
    for pairs, message in (
        ({"nose": ("head", "head", 0.0)}, "nose"),
        ({"head": ("nose", "nose", 0.0)}, "nose"),
        ({"head": ("head", "neck", 2.0)}, "share"),
        ({}, "nothing"),
    ):
        from poise.motion.skeleton_map import Pair

        wrong = SkeletonMap("a", "b", {name: Pair(*pair) for name, pair in pairs.items()})
        with pytest.raises(MotionError, match=message):
            poise.retarget(clip, HUMAN, wrong)
    with pytest.raises(MotionError, match="without frames"):
        poise.retarget(poise.Clip(HUMAN, []), HUMAN)
    with pytest.raises(MotionError, match="nothing"):
        poise.retarget(clip, poise.figures.snake(4))


def test_a_stiff_knee_stays_and_a_frozen_one_does_not_move():
    clip = poise.motions.walk().resampled(15.0)
    loose = poise.retarget(clip, HUMAN, contacts=False)
    knee = HUMAN.dof_index("left_knee_flexion")

    def swing(made):
        return np.ptp(made.clip.angles[:, knee])

    stiff = poise.retarget(clip, HUMAN, contacts=False, stiffness={"left_knee_*": 0.9})
    frozen = poise.retarget(clip, HUMAN, contacts=False, stiffness={"left_knee_*": 1.0})
    assert swing(stiff) < 0.6 * swing(loose)
    assert swing(frozen) == 0.0
    with pytest.raises(MotionError, match="stiffness"):
        poise.retarget(clip, HUMAN, stiffness={"left_knee_*": 2.0})


def test_limits_of_the_human_on_another_skeleton():
    other = renamed(HUMAN, camel)
    limited = with_human_limits(without_limits(other))
    i = limited.dof_index("LeftLeg_flexion")
    j = HUMAN.dof_index("left_knee_flexion")
    assert limited.lower[i] == pytest.approx(HUMAN.lower[j], abs=0.05)
    assert limited.upper[i] == pytest.approx(HUMAN.upper[j], abs=0.05)
    assert np.isinf(limited.upper[:6]).all()
    with pytest.raises(MotionError, match="by name"):
        with_human_limits(poise.figures.snake(4))


def robot(tmp_path, text, **options):
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    return poise.load(path, base="free", **options)


def test_a_robot_of_hinges_follows_inside_its_limits(tmp_path):
    figure = robot(tmp_path, humanoid())
    made = poise.retarget(poise.motions.walk().resampled(30.0), figure)
    assert made.notes == ()
    assert made.clip.is_inside_limits
    assert np.degrees(made.turn_error) < 6.0
    assert made.feet.count > 4
    assert made.feet.slip <= 0.005
    assert made.feet.penetration <= 0.01


def test_every_hinge_of_a_leg_takes_part(tmp_path):
    figure = robot(tmp_path, humanoid())
    made = poise.retarget(poise.motions.gymnastics().resampled(30.0), figure)
    assert made.clip.is_inside_limits
    moves = dict(zip(figure.dof_names, np.ptp(made.clip.angles, axis=0), strict=True))
    hinges = [n for n in moves if n.startswith(("left_hip", "left_knee", "left_ankle"))]
    assert len(hinges) == 6
    assert all(moves[name] > 0.02 for name in hinges)


def test_a_robot_with_y_up_moves_as_one_with_z_up(tmp_path):
    clip = poise.motions.walk().resampled(20.0)
    upright = poise.retarget(clip, robot(tmp_path, humanoid()))
    turned = poise.retarget(clip, robot(tmp_path, humanoid_with_y_up(), up="Y"))
    assert turned.feet.slip <= 0.005
    assert turned.feet.penetration <= 0.01
    heads = turned.clip.positions(["head_pitch_link"])[:, 0]
    expected = upright.clip.positions(["head_pitch_link"])[:, 0]
    np.testing.assert_allclose(heads[:, 1], expected[:, 2], atol=0.005)  # as high
    assert np.degrees(turned.turn_error) == pytest.approx(np.degrees(upright.turn_error), abs=0.5)


def test_feet_that_a_robot_does_not_describe_are_assumed_and_said(tmp_path):
    text = re.sub(r'  <(link|joint) name="[a-z]*_(heel|ball)(_joint)?".*\n', "", humanoid())
    figure = robot(tmp_path, text)
    points = foot_points(figure)
    ahead = np.subtract(points["left_ball"].offset, points["left_heel"].offset)
    assert ahead[0] == pytest.approx(0.12, abs=0.01)
    assert np.abs(ahead[1:]).max() < 1e-9
    made = poise.retarget(poise.motions.walk().resampled(30.0), figure)
    assert sum("is assumed" in note for note in made.notes) == 2
    assert made.feet.slip <= 0.005
    assert made.feet.penetration <= 0.01


@needs_mocap
@pytest.mark.filterwarnings("ignore::poise.errors.FileWarning")
@pytest.mark.parametrize("name", ["bvh-cmu/02_01", "bvh-cmu/83_29", "bvh-other/makehuman_walk1"])
def test_captured_clips_on_the_human_stand_still(name):
    clip = poise.load(FOLDER / f"{name}.bvh")
    clip = clip[: min(len(clip), 250)]
    made = poise.retarget(clip, HUMAN)
    assert made.clip.is_inside_limits
    assert made.feet.slip <= 0.005
    assert made.feet.penetration <= 0.01
    if "cmu" in name:
        assert len(made.clip) == len(clip) - 1
        assert "rest pose" in made.notes[0]
        assert made.feet.count >= 4


@needs_mocap
@pytest.mark.filterwarnings("ignore::poise.errors.FileWarning")
def test_an_elbow_that_is_bent_at_rest_still_bends_about_its_axis(tmp_path):
    straight, bent = humanoid(), humanoid()
    for side in ("left", "right"):
        hinge = f'<child link="{side}_elbow_pitch_link"/><origin xyz="0 0 -0.14" rpy='
        bent = bent.replace(hinge + '"0 0 0"', hinge + '"0 -1.5 0"')
    assert bent != straight
    clip = poise.load(FOLDER / "bvh-cmu/42_01.bvh")[1:400:8]  # its arms are out at rest
    errors = []
    for text in (straight, bent):
        figure = robot(tmp_path, text)
        elbows = {"left_elbow_pitch_joint": (-3.0, 3.0), "right_elbow_pitch_joint": (-3.0, 3.0)}
        errors.append(poise.retarget(clip, figure.with_limits(elbows)).turn_error)
    assert errors[1] < 1.1 * errors[0] + 0.01
