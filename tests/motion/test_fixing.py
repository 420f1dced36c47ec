"""Fixes over a clip: what they hold, what they leave alone."""

import numpy as np
import pytest

from poise.motion.editing import keyed, with_pose
from poise.motion.examples import gymnastics, run
from poise.motion.fixing import below, feet, fix_begun, fixed, standing
from poise.motion.posing import Posing
from poise.studio.opening import opened_clip

GROUND = 0.35
"""At this time [s] of the routine both feet stand."""


@pytest.fixture(scope="module")
def routine():
    return opened_clip(gymnastics())


def test_feet_stand_on_the_ground_and_not_in_the_air(routine):
    clip = routine.clip
    assert standing(clip, GROUND) == ["left_foot", "right_foot"] == feet(clip.figure)
    heights = clip.positions(["left_ball", "right_ball"])[:, :, 1].min(1)
    highest = float(clip.times[heights.argmax()])
    assert heights.max() > 0.3
    assert standing(clip, highest) == []


def test_in_a_run_each_foot_stands_for_a_while():
    clip = run()
    found = [tuple(standing(clip, t)) for t in np.arange(0.1, clip.duration, 0.02)]
    assert ("left_foot",) in found
    assert ("right_foot",) in found


def test_a_fix_that_has_begun_changes_nothing(routine):
    begun = fix_begun(routine, GROUND, ())
    assert begun.fixes[0].held == ("left_foot", "right_foot")
    before = Posing(routine).at(GROUND).pose.angles
    assert np.abs(Posing(begun).at(GROUND).pose.angles - before).max() < 1e-9


def test_a_fix_is_the_pose_at_its_time_and_holds_what_was_not_moved(routine):
    pose = Posing(routine).at(GROUND).pose.with_angles({"left_shoulder_elevation": 0.8})
    changed = fixed(routine, GROUND, pose, ["left_foot"])
    assert changed.fixes[0].held == ("right_foot",)
    assert changed.clip is routine.clip
    after = Posing(changed).at(GROUND).pose
    assert after["left_shoulder_elevation"] == pytest.approx(0.8, abs=1e-9)
    again = fixed(changed, GROUND, pose.with_angles({"left_elbow_flexion": 0.9}))
    assert len(again.fixes) == 1
    assert Posing(again).at(GROUND).pose["left_elbow_flexion"] == pytest.approx(0.9, abs=1e-9)


def test_the_pose_of_the_clip_needs_no_fix_but_can_be_kept_by_one(routine):
    pose = Posing(routine).at(GROUND).pose
    assert with_pose(routine, GROUND, pose) is routine
    kept = keyed(routine, GROUND, pose)
    assert len(kept.fixes) == 1
    assert kept.keys == ()


def test_below_a_segment_hangs_the_rest_of_its_limb(routine):
    found = below(routine.figure, "left_shank")
    assert {"left_shank", "left_foot", "left_ball"} <= found
    assert "left_thigh" not in found
