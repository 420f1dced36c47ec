"""The Solution: consistent in itself, and honest about limits."""

import numpy as np
import pytest
from solve.cases import FIGURES, figure_named, fullest, pairs, same_bits, trial, two_link

import poise
from poise import Segment, Site, joint

ROOM = np.radians(0.01)
"""How far a limit gives way where a multiplier is checked."""


def solved(figure_name, kind="position", seed=0, **options):
    figure, goals, start = trial(figure_name, kind, seed, stretch=1.0)
    return poise.solve(figure, goals, start=start, **options)


def blocked_arm():
    """A two-link arm whose elbow cannot straighten enough."""
    return poise.solve(two_link(0.8, 2.5), poise.Position("tip", (0.0, 1.95, 0.0)))


def cone_figure(half_angle):
    segments = [
        Segment("base", None),
        Segment("boom", "base", joint.swing_twist(half_angle, axis="Y")),
    ]
    return poise.Figure("cone", segments, [Site("tip", "boom", (0.05, 0.5, 0.02))])


# -- consistent in itself -------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "figure_name"), pairs())
def test_the_residual_is_that_of_the_pose(method, figure_name):
    for seed in range(4):
        solution = solved(figure_name, fullest(method), seed, method=method, max_iterations=30)
        figure, problem = solution.problem.figure, solution.problem
        movable = problem.mobility > 0
        moved = solution.angles - np.where(movable, solution.gradient, 0.0)
        step = figure.pose(moved).clamped().angles - solution.angles
        assert solution.residual == pytest.approx(np.abs(step).max(), rel=1e-9, abs=1e-15)
        assert solution.start_residual > 0


def test_the_errors_are_those_of_the_pose():
    figure = figure_named("arm")
    target = np.array([0.4, 1.8, 0.9])
    rotation = np.eye(3)
    solution = poise.solve(figure, poise.Pose6D("hand", target, rotation))
    error = solution.errors["hand"]
    assert error.position == pytest.approx(
        np.linalg.norm(solution.pose.position("hand") - target), rel=1e-9
    )
    cosine = (np.trace(rotation.T @ solution.pose.rotation("hand")) - 1) / 2
    assert error.angle == pytest.approx(np.arccos(cosine), rel=1e-6)


def test_goals_of_one_effector_are_told_apart():
    figure = figure_named("arm")
    goals = [
        poise.Position("hand", (0.0, 2.0, 0.0)),
        poise.Orientation("hand", np.eye(3)),
        poise.Position("hand", (0.0, -2.0, 0.0), name="tug"),
    ]
    solution = poise.solve(figure, goals)
    assert list(solution.errors) == ["hand", "hand:orientation", "tug"]
    assert solution.errors["hand"].angle == 0.0
    assert solution.errors["hand:orientation"].position == 0.0
    assert solution.errors["tug"].position > 1.0


def test_contradicting_goals_meet_in_the_middle():
    figure = figure_named("human")
    hand = figure.rest().position("left_hand")
    goals = [
        poise.Position("left_hand", hand + 0.1),
        poise.Position("left_hand", hand - 0.1, name="other"),
    ]
    solution = poise.solve(figure, goals)
    assert solution.status is poise.Status.OPTIMAL
    np.testing.assert_allclose(solution.pose.position("left_hand"), hand, atol=1e-4)


def test_the_pose_is_the_angles():
    solution = blocked_arm()
    assert same_bits(solution.pose.angles, solution.angles)
    assert solution.pose is solution.pose
    for array in (solution.angles, solution.gradient, solution.goal_errors, solution.targets):
        assert not array.flags.writeable


def test_a_trace_is_given_only_when_asked_for():
    figure, goals, start = trial("arm", "position", 1)
    assert poise.solve(figure, goals, start=start).trace == ()
    trace = poise.solve(figure, goals, start=start, trace=True).trace
    assert [point.evaluations for point in trace] == list(range(1, len(trace) + 1))
    assert same_bits(trace[0].angles, start.angles)
    problem = poise.Problem(figure, goals)
    for point in trace:
        assert point.value == pytest.approx(problem.value(point.angles), rel=1e-12)


def test_repr_says_how_it_ended():
    assert "OPTIMAL" in repr(blocked_arm())


def test_the_targets_are_those_of_the_solve():
    figure = figure_named("arm")
    solver = poise.Solver(figure, poise.Position("hand", figure.rest().position("hand")))
    target = (0.0, 5.0, 0.0)
    solution = solver.solve({"hand": target})
    np.testing.assert_array_equal(solution.targets[0, :3], target)
    goal = poise.Problem(figure, poise.Position("hand", target))
    assert solution.value == pytest.approx(goal.value(solution.pose), rel=1e-12)


# -- require --------------------------------------------------------------------------------------


def test_require_gives_a_solution_that_reaches_its_goals():
    figure = figure_named("arm")
    solution = poise.solve(figure, poise.Position("hand", figure.rest().position("hand")))
    assert solution.require() is solution


def test_require_raises_with_the_solution_and_its_reasons():
    solution = blocked_arm()
    with pytest.raises(poise.UnreachedError) as caught:
        solution.require()
    assert caught.value.solution is solution
    assert isinstance(caught.value, poise.PoiseError)
    assert "tip" in str(caught.value)
    assert "fore" in str(caught.value)
    assert "OPTIMAL" in str(caught.value)


# -- active limits --------------------------------------------------------------------------------


@pytest.mark.parametrize("figure_name", FIGURES)
def test_active_limits_are_those_that_the_gradient_presses_against(figure_name):
    pressed = 0
    for seed in range(10):
        solution = solved(figure_name, "pose6d", seed)
        figure, limits = solution.problem.figure, solution.active_limits
        multipliers = [limit.multiplier for limit in limits]
        assert multipliers == sorted(multipliers, reverse=True)
        boxes = {(limit.dof, limit.side): limit for limit in limits if limit.side != "cone"}
        for i, name in enumerate(figure.dof_names):
            angle, slope = solution.angles[i], solution.gradient[i]
            for side, bound, sign in (
                ("lower", figure.lower[i], 1.0),
                ("upper", figure.upper[i], -1.0),
            ):
                limit = boxes.get((name, side))
                if angle == bound and sign * slope > 1e-8 + 20.0 * solution.residual:
                    assert limit is not None
                if limit is not None:
                    assert angle == bound
                    assert limit.multiplier > solution.residual
                    assert limit.value == bound
                    assert limit.multiplier == sign * slope
                    assert limit.kind == figure.dofs[i].kind
                    pressed += 1
    assert pressed > 0


@pytest.mark.parametrize("figure_name", ["human", "jack", "spider", "snake", "every_joint"])
def test_a_multiplier_predicts_the_value_with_more_room(figure_name):
    """To first order: relaxing a limit by 0.01° lowers the value by multiplier times that."""
    checked = 0
    for seed in range(6):
        solution = solved(figure_name, "position", seed, optimality=1e-9)
        figure, goals = solution.problem.figure, solution.problem.goals
        boxes = [limit for limit in solution.active_limits if limit.side != "cone"]
        for limit in boxes[:2]:
            i = figure.dof_index(limit.dof)
            lower, upper = figure.lower[i], figure.upper[i]
            bounds = (lower - ROOM, upper) if limit.side == "lower" else (lower, upper + ROOM)
            relaxed = figure.with_limits({limit.dof: bounds})
            again = poise.solve(relaxed, goals, start=solution.angles, restarts=0, optimality=1e-9)
            gain = solution.value - again.value
            assert gain == pytest.approx(limit.multiplier * ROOM, rel=0.01)
            checked += 1
    assert checked > 3


def test_a_cone_s_multiplier_predicts_the_value_with_more_room():
    goal = poise.Position("tip", (1.0, 0.0, 0.3))
    solution = poise.solve(cone_figure(0.7), goal, optimality=1e-9)
    (limit,) = solution.active_limits
    assert (limit.dof, limit.side, limit.value) == ("boom_swing_x", "cone", 0.7)
    wider = poise.solve(cone_figure(0.7 + ROOM), goal, start=solution.angles, optimality=1e-9)
    assert solution.value - wider.value == pytest.approx(limit.multiplier * ROOM, rel=0.01)


def test_a_frozen_dof_is_no_active_limit():
    figure = two_link(0.8, 2.5).with_rigidity({"fore": 1.0})
    goal = poise.Position("tip", (0.0, 1.95, 0.0))
    assert poise.solve(figure, goal, start=[0.3, 0.8]).active_limits == ()


def test_a_reached_goal_presses_against_nothing_that_matters():
    figure = figure_named("human")
    solution = poise.solve(figure, poise.Position("left_hand", (0.4, 1.2, 0.4)), tolerance=1e-6)
    assert solution.reached
    assert all(limit.multiplier < 1e-5 for limit in solution.active_limits)


def test_limits_are_shown_in_degrees_or_metres():
    (limit,) = blocked_arm().active_limits
    assert limit.shown() == "45.8°"
    assert limit._replace(kind="translation").shown() == "0.800 m"
