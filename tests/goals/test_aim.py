"""Aim."""

import math

import numpy as np
import pytest
from derivatives import assert_derivatives
from goals.standing import arm, at, drone, human, random_pose, solve_standing
from solve.cases import MONOTONE, able

import poise
from poise import Aim, GoalError, Orientation, Pose6D, Problem
from poise.solve.capabilities import Feature

C = 360 / (2 * math.pi * 573.0)  # one metre matters as much as 573 degrees


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("eyes", (0, 1)), {}, "at of the Aim goal on 'eyes' needs three finite numbers"),
        (("eyes", (0, 1, math.nan)), {}, "three finite numbers"),
        (("eyes", "there"), {}, "three finite numbers"),
        ((7, (0, 1, 2)), {}, "give the name of a site or segment"),
        (("eyes", (0, 1, 2)), {"weight": 0.0}, "give a number above 0"),
        (("eyes", (0, 1, 2)), {"weight": math.inf}, "give a number above 0"),
        (("eyes", (0, 1, 2)), {"degrees_per_metre": 0}, "matter as much as one metre"),
        (("eyes", (0, 1, 2)), {"offset": (1, 2)}, "offset of the Aim goal"),
    ],
)
def test_bad_input_is_named(arguments, options, words):
    with pytest.raises(GoalError, match=words):
        Aim(*arguments, **options)


def test_moved_keeps_the_rest():
    goal = Aim("eyes", (0, 1, 2), weight=2.0, offset=(0, 0, 1), degrees_per_metre=60.0, name="look")
    moved = goal.moved((3, 4, 5))
    assert np.array_equal(moved.at, (3, 4, 5))
    assert np.array_equal(goal.at, (0, 1, 2))
    assert (moved.weight, moved.degrees_per_metre, moved.name) == (2.0, 60.0, "look")
    assert np.array_equal(moved.offset, (0, 0, 1))


@pytest.mark.parametrize("degrees", [0.0, 20.0, 90.0, 150.0])
def test_value_and_error_are_those_of_the_angle(degrees):
    angle = math.radians(degrees)
    target = (2.0 * math.sin(angle), 0.0, 2.0 * math.cos(angle))
    problem = Problem(drone(), Aim("body", target, weight=3.0))
    pose = drone().rest()
    assert problem.value(pose) == pytest.approx(3.0 * (C * 2.0 * math.sin(angle / 2.0)) ** 2)
    assert problem.errors(pose)["body"] == pytest.approx((0.0, angle), abs=1e-12)


def test_degrees_per_metre_weighs_it():
    pose, target = drone().rest(), (1.0, 0.0, 0.0)
    coarse = Problem(drone(), Aim("body", target, degrees_per_metre=573.0)).value(pose)
    fine = Problem(drone(), Aim("body", target, degrees_per_metre=57.3)).value(pose)
    assert fine == pytest.approx(100.0 * coarse)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("figure", "effector"), [(human, "eyes"), (arm, "hand")])
def test_derivatives(figure, effector, seed):
    target = np.random.default_rng(seed).normal((0.0, 1.0, 2.0))
    goal = Aim(effector, target, weight=2.0, offset=(0.1, -0.2, 0.05), degrees_per_metre=60.0)
    assert_derivatives(Problem(figure(), goal), random_pose(figure(), seed))


def test_derivatives_close_to_the_eye():
    """Inside the last millimetre the rows fade out; they stay the derivatives of the value."""
    problem = Problem(drone(), Aim("body", (2e-4, 1e-4, 5e-4), degrees_per_metre=57.3))
    rest, step = drone().rest().angles, 1e-8
    slope = problem.gradient(rest)
    for i in range(slope.size):
        shift = step * np.eye(slope.size)[i]
        difference = (problem.value(rest + shift) - problem.value(rest - shift)) / (2 * step)
        assert slope[i] == pytest.approx(difference, rel=1e-4, abs=1e-6)


def test_with_the_target_at_the_eye_every_direction_is_met():
    for pose in (drone().rest(), at(ry=1.0, rx=-0.5)):
        problem = Problem(drone(), Aim("body", (0, 0, 0)))
        assert problem.value(pose) == pytest.approx(0.0, abs=1e-12)
        assert problem.errors(pose)["body"] == (0.0, 0.0)
        for derivative in (problem.gradient(pose), problem.jacobian(pose), problem.hessian(pose)):
            assert np.isfinite(derivative).all()
        assert poise.solve(drone(), Aim("body", (0, 0, 0)), start=pose).reached


def test_the_value_is_continuous_at_the_eye():
    value = Problem(drone(), Aim("body", (0, 0, 0))).value
    values = [value(at(tz=distance)) for distance in (1e-3, 1e-4, 1e-6, 1e-9, 0.0)]
    assert values == sorted(values, reverse=True)
    assert values[-1] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("method", able(Feature.AIM, methods=MONOTONE))
def test_looking_straight_away_it_turns_round(method):
    """The potential is flat there; the goal has a way down all the same."""
    target = (0.0, 0.0, -3.0)
    problem = Problem(drone(), Aim("body", target))
    rest = drone().rest()
    assert problem.errors(rest)["body"].angle == pytest.approx(math.pi, abs=0.01)
    assert np.abs(problem.gradient(rest)).max() > 0.0
    solution = poise.solve(drone(), Aim("body", target, chain="body_r*"), method=method)
    assert solution.reached
    assert np.array_equal(solution.angles[:3], (0, 0, 0))


@pytest.mark.parametrize(
    "goal",
    [
        Orientation("body", x=(-1, 0, 0), chain="body_r*"),
        Orientation("body", y=(0, -1, 0), chain="body_r*"),
        Orientation("body", x=(-1, 0, 0), y=(0, 1, 0), chain="body_r*"),
        Pose6D("body", (0, 0, 0), np.diag([-1, 1, -1]), chain="body_r*"),
        Pose6D("body", (0, 0, 0), np.diag([1, -1, -1]), chain="body_r*"),
    ],
    ids=["x", "y", "x, y", "half a turn about y", "half a turn about x"],
)
def test_so_do_directions_and_rotations(goal):
    problem = Problem(drone(), goal)
    rest = drone().rest()
    assert problem.errors(rest)["body"].angle == pytest.approx(math.pi, abs=0.01)
    assert np.isfinite(problem.gradient(rest)).all()
    assert poise.solve(drone(), goal).reached


def test_the_human_turns_its_head_round():
    eyes = human().rest().position("eyes")
    solution = solve_standing(Aim("eyes", eyes - (0.0, 0.0, 1.0)))
    assert solution.problem.errors(human().rest())["eyes"].angle > 3.1
    assert solution.errors["eyes"].angle < math.radians(90.0)


def test_standing():
    target = (1.0, 1.0, 1.0)
    solution = solve_standing(Aim("eyes", target))
    assert solution.reached
    pose = solution.pose
    line = np.array(target) - pose.position("eyes")
    angle = math.acos(min(1.0, line @ pose.rotation("eyes")[:, 2] / np.linalg.norm(line)))
    assert angle <= 1e-2
    assert solution.errors["eyes"].angle == pytest.approx(angle, abs=1e-6)


def test_a_moved_target_is_followed():
    solver = poise.Solver(drone(), Aim("body", (0, 0, 5), chain="body_r*"))
    for target in ((1, 0, 5), (2, 1, 5), (5, 2, 0)):
        assert solver.solve({"body": target}).reached
        line = np.array(target) / np.linalg.norm(target)
        assert solver.pose.rotation("body")[:, 2] @ line > math.cos(1e-2)


def test_an_unknown_effector_is_named():
    with pytest.raises(poise.FigureError, match="nose"):
        Problem(drone(), Aim("noes", (0, 0, 1)))
