import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.errors import GoalError
from poise.figure.builtin import arm
from poise.goals import Position
from poise.problem import Problem

BAD = [(0, 1), (0, 1, 2, 3), (0, 0, np.nan), (0, np.inf, 0), "abc", None, np.eye(3), 5.0]


@given(seed=st.integers(0, 2**32 - 1), weight=st.floats(1e-3, 1e3))
def test_the_potential_is_the_squared_distance(seed, weight):
    figure, rng = arm(), np.random.default_rng(seed)
    pose = figure.pose(rng.uniform(figure.lower, figure.upper))
    target, offset = rng.normal(size=(2, 3))
    problem = Problem(figure, Position("hand", target, weight=weight, offset=offset))
    away = pose.position("hand", offset) - target
    np.testing.assert_allclose(problem.residuals(pose), np.sqrt(weight) * away, atol=1e-13)
    np.testing.assert_allclose(problem.value(pose), weight * away @ away, rtol=1e-12)
    distance, angle = problem.errors(pose)["hand"]
    np.testing.assert_allclose(distance, np.linalg.norm(away), rtol=1e-13)
    assert angle == 0.0


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_position_names_the_goal(bad):
    with pytest.raises(
        GoalError, match="position of the Position goal on 'hand' needs three finite"
    ):
        Position("hand", bad)


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_target_changes_nothing(bad):
    goal = Position("hand", (1, 2, 3))
    with pytest.raises(GoalError):
        goal.moved(bad)
    np.testing.assert_array_equal(goal.position, [1, 2, 3])


def test_moved():
    goal = Position("hand", (1, 2, 3))
    np.testing.assert_array_equal(goal.moved((4, 5, 6)).target_row()[:3], [4, 5, 6])
    np.testing.assert_array_equal(goal.target_row()[:3], [1, 2, 3])


def test_the_position_is_copied():
    target = np.ones(3)
    goal = Position("hand", target)
    target[0] = 9.0
    np.testing.assert_array_equal(goal.position, np.ones(3))
