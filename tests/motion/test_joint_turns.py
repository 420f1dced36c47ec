"""Turns of a ball joint about any axis, in the angles that it has."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from motion.bodies import swinging_arm

from poise.errors import PoiseError
from poise.figure.rotation import from_vector
from poise.motion.joint_turns import ball_turned, placed_motions

FIGURE = swinging_arm()
BALLS = {
    name: FIGURE.dof_index(f"{name}_{dof}") for name, dof in (("base", "rx"), ("arm", "swing_y"))
}
axes = arrays(float, 3, elements=st.floats(-1, 1)).filter(lambda a: np.linalg.norm(a) > 0.1)
angles = arrays(float, len(FIGURE.dofs), elements=st.floats(-0.7, 0.7))


def turned(pose, ball, axis, angle):
    return ball_turned(pose, BALLS[ball], axis, angle, pose)


@pytest.mark.parametrize("ball", BALLS)
@given(values=angles, axis=axes, angle=st.floats(-1.5, 1.5))
def test_the_segment_turns_about_the_axis(ball, values, axis, angle):
    pose = FIGURE.pose(values)
    found = turned(pose, ball, axis, angle)
    by = from_vector(angle * axis / np.linalg.norm(axis))
    assert np.allclose(found.rotation(ball), by @ pose.rotation(ball), atol=1e-9)
    assert np.allclose(found.position(ball), pose.position(ball), atol=1e-12)


@given(values=angles, axis=axes)
def test_a_turn_of_nothing_changes_nothing(values, axis):
    pose = FIGURE.pose(values)
    for ball in BALLS:
        assert np.allclose(turned(pose, ball, axis, 0.0).angles, values, atol=1e-9)


def test_angles_go_on_without_a_jump_for_several_turns():
    start = last = FIGURE.rest()
    for ball, dof, axis in (("base", "base_ry", (0, 1, 0)), ("arm", "arm_twist", (1, 0, 0))):
        for angle in np.linspace(0.0, 20.0, 200):
            last = ball_turned(start, BALLS[ball], axis, angle, last)
            assert last[dof] == pytest.approx(angle, abs=1e-9)


def test_motions_are_placed_where_the_pose_has_them():
    pose = FIGURE.rest().with_angles({"arm_swing_x": 0.4, "base_tx": 0.2, "base_ry": 0.7})
    swing, twist = placed_motions(pose, FIGURE.segment_index("arm"))
    assert swing.motion.cone == pytest.approx(0.9)
    assert np.allclose(swing.origin, pose.position("arm"))
    assert np.allclose(twist.turn, swing.turn @ from_vector((0.4, 0.0, 0.0)))


@pytest.mark.parametrize(
    ("dof", "axis"),
    [("forearm_bend", (1, 0, 0)), ("base_tx", (1, 0, 0)), ("arm_swing_x", (0, 0, 0))],
)
def test_what_is_no_ball_is_refused(dof, axis):
    pose = FIGURE.rest()
    with pytest.raises(PoiseError, match=f"{dof} cannot be turned about"):
        ball_turned(pose, FIGURE.dof_index(dof), axis, 0.1, pose)
