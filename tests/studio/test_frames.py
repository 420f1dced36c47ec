"""Binary frames: what goes in comes out, and nothing else gets in."""

import contextlib
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.studio.frames import (
    AngleFrame,
    FrameError,
    GoalFrame,
    TimeFrame,
    decode_frame,
    decode_pose,
    encode_angle,
    encode_ghosts,
    encode_goal,
    encode_pose,
    encode_time,
)

NUMBER = st.integers(0, 2**32 - 1)
SINGLE = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(NUMBER, NUMBER, st.tuples(SINGLE, SINGLE, SINGLE), st.booleans())
def test_goal_frames_come_back(sequence, drag, position, turned):
    frame = GoalFrame(sequence, drag, position, (0.0, 1.0, 0.0, 0.0) if turned else None)
    assert decode_frame(encode_goal(frame)) == frame


@given(NUMBER, NUMBER, NUMBER, SINGLE)
def test_angle_and_time_frames_come_back(sequence, drag, dof, value):
    angle = AngleFrame(sequence, drag, dof, value)
    assert decode_frame(encode_angle(angle)) == angle
    time = TimeFrame(sequence, value)
    assert decode_frame(encode_time(time)) == time


@given(st.binary(max_size=64))
def test_any_bytes_are_a_frame_or_our_error(data):
    with contextlib.suppress(FrameError):
        decode_frame(data)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_are_not_finite_are_refused(value):
    with pytest.raises(FrameError, match="finite"):
        decode_frame(encode_goal(GoalFrame(1, 1, (0.0, value, 0.0), None)))


def test_a_quaternion_must_be_a_rotation():
    with pytest.raises(FrameError, match="quaternion"):
        decode_frame(encode_goal(GoalFrame(1, 1, (0.0, 0.0, 0.0), (2.0, 0.0, 0.0, 0.0))))


def test_poses_come_back():
    random = np.random.default_rng(0)
    numbers = random.random(3 + 4 * 7 + 5, np.float32)
    limits = np.array([0, 1, 2, 4, 9], np.uint8)
    data = encode_pose(2, 7, 3, (0.5, 0.25), numbers, limits, [(9, 0.5, 0.25)])
    back = decode_pose(data)
    assert (back.sequence, back.revision, back.flags) == (7, 3, 2)
    assert (back.time, back.solve_ms) == (0.5, 0.25)
    assert np.array_equal(back.center_of_mass, numbers[:3])
    assert np.array_equal(back.transforms.reshape(-1), numbers[3:31])
    assert np.array_equal(back.angles, numbers[31:])
    assert back.goals == [(9, 0.5, 0.25)]
    assert np.array_equal(back.limits, limits)
    with pytest.raises(FrameError):
        decode_pose(data[:-1])


def test_ghosts_have_a_row_a_segment():
    rows = np.ones((4, 7), np.float32)
    data = encode_ghosts(3, [(0.5, rows), (1.0, rows)])
    assert len(data) == 12 + 2 * (4 + 4 * 28)
    assert struct.unpack_from("<f", data, 12 + 4 + 4 * 28)[0] == 1.0
