"""AnyOf."""

import numpy as np
import pytest
from derivatives import assert_derivatives
from goals.standing import arm, at, drone, human, random_pose, solve_standing
from solve.cases import MONOTONE, able

import poise
from poise import (
    Aim,
    AnyOf,
    CenterOfMass,
    GoalError,
    HalfSpace,
    Line,
    Plane,
    Position,
    Posture,
    Problem,
)
from poise.solve.capabilities import Feature

CUBE = np.concatenate([np.eye(3), -np.eye(3)])
"""Outward normals of a cube with half-edges of 1, and points on its faces."""


def test_bad_input_is_named():
    with pytest.raises(GoalError, match="at least one goal"):
        AnyOf()
    with pytest.raises(GoalError, match="takes goals, not 3"):
        AnyOf(Position("hand", (0, 0, 0)), 3)
    with pytest.raises(GoalError, match="weight"):
        AnyOf(Position("hand", (0, 0, 0)), weight=-1)
    square = CenterOfMass(over=[(0, 0, 0), (1, 0, 0), (0, 0, 1)])
    for goal in (square, Posture(drone().rest())):
        with pytest.raises(GoalError, match=f"cannot take a {type(goal).__name__}"):
            AnyOf(Position("hand", (0, 0, 0)), goal)


def test_a_polyhedron_needs_as_many_normals_as_points():
    with pytest.raises(GoalError, match="as many normals as points, not 6 and 5"):
        AnyOf.outside("hand", CUBE[:5], CUBE)
    with pytest.raises(GoalError, match="a polyhedron needs points and normals"):
        AnyOf.outside("hand", 3, 4)


def test_names_come_from_the_members():
    one, two = Position("a", (0, 0, 0)), Position("b", (0, 0, 0))
    assert AnyOf(one, two).name == "a or b"
    assert AnyOf(one, one.moved((1, 0, 0))).name == "a"
    assert AnyOf(one, two, name="either").name == "either"


def test_moved_moves_each_member():
    goal = AnyOf(Position("a", (0, 0, 0)), Plane("b", (0, 0, 0), (0, 1, 0)), weight=2.0, name="x")
    moved = goal.moved([None, (1, 2, 3)])
    assert np.array_equal(moved.goals[0].position, (0, 0, 0))
    assert np.array_equal(moved.goals[1].point, (1, 2, 3))
    assert (moved.weight, moved.name) == (2.0, "x")
    for wrong in ([(1, 2, 3)], 3, None):
        with pytest.raises(GoalError, match="AnyOf has 2 goals; give a target or None for each"):
            goal.moved(wrong)


def test_the_chain_is_that_of_the_whole():
    """A member's own chain is refused; the chain of the whole holds, also when it is moved."""
    with pytest.raises(GoalError, match="'hand' of an AnyOf has a chain of its own; give chain="):
        AnyOf(Position("hand", (0, 0, 0), chain="elbow_flexion"))
    goal = AnyOf(
        Position("hand", (0, 2, 0)), Position("hand", (0, 1.5, 0.3)), chain="elbow_flexion"
    )
    for used in (goal, goal.moved([None, (0, 1.4, 0.3)])):
        moved = poise.solve(arm(), used).angles != arm().rest().angles
        assert [arm().dof_names[i] for i in np.flatnonzero(moved)] == ["elbow_flexion"]


def test_the_nearest_counts_and_is_reported():
    goal = AnyOf(Position("body", (0, 0, 0)), Position("body", (10, 0, 0)), weight=2.0)
    problem = Problem(drone(), goal)
    for x, near in ((4.0, 0.0), (6.0, 10.0), (10.0, 10.0)):
        assert problem.value(at(tx=x)) == pytest.approx(2.0 * (x - near) ** 2)
        assert problem.errors(at(tx=x))["body"] == pytest.approx((abs(x - near), 0.0))
        assert problem.gradient(at(tx=x))[0] == pytest.approx(4.0 * (x - near))


def test_of_two_that_are_as_near_the_first_counts():
    body, rest = drone(), drone().rest()
    sides = [Position("body", (x, 0.0, 0.0)) for x in (1.0, -1.0)]
    for first, second in (sides, sides[::-1]):
        slope = Problem(body, AnyOf(first, second)).gradient(rest)
        np.testing.assert_array_equal(slope, Problem(body, first).gradient(rest))


def test_weights_of_members_and_of_the_whole_multiply():
    goal = AnyOf(Position("body", (0, 0, 0), weight=3.0), weight=2.0)
    assert Problem(drone(), goal).value(at(tx=2.0)) == pytest.approx(24.0)


def test_kinds_may_be_mixed():
    goal = AnyOf(Line("body", (0, 0, 0), (0, 0, 1)), Plane("body", (0, 3, 0), (0, 1, 0)), name="g")
    problem = Problem(drone(), goal)
    assert problem.value(at(tx=1.0, ty=1.0)) == pytest.approx(2.0)
    assert problem.value(at(tx=2.0, ty=2.0)) == pytest.approx(1.0)


def test_nested():
    near, middle, far = (Position("body", (x, 0, 0)) for x in (1.0, 5.0, 9.0))
    flat = Problem(drone(), AnyOf(near, middle, far))
    deep = Problem(drone(), AnyOf(near, AnyOf(middle, AnyOf(far))))
    for x in (0.0, 2.9, 3.1, 6.9, 7.1, 20.0):
        assert deep.value(at(tx=x)) == flat.value(at(tx=x))
        assert deep.errors(at(tx=x)) == flat.errors(at(tx=x))


def test_nested_weights_multiply():
    inner = AnyOf(Position("body", (0, 0, 0), weight=2.0), weight=3.0)
    assert Problem(drone(), AnyOf(inner, weight=5.0)).value(at(tx=1.0)) == pytest.approx(30.0)


def test_two_of_them_choose_on_their_own():
    goals = [
        AnyOf(Plane("body", (0, 0, 0), axis), Plane("body", 10 * axis, axis), name=str(i))
        for i, axis in enumerate(np.eye(3)[:2])
    ]
    problem = Problem(drone(), goals)
    assert problem.value(at(tx=1.0, ty=8.0)) == pytest.approx(1.0 + 4.0)
    assert problem.errors(at(tx=1.0, ty=8.0)) == {"0": (1.0, 0.0), "1": (2.0, 0.0)}


def test_outside_a_polyhedron():
    problem = Problem(drone(), AnyOf.outside("body", CUBE, CUBE))
    assert problem.value(at(tx=0.7, ty=-0.2)) == pytest.approx(0.3**2)
    assert problem.value(at(tz=-0.9)) == pytest.approx(0.1**2)
    for outside in (at(tx=1.5), at(tx=-1.0), at(tx=2.0, ty=2.0)):
        assert problem.value(outside) == 0.0
        assert problem.errors(outside)["body"] == (0.0, 0.0)


@pytest.mark.parametrize("method", able(Feature.ANY_OF, Feature.SLIDES, methods=MONOTONE))
def test_the_way_out_is_through_the_nearest_face(method):
    solution = poise.solve(
        drone(), AnyOf.outside("body", CUBE, CUBE), start=at(tx=0.7, ty=-0.2), method=method
    )
    assert solution.reached
    # A first-order step may go farther: the first one of L-BFGS-B is 1 long.
    assert 1.0 - 1e-3 <= solution.angles[0] <= 1.7
    np.testing.assert_allclose(solution.angles[1:], (-0.2, 0.0, 0.0, 0.0), atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("figure", "effector"), [(human, "left_hand"), (arm, "hand")])
def test_derivatives(figure, effector, seed):
    rng = np.random.default_rng(seed)
    goals = [
        Position(effector, rng.normal((0, 1, 0))),
        Aim(effector, rng.normal((0, 3, 0)), weight=2.0),
        AnyOf(HalfSpace(effector, (0, 5, 0), (0, 1, 0)), Plane(effector, (3, 0, 0), (1, 1, 0))),
    ]
    other = AnyOf(Plane(effector, (2, 0, 0), (1, 1, 0)), Plane(effector, (0, 0, 9), (0, 1, 1)))
    angles = random_pose(figure(), seed)
    assert_derivatives(Problem(figure(), [AnyOf(*goals, weight=1.5), other]), angles)


def test_standing_out_of_a_box():
    """The hand leaves a box around its place at rest."""
    center = human().rest().position("left_hand")
    faces = center + 0.15 * CUBE
    solution = solve_standing(AnyOf.outside("left_hand", faces, CUBE))
    assert solution.reached
    assert np.abs(solution.pose.position("left_hand") - center).max() >= 0.15 - 1e-3


def test_standing_with_a_choice():
    """One of the two is out of reach: the other is met."""
    near, far = (0.3, 1.3, 0.4), (3.0, 1.3, 0.4)
    goal = AnyOf(Position("left_hand", far), Position("left_hand", near), name="either")
    solution = solve_standing(goal)
    assert solution.reached
    assert np.linalg.norm(solution.pose.position("left_hand") - near) <= 1e-3


def test_moving_the_chosen_one():
    goal = AnyOf(Position("body", (0, 0, 0)), Position("body", (10, 0, 0)))
    solver = poise.Solver(drone(), goal)
    assert solver.solve({"body": [(1, 0, 0), None]}).angles[0] == pytest.approx(1.0, abs=1e-3)
    assert solver.solve({"body": [None, (1.5, 0, 0)]}).angles[0] == pytest.approx(1.0, abs=1e-3)
    assert solver.solve({"body": [(-9, 0, 0), None]}).angles[0] == pytest.approx(1.5, abs=1e-3)


def test_a_full_weight_matrix_is_refused():
    goal = AnyOf(Position("hand", (0, 0, 0)), Position("hand", (1, 0, 0)))
    with pytest.raises(GoalError, match="weight_matrix cannot be mixed with the AnyOf goal 'hand'"):
        poise.solve(arm(), goal, weight_matrix=np.eye(6))
