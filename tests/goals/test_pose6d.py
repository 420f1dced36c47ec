import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joints import random_rotation
from scipy.spatial.transform import Rotation

from poise.errors import GoalError, PoiseError
from poise.figure.builtin import arm
from poise.goals import Pose6D, Position
from poise.problem import Problem


@given(seed=st.integers(0, 2**32 - 1), share=st.floats(0.01, 0.99))
def test_the_potential_shares_its_weight(seed, share):
    figure, rng = arm(), np.random.default_rng(seed)
    pose = figure.pose(rng.uniform(figure.lower, figure.upper))
    target, offset = rng.normal(size=(2, 3))
    wanted, weight, degrees = random_rotation(rng), rng.uniform(0.1, 5.0), rng.uniform(20.0, 600.0)
    problem = Problem(
        figure,
        Pose6D(
            "hand",
            target,
            wanted,
            weight=weight,
            offset=offset,
            orientation_share=share,
            degrees_per_metre=degrees,
        ),
    )
    away = pose.position("hand", offset) - target
    turned = pose.rotation("hand")
    phi = Rotation.from_matrix(turned @ wanted.T).magnitude()
    scale = 360.0 / (2.0 * np.pi * degrees)
    expected = 2.0 * (1.0 - share) * away @ away
    expected += 2.0 * share * scale**2 * (2.0 * np.sin(phi / 2.0)) ** 2
    np.testing.assert_allclose(problem.value(pose), weight * expected, rtol=1e-11)
    # which is half the sum over the three axes
    chords = 0.5 * np.sum((turned - wanted) ** 2)
    np.testing.assert_allclose((2.0 * np.sin(phi / 2.0)) ** 2, chords, atol=1e-12)
    distance, angle = problem.errors(pose)["hand"]
    np.testing.assert_allclose(distance, np.linalg.norm(away), rtol=1e-13)
    np.testing.assert_allclose(angle, phi, atol=1e-7)


def test_the_position_of_an_even_share_counts_as_a_position_goal():
    pose, position = Pose6D("hand", (1, 2, 3), np.eye(3)), Position("hand", (1, 2, 3))
    assert pose.weight_row()[0] == position.weight_row()[0]


@given(seed=st.integers(0, 2**32 - 1))
def test_all_forms_of_a_rotation_are_the_same_goal(seed):
    matrix = random_rotation(np.random.default_rng(seed))
    turned = Rotation.from_matrix(matrix)
    x, y, z, w = turned.as_quat()
    goals = [
        Pose6D("hand", (1, 2, 3), matrix),
        Pose6D("hand", (1, 2, 3), quat_wxyz=(w, x, y, z)),
        Pose6D("hand", (1, 2, 3), quat_xyzw=(x, y, z, w)),
        Pose6D("hand", (1, 2, 3), euler=("ZYZ", turned.as_euler("ZYZ"))),
    ]
    for goal in goals:
        np.testing.assert_allclose(goal.target_row(), [1, 2, 3, *matrix.reshape(-1)], atol=1e-13)


@pytest.mark.parametrize(
    "options",
    [
        {"rotation": np.eye(3), "quat_wxyz": (1, 0, 0, 0)},
        {"quat_xyzw": (0, 0, 0, 1), "euler": ("X", [0.0])},
        {"rotation": np.diag([1, 1, -1])},
        {"rotation": np.full((3, 3), np.nan)},
        {"rotation": np.eye(4)},
        {"quat_wxyz": (0, 0, 0, 0)},
        {"quat_wxyz": (np.inf, 0, 0, 0)},
        {"euler": ("ZXY", (0, 0))},
        {"rotation": np.eye(3), "orientation_share": 0.0},
        {"rotation": np.eye(3), "orientation_share": 1.0},
        {"rotation": np.eye(3), "orientation_share": np.nan},
        {"rotation": np.eye(3), "orientation_share": "half"},
        {"rotation": np.eye(3), "orientation_share": None},
        {"rotation": np.eye(3), "degrees_per_metre": 0.0},
        {"rotation": np.eye(3), "degrees_per_metre": np.inf},
    ],
)
def test_bad_input_is_our_own_error(options):
    with pytest.raises(PoiseError):
        Pose6D("hand", (1, 2, 3), **options)


@pytest.mark.parametrize("bad", [(0, 1), (0, 0, np.nan), "abc", None])
def test_a_bad_position_names_the_goal(bad):
    with pytest.raises(GoalError, match="position of the Pose6D goal on 'hand'"):
        Pose6D("hand", bad, np.eye(3))


def test_without_a_rotation_it_points_to_position():
    with pytest.raises(GoalError, match="needs a rotation; use Position"):
        Pose6D("hand", (1, 2, 3))


def test_moved_to_a_position_keeps_the_rotation():
    matrix = random_rotation(np.random.default_rng(0))
    goal = Pose6D("hand", (1, 2, 3), matrix)
    for target in ((4, 5, 6), [4, 5, 6], np.array([4, 5, 6])):
        np.testing.assert_array_equal(
            goal.moved(target).target_row(), [4, 5, 6, *matrix.reshape(-1)]
        )


def test_moved_to_a_position_and_a_rotation():
    matrix = random_rotation(np.random.default_rng(1))
    goal = Pose6D("hand", (1, 2, 3), np.eye(3))
    moved = goal.moved(((4, 5, 6), matrix))
    np.testing.assert_array_equal(moved.target_row(), [4, 5, 6, *matrix.reshape(-1)])
    np.testing.assert_array_equal(goal.rotation, np.eye(3))


@pytest.mark.parametrize("bad", [(1, 2), (0, 0, np.nan), ((1, 2, 3), 2 * np.eye(3)), "abc", None])
def test_a_bad_target_changes_nothing(bad):
    goal = Pose6D("hand", (1, 2, 3), np.eye(3))
    with pytest.raises(PoiseError):
        goal.moved(bad)
    np.testing.assert_array_equal(goal.target_row()[:3], [1, 2, 3])


def test_the_rotation_is_copied():
    matrix = np.eye(3)
    goal = Pose6D("hand", (1, 2, 3), matrix)
    matrix[0, 0] = 7.0
    np.testing.assert_array_equal(goal.rotation, np.eye(3))
