"""Plane and HalfSpace."""

import math

import numpy as np
import pytest
from derivatives import assert_derivatives
from goals.standing import arm, at, drone, human, random_pose, solve_standing

import poise
from poise import GoalError, HalfSpace, Plane, Position, Problem

KINDS = [Plane, HalfSpace]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("hand", (0, 1), (0, 0, 1)), "point of the {kind} goal on 'hand' needs three finite"),
        (("hand", (0, 1, 2), (0, 0, math.nan)), "normal of the {kind} goal on 'hand'"),
        (("hand", (0, 1, 2), (0, 0, 0)), "a vector that is not zero"),
        ((1.5, (0, 1, 2), (0, 0, 1)), "give the name"),
    ],
)
def test_bad_input_is_named(kind, arguments, words):
    with pytest.raises(GoalError, match=words.format(kind=kind.__name__)):
        kind(*arguments)


@pytest.mark.parametrize("kind", KINDS)
def test_moved_keeps_kind_and_normal(kind):
    moved = kind("hand", (0, 1, 2), (0, 0, 4), weight=2.0).moved((3, 4, 5))
    assert type(moved) is kind
    assert np.array_equal(moved.point, (3, 4, 5))
    assert np.array_equal(moved.normal, (0, 0, 1))
    assert moved.weight == 2.0


@pytest.mark.parametrize(("height", "plane", "half_space"), [(3.0, 18.0, 0.0), (-3.0, 18.0, 18.0)])
def test_value_is_the_squared_height(height, plane, half_space):
    pose = at(tx=5.0, ty=1.0 + height, tz=-2.0)
    for kind, value in ((Plane, plane), (HalfSpace, half_space)):
        problem = Problem(drone(), kind("body", (0, 1, 0), (0, 9, 0), weight=2.0))
        assert problem.value(pose) == pytest.approx(value)
        assert problem.errors(pose)["body"] == pytest.approx((math.sqrt(value / 2.0), 0.0))
        np.testing.assert_allclose(
            problem.gradient(pose)[:3], (0.0, 4.0 * height if value else 0.0, 0.0)
        )


def test_an_inactive_half_space_has_zero_rows():
    problem = Problem(human(), HalfSpace("left_hand", (0, -1, 0), (0, 1, 0)))
    angles = random_pose(human(), 0)
    for quantity in (problem.residuals, problem.jacobian, problem.gradient, problem.hessian):
        assert not quantity(angles).any()


def test_the_half_space_begins_smoothly():
    problem = Problem(drone(), HalfSpace("body", (0, 0, 0), (0, 1, 0)))
    for height in (0.0, -1e-12):
        assert np.abs(problem.gradient(at(ty=height))).max() <= 1e-11
        assert problem.value(at(ty=height)) <= 1e-20


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("figure", "effector"), [(human, "left_hand"), (arm, "hand")])
def test_derivatives(figure, effector, kind, seed):
    normal = np.random.default_rng(seed).normal(size=3)
    goal = kind(effector, 5.0 * normal, normal, weight=2.0, offset=(0.1, -0.2, 0.05))
    problem, angles = Problem(figure(), goal), random_pose(figure(), seed)
    assert problem.value(angles) > 0.0
    assert_derivatives(problem, angles)


def test_standing_on_a_plane():
    point, normal = np.array((0.0, 0.0, 0.4)), np.array((0.6, 0.0, 0.8))
    solution = solve_standing(Plane("right_hand", point, normal))
    assert solution.reached
    assert abs((solution.pose.position("right_hand") - point) @ normal) <= 1e-3


def test_standing_on_a_side():
    goal = HalfSpace("right_hand", (0.0, 1.5, 0.0), (0, 1, 0))
    solution = solve_standing(goal)
    assert solution.reached
    assert solution.pose.position("right_hand")[1] >= 1.5 - 1e-3


def test_a_half_space_that_holds_changes_nothing():
    rest = human().rest()
    solution = solve_standing(HalfSpace("right_hand", (0.0, 0.5, 0.0), (0, 1, 0)))
    assert np.array_equal(solution.angles, rest.angles)
    assert solution.iterations == 0


def test_a_hand_stays_on_its_side_of_a_wall():
    """The wall weighs much more than the hand's goal behind it: the hand stops at the wall."""
    wall = HalfSpace("left_hand", (0, 0, 0.4), (0, 0, -1), weight=1e4, name="wall")
    solution = solve_standing(Position("left_hand", (0.2, 1.2, 0.6)), wall)
    assert solution.pose.position("left_hand")[2] == pytest.approx(0.4, abs=1e-3)
    assert not solution.reached


def test_a_full_weight_matrix_is_refused():
    for goal in (HalfSpace("hand", (0, 0, 0), (0, 1, 0)), Plane("hand", (0, 0, 0), (0, 1, 0))):
        goals = [Position("hand", (0, 1, 0)), goal]
        with pytest.raises(
            GoalError, match=f"weight_matrix cannot be mixed with the {type(goal).__name__}"
        ):
            poise.solve(arm(), goals, weight_matrix=np.eye(4))
