"""Explanations: stretched, held by limits, in conflict, or not finished."""

import numpy as np
import pytest
from solve.cases import METHODS, figure_named, stage, two_link

import poise
from poise.problem import GoalErrors
from poise.solve.explain import Cause, describe_error

BLOCKED = poise.Position("tip", (0.0, 1.95, 0.0))


def only_goal(solution):
    (goal,) = solution.explanation.goals
    return goal


@pytest.mark.parametrize("method", METHODS)
def test_a_limit_that_holds_a_goal_off(method):
    """The elbow cannot straighten below 0.8 rad; with 5° more the tip comes nearer."""
    solution = poise.solve(two_link(0.8, 2.5), BLOCKED, method=method)
    goal = only_goal(solution)
    assert goal.causes == (Cause.LIMITS,)
    assert [limit.dof for limit in goal.limits] == ["fore"]
    assert goal.limits[0].multiplier == pytest.approx(solution.active_limits[0].multiplier)
    reach = [2.0 * np.cos(bend / 2) for bend in (0.8, 0.8 - np.radians(5.0))]
    assert goal.error.position == pytest.approx(1.95 - reach[0], abs=1e-6)
    assert goal.gain == pytest.approx(reach[1] - reach[0], rel=1e-3)
    text = solution.explain()
    for part in ("OPTIMAL", "tip", "10.8 cm", "fore", "lower", "45.8°", "3.2 cm"):
        assert part in text


def test_a_moved_goal_is_explained_where_it_was_moved_to():
    solver = poise.Solver(two_link(0.8, 2.5), poise.Position("tip", (0.0, 1.0, 0.0)))
    assert only_goal(solver.solve()).met
    goal = only_goal(solver.solve({"tip": BLOCKED.position}))
    fresh = only_goal(poise.solve(two_link(0.8, 2.5), BLOCKED))
    assert goal.causes == fresh.causes
    assert goal.gain == pytest.approx(fresh.gain, rel=1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_a_stretched_arm(method):
    goal = poise.Position("tip", (0.0, 3.0, 0.0))
    solution = poise.solve(two_link(), goal, start=[0.2, 0.3], method=method, max_iterations=10**5)
    assert only_goal(solution).causes == (Cause.STRETCHED,)
    assert only_goal(solution).limits == ()
    assert "stretched" in solution.explain()


@pytest.mark.parametrize("method", METHODS)
def test_goals_in_conflict(method):
    goals = [
        poise.Position("tip", (0.0, 1.5, 0.0)),
        poise.Position("tip", (1.5, 0.0, 0.0), name="other"),
    ]
    solution = poise.solve(two_link(), goals, start=[0.2, 0.3], method=method)
    one, other = solution.explanation.goals
    assert one.causes == other.causes == (Cause.CONFLICT,)
    assert one.rivals == ("other",)
    assert other.rivals == ("tip",)
    assert "other holds it back" in solution.explain()


def test_a_solve_that_ended_early():
    goal = poise.Position("tip", (0.0, 1.5, 0.0))
    solution = poise.solve(two_link(), goal, start=[0.2, 0.3], max_iterations=1)
    assert only_goal(solution).causes[0] is Cause.UNFINISHED
    assert not solution.explanation.optimal
    assert "OUT_OF_ITERATIONS" in solution.explain()


def test_a_slide_is_explained_in_metres():
    solution = poise.solve(stage((-1, 1), (-1, 1)), poise.Position("table", (3, 0, 0)))
    goal = only_goal(solution)
    assert goal.gain == pytest.approx(0.05, abs=1e-6)
    assert "1.000 m" in solution.explain()
    assert "5 cm more in table_tx" in solution.explain()


def test_met_goals_have_no_reasons():
    figure = figure_named("human")
    hand, foot = figure.rest().position("left_hand"), figure.rest().position("left_foot")
    solution = poise.solve(
        figure,
        [
            poise.Position("left_foot", foot),
            poise.Position("left_hand", hand + np.array([0.1, 0.1, 0.1])),
        ],
    )
    for goal in solution.explanation.goals:
        assert goal.met
        assert goal.causes == ()
        assert goal.sentence().startswith(f"{goal.name} is met")
    assert "limit" not in solution.explain()


def test_a_hand_out_of_reach_names_what_holds_it():
    """Only the arm may move: the collar's limits hold the hand off, and are named."""
    figure = figure_named("human")
    solution = poise.solve(figure, poise.Position("left_hand", (0.2, 2.6, 0.2), chain="left_*"))
    goal = only_goal(solution)
    assert Cause.LIMITS in goal.causes
    named = {limit.dof for limit in goal.limits}
    assert named == {limit.dof for limit in solution.active_limits}
    assert all(name.startswith("left_") for name in named)
    assert goal.gain is not None
    assert goal.gain > 0
    assert all(limit.dof in solution.explain() for limit in solution.active_limits[:5])


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (GoalErrors(0.1234, 0.0), "12.3 cm"),
        (GoalErrors(0.0, np.radians(3.0)), "3.0°"),
        (GoalErrors(0.01, np.radians(3.0)), "1.0 cm and 3.0°"),
        (GoalErrors(0.0, 0.0), "0.0 cm"),
    ],
)
def test_errors_are_described_in_centimetres_and_degrees(error, text):
    assert describe_error(error) == text
