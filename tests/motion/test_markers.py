"""Markers: what they take, what they refuse, and sampling them."""

import numpy as np
import pytest

import poise
from poise import Markers, MotionError


def test_markers_are_checked_and_read_only():
    made = Markers(["a", "b"], np.zeros((3, 2, 3)), 0.1, weights=[1.0, 0.0])
    assert made.factors.shape == (3, 2)
    assert made.index("b") == 1
    with pytest.raises(ValueError, match="read-only"):
        made.points[0, 0, 0] = 1.0
    with pytest.raises(MotionError, match="did you mean"):
        Markers(["left"], np.zeros((1, 1, 3))).index("lefd")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"names": ["a", "a"], "positions": np.zeros((1, 2, 3))}, "twice"),
        ({"names": ["a"], "positions": np.zeros((1, 2, 3))}, "shape"),
        ({"names": ["a"], "positions": np.full((1, 1, 3), np.inf)}, "infinite in frame 0"),
        ({"names": ["a"], "positions": np.zeros((1, 1, 3)), "frame_time": 0.0}, "frame time"),
        ({"names": ["a"], "positions": np.zeros((1, 1, 3)), "weights": [-1.0]}, "from 0"),
        ({"names": ["a"], "positions": np.zeros((1, 1, 3)), "weights": [1.0, 2.0]}, "shape"),
        ({"names": ["a"], "positions": "x"}, "shape"),
    ],
)
def test_what_are_no_markers_is_refused(arguments, message):
    with pytest.raises(MotionError, match=message):
        Markers(**arguments)


def test_functions_of_time_and_of_clips():
    made = Markers.of_functions({"hand": lambda t: (t, 0.0, np.nan if t > 0.6 else 1.0)}, 1.0, 4.0)
    np.testing.assert_allclose(made.points[:, 0, 0], [0, 0.25, 0.5, 0.75, 1.0])
    assert np.isnan(made.points[-1]).any()
    with pytest.raises(MotionError, match="three numbers"):
        Markers.of_functions({"hand": lambda t: t}, 1.0)
    with pytest.raises(MotionError, match="duration"):
        Markers.of_functions({}, -1.0)
    clip = poise.motions.walk()
    named = Markers.of_clip(clip, {"mine": "left_hand"})
    np.testing.assert_array_equal(named.points[:, 0], clip.position("left_hand"))


def test_sampling_goes_in_straight_lines_and_keeps_gaps():
    points = np.arange(12.0).reshape(4, 1, 3)
    points[2] = np.nan
    made = Markers(["a"], points, 0.1).every(0.05)
    assert len(made) == 7
    np.testing.assert_allclose(made.points[1, 0], [1.5, 2.5, 3.5])
    assert np.isnan(made.points[:, 0, 0]).tolist() == [False, False, False, True, True, True, False]
    with pytest.raises(MotionError, match="interval"):
        made.every(0.0)
