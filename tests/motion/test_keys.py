"""Between keys: inside the range of the neighbours, exact at the keys, the short way round."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from motion.documents import HUMAN, REST

from poise import Figure, Segment, joint
from poise.figure.rotation import from_vector, to_quaternion
from poise.motion.document import Key, Target
from poise.motion.keys import angles_between, between_keys, rotation_between, target_between

EASES = st.sampled_from(["smooth", "linear", "hold"])
VALUES = st.lists(st.tuples(st.floats(0.01, 2.0), st.floats(-3, 3), EASES), min_size=1, max_size=6)


def track(rows):
    times = np.cumsum([row[0] for row in rows])
    return times, np.array([[row[1]] for row in rows]), [row[2] for row in rows]


@given(VALUES, st.floats(-1.0, 15.0))
def test_a_number_stays_between_its_keys(rows, time):
    times, values, eases = track(rows)
    found = float(between_keys(times, values, eases, time)[0])
    i = max(int(np.searchsorted(times, time, side="right")) - 1, 0)
    near = values[i : i + 2, 0]
    assert near.min() <= found <= near.max()


@given(VALUES)
def test_a_key_gives_its_own_bits(rows):
    times, values, eases = track(rows)
    for time, value in zip(times, values, strict=True):
        assert np.array_equal(between_keys(times, values, eases, time), value)


@given(VALUES, st.floats(0.0, 12.0))
def test_motion_is_continuous_unless_it_holds(rows, time):
    times, values, eases = track(rows)
    if "hold" in eases:
        return
    a, b = (between_keys(times, values, eases, time + d)[0] for d in (0.0, 1e-6))
    assert abs(a - b) < 6.0 / 0.01 * 3.0 * 1e-6 + 1e-9


def test_smooth_speed_is_the_same_on_both_sides_of_a_key():
    times, values = np.array([0.0, 1.0, 3.0, 4.0]), np.array([[0.0], [1.0], [2.0], [5.0]])
    eases = ["smooth"] * 4
    h = 1e-6
    at = [between_keys(times, values, eases, t)[0] for t in (1.0 - h, 1.0, 1.0 + h)]
    assert (at[1] - at[0]) / h == pytest.approx((at[2] - at[1]) / h, rel=1e-3)
    start = (between_keys(times, values, eases, h)[0] - values[0, 0]) / h
    assert start == pytest.approx(0.0, abs=1e-4)


def test_hold_stays_until_the_next_key():
    times, values = np.array([0.0, 1.0]), np.array([[2.0], [3.0]])
    assert between_keys(times, values, ["hold", "smooth"], 0.999)[0] == 2.0
    assert between_keys(times, values, ["hold", "smooth"], 1.0)[0] == 3.0


def test_rotations_turn_the_short_way():
    times = np.array([0.0, 1.0])
    ends = np.array([to_quaternion(from_vector([0.0, a, 0.0])) for a in (3.0, -3.0)])
    middle = rotation_between(times, ends, ["linear", "linear"], 0.5)
    assert np.allclose(np.abs(middle @ to_quaternion(from_vector([0.0, np.pi, 0.0]))), 1.0)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.0, 1.0))
def test_angles_between_keys_inside_boxes_are_inside(seed, time):
    random = np.random.default_rng(seed)
    low = np.where(np.isfinite(HUMAN.lower), HUMAN.lower, -4.0)
    high = np.where(np.isfinite(HUMAN.upper), HUMAN.upper, 4.0)
    keys = [Key(i, 0.5 * i, random.uniform(low, high)) for i in range(3)]
    found = angles_between(HUMAN, keys, time)
    assert (found >= HUMAN.lower).all()
    assert (found <= HUMAN.upper).all()


@pytest.mark.parametrize("kind", ["vector", "euler"])
def test_unlimited_balls_turn_by_slerp(kind):
    ball = joint.rotation_vector() if kind == "vector" else joint.ball("ZXY")
    figure = Figure("top", [Segment("top", None, ball)])
    ends = [figure.pose([0.3, 1.2, -0.4]), figure.pose([1.0, 0.2, 2.0])]
    keys = [Key(i, float(i), pose.angles, ease="linear") for i, pose in enumerate(ends)]
    start, end = (pose.rotation("top") for pose in ends)
    middle = figure.pose(angles_between(figure, keys, 0.5)).rotation("top")
    first, second = start.T @ middle, middle.T @ end
    assert np.allclose(first, second, atol=1e-9)


def test_a_target_that_is_equal_at_two_keys_is_constant_between_them():
    here = Target((0.1, 0.2, 0.3), to_quaternion(from_vector([0.3, 0.2, 0.1])))
    keys = [Key(i, float(i), REST.angles, {7: here}) for i in range(2)]
    found = target_between(keys, 7, 0.37)
    assert np.array_equal(found.position, here.position)
    assert np.array_equal(found.rotation, here.rotation)


def test_a_switch_is_a_step():
    on, off = Target((0.0, 0.0, 0.0)), Target((1.0, 0.0, 0.0), on=False)
    keys = [Key(1, 0.0, None, {7: on}), Key(2, 1.0, None, {7: off})]
    assert target_between(keys, 7, 0.99).on
    assert not target_between(keys, 7, 1.0).on
