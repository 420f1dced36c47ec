import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joints import random_rotation
from scipy.spatial.transform import Rotation

from poise.errors import GoalError, PoiseError
from poise.figure.builtin import arm
from poise.goals import Orientation
from poise.problem import Problem

X, Y, Z = np.eye(3)


def angle_between(a, b):
    return np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)


@given(seed=st.integers(0, 2**32 - 1), axes=st.sampled_from(["x", "y", "xy"]))
def test_the_potential_is_the_squared_chord_of_each_direction(seed, axes):
    figure, rng = arm(), np.random.default_rng(seed)
    pose = figure.pose(rng.uniform(figure.lower, figure.upper))
    wanted, weight, degrees = random_rotation(rng), rng.uniform(0.1, 5.0), rng.uniform(20.0, 600.0)
    directions = {axis: wanted[:, "xyz".index(axis)] for axis in axes}
    goal = Orientation("hand", **directions, weight=weight, degrees_per_metre=degrees)
    problem = Problem(figure, goal)
    scale = 360.0 / (2.0 * np.pi * degrees)
    turned = pose.rotation("hand")
    pairs = [(turned[:, "xyz".index(axis)], wanted[:, "xyz".index(axis)]) for axis in axes]
    expected = weight * scale**2 * sum(np.sum((a - g) ** 2) for a, g in pairs)
    np.testing.assert_allclose(problem.value(pose), expected, rtol=1e-11)
    distance, angle = problem.errors(pose)["hand"]
    assert distance == 0.0
    np.testing.assert_allclose(angle, max(angle_between(a, g) for a, g in pairs), atol=1e-7)
    assert problem.residuals(pose).shape == (6,)


def test_one_radian_is_as_bad_as_a_tenth_of_a_metre_by_default():
    np.testing.assert_allclose(Orientation("hand", x=X).weight_row()[0], 0.1, rtol=1e-4)


@given(seed=st.integers(0, 2**32 - 1))
def test_all_forms_of_a_rotation_are_the_same_goal(seed):
    matrix = random_rotation(np.random.default_rng(seed))
    turned = Rotation.from_matrix(matrix)
    x, y, z, w = turned.as_quat()
    goals = [
        Orientation("hand", matrix),
        Orientation("hand", x=matrix[:, 0], y=3.0 * matrix[:, 1]),
        Orientation("hand", quat_wxyz=(w, x, y, z)),
        Orientation("hand", quat_xyzw=(x, y, z, w)),
        Orientation("hand", euler=("ZXY", turned.as_euler("ZXY"))),
    ]
    for goal in goals:
        np.testing.assert_allclose(goal.target_row(), goals[0].target_row(), atol=1e-13)
        assert goal.weight_row()[0] == goal.weight_row()[1] > 0.0


def test_a_direction_left_out_is_free():
    goal = Orientation("hand", y=Y)
    np.testing.assert_array_equal(goal.target_row()[:6], [0, 0, 0, 0, 1, 0])
    assert goal.weight_row()[0] == 0.0
    assert goal.weight_row()[1] > 0.0


@pytest.mark.parametrize(
    "given_forms",
    [
        {},
        {"rotation": np.eye(3), "x": X},
        {"quat_wxyz": (1, 0, 0, 0), "y": Y},
    ],
)
def test_either_a_rotation_or_directions(given_forms):
    with pytest.raises(
        GoalError, match=r"needs either a whole rotation or one or both of x= and y="
    ):
        Orientation("hand", **given_forms)


@pytest.mark.parametrize(
    "given_forms",
    [
        {"rotation": np.eye(3), "quat_wxyz": (1, 0, 0, 0)},
        {"quat_xyzw": (0, 0, 0, 1), "quat_wxyz": (1, 0, 0, 0)},
        {"rotation": np.eye(3), "euler": ("X", [0.0])},
        {"rotation": np.diag([1, 1, -1])},
        {"rotation": np.full((3, 3), np.nan)},
        {"quat_wxyz": (0, 0, 0, 0)},
        {"euler": ("zyx", (0, 0, 0))},
        {"x": (0, 0, 0)},
        {"x": (1, 0)},
        {"y": (np.nan, 0, 0)},
        {"y": "up"},
        {"x": X, "degrees_per_metre": 0.0},
        {"x": X, "degrees_per_metre": -5.0},
        {"x": X, "degrees_per_metre": np.nan},
        {"x": X, "degrees_per_metre": "much"},
    ],
)
def test_bad_input_is_our_own_error(given_forms):
    with pytest.raises(PoiseError):
        Orientation("hand", **given_forms)


def test_directions_must_be_perpendicular():
    with pytest.raises(
        GoalError, match="x and y of the Orientation goal on 'hand' are not at right"
    ):
        Orientation("hand", x=X, y=(0.001, 1, 0))
    Orientation("hand", x=X, y=(1e-8, 1, 0))


def test_moved_by_a_rotation():
    matrix = random_rotation(np.random.default_rng(0))
    moved = Orientation("hand", x=X, y=Y).moved(matrix)
    np.testing.assert_allclose(moved.target_row()[:6], matrix[:, :2].T.reshape(-1), atol=1e-15)


@pytest.mark.parametrize("axis", ["x", "y"])
def test_moving_keeps_a_free_direction_free(axis):
    matrix = random_rotation(np.random.default_rng(1))
    column = matrix[:, "xy".index(axis)]
    goal = Orientation("hand", **{axis: X})
    for target in (matrix, column, 5.0 * column):  # of a rotation only its direction counts
        moved = goal.moved(target)
        np.testing.assert_array_equal(moved.weight_row(), goal.weight_row())
        np.testing.assert_allclose(getattr(moved, axis), column, atol=1e-15)
        assert getattr(moved, "y" if axis == "x" else "x") is None


@pytest.mark.parametrize("bad", [None, np.zeros((3, 3)), (1, 0), "up", (0, 0, 0), np.eye(2)])
def test_a_bad_target_changes_nothing(bad):
    for goal in (Orientation("hand", np.eye(3)), Orientation("hand", x=X)):
        before = goal.target_row()
        with pytest.raises(PoiseError):
            goal.moved(bad)
        np.testing.assert_array_equal(goal.target_row(), before)
