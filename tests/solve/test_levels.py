"""Levels: a goal never worsens one of a higher level, and does what is left as well as it can."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solve.cases import (
    METHODS,
    assert_inside_limits,
    effectors_of,
    figure_named,
    goals_at,
    random_pose,
    stage,
    trial,
)

import poise
from poise.solve.level_state import SLACK

SEEDS = st.integers(0, 2**16)
ABLE = [name for name, method in poise.methods().items() if method.exact_phase is not None]


def assert_guarantee(solution):
    """No goal of a higher level is worse than its own level left it, beyond the stated slack."""
    tolerance = solution.problem.tolerance
    for name, level in zip(solution.problem.goal_names, solution.problem.levels, strict=True):
        if level == solution.problem.level_count or name not in solution.errors:
            continue
        own, now = solution.level_errors[name], solution.errors[name]
        for reached, error, allowed in zip(own, now, tolerance, strict=True):
            assert error <= max(reached, allowed) + SLACK * allowed


def searches(solution):
    """The values of each search: evaluations are counted anew in every one."""
    values = [[]]
    for before, point in itertools.pairwise([None, *solution.trace]):
        new = before is not None and (
            point.evaluations <= before.evaluations or point.attempt != before.attempt
        )
        if new:
            values.append([])
        values[-1].append(point.value)
    return values


@pytest.mark.parametrize("method", ABLE)
@pytest.mark.parametrize("figure_name", ["arm", "human"])
@settings(max_examples=12, deadline=None, derandomize=True, database=None)
@given(seed=SEEDS, stretch=st.sampled_from([0.0, 0.1, 1.0]), count=st.integers(2, 3))
def test_no_level_worsens_one_above_it(method, figure_name, seed, stretch, count):
    figure, goals, start = trial(figure_name, "pose6d", seed, stretch=stretch)
    rng = np.random.default_rng(seed)
    if len(goals) < count:
        pose = random_pose(figure, rng)
        goals = [*goals, *goals_at(pose, ("elbow",)), *goals_at(pose, ("hand",), "aim")]
    levels = [1 + k % count for k in range(len(goals))]
    weights = 10.0 ** rng.uniform(-2, 2, len(goals))
    goals = [
        goal.changed(level=level, weight=float(weight), name=f"goal {k}")
        for k, (goal, level, weight) in enumerate(zip(goals, levels, weights, strict=True))
    ]
    options = {"method": method, "restarts": 1, "max_iterations": 400}
    solver = poise.Solver(figure, goals, start=start, **options)
    for solution in (solver.solve(trace=True), solver.solve(trace=True)):  # cold, then warm
        assert_guarantee(solution)
        assert_inside_limits(figure, np.array([point.angles for point in solution.trace]))
        assert_inside_limits(figure, solution.angles)
        for values in searches(solution):
            assert (np.diff(values) <= 0.0).all()


def test_a_lower_level_moves_within_what_the_higher_leaves():
    """A table that must stay on the line x = 0.2 and would like to be at (0.9, 0.7)."""
    figure = stage((-1, 1), (-1, 1))
    line = poise.Plane("table", (0.2, 0, 0), (1, 0, 0), name="line")
    for weight in (1e-3, 1.0, 1e3):
        wish = poise.Position("table", (0.9, 0.7, 0.0), level=2, weight=weight, name="wish")
        solution = poise.solve(figure, [wish, line])
        assert solution.pose.position("table") == pytest.approx((0.2, 0.7, 0.0), abs=1e-3)
        assert solution.errors["line"].position <= 1e-3
        assert solution.errors["wish"].position == pytest.approx(0.7, abs=2e-3)
        assert solution.status is poise.Status.OPTIMAL


def test_goals_of_one_level_are_weighed_and_their_numbers_say_only_the_order():
    figure = stage((-1, 1), (-1, 1))
    ends = [poise.Position("table", (x, 0, 0), name=f"{x}", level=1) for x in (-0.4, 0.4)]
    below = poise.Position("table", (0.3, 0.5, 0), name="below", level=2)
    solution = poise.solve(figure, [*ends, below])
    assert solution.pose.position("table")[0] == pytest.approx(0.0, abs=1e-4)
    alone = poise.solve(figure, [end.changed(level=1) for end in ends])
    for name, error in alone.errors.items():
        assert solution.errors[name].position <= error.position + SLACK * 1e-3


def test_a_posture_on_the_last_level_takes_what_is_left():
    human = figure_named("human")
    rest = human.rest()
    goals = goals_at(rest, effectors_of("human")[:4])
    wanted = rest.with_angles({"left_elbow_flexion": rest["left_elbow_flexion"] + 0.3})
    hands = [goal.moved(goal.position + np.array([0, 0.1, 0.1])) for goal in goals]
    solution = poise.solve(human, [*hands, poise.Posture(wanted, level=2, weight=1e6)])
    assert solution.reached
    assert_guarantee(solution)
    weighed = poise.solve(human, [*hands, poise.Posture(wanted, weight=1e6)])
    assert not weighed.reached  # without levels the weight decides


def test_postures_alone_can_have_levels():
    """Those of the first level hold all DOFs that they have a weight for."""
    arm = figure_named("arm")
    first = arm.rest().with_angles({"elbow_flexion": 0.8})
    second = arm.rest().with_angles({"elbow_flexion": 1.5, "wrist_flexion": 0.3})
    one = poise.Posture(first, weights={"wrist*": 0.0}, name="first")
    solver = poise.Solver(arm, [one, poise.Posture(second, level=2, name="second")])
    for _ in range(2):
        solution = solver.solve()
        assert solution.reached
        assert solution.pose["elbow_flexion"] == pytest.approx(0.8, abs=1e-6)
        assert solution.pose["wrist_flexion"] == pytest.approx(0.3, abs=1e-6)


@pytest.mark.parametrize(
    ("goals", "words"),
    [
        ([("hand", 2)], r"level 1 is empty, though level 2 is not; .*give the goals of level 2"),
        ([("hand", 1), ("elbow", 4)], r"level 2 is empty, though level 4 is not"),
    ],
)
def test_an_empty_level_is_named(goals, words):
    arm = figure_named("arm")
    with pytest.raises(poise.GoalError, match=words):
        poise.Problem(arm, [poise.Position(e, (0, 1, 0), level=level) for e, level in goals])


@pytest.mark.parametrize("level", [0, -1, 1.5, None, True, "1"])
def test_what_is_no_level_is_named(level):
    with pytest.raises(poise.GoalError, match="level of the Position goal on 'hand' is"):
        poise.Position("hand", (0, 1, 0), level=level)


def test_who_cannot_solve_levels_says_who_can():
    arm = figure_named("arm")
    goals = [poise.Position("hand", (0, 1, 0)), poise.Position("elbow", (0, 1, 0), level=2)]
    for method in set(METHODS) - set(ABLE):
        with pytest.raises(poise.OptionError, match=r"one level only; .* use 'auto'"):
            poise.Solver(arm, goals, method=method)
    mine = poise.Custom(lambda pose: (0.0, np.zeros(7)))
    with pytest.raises(poise.GoalError, match="Custom goal 'custom' cannot be held by levels"):
        poise.Problem(arm, [*goals, mine])
    with pytest.raises(poise.GoalError, match="weight_matrix weighs all goals against each other"):
        poise.Problem(arm, goals, weight_matrix=np.eye(6))
