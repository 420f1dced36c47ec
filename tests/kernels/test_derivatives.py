"""Gradient, Jacobian and Hessian of every joint kind × goal kind against central differences."""

import numpy as np
import pytest
from derivatives import (
    GOALS,
    TWO_EFFECTORS,
    WEIGHABLE,
    assert_derivatives,
    cases_of,
    problem_of,
    row_count,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from joints import JOINTS, random_figure

from poise import joint
from poise.figure.builtin import human, jack, snake
from poise.figure.figure import Figure
from poise.figure.segment import Segment
from poise.goals import Pose6D, Position
from poise.problem import Problem


@pytest.mark.parametrize(("case", "kind"), **cases_of(GOALS))
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32 - 1))
def test_one_goal(case, kind, seed):
    assert_derivatives(*problem_of(case, [GOALS[kind]], np.random.default_rng(seed)))


@pytest.mark.parametrize("case", JOINTS, ids=lambda case: case.name)
def test_goals_of_all_kinds_together(case):
    rng = np.random.default_rng(1)
    made = [GOALS["pose"], GOALS["two directions"], GOALS["position"]]
    assert_derivatives(*problem_of(case, made, rng))


@pytest.mark.parametrize(("case", "kind"), **cases_of(WEIGHABLE))
def test_full_weight_matrix(case, kind):
    rng = np.random.default_rng(2)
    made = [GOALS[kind], GOALS["position"], GOALS[kind]]
    assert_derivatives(*problem_of(case, made, rng, weighted=True))


@given(data=st.data(), seed=st.integers(0, 2**32 - 1), weighted=st.booleans())
def test_random_trees(data, seed, weighted):
    cases = data.draw(st.lists(st.sampled_from(JOINTS), min_size=1, max_size=6))
    parents = [None] + [data.draw(st.integers(0, i - 1)) for i in range(1, len(cases))]
    one_ended = [kind for kind in GOALS if kind not in TWO_EFFECTORS]
    unweighted = list(GOALS) if len(cases) > 1 else one_ended
    known = list(WEIGHABLE) if weighted else unweighted
    kinds = data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=4))
    rng = np.random.default_rng(seed)
    figure = random_figure(cases, parents, rng)
    pose = figure.pose(rng.uniform(-1.0, 1.0, len(figure.dofs)))
    goals = []
    for i, kind in enumerate(kinds):
        site = f"site{data.draw(st.integers(0, len(cases) - 1))}"
        goal = GOALS[kind](site, pose, rng)
        object.__setattr__(goal, "name", f"goal{i}")
        goals.append(goal)
    count = row_count(goals)
    factor = rng.normal(size=(count, count)) / np.sqrt(count)
    matrix = factor @ factor.T + np.eye(count) if weighted else None
    assert_derivatives(Problem(figure, goals, weight_matrix=matrix), pose.angles.copy())


@pytest.mark.parametrize("figure", [human(), jack(), snake(40)], ids=lambda f: f.name)
def test_built_in_figures(figure):
    rng = np.random.default_rng(3)
    pose = figure.pose(figure.rest().angles + rng.uniform(-0.3, 0.3, len(figure.dofs)))
    names = figure.effector_names[:4]
    goals = [GOALS[kind](name, pose, rng) for name, kind in zip(names, WEIGHABLE, strict=True)]
    assert_derivatives(Problem(figure, goals), pose.angles.copy())


@pytest.mark.parametrize("made", [joint.rotation_vector(), joint.free(), joint.swing_twist(3.0)])
@pytest.mark.parametrize("length", [0.0, 1e-9, 1e-4, 0.03, 0.0317, 1.0, 3.0, 5.0])
def test_charts_of_any_length(made, length):
    """Across the change from series to formula, and beyond half a turn."""
    figure = Figure("one", [Segment("s", None, made)])
    rng = np.random.default_rng(4)
    angles = rng.normal(size=len(figure.dofs))
    turning = angles[-3:] if made.kind != "swing-twist" else angles[:2]
    turning *= length / np.linalg.norm(turning)
    if length == 0.0:
        turning[:] = 0.0
    goal = Position("s", rng.normal(size=3), offset=rng.normal(size=3))
    assert_derivatives(Problem(figure, goal), angles)


def test_at_half_a_turn_there_is_a_way_down():
    """There no turn changes the angle to first order; the gradient is that of just before it."""
    figure = Figure("one", [Segment("s", None, joint.ball("XYZ"))])
    half = np.diag([1.0, -1.0, -1.0])  # half a turn about x
    problem = Problem(figure, Pose6D("s", (0, 0, 0), half))
    for start in (np.zeros(3), np.array([1e-7, 0.0, 0.0]), np.array([-1e-7, 0.0, 0.0])):
        slope = problem.gradient(start)
        assert abs(slope[0]) > 0.0
        step = 0.01 * slope / np.abs(slope).max()
        assert problem.value(start - step) < problem.value(start)


def test_columns_off_a_goals_path_are_zero():
    problem, angles = problem_of(JOINTS[1], [GOALS["position"]] * 2, np.random.default_rng(6))
    figure = problem.figure
    matrix = problem.jacobian(angles)
    branch = figure.match_dofs(["s3*", "s4*"])
    beyond = figure.match_dofs(["s1*", "s2*"])
    assert not matrix[:3, branch].any()
    assert not matrix[3:, beyond].any()
    assert matrix[:3, beyond].all(axis=0).any()
    hessian = problem.hessian(angles)
    assert not hessian[np.ix_(branch, beyond)].any()


def test_problems_do_not_remember_the_pose_before():
    problem, angles = problem_of(JOINTS[-1], [GOALS["pose"]], np.random.default_rng(7), True)
    first = problem.jacobian(angles), problem.gradient(angles), problem.hessian(angles)
    problem.jacobian(np.zeros_like(angles))
    problem.hessian(np.zeros_like(angles))
    again = problem.jacobian(angles), problem.gradient(angles), problem.hessian(angles)
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, other)
