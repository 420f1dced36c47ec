"""Half of JᵀJ, and where the Hessian is zero; the exact one is checked in test_derivatives.py."""

import numpy as np
import pytest
from derivatives import GOALS, TWO_EFFECTORS, row_count
from hypothesis import given, settings
from hypothesis import strategies as st
from joints import JOINTS, random_figure
from kernels.arenas import arenas_of, random_problem, symmetric

from poise.figure.builtin import human, snake, spider
from poise.kernels import layout
from poise.problem import Problem


def assert_gauss_newton(problem, angles):
    arenas = arenas_of(problem, angles, exact=False)
    matrix = problem.jacobian(angles)
    scale = 1.0 + np.abs(matrix).max(initial=0.0) ** 2
    np.testing.assert_allclose(symmetric(arenas), matrix.T @ matrix, atol=1e-12 * scale)


@pytest.mark.parametrize("figure", [human(), spider(), snake(30)], ids=lambda f: f.name)
@pytest.mark.parametrize("seed", range(3))
def test_the_gauss_newton_part_is_the_jacobian_squared(figure, seed):
    assert_gauss_newton(*random_problem(figure, np.random.default_rng(seed), 5))


@pytest.mark.parametrize("kind", [kind for kind in GOALS if kind not in TWO_EFFECTORS])
@settings(max_examples=10)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_on_random_trees(kind, data, seed):
    cases = data.draw(st.lists(st.sampled_from(JOINTS), min_size=1, max_size=6))
    parents = [None] + [data.draw(st.integers(0, i - 1)) for i in range(1, len(cases))]
    rng = np.random.default_rng(seed)
    figure = random_figure(cases, parents, rng)
    pose = figure.pose(rng.uniform(-1.0, 1.0, len(figure.dofs)))
    goal = GOALS[kind](f"site{len(cases) - 1}", pose, rng)
    assert_gauss_newton(Problem(figure, goal), pose.angles.copy())


def test_with_a_weight_matrix():
    rng = np.random.default_rng(4)
    problem, angles = random_problem(human(), rng, 3)
    root = rng.normal(size=(row_count(problem.goals),) * 2)
    weighted = Problem(
        problem.figure, problem.goals, weight_matrix=root @ root.T + np.eye(len(root))
    )
    assert_gauss_newton(weighted, angles)


def test_dofs_of_different_limbs_are_not_coupled():
    """Only those above a DOF are: otherwise the factorisation would have to fill in."""
    body = human()
    problem, angles = random_problem(body, np.random.default_rng(5), 6)
    arenas = arenas_of(problem, angles)
    lower = arenas[layout.HESSIAN].reshape(71, 71)
    left, right = body.match_dofs("left_*"), body.match_dofs("right_*")
    assert not lower[np.ix_(left, right)].any()
    assert not lower[np.ix_(right, left)].any()
    assert not problem.hessian(angles)[np.ix_(left, right)].any()
