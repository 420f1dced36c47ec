"""Line."""

import math

import numpy as np
import pytest
from derivatives import assert_derivatives
from goals.standing import arm, at, drone, human, random_pose, solve_standing

from poise import GoalError, Line, Problem


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("hand", (0, 1), (0, 0, 1)), "point of the Line goal on 'hand' needs three finite"),
        (("hand", (0, 1, 2), (0, 0, math.inf)), "direction of the Line goal on 'hand'"),
        (("hand", (0, 1, 2), (0, 0, 0)), "a vector that is not zero"),
        ((None, (0, 1, 2), (0, 0, 1)), "give the name"),
    ],
)
def test_bad_input_is_named(arguments, words):
    with pytest.raises(GoalError, match=words):
        Line(*arguments)


def test_moved_keeps_the_direction():
    goal = Line("hand", (0, 1, 2), (0, 0, 4), weight=2.0)
    moved = goal.moved((3, 4, 5))
    assert np.array_equal(moved.point, (3, 4, 5))
    assert np.array_equal(moved.direction, (0, 0, 1))
    assert moved.weight == 2.0
    with pytest.raises(GoalError, match="point"):
        goal.moved((1, 2))


def test_value_is_the_squared_distance():
    problem = Problem(drone(), Line("body", (1, 0, 0), (0, 0, -7), weight=2.0))
    pose = at(tx=4.0, ty=4.0, tz=9.0)
    assert problem.value(pose) == pytest.approx(2.0 * 25.0)
    assert problem.errors(pose)["body"] == pytest.approx((5.0, 0.0))
    np.testing.assert_allclose(problem.gradient(pose)[:3], (12.0, 16.0, 0.0))


def test_on_the_line_it_is_met():
    problem = Problem(drone(), Line("nose", (1, 1, 0), (0, 0, 1)))
    pose = at(tx=1.0, ty=1.0, tz=-30.0)
    assert problem.value(pose) == 0.0
    assert not problem.gradient(pose).any()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("figure", "effector"), [(human, "left_hand"), (arm, "hand")])
def test_derivatives(figure, effector, seed):
    point, direction = np.random.default_rng(seed).normal(size=(2, 3))
    goal = Line(effector, point, direction, weight=2.0, offset=(0.1, -0.2, 0.05))
    assert_derivatives(Problem(figure(), goal), random_pose(figure(), seed))


def test_standing():
    point, direction = np.array((0.2, 1.2, 0.4)), np.array((0.6, 0.8, 0.0))
    solution = solve_standing(Line("left_hand", point, direction))
    assert solution.reached
    off = solution.pose.position("left_hand") - point
    assert np.linalg.norm(np.cross(off, direction)) <= 1e-3
    assert solution.errors["left_hand"].position == pytest.approx(
        np.linalg.norm(np.cross(off, direction)), abs=1e-9
    )


def test_a_line_out_of_reach_is_approached():
    solution = solve_standing(Line("left_hand", (0, 5, 0), (1, 0, 0)))
    assert not solution.reached
    assert solution.pose.position("left_hand")[1] > 1.8
