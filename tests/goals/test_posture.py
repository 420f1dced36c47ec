"""Posture."""

import math

import numpy as np
import pytest
from derivatives import assert_derivatives
from goals.standing import arm, at, drone, human, random_pose, solve_standing
from solve.cases import able

import poise
from poise import GoalError, Position, Posture, Problem
from poise.solve.capabilities import Feature


def test_bad_input_is_named():
    for pose in ([1.0, math.nan], [[1.0]], 3.0, None):
        with pytest.raises(GoalError, match="needs a Pose, or finite angles"):
            Posture(pose)
    with pytest.raises(GoalError, match=r"weight of 'body_\*'.*give a number >= 0"):
        Posture(drone().rest(), weights={"body_*": -1.0})
    with pytest.raises(GoalError, match="names or patterns of DOFs and a number for each"):
        Posture(drone().rest(), weights=[1.0, 2.0])
    with pytest.raises(GoalError, match="give a number above 0"):
        Posture(drone().rest(), weight=0.0)


def test_it_must_fit_the_figure():
    with pytest.raises(GoalError, match="has 2 angles; drone has 5"):
        Problem(drone(), Posture([0.0, 0.0])).value(drone().rest())
    with pytest.raises(poise.FigureError, match="tail"):
        Problem(drone(), Posture(drone().rest(), weights={"tail": 1.0})).value(drone().rest())


def test_moved():
    moved = Posture(at(tx=1.0), weight=2.0, weights={"body_tx": 3.0}).moved(at(tx=5.0))
    assert moved.pose == at(tx=5.0)
    assert (moved.weight, moved.weights) == (2.0, {"body_tx": 3.0})


def test_value_is_the_weighted_distance():
    goal = Posture(at(tx=1.0, ry=0.5), weight=2.0, weights={"body_t*": 3.0, "body_tz": 0.0})
    problem = Problem(drone(), goal)
    pose = at(tx=3.0, tz=100.0, ry=1.5)
    assert problem.value(pose) == pytest.approx(3.0 * 4.0 + 2.0 * 1.0)
    np.testing.assert_allclose(problem.gradient(pose), (12.0, 0.0, 0.0, 4.0, 0.0))
    assert problem.errors(pose) == {}
    assert np.array_equal(problem.hessian(pose), np.diag([6.0, 6.0, 0.0, 4.0, 4.0]))


def test_two_of_them_add_up():
    goals = [Posture(at(tx=1.0), weight=2.0), Posture(at(tx=3.0), weight=1.0, name="other")]
    problem = Problem(drone(), goals)
    np.testing.assert_allclose(problem.gradient(at(tx=2.0))[0], 2.0)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("figure", "effector"), [(human, "left_hand"), (arm, "hand")])
def test_derivatives(figure, effector, seed):
    posture = Posture(random_pose(figure(), seed + 10), weights={"*_flexion": 0.7}, weight=0.2)
    goals = [Position(effector, (0.2, 1.0, 0.3)), posture]
    assert_derivatives(Problem(figure(), goals), random_pose(figure(), seed))


def test_alone_it_is_taken_up():
    wanted = human().pose(random_pose(human(), 3)).clamped()
    solution = poise.solve(human(), Posture(wanted))
    np.testing.assert_allclose(solution.angles, wanted.angles, atol=1e-5)


def test_it_chooses_among_the_poses_that_meet_the_goals():
    """The elbow goes where the posture wants it; the hand stays at its goal."""
    target = arm().pose(random_pose(arm(), 1)).position("hand")
    goal = Position("hand", target)
    answers = []
    for seed in (5, 6):
        wanted = arm().pose(random_pose(arm(), seed))
        solution = poise.solve(arm(), [goal, Posture(wanted, weight=1e-5)], trace=True)
        assert solution.errors["hand"].position <= 1e-3
        answers.append((wanted.angles, solution.angles))
    for mine, (wanted, angles) in enumerate(answers):
        other = answers[1 - mine][1]
        assert np.linalg.norm(angles - wanted) < np.linalg.norm(other - wanted)


def test_standing():
    """With a posture the solver goes on past the first pose that meets the goals, and ends at one
    that is nearer to the posture."""
    hand = Position("left_hand", (0.35, 1.3, 0.45))
    rest = human().rest()
    plain = solve_standing(hand)
    posture = Posture(rest, weight=1e-6)
    solution = solve_standing(hand, posture)
    assert plain.reached
    for name in ("left_hand", "left_foot", "right_foot"):
        assert solution.errors[name].position <= 1e-3
        assert solution.errors[name].angle <= 1e-2
    near = np.linalg.norm(solution.angles - rest.angles)
    assert near <= np.linalg.norm(plain.angles - rest.angles) + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_with_the_weight_given_by_default_it_is_the_nearest_pose(seed):
    """No pose that meets the goals as well is nearer, whatever the start."""
    target = arm().pose(random_pose(arm(), seed)).position("hand")
    wanted = arm().pose(random_pose(arm(), seed + 20)).clamped()
    goals = [Position("hand", target), Posture(wanted)]
    solution = poise.solve(arm(), goals, start=wanted)
    tight = poise.solve(arm(), goals, start=wanted, optimality=1e-9, tolerance=1e-9)
    np.testing.assert_allclose(solution.angles, tight.angles, atol=1e-3)
    near = np.linalg.norm(solution.angles - wanted.angles)
    for start in range(10):
        other = poise.solve(arm(), goals[0], start=random_pose(arm(), start))
        if other.reached:
            assert near <= np.linalg.norm(other.angles - wanted.angles) + 1e-3


def test_weights_hold_single_joints():
    hand = Position("left_hand", (0.35, 1.3, 0.45))
    bound = Posture(human().rest(), weight=1e-6, weights={"spine_*": 1e-1})
    angles = solve_standing(hand, bound).angles
    spine = human().match_dofs("spine_*")
    assert np.abs(angles[spine] - human().rest().angles[spine]).max() < 0.02


def test_it_is_never_unmet():
    solution = poise.solve(arm(), [Position("hand", (0, 9, 0)), Posture(arm().rest())])
    assert set(solution.errors) == {"hand"}
    assert [goal.name for goal in solution.explanation.goals] == ["hand"]


def test_its_pose_moves():
    goals = [Position("body", (0, 0, 0)), Posture(drone().rest()), Posture(at(ry=0.5), name="two")]
    solver = poise.Solver(drone(), goals)
    first = solver.solve()
    moved = solver.solve({"posture": at(ry=1.0)}, start=drone().rest())
    fresh = poise.solve(drone(), [goals[0], Posture(at(ry=1.0)), goals[2]])
    assert moved.angles.tobytes() == fresh.angles.tobytes()
    assert moved.pose["body_ry"] == pytest.approx(0.75, abs=1e-6)
    assert first.pose["body_ry"] == pytest.approx(0.25, abs=1e-6)
    assert moved.problem.value(moved.pose) == pytest.approx(moved.value)
    assert first.problem.value(first.pose) == pytest.approx(first.value)


@pytest.mark.parametrize("target", [[0.0, 0.0], "x", None, [math.nan] * 5])
def test_a_bad_pose_moves_nothing(target):
    goals = [Position("body", (0, 0, 0)), Posture(drone().rest())]
    solver = poise.Solver(drone(), goals)
    with pytest.raises(GoalError, match="pose of a Posture goal"):
        solver.solve({"body": (1, 0, 0), "posture": target})
    assert solver.solve().angles.tobytes() == poise.solve(drone(), goals).angles.tobytes()


@pytest.mark.parametrize("method", able(Feature.POSTURE))
def test_every_method_brings_it_to_its_least(method):
    solution = poise.solve(drone(), Posture(at(tx=1.0, ry=0.5), weight=1.0), method=method)
    assert solution.reached
    np.testing.assert_allclose(solution.angles, at(tx=1.0, ry=0.5).angles, atol=1e-5)


def test_a_full_weight_matrix_is_refused():
    with pytest.raises(GoalError, match="weight_matrix cannot be mixed with the Posture goal"):
        poise.solve(
            drone(),
            [Position("body", (0, 0, 0)), Posture(drone().rest())],
            weight_matrix=np.eye(3),
        )
