"""Two clips at once."""

import numpy as np
import pytest
from motion.bodies import puppet, wandering

import poise
from poise import MotionError, joint

FREE = puppet(root=joint.free())
A = wandering(FREE, 30, 0.3)
B = wandering(FREE, 30, 0.3, seed=4)


def test_at_the_ends_it_is_one_or_the_other():
    np.testing.assert_allclose(A.blended(B, 0.0).positions(), A.positions(), atol=1e-12)
    np.testing.assert_allclose(A.blended(B, 1.0).positions(), B.positions(), atol=1e-12)


def test_weights_by_frame_by_time_and_as_a_function_are_the_same():
    ramp = A.times / A.duration
    by_frame = A.blended(B, ramp).angles
    np.testing.assert_allclose(A.blended(B, lambda t: t / A.duration).angles, by_frame, atol=1e-12)
    keyed = A.blended(B, {0.0: 0.0, A.duration: 1.0})
    np.testing.assert_allclose(keyed[0].angles, A[0].angles, atol=1e-12)
    np.testing.assert_allclose(keyed.positions()[-1], B.positions()[-1], atol=1e-12)
    halves = [clip.blended(other, 0.5).positions() for clip, other in ((A, B), (B, A))]
    np.testing.assert_allclose(*halves, atol=1e-9)


def test_limits_hold_between_two_motions_that_keep_them():
    walk = poise.motions.walk().resampled(20.0)
    other = poise.motions.gymnastics().resampled(30.0)
    both = walk.blended(other, {0.0: 0.0, 1.0: 1.0, 3.0: 0.3})
    assert both.is_inside_limits
    assert len(both) == len(walk)


def test_an_aligned_motion_starts_where_this_one_does():
    far = B.moved((5.0, 0.0, -3.0), 2.0)
    both = A.blended(far, 1.0, align=True)
    there, here = both.root_motion(), A.root_motion()
    np.testing.assert_allclose(there.on_ground[0], here.on_ground[0], atol=1e-9)
    assert there.headings[0] == pytest.approx(here.headings[0], abs=1e-9)


def test_another_length_and_frame_time():
    short = B.resampled(50.0)[:20]
    both = A.blended(short, 1.0)
    assert len(both) == len(A)
    np.testing.assert_allclose(both.positions()[-1], short.positions()[-1], atol=1e-9)
    assert len(A[:0].blended(B, 0.5)) == 0


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (1.5, "from 0"),
        (np.nan, "from 0"),
        ([0.0, 1.0], "frames"),
        ({}, "at least one"),
        (lambda t: -t, "from 0"),
    ],
)
def test_bad_weights_are_refused(weight, message):
    with pytest.raises(MotionError, match=message):
        A.blended(B, weight)


def test_other_figures_are_refused():
    with pytest.raises(MotionError, match="retarget"):
        A.blended(poise.motions.walk(), 0.5)
