"""What holds for every built-in figure."""

import numpy as np
import pytest
from figure.builtin.checks import is_limited, random_pose

from poise.figure import builtin

FIGURES = {
    "human": builtin.human,
    "jack": builtin.jack,
    "arm": builtin.arm,
    "spider": builtin.spider,
    "snake": lambda: builtin.snake(24),
}


@pytest.fixture(params=FIGURES)
def figure(request):
    return FIGURES[request.param]()


def test_only_the_root_is_without_limits(figure):
    free = [
        name
        for name, limited in zip(figure.dof_names, is_limited(figure), strict=True)
        if not limited
    ]
    roots = [f"root_{name}" for name in ("tx", "ty", "tz", "rx", "ry", "rz")]
    assert free == ([] if figure.name in ("arm", "snake") else roots)


def test_rest_is_at_least_ten_degrees_inside_every_limit(figure):
    rest = figure.rest().angles
    room = np.rad2deg(np.minimum(rest - figure.lower, figure.upper - rest))
    wide = np.array([not name.startswith("spine_") for name in figure.dof_names])
    checked = wide | (figure.name != "jack")  # jack's vertebrae: see test_jack
    assert room[checked].min() >= 10.0


def test_no_ball_joint_can_reach_gimbal_lock(figure):
    balls = [segment.joint for segment in figure.segments if segment.joint.kind == "ball"]
    for joint in balls:
        middle = joint.dofs[1]
        assert np.rad2deg(middle.lower) >= -80.0
        assert np.rad2deg(middle.upper) <= 80.0


def test_every_ball_joint_turns_about_three_different_axes(figure):
    for segment in figure.segments:
        if segment.joint.kind == "ball":
            assert {motion.kind for motion in segment.joint.motions} == {0, 1, 2}


def test_poses_inside_the_limits_are_valid(figure):
    rng = np.random.default_rng(5)
    for _ in range(50):
        pose = random_pose(figure, rng)
        rotations, origins = pose.frames
        assert pose.is_inside_limits
        assert np.isfinite(origins).all()
        np.testing.assert_allclose(
            rotations @ rotations.transpose(0, 2, 1),
            np.broadcast_to(np.eye(3), rotations.shape),
            atol=1e-9,
        )


def test_each_call_builds_the_same_figure(figure):
    again = FIGURES[figure.name]()
    assert again.dof_names == figure.dof_names
    np.testing.assert_array_equal(again.lower, figure.lower)
    np.testing.assert_array_equal(again.rest().angles, figure.rest().angles)


def test_every_figure_is_y_up(figure):
    assert figure.up == "Y"
