"""The rest pose before a motion: found, and only where it is one."""

import numpy as np
from motion.bodies import puppet, wandering

from poise import Clip
from poise.motion.rest_frame import has_rest_frame, without_rest_frame


def motion(frames=60):
    moving = wandering(puppet(), frames)
    return Clip(moving.figure, np.vstack([np.zeros_like(moving.angles[:1]), moving.angles]), 0.01)


def test_a_rest_pose_before_the_motion_is_left_out():
    clip = motion()
    assert has_rest_frame(clip)
    assert len(without_rest_frame(clip)) == len(clip) - 1
    np.testing.assert_array_equal(without_rest_frame(clip).angles[0], clip.angles[1])


def test_a_motion_that_starts_at_rest_is_kept():
    clip = motion()
    ramp = np.linspace(0.0, 1.0, 40)[:, None]
    starting = Clip(clip.figure, ramp * clip.angles[1], 0.01)
    assert not has_rest_frame(starting)
    assert without_rest_frame(starting) is starting
    assert not has_rest_frame(clip[1:])
    assert not has_rest_frame(Clip(clip.figure, np.zeros((5, len(clip.figure.dofs)))))
    assert not has_rest_frame(clip[:2])
