"""The bounded Newton step: its factorisation against NumPy, its answer by the KKT conditions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels.arenas import arenas_of, random_problem, symmetric
from kernels.wrappers import factorise, multiply_hessian, solve_factorised, take_dof_step

from poise.figure.builtin import human, snake, spider
from poise.kernels import layout
from poise.problem import Problem

seeds = st.integers(0, 2**32 - 1)
FIGURES = {figure.name: figure for figure in (human(), spider(), snake(30))}
ROUNDS = 60


def prepared(seed, name="human", exact=False, weighted=False):
    """Arenas of a random problem with a mobility of its own for each DOF."""
    rng = np.random.default_rng(seed)
    problem, angles = random_problem(FIGURES[name], rng)
    if weighted:
        root = rng.normal(size=(problem.row_count,) * 2)
        matrix = root @ root.T + np.eye(problem.row_count)
        problem = Problem(problem.figure, problem.goals, weight_matrix=matrix)
    arenas = arenas_of(problem, angles, exact)
    mobility = arenas[layout.MOBILITY]
    mobility *= rng.uniform(0.3, 1.5, mobility.size)
    mobility[rng.random(mobility.size) < 0.1] = 0.0
    return arenas, rng


def bounded(seed, name="human", weighted=False):
    """The same with bounds and a pull, as `bound_step` sets them."""
    arenas, rng = prepared(seed, name, weighted=weighted)
    n = arenas[layout.STEP].size
    low, high = -rng.exponential(0.2, n), rng.exponential(0.2, n)
    low[rng.random(n) < 0.2], high[rng.random(n) < 0.2] = 0.0, 0.0
    low[rng.random(n) < 0.1], high[rng.random(n) < 0.1] = -np.inf, np.inf
    arenas[layout.LOW][:], arenas[layout.HIGH][:] = low, high
    arenas[layout.PULLED][:] = 0.1 * rng.normal(size=n)
    fixed = arenas[layout.MOBILITY] == 0.0
    for section in (layout.LOW, layout.HIGH, layout.PULLED):
        arenas[section][fixed] = 0.0
    arenas[layout.HELD][:] = fixed
    return arenas


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=8)
@given(seed=seeds)
def test_products_and_solutions_match_numpy(name, exact, weighted, seed):
    arenas, rng = prepared(seed, name, exact, weighted)
    matrix, n = symmetric(arenas), arenas[layout.STEP].size
    x, result = rng.normal(size=n), np.empty(n)
    arenas.call(multiply_hessian, x, result)
    scale = np.abs(matrix).max()
    np.testing.assert_allclose(result, matrix @ x, atol=1e-12 * scale * n)

    held = rng.random(n) < rng.choice([0.0, 0.3, 0.9])
    arenas[layout.HELD][:] = held
    free = np.where(held, 0.0, arenas[layout.MOBILITY])
    # Enough damping to make any of these matrices positive definite
    damping = 0.1 * scale + (0.0 if not exact else np.abs(np.linalg.eigvalsh(matrix)).max() * 3.0)
    system = matrix * np.outer(free, free)
    system[np.diag_indices(n)] += np.where(free > 0.0, damping, 1.0)
    assert arenas.call(factorise, damping)
    solution = x.copy()
    arenas.call(solve_factorised, solution)
    np.testing.assert_allclose(solution, np.linalg.solve(system, x), atol=1e-10)


@given(seed=seeds)
def test_a_matrix_that_is_not_positive_definite_is_said_so(seed):
    arenas, _ = prepared(seed)
    matrix = symmetric(arenas)
    free = arenas[layout.MOBILITY]
    smallest = np.linalg.eigvalsh(matrix * np.outer(free, free))[0]
    scale = np.abs(matrix).max()
    assert not arenas.call(factorise, -smallest - 0.1 * scale)
    arenas[layout.GRADIENT][:] = 1.0
    definite, _ = arenas.call(take_dof_step, -smallest - 0.1 * scale, 3)
    assert not definite


def assert_optimal(arenas, damping, atol=1e-8):
    """The KKT conditions of: minimise g·d + dᵀHd + λ‖(d - p)/s‖² inside the bounds."""
    step, low, high = arenas[layout.STEP], arenas[layout.LOW], arenas[layout.HIGH]
    mobile = arenas[layout.MOBILITY] > 0.0
    metric = damping / np.where(mobile, arenas[layout.MOBILITY], 1.0) ** 2
    slope = arenas[layout.GRADIENT] + 2.0 * symmetric(arenas) @ step
    slope += 2.0 * metric * (step - arenas[layout.PULLED])
    slope[~mobile] = 0.0
    atol *= 1.0 + np.abs(arenas[layout.GRADIENT]).max()
    assert (low <= step).all()
    assert (step <= high).all()
    np.testing.assert_array_less(-atol, slope[(step < high) & (step == low)])
    np.testing.assert_array_less(slope[(step > low) & (step == high)], atol)
    inside = (low < step) & (step < high)
    np.testing.assert_allclose(slope[inside], 0.0, atol=atol)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=15)
@given(seed=seeds)
def test_a_step_that_has_settled_is_exact(name, weighted, seed):
    arenas, more = bounded(seed, name, weighted), bounded(seed, name, weighted)
    damping = 0.1 * np.abs(arenas[layout.HESSIAN]).max()
    definite, model = arenas.call(take_dof_step, damping, ROUNDS)
    more.call(take_dof_step, damping, ROUNDS + 1)
    assert definite
    step = arenas[layout.STEP]
    if np.array_equal(step, more[layout.STEP]):
        assert_optimal(arenas, damping)
    value = arenas[layout.SCALARS][layout.VALUE]
    expected = value + arenas[layout.GRADIENT] @ step + step @ symmetric(arenas) @ step
    np.testing.assert_allclose(model, expected, rtol=1e-10, atol=1e-10 * (1.0 + value))


@pytest.mark.parametrize("name", FIGURES)
def test_steps_settle(name):
    done = 0
    for seed in range(40):
        arenas, more = bounded(seed, name), bounded(seed, name)
        damping = 0.01 * np.abs(arenas[layout.HESSIAN]).max()
        arenas.call(take_dof_step, damping, ROUNDS)
        more.call(take_dof_step, damping, ROUNDS + 1)
        done += np.array_equal(arenas[layout.STEP], more[layout.STEP])
    assert done >= 38


@given(seed=seeds, rounds=st.integers(1, 4))
def test_stays_inside_the_bounds_after_any_number_of_rounds(seed, rounds):
    arenas = bounded(seed)
    arenas.call(take_dof_step, 1e-3 * np.abs(arenas[layout.HESSIAN]).max(), rounds)
    step = arenas[layout.STEP]
    assert (arenas[layout.LOW] <= step).all()
    assert (step <= arenas[layout.HIGH]).all()
    assert not step[arenas[layout.MOBILITY] == 0.0].any()
