"""The bounded step in rows against SciPy's bounded least squares."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.arenas import Arenas, arenas_of, random_problem, scratch, symmetric
from kernels.wrappers import prepare_rows, release_rows, take_row_step
from scipy.optimize import lsq_linear

from poise.figure.builtin import human
from poise.kernels import layout

seeds = st.integers(0, 2**32 - 1)
ROUNDS = 1000  # enough for any of these


def random_step(rng, n, r, frozen=0.2, tight=0.5):
    """Arenas of a random step of n DOFs and r rows; some DOFs are frozen, some at a bound."""
    sections = scratch(n, r, 1) | {
        layout.GOAL_ROW: np.array([0, r]),
        layout.GOAL_REACH: np.array([n]),
        layout.JACOBIAN: rng.normal(size=(r, n)),
        layout.ROWS: rng.normal(size=r),
        layout.MOBILITY: np.where(rng.random(n) < frozen, 0.0, rng.uniform(0.2, 2.0, n)),
    }
    arenas = Arenas(sections)
    low, high = -rng.exponential(tight, n), rng.exponential(tight, n)
    low[rng.random(n) < 0.2], high[rng.random(n) < 0.2] = 0.0, 0.0
    low[rng.random(n) < 0.1], high[rng.random(n) < 0.1] = -np.inf, np.inf
    arenas[layout.LOW][:], arenas[layout.HIGH][:] = low, high
    arenas[layout.PULLED][:] = 0.3 * rng.normal(size=n)
    fix = arenas[layout.MOBILITY] == 0.0  # as `bound_step` does
    for section in (layout.LOW, layout.HIGH, layout.PULLED):
        arenas[section][fix] = 0.0
    arenas[layout.HELD][:] = fix
    arenas.call(prepare_rows)
    return arenas


def reference(arenas, damping):
    """minimise ‖e + Jd‖² + λ‖(d - p)/s‖² inside the bounds, by SciPy."""
    r, n = arenas[layout.ROWS].size, arenas[layout.STEP].size
    matrix = arenas[layout.JACOBIAN].reshape(r, n)
    low, high = arenas[layout.LOW], arenas[layout.HIGH]
    free = (low < high) & (arenas[layout.MOBILITY] > 0.0)
    scale = np.sqrt(damping) / arenas[layout.MOBILITY][free]
    step = np.clip(0.0, low, high)
    right = -arenas[layout.ROWS] - matrix[:, ~free] @ step[~free]
    stacked = np.vstack([matrix[:, free], np.diag(scale)])
    target = np.concatenate([right, scale * arenas[layout.PULLED][free]])
    bounds = (low[free], high[free])
    if free.any():
        step[free] = lsq_linear(stacked, target, bounds, method="bvls", tol=1e-15).x
    return step


@given(seed=seeds, n=st.integers(1, 25), r=st.integers(1, 12), damping=st.floats(0.02, 5.0))
def test_gives_the_exact_solution(seed, n, r, damping):
    arenas = random_step(np.random.default_rng(seed), n, r)
    expected = reference(arenas, damping)
    model = arenas.call(take_row_step, damping, ROUNDS)
    step = arenas[layout.STEP]
    np.testing.assert_allclose(step, expected, atol=1e-8)
    left = arenas[layout.ROWS] + arenas[layout.JACOBIAN].reshape(r, n) @ step
    np.testing.assert_allclose(model, left @ left, rtol=1e-12)


@pytest.mark.parametrize(("n", "r", "tight"), [(9, 2, 0.5), (20, 9, 0.1), (71, 18, 0.3)])
def test_narrow_bounds_and_many_of_them(n, r, tight):
    """Here many DOFs wish from one of their bounds beyond the other."""
    for seed in range(40):
        arenas = random_step(np.random.default_rng(seed), n, r, tight=tight)
        expected = reference(arenas, 0.1)
        arenas.call(take_row_step, 0.1, ROUNDS)
        np.testing.assert_allclose(arenas[layout.STEP], expected, atol=1e-8)


@given(seed=seeds, rounds=st.integers(1, 4))
def test_stays_inside_the_bounds_after_any_number_of_rounds(seed, rounds):
    arenas = random_step(np.random.default_rng(seed), 20, 9, tight=0.1)
    arenas.call(take_row_step, 0.1, rounds)
    step = arenas[layout.STEP]
    assert (arenas[layout.LOW] <= step).all()
    assert (step <= arenas[layout.HIGH]).all()


@given(seed=seeds)
def test_any_guess_of_the_held_dofs_gives_the_same_step(seed):
    first, second = (random_step(np.random.default_rng(seed), 15, 4) for _ in range(2))
    movable = second[layout.MOBILITY] > 0.0
    second[layout.HELD][movable] = np.random.default_rng(seed).random(movable.sum()) < 0.5
    first.call(take_row_step, 2.0, ROUNDS)
    second.call(take_row_step, 2.0, ROUNDS)
    np.testing.assert_allclose(first[layout.STEP], second[layout.STEP], atol=1e-9)


@given(seed=seeds, rounds=st.integers(1, 6))
def test_releasing_restores_the_matrix(seed, rounds):
    arenas = random_step(np.random.default_rng(seed), 20, 9, tight=0.1)
    before = symmetric(arenas, layout.GRAM)
    arenas.call(take_row_step, 0.1, rounds)
    arenas.call(release_rows)
    np.testing.assert_allclose(symmetric(arenas, layout.GRAM), before, atol=1e-12)
    assert not arenas[layout.HELD][arenas[layout.MOBILITY] > 0.0].any()


def test_without_bounds_it_is_a_damped_gauss_newton_step():
    arenas = random_step(np.random.default_rng(1), 12, 5, frozen=0.0)
    arenas[layout.LOW][:], arenas[layout.HIGH][:] = -np.inf, np.inf
    arenas.call(take_row_step, 0.3, 1)
    matrix = arenas[layout.JACOBIAN].reshape(5, 12)
    metric = np.diag(0.3 / arenas[layout.MOBILITY] ** 2)
    right = metric @ arenas[layout.PULLED] - matrix.T @ arenas[layout.ROWS]
    expected = np.linalg.solve(matrix.T @ matrix + metric, right)
    np.testing.assert_allclose(arenas[layout.STEP], expected, atol=1e-11)


def test_a_system_that_is_not_positive_definite_is_said_so():
    arenas = random_step(np.random.default_rng(2), 6, 3)
    arenas[layout.GRAM][:] = -np.eye(3).reshape(-1)
    assert arenas.call(take_row_step, 0.1, 3) == -1.0


@pytest.mark.parametrize("seed", range(5))
def test_the_matrix_of_the_human_needs_only_shared_columns(seed):
    problem, angles = random_problem(human(), np.random.default_rng(seed), 6)
    arenas = arenas_of(problem, angles)
    arenas.call(prepare_rows)
    scaled = problem.jacobian(angles) * problem.mobility
    np.testing.assert_array_equal(arenas[layout.SCALED], scaled.reshape(-1))
    np.testing.assert_allclose(symmetric(arenas, layout.GRAM), scaled @ scaled.T, atol=1e-11)
