"""Contacts: found with hysteresis, put on levels, locked and measured."""

import numpy as np
import pytest

import poise
from poise import ContactRule, MotionError
from poise.motion.contacts import Contact, find_contacts, locked, measure, on_levels, rigid, spaced
from poise.motion.feet import foot_points, up_axis
from poise.motion.locking import feet_of

TIME = 0.01


def stepping(stairs=0.0, drift=0.0):
    """(frames, 1, 3) a point that stands, swings forward by 0.5 m, and stands again."""
    stand, swing = np.arange(60), np.arange(40) / 40.0
    first = np.column_stack([drift * stand / 59.0, np.zeros(60), np.zeros(60)])
    moving = np.column_stack(
        [drift + 0.5 * swing, 0.2 * np.sin(np.pi * swing) + stairs * swing, 0.0 * swing]
    )
    last = np.column_stack([drift + 0.5 + drift * stand / 59.0, np.full(60, stairs), np.zeros(60)])
    return np.concatenate([first, moving, last])[:, None]


@pytest.mark.parametrize("stairs", [0.0, 0.15])
def test_steps_are_found_on_flat_ground_and_on_stairs(stairs):
    found = find_contacts(["left_heel"], stepping(stairs), TIME, 1)
    assert len(found) == 2
    assert found[0].first == 0
    assert abs(found[0].last - 59) <= 8
    assert abs(found[1].first - 100) <= 8
    levels = [contact.place[1] for contact in on_levels(found, 1)]
    np.testing.assert_allclose(levels, [0.0, stairs], atol=0.02)


def test_a_tremble_at_the_threshold_does_not_break_a_contact():
    rule = ContactRule()
    points = np.zeros((100, 1, 3))
    speed = np.where(np.arange(100) % 20 < 10, 0.8 * rule.slow, 1.2 * rule.slow)
    points[:, 0, 0] = np.cumsum(speed) * TIME
    assert len(find_contacts(["left_heel"], points, TIME, 1, rule)) == 1
    harsh = ContactRule(fast=rule.slow, least=0.0)
    assert len(find_contacts(["left_heel"], points, TIME, 1, harsh)) > 1


def test_what_is_above_the_ceiling_or_far_above_the_other_points_stands_on_nothing():
    still = np.zeros((50, 2, 3))
    still[:, 1, 1] = 1.0
    names = ["left_heel", "right_heel"]
    assert [c.point for c in find_contacts(names, still, TIME, 1)] == ["left_heel"]
    assert find_contacts(names[1:], still[:, 1:], TIME, 1, ceiling=np.full(50, 0.5)) == []


def test_locking_stands_still_and_eases_in_and_out():
    points = stepping(drift=0.03)
    found = find_contacts(["left_heel"], points, TIME, 1)
    before = measure(["left_heel"], points, found, 1)
    paths, grip = locked(["left_heel"], points, found, TIME)
    after = measure(["left_heel"], paths, found, 1)
    assert before.slip > 0.02
    assert after.slip < 1e-9
    assert set(np.flatnonzero(grip[:, 0] == 1.0)) == {
        i for c in found for i in range(c.first, c.last + 1)
    }
    steps = np.abs(np.diff(paths - points, axis=0)).max()
    assert steps < 0.005  # the shift never jumps


def test_heel_and_ball_keep_their_distance():
    names = ["left_heel", "left_ball"]
    rng = np.random.default_rng(1)
    paths = rng.normal(0, 0.3, (20, 2, 3))
    grip = rng.random((20, 2))
    grip[3] = (1.0, 0.2)
    moved = rigid(names, paths, grip, {"left": 0.2})
    np.testing.assert_allclose(np.linalg.norm(moved[:, 1] - moved[:, 0], axis=1), 0.2)
    np.testing.assert_array_equal(moved[3, 0], paths[3, 0])
    places = [
        Contact("left_heel", 0, 9, np.array([0.0, 0.0, 0.0])),
        Contact("left_ball", 2, 12, np.array([0.0, 0.0, 0.3])),
    ]
    np.testing.assert_allclose(spaced(places, {"left": 0.2}, 1)[1].place, [0.0, 0.0, 0.2])


def test_the_walk_has_a_contact_a_step():
    clip = poise.motions.walk()
    found = feet_of(clip, ContactRule()).contacts
    for name in foot_points(clip.figure):
        assert sum(contact.point == name for contact in found) >= 2
    assert up_axis(clip.figure) == 1


@pytest.mark.parametrize("wrong", [{"slow": -1.0}, {"slow": 1.0}, {"low": 1.0}, {"blend": np.nan}])
def test_bad_rules_are_refused(wrong):
    with pytest.raises(MotionError, match="ContactRule"):
        ContactRule(**wrong)
