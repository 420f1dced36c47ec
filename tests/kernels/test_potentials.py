"""Rows and errors of goals; their derivatives are checked in test_derivatives.py."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.wrappers import quaternion
from scipy.spatial.transform import Rotation

from poise import joint
from poise.figure.figure import Figure
from poise.figure.segment import Segment
from poise.goals import Aim, Orientation, Pose6D
from poise.kernels import potentials
from poise.problem import Problem

seeds = st.integers(0, 2**32 - 1)


def assert_same_rotation(matrix):
    w, x, y, z = quaternion(np.ascontiguousarray(matrix).reshape(-1))
    assert w >= 0.0
    np.testing.assert_allclose(Rotation.from_quat([x, y, z, w]).as_matrix(), matrix, atol=1e-14)
    assert abs(w * w + x * x + y * y + z * z - 1.0) <= 1e-15


@given(seed=seeds)
def test_quaternion_of_any_rotation(seed):
    assert_same_rotation(Rotation.random(rng=np.random.default_rng(seed)).as_matrix())


@pytest.mark.parametrize("gap", [0.0, 1e-12, 1e-8, 1e-4])
@given(seed=seeds)
def test_quaternion_near_half_a_turn(gap, seed):
    axis = np.random.default_rng(seed).normal(size=3)
    turn = (np.pi - gap) * axis / np.linalg.norm(axis)
    assert_same_rotation(Rotation.from_rotvec(turn).as_matrix())


def test_quaternion_of_exact_half_turns():
    for signs in ([1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]):
        assert_same_rotation(np.diag(signs))


def ball():
    return Figure("ball", [Segment("s", None, joint.ball("XYZ"))])


@pytest.mark.parametrize(
    "goal",
    [
        Orientation("s", x=(-1, 0, 0)),
        Orientation("s", np.diag([-1.0, -1.0, 1.0])),
        Orientation("s", y=(0, -1, 0)),
        Pose6D("s", (0, 0, 0), np.diag([1.0, -1.0, -1.0])),
        Aim("s", (0, 0, -5)),
    ],
)
def test_pointing_straight_away_there_is_a_way_to_turn(goal):
    """Where the gradient of the plain potential vanishes though the goal is as wrong as can be."""
    problem = Problem(ball(), goal)
    start = np.zeros(3)
    slope = problem.gradient(start)
    assert np.abs(slope).max() > 0.0
    step = 0.05 * slope / np.abs(slope).max()
    assert problem.value(start - step) < problem.value(start)
    np.testing.assert_allclose(problem.errors(start)["s"].angle, np.pi, atol=3e-3)


def test_an_aim_at_the_eye_itself_is_met():
    problem = Problem(ball(), Aim("s", (0, 0, 0)))
    assert problem.value(np.zeros(3)) == 0.0
    assert problem.errors(np.zeros(3))["s"].angle == 0.0
    assert np.isfinite(problem.gradient(np.zeros(3))).all()


def test_an_aim_fades_out_towards_the_eye():
    values = [Problem(ball(), Aim("s", (d, 0, 0))).value(np.zeros(3)) for d in (1.0, 0.5e-3, 1e-5)]
    share = (0.5e-3 / potentials.NEAR) ** 2
    np.testing.assert_allclose(values[1], share * values[0], rtol=1e-12)
    assert values[2] < 1e-3 * values[0]
