"""Custom: goals that users write."""

import math

import numpy as np
import pytest
from derivatives import wavy
from goals.standing import arm, assert_honest, at, drone, feet, human, random_pose
from hypothesis import given
from hypothesis import strategies as st
from solve.cases import assert_inside_limits, custom_position, figure_named, same_bits, trial

import poise
from poise import AnyOf, Custom, GoalError, Position, Posture, Problem
from poise.solve.explanation import Cause

each_method = pytest.mark.parametrize("method", ["auto", "projected-gradient"])


def bowl(center):
    """‖θ - center‖² and its gradient."""

    def function(pose):
        away = pose.angles - center
        return away @ away, 2.0 * away

    return function


# -- what it is -----------------------------------------------------------------------------------


def test_bad_input_is_named():
    for function in (None, 3.0, "norm"):
        with pytest.raises(GoalError, match=r"function of the Custom goal 'custom' is .* takes a"):
            Custom(function)
    for bound in (-1.0, math.nan, math.inf, "x"):
        with pytest.raises(GoalError, match="met_below of the Custom goal 'low' is"):
            Custom(bowl(0.0), met_below=bound, name="low")
    with pytest.raises(GoalError, match=r"met_below .* is 0; give a number above 0, or None"):
        Custom(bowl(0.0), met_below=0.0)
    with pytest.raises(GoalError, match="weight of the Custom goal 'custom' is 0"):
        Custom(bowl(0.0), weight=0)


def test_value_and_gradient_are_weighted_and_added():
    goals = [Custom(bowl(0.5), weight=3.0), Position("body", (1, 0, 0)), Custom(bowl(0), name="b")]
    problem, pose = Problem(drone(), goals), at(tx=2.0, ry=1.0)
    assert problem.row_count == 3
    assert problem.value(pose) == pytest.approx(3.0 * (1.5**2 + 3 * 0.25 + 0.5**2) + 1.0 + 5.0)
    np.testing.assert_allclose(problem.gradient(pose), (9 + 2 + 4, -3, -3, 3 + 2, -3))
    assert set(problem.errors(pose)) == {"body"}
    hessian = problem.hessian(pose)
    np.testing.assert_allclose(np.diag(hessian), (10, 10, 10, 8, 8), atol=1e-9)


def test_any_of_and_weight_matrices_refuse_it():
    with pytest.raises(GoalError, match="AnyOf cannot take a Custom goal: it acts on all DOFs"):
        AnyOf(Position("hand", (0, 0, 0)), Custom(bowl(0.0)))
    with pytest.raises(
        GoalError, match="weight_matrix cannot be mixed with the Custom goal 'mine'"
    ):
        poise.solve(
            drone(),
            [Position("body", (0, 0, 0)), Custom(bowl(0.0), name="mine")],
            weight_matrix=np.eye(3),
        )


# -- its derivative -------------------------------------------------------------------------------


@given(seed=st.integers(0, 2**32 - 1))
def test_check_agrees_with_a_right_gradient(seed):
    phases = np.random.default_rng(seed).uniform(-3, 3, len(arm().dofs))
    pose = arm().pose(random_pose(arm(), seed % 2**31))
    assert Custom(wavy(phases)).check(pose) < 1e-6


def test_check_names_the_dof_of_a_wrong_gradient():
    def wrong(pose):
        value, gradient = bowl(0.1)(pose)
        gradient[3] *= 1.01
        return value, gradient

    with pytest.raises(GoalError, match=r"'mine' disagrees .* by 'body_ry' it is 1\.8.*give 1\.8"):
        Custom(wrong, name="mine").check(at(ry=1.0))
    assert Custom(wrong).check(at(ry=1.0), tolerance=0.1) == pytest.approx(0.01, rel=0.02)


def test_check_takes_a_pose():
    with pytest.raises(GoalError, match="is checked at a pose, not at"):
        Custom(bowl(0.0)).check([0.0, 1.0])


def test_check_of_a_constant():
    assert Custom(lambda pose: (5.0, np.zeros(5))).check(at()) == 0.0


# -- the answer -----------------------------------------------------------------------------------


@each_method
@pytest.mark.parametrize("reach", [0.9, 1.4], ids=["in reach", "out of reach"])
def test_a_user_written_position_ends_where_the_built_in_one_does(method, reach):
    """From the same side: with restarts, so that both find the nearest of all minima."""
    shoulder = arm().rest().position("upper_arm")
    target = shoulder + reach * (arm().pose(random_pose(arm(), 1)).position("hand") - shoulder)
    goals = [Position("hand", target), custom_position(arm(), "hand", target, met_below=1e-14)]
    built_in, own = (
        poise.solve(
            arm(), goal, method=method, tolerance=1e-7, optimality=1e-9, max_iterations=3000
        )
        for goal in goals
    )
    assert built_in.status == own.status
    assert own.value == pytest.approx(built_in.value, rel=1e-6, abs=1e-13)
    np.testing.assert_allclose(own.pose.position("hand"), built_in.pose.position("hand"), atol=1e-5)


@each_method
def test_a_user_written_position_among_other_goals(method):
    target = (0.35, 1.3, 0.45)
    own = custom_position(human(), "left_hand", target)
    solution = poise.solve(human(), [*feet(), own], method=method, max_iterations=5000)
    assert solution.errors.keys() == {"left_foot", "right_foot"}
    assert np.linalg.norm(solution.pose.position("left_hand") - target) < 2e-3


def test_it_is_brought_to_its_least():
    """Also in the middle of nowhere: the least value of this one is not zero."""

    def function(pose):
        x, y = pose.angles[:2]
        slope = np.array([2 * x + math.cos(x + y), 4 * y**3 + math.cos(x + y), 0, 0, 0])
        return 1.0 + x**2 + y**4 + math.sin(x + y), slope

    solution = poise.solve(drone(), Custom(function), start=at(tx=2.0, ty=-1.0))
    assert solution.reached
    np.testing.assert_allclose(function(solution.pose)[1], 0.0, atol=1e-5)


def test_it_bends_the_answer_of_other_goals():
    """The hand stays at its goal; the elbow flexes as the function likes."""
    elbow = arm().dof_index("elbow_flexion")

    def straight(pose):
        slope = np.zeros(len(arm().dofs))
        slope[elbow] = 2.0 * pose.angles[elbow]
        return pose.angles[elbow] ** 2, slope

    target = arm().pose(random_pose(arm(), 2)).position("hand")
    plain, mine = (
        poise.solve(arm(), [Position("hand", target), *more])
        for more in ([], [Custom(straight, weight=1e-6)])
    )
    assert mine.reached
    assert mine.errors["hand"].position <= 1e-3
    assert mine.angles[elbow] <= plain.angles[elbow] + 1e-3


@each_method
def test_with_a_bound_it_is_a_goal_that_a_solve_ends_at(method):
    goal = Custom(bowl(0.5), met_below=0.01)
    solution = poise.solve(drone(), goal, method=method)
    assert solution.reached
    assert solution.values == {"custom": pytest.approx(bowl(0.5)(solution.pose)[0])}
    assert solution.values["custom"] <= 0.01
    assert solution.explanation.goals[0].met
    assert "custom is met, at" in solution.explain()


@each_method
def test_a_bound_that_cannot_be_met_is_explained(method):
    stiff = drone().with_limits({"body_tx": (-1.0, 1.0)})
    goal = Custom(bowl(np.array([3.0, 0, 0, 0, 0])), met_below=0.5, name="right")
    solution = poise.solve(stiff, goal, method=method)
    assert solution.status is poise.Status.OPTIMAL
    assert solution.values["right"] == pytest.approx(4.0)
    (found,) = solution.explanation.goals
    assert (found.met, found.causes, found.value) == (
        False,
        (Cause.LIMITS,),
        solution.values["right"],
    )
    assert found.gain == pytest.approx(4.0 - 1.95**2, abs=1e-6)
    assert "right is not met, at 4: body_tx is at its 1.000 m limit; 5 cm more" in found.sentence()
    assert "would gain 0.198 (re-solved)" in found.sentence()


def test_it_is_named_as_a_rival():
    goals = [
        Position("body", (1, 0, 0)),
        Custom(bowl(0.0), weight=2.0, name="home"),
    ]
    (found,) = poise.solve(drone(), goals).explanation.goals
    assert (found.name, found.causes, found.rivals) == ("body", (Cause.CONFLICT,), ("home",))


def test_without_a_bound_it_is_never_unmet():
    goal = Custom(lambda pose: (7.0 + bowl(0.3)(pose)[0], bowl(0.3)(pose)[1]))
    solution = poise.solve(drone(), goal)
    assert solution.reached
    assert solution.values["custom"] == pytest.approx(7.0)
    assert solution.explanation.goals == ()


@each_method
def test_the_chain_says_who_moves(method):
    goal = Custom(bowl(0.3), chain=["elbow_*", "wrist_*"])
    solution = poise.solve(arm(), goal, method=method)
    chain = arm().match_dofs(["elbow_*", "wrist_*"])
    moved = np.flatnonzero(solution.angles != arm().rest().angles)
    assert set(moved) <= set(chain)
    np.testing.assert_allclose(
        solution.angles[chain], np.clip(0.3, arm().lower, arm().upper)[chain], atol=1e-5
    )


def test_the_weight_of_a_single_one_changes_nothing():
    goals = [custom_position(arm(), "hand", (0.1, 1.2, 0.3), weight=w) for w in (1.0, 4.0**5)]
    light, heavy = (poise.solve(arm(), goal) for goal in goals)
    np.testing.assert_allclose(light.angles, heavy.angles, atol=1e-6)


def test_a_figure_too_large_for_a_matrix():
    snake = poise.figures.snake(650)
    assert len(snake.dofs) > 600
    center = np.clip(0.05, snake.lower, snake.upper)
    solution = poise.solve(snake, Custom(bowl(center)))
    assert solution.reached
    np.testing.assert_allclose(solution.angles, center, atol=1e-5)


# -- guarantees -----------------------------------------------------------------------------------

MIXES = st.sampled_from(("position", "pose6d", "any_of", "distance", "posture"))


@each_method
@given(
    seed=st.integers(0, 2**32 - 1),
    figure_name=st.sampled_from(("arm", "every_joint", "human")),
    kind=MIXES,
    outside=st.sampled_from((0.0, 0.3)),
)
def test_limits_hold_and_the_value_never_rises(method, seed, figure_name, kind, outside):
    figure, goals, start = trial(figure_name, kind, seed, outside=outside, stretch=0.2)
    rng = np.random.default_rng(seed)
    own = Custom(wavy(rng.uniform(-3, 3, len(figure.dofs))), weight=10.0 ** rng.uniform(-4, 1))
    options = {"start": start, "method": method, "max_iterations": 60}
    solution = poise.solve(figure, [*goals, own], trace=True, **options)
    assert_honest(solution)
    assert_inside_limits(figure, [point.angles for point in solution.trace])
    again = poise.solve(figure, [*goals, own], **options)
    assert same_bits(solution.angles, again.angles)
    assert same_bits(solution.gradient, again.gradient)
    assert (solution.value, solution.evaluations) == (again.value, again.evaluations)
    np.testing.assert_allclose(
        solution.gradient, solution.problem.gradient(solution.pose), rtol=1e-9, atol=1e-11
    )


@each_method
def test_a_time_budget_ends_it(method):
    goal = Custom(bowl(0.5))
    solution = poise.solve(human(), goal, method=method, max_time=1e-9)
    assert solution.status is poise.Status.OUT_OF_TIME
    assert solution.evaluations == 1
    assert same_bits(solution.angles, human().rest().angles)


@each_method
def test_it_is_asked_once_for_each_evaluation(method):
    seen = []

    def function(pose):
        seen.append(pose.angles)
        return bowl(0.2)(pose)

    solution = poise.solve(figure_named("every_joint"), Custom(function), method=method)
    assert len(seen) == solution.evaluations
    assert_inside_limits(figure_named("every_joint"), seen)


# -- functions that fail --------------------------------------------------------------------------


def raises(pose):
    raise ZeroDivisionError("by nothing")


BAD = {
    "raises": (raises, r"raised ZeroDivisionError: by nothing"),
    "nothing": (lambda pose: None, r"returned None; return the pair \(value, gradient\)"),
    "a number": (lambda pose: 1.0, r"returned 1.0; return the pair"),
    "three": (lambda pose: (1.0, 2.0, 3.0), r"returned \(1.0, 2.0, 3.0\); return the pair"),
    "nan": (lambda pose: (math.nan, np.zeros(5)), "returned the value nan; return one finite"),
    "inf": (lambda pose: (math.inf, np.zeros(5)), "returned the value inf; return one finite"),
    "negative": (lambda pose: (-1.0, np.zeros(5)), "returned the value -1.0; .* >= 0"),
    "text": (lambda pose: ("low", np.zeros(5)), "returned the value 'low'; return one finite"),
    "many values": (lambda pose: (np.ones(2), np.zeros(5)), "returned the value array"),
    "short": (lambda pose: (1.0, np.zeros(3)), r"gradient of shape \(3,\); .* 5 DOFs"),
    "no gradient": (lambda pose: (1.0, None), r"gradient of shape \(\); .* 5 DOFs"),
    "words": (lambda pose: (1.0, ["a"] * 5), "returned the gradient "),
    "bad slope": (
        lambda pose: (1.0, [0, 0, 0, math.inf, 0]),
        "a gradient with inf for 'body_ry'; return one finite number for each",
    ),
}


@each_method
@pytest.mark.parametrize("kind", BAD)
def test_a_function_that_fails_is_named_and_changes_nothing(method, kind):
    function, message = BAD[kind]
    goals = [Position("body", (1, 0, 0)), Custom(bowl(0.3), name="mine", weight=1e-3)]
    solver = poise.Solver(drone(), goals, method=method, start=at(tx=0.5))
    solver.solve()
    before = solver.pose
    with pytest.raises(GoalError, match=f"the function of the Custom goal 'mine' .*{message}"):
        solver.solve({"mine": function, "body": (0, 1, 0)})
    assert solver.pose == before
    fresh = poise.Solver(drone(), goals, method=method, start=before)
    assert same_bits(solver.solve().angles, fresh.solve().angles)


def test_the_cause_is_kept():
    with pytest.raises(GoalError) as caught:
        poise.solve(drone(), Custom(raises))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_function_that_fails_later():
    """Deep inside a solve: nothing of it stays."""
    calls = []

    def function(pose):
        calls.append(pose)
        return bowl(0.3)(pose) if len(calls) != 4 else (math.nan, pose.angles)

    solver = poise.Solver(arm(), Custom(function))
    with pytest.raises(GoalError, match="the value nan"):
        solver.solve()
    assert solver.pose == arm().rest()
    assert same_bits(solver.solve().angles, poise.solve(arm(), Custom(bowl(0.3))).angles)


def test_a_function_is_moved_by_name():
    solver = poise.Solver(drone(), [Custom(bowl(0.0)), Posture(at(), weight=0.01)])
    first = solver.solve()
    moved = solver.solve({"custom": bowl(1.0)})
    np.testing.assert_allclose(moved.angles, 1.0 / 1.01, atol=1e-6)
    assert first.problem.value(at(tx=1.0)) == pytest.approx(1.01)
    assert moved.problem.value(at(tx=1.0)) == pytest.approx(4.01)
    with pytest.raises(GoalError, match="takes a pose"):
        solver.solve({"custom": 3.0})
