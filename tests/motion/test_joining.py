"""One clip after another."""

import numpy as np
import pytest
from motion.bodies import puppet, wandering

from poise import MotionError, joint

FREE = puppet(root=joint.free())


def test_joined_without_a_blend_is_one_after_the_other():
    a, b = wandering(FREE, 5), wandering(FREE, 7, seed=4)
    both = a.joined(b)
    assert len(both) == 12
    np.testing.assert_array_equal(both[:5].angles, a.angles)
    np.testing.assert_allclose(both[5:].rotations(), b.rotations(), atol=1e-12)
    assert len(a[:0].joined(b)) == 7
    assert len(a.joined(b[:0])) == 5


def test_another_frame_time_is_resampled():
    a, b = wandering(FREE, 5, frame_time=0.1), wandering(FREE, 9, frame_time=0.05)
    both = a.joined(b)
    assert both.frame_time == a.frame_time
    assert len(both) == 5 + 5


@pytest.mark.parametrize("root", [joint.free(), joint.channels("ZYX", "XYZ")])
def test_a_blend_is_smooth_and_aligned(root):
    figure = puppet(root=root)
    a = wandering(figure, 60, 0.2, frame_time=0.02)
    b = wandering(figure, 60, 0.2, seed=4, frame_time=0.02).moved((5.0, 0.0, -3.0), 2.0)
    both = a.joined(b, blend=0.4, align=True)
    assert len(both) == 60 + 60 - 20
    np.testing.assert_array_equal(both[:40].angles, a[:40].angles)
    pace = max(np.abs(np.diff(c.positions(), axis=0)).max() for c in (a, b))
    assert np.abs(np.diff(both.positions(), axis=0)).max() < 3 * pace
    # After the fade the motion is that of b, moved along the ground.
    last = both[-30:]
    lengths = np.linalg.norm(np.diff(last.positions(["hips"]), axis=0), axis=-1)
    expected = np.linalg.norm(np.diff(b[-30:].positions(["hips"]), axis=0), axis=-1)
    np.testing.assert_allclose(lengths, expected, atol=1e-9)


def test_bad_blends_say_so():
    a = wandering(FREE, 5)
    with pytest.raises(MotionError, match="the shorter one lasts"):
        a.joined(a, blend=3.0)
    with pytest.raises(MotionError, match="0 or more"):
        a.joined(a, blend=-1.0)
    with pytest.raises(MotionError, match="other DOFs"):
        a.joined(wandering(puppet()))
