"""The pose at a time is a function of the document and of the time alone."""

from dataclasses import replace

import numpy as np
import pytest
from motion.documents import HUMAN, REST, goal, over_clip, standing, swaying, waving

from poise.figure.pose import Pose
from poise.motion.document import Fix, Key, Settings
from poise.motion.editing import keyed, switched, with_pose
from poise.motion.posing import Posing


def reaching():
    """Keys with pins, a hand that is blended in, one in the chest's space, and a gaze."""
    document = swaying()
    hand = goal(3, "right_hand", "position", pinned=False, shift=(0.0, 0.2, 0.2))
    gaze = goal(4, "head", "aim", pinned=False, shift=(0.3, 0.1, 0.0), chain="limb")
    document = replace(document, goals=(*document.goals, hand, gaze))
    first, *_, last = document.keys
    changes = {3: replace(hand.target, blend=0.0)}, {3: replace(hand.target, blend=1.0)}
    document = document.with_key(replace(first, targets=changes[0]))
    return document.with_key(replace(last, targets=changes[1]))


TIMES = np.linspace(0.0, 1.5, 13)


@pytest.mark.parametrize("make", [swaying, reaching])
def test_scrubs_in_any_direction_agree_bit_for_bit(make):
    document = make()
    forward = [Posing(document).at(t).pose.angles for t in TIMES]
    posing = Posing(document)
    order = [*reversed(range(len(TIMES))), *np.random.default_rng(1).permutation(len(TIMES))]
    for i in order:
        assert np.array_equal(posing.at(TIMES[i]).pose.angles, forward[i])


def test_pins_that_are_equal_at_all_keys_stay_put():
    document = swaying()
    posing = Posing(document)
    slipped = [Pose(HUMAN, posing.angles(t)).position("left_foot") for t in TIMES]
    assert np.linalg.norm(slipped - REST.position("left_foot"), axis=1).max() > 0.01
    for t in TIMES:
        posed = posing.at(t)
        for foot in ("left_foot", "right_foot"):
            assert np.allclose(posed.pose.position(foot), REST.position(foot), atol=1e-4)
            assert np.allclose(posed.pose.rotation(foot), REST.rotation(foot), atol=1e-3)
        assert posed.pose.is_inside_limits


def test_what_is_as_good_already_keeps_its_bits():
    document = standing()
    assert np.array_equal(Posing(document).at(0.0).pose.angles, REST.angles)


@pytest.mark.parametrize("time", [0.25, 0.8])
@pytest.mark.parametrize("make", [swaying, reaching])
def test_a_key_reproduces_its_pose_exactly(make, time):
    document = make()
    pose = Posing(document).at(time).pose
    again = Posing(keyed(document, time, pose)).at(time).pose
    assert np.array_equal(again.angles, pose.angles)


def test_a_key_reproduces_a_pose_with_a_goal_out_of_reach():
    document = standing(goal(3, "left_hand", "position", pinned=False, shift=(3.0, 0.5, 0.2)))
    posed = Posing(document).at(0.0)
    assert posed.errors[3][0] > 0.5
    again = Posing(keyed(document, 0.0, posed.pose)).at(0.0).pose
    assert np.array_equal(again.angles, posed.pose.angles)


@pytest.mark.parametrize("time", [0.0, 0.7])
def test_nothing_pops_when_a_goal_is_switched(time):
    document = swaying()
    hand = goal(3, "left_hand", "position", pinned=False)
    document = replace(
        document, goals=(*document.goals, replace(hand, target=replace(hand.target, on=False)))
    )
    before = Posing(document).at(time).pose
    on = switched(document, 3, time, before, True)
    assert np.abs(Posing(on).at(time).pose.angles - before.angles).max() < 1e-12
    earlier = Posing(document).at(0.4 * time).pose
    assert np.abs(Posing(on).at(0.4 * time).pose.angles - earlier.angles).max() < 0.05
    moved = on.with_goal(
        replace(on.goal(3), target=replace(hand.target, position=REST.position("head")))
    )
    shown = Posing(moved).at(time).pose
    off = switched(moved, 3, time, shown, False)
    assert np.abs(Posing(off).at(time).pose.angles - shown.angles).max() < 1e-12


def test_a_switch_leaves_the_time_before_it_alone():
    document = swaying()
    hand = goal(3, "left_hand", "position", pinned=False)
    document = replace(
        document, goals=(*document.goals, replace(hand, target=replace(hand.target, on=False)))
    )
    on = switched(document, 3, 1.0, Posing(document).at(1.0).pose, True)
    posing = Posing(on)
    assert not posing.target(on.goal(3), 0.6).on
    assert posing.target(on.goal(3), 1.2).on


@pytest.mark.parametrize("kind", ["position", "pose", "orientation", "aim", "line", "plane"])
def test_blend_runs_from_the_keyed_pose_to_the_target(kind):
    wanted = goal(3, "right_hand", kind, pinned=False, shift=(0.05, 0.15, 0.2))
    moved = []
    for blend in (0.0, 1e-3, 0.5, 1.0):
        target = replace(wanted.target, blend=blend, rotation=(0.9, 0.3, 0.2, 0.1))
        posed = Posing(standing(replace(wanted, target=target))).at(0.0)
        moved.append(np.abs(posed.pose.angles - REST.angles).max())
    assert moved[0] == 0.0
    assert moved[0] <= moved[1] < moved[2] < moved[3]
    assert moved[1] < 0.02


def test_a_goal_in_a_segments_space_follows_that_segment():
    """A hand on the head stays on it while the head is made to look elsewhere."""
    hand = goal(3, "left_hand", "position", pinned=False, space="head")
    on_head = replace(hand, target=replace(hand.target, position=(0.12, 0.1, 0.1)))
    gaze = goal(4, "head", "aim", pinned=False, shift=(2.0, 0.0, 0.0))
    posed = Posing(standing(on_head, gaze)).at(0.0)
    pose = posed.pose
    head = pose.rotation("head").T @ (pose.position("left_hand") - pose.position("head"))
    assert np.allclose(head, (0.12, 0.1, 0.1), atol=1e-3)


# -- clips and fixes -------------------------------------------------------------------------------


def test_a_clip_alone_is_what_it_is():
    document, clip = over_clip(), waving()
    posing = Posing(document)
    for i in (0, 7, 39):
        assert np.array_equal(posing.at(clip.times[i]).pose.angles, clip.angles[i])


def test_a_fix_changes_its_time_and_eases_to_nothing():
    document, time = over_clip(), 0.6
    posing = Posing(document)
    before = posing.at(time).pose
    changed = before.with_angles({"right_shoulder_elevation": 1.0, "root_rx": 0.05})
    fixed = with_pose(document, time, changed, moved=("left_foot", "right_foot"))
    assert len(fixed.fixes) == 1
    after = Posing(fixed)
    assert np.abs(after.angles(time) - changed.angles).max() < 1e-12
    for t in (0.44, 0.76, 0.0, 1.3):
        assert np.array_equal(after.at(t).pose.angles, posing.at(t).pose.angles)
    near = [after.at(t).pose["right_shoulder_elevation"] for t in (0.5, 0.55, 0.6)]
    assert near == sorted(near)
    assert fixed.clip is document.clip


def test_a_fix_keeps_the_feet_where_the_clip_has_them():
    document, time = over_clip(), 0.6
    sunk = Posing(document).at(time).pose
    fixed = with_pose(document, time, sunk.with_angles({"root_ty": sunk["root_ty"] - 0.1}))
    assert fixed.fixes[0].held
    for t in (0.55, 0.6, 0.68):
        clip, now = Posing(document).at(t).pose, Posing(fixed).at(t).pose
        assert np.allclose(now.position("left_foot"), clip.position("left_foot"), atol=1e-4)
    assert Posing(fixed).at(0.6).pose["root_ty"] < sunk["root_ty"] - 0.05


def test_fixes_scrub_the_same_in_any_direction():
    document = over_clip()
    offset = np.zeros(len(HUMAN.dofs))
    offset[HUMAN.dof_index("left_knee_flexion")] = 0.3
    document = document.with_fix(Fix(5, 0.5, offset, ("left_foot",)))
    times = np.linspace(0.3, 0.7, 7)
    forward = [Posing(document).at(t).pose.angles for t in times]
    posing = Posing(document)
    for i in reversed(range(7)):
        assert np.array_equal(posing.at(times[i]).pose.angles, forward[i])


# -- ground and balance ----------------------------------------------------------------------------


def test_feet_that_are_not_pinned_stay_above_the_ground():
    sunk = REST.with_angles({"root_ty": REST["root_ty"] - 0.2})
    document = replace(standing(), goals=(), angles=sunk.angles)
    pose = Posing(document).at(0.0).pose
    for site in ("left_heel", "right_heel", "left_toes", "right_toes", "left_ball"):
        assert pose.position(site)[1] > -1e-4
    free = replace(document, settings=Settings(ground=False))
    assert Posing(free).at(0.0).pose == sunk


def test_balance_keeps_the_centre_of_mass_over_the_feet():
    from poise.studio.shown import center_of_mass

    reach = goal(3, "left_hand", "position", pinned=False, shift=(0.1, -0.2, 0.9))
    document = standing(reach)
    free = Posing(document).at(0.0)
    balanced = Posing(replace(document, settings=Settings(balance=True))).at(0.0)
    toes = max(REST.position(name)[2] for name in ("left_toes", "right_toes"))
    assert center_of_mass(free.pose)[2] > toes
    assert center_of_mass(balanced.pose)[2] <= toes + 1e-3
    assert balanced.errors[1][0] < 1e-4


def test_a_method_without_levels_still_poses():
    reach = goal(3, "left_hand", "position", pinned=False, shift=(0.0, 0.2, 0.2))
    document = standing(reach, settings=Settings(method="pseudo-inverse"))
    posed = Posing(document).at(0.0)
    assert posed.pose.is_inside_limits
    assert posed.errors[3][0] < 0.02


def test_keys_of_goals_alone_leave_the_standing_pose():
    document = standing(goal(3, "left_hand", "position", pinned=False))
    target = document.goal(3).target
    raised = replace(target, position=np.add(target.position, (0.0, 0.3, 0.1)))
    document = document.with_key(Key(9, 0.0, None, {3: target}))
    document = document.with_key(Key(10, 1.0, None, {3: raised}))
    posing = Posing(document)
    heights = [posing.at(t).pose.position("left_hand")[1] for t in (0.0, 0.5, 1.0)]
    assert heights[0] < heights[1] < heights[2]
