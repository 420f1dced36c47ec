"""Products with the Hessian, and Newton steps, without the matrix."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joints import JOINTS, random_figure
from kernels.arenas import arenas_of, random_problem, symmetric
from kernels.wrappers import multiply_matrix_free, take_krylov_step, turn_disc_derivatives

from poise.figure.builtin import human, snake, spider
from poise.kernels import layout
from poise.problem import Problem

seeds = st.integers(0, 2**32 - 1)
FIGURES = {figure.name: figure for figure in (human(), spider(), snake(30))}


@settings(max_examples=30)
@given(data=st.data(), seed=seeds)
def test_products_are_those_of_the_matrix(data, seed):
    """On any joints, swings in their (radial, tangential) coordinates included."""
    cases = data.draw(st.lists(st.sampled_from(JOINTS), min_size=4, max_size=7))
    parents = [None] + [data.draw(st.integers(0, i - 1)) for i in range(1, len(cases))]
    rng = np.random.default_rng(seed)
    problem, angles = random_problem(random_figure(cases, parents, rng), rng)
    arenas = arenas_of(problem, angles)
    arenas.call(turn_disc_derivatives, True)
    matrix, n = symmetric(arenas), angles.size
    x, result = rng.normal(size=n), np.empty(n)
    kept = x.copy()
    arenas.call(multiply_matrix_free, x, result)
    np.testing.assert_allclose(x, kept, atol=1e-14)  # turned and turned back
    np.testing.assert_allclose(
        result, matrix @ kept, atol=1e-11 * (1.0 + np.abs(matrix).max(initial=0.0))
    )


def bounded(seed, name):
    rng = np.random.default_rng(seed)
    problem, angles = random_problem(FIGURES[name], rng)
    arenas = arenas_of(problem, angles)
    n = angles.size
    arenas[layout.LOW][:], arenas[layout.HIGH][:] = (
        -rng.exponential(0.2, n),
        rng.exponential(0.2, n),
    )
    arenas[layout.HELD][:] = (rng.random(n) < 0.2) | (arenas[layout.MOBILITY] == 0.0)
    fixed = arenas[layout.HELD] != 0
    arenas[layout.LOW][fixed], arenas[layout.HIGH][fixed] = 0.0, 0.0
    arenas[layout.SCALARS][layout.RESIDUAL] = arenas[layout.SCALARS][layout.START_RESIDUAL] = 1.0
    return arenas


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=15)
@given(seed=seeds, share=st.sampled_from([1e-3, 1.0, 1e3]))
def test_a_step_stays_inside_and_its_model_value_is_right(name, seed, share):
    arenas = bounded(seed, name)
    model = arenas.call(take_krylov_step, share * np.abs(arenas[layout.HESSIAN]).max())
    step = arenas[layout.STEP]
    assert (arenas[layout.LOW] <= step).all()
    assert (step <= arenas[layout.HIGH]).all()
    value = arenas[layout.SCALARS][layout.VALUE]
    expected = value + arenas[layout.GRADIENT] @ step + step @ symmetric(arenas) @ step
    np.testing.assert_allclose(model, expected, rtol=1e-10, atol=1e-10 * (1.0 + value))
    # Clamping may cost what the step gains; a short one is always downhill.
    if share == 1e3 and np.abs(arenas[layout.GRADIENT][arenas[layout.HELD] == 0]).max() > 1e-6:
        assert model < value


@pytest.mark.parametrize("name", FIGURES)
def test_close_to_the_optimum_it_is_the_newton_step(name):
    """The smaller the residual is against that of the start, the more exact the step."""
    arenas = bounded(5, name)
    arenas[layout.LOW][:], arenas[layout.HIGH][:] = -np.inf, np.inf
    arenas[layout.SCALARS][layout.RESIDUAL] = 1e-20
    matrix = symmetric(arenas)
    damping = 2.0 * np.abs(np.linalg.eigvalsh(matrix)).max()
    arenas.call(take_krylov_step, damping)
    free = np.flatnonzero((arenas[layout.HELD] == 0) & (arenas[layout.MOBILITY] > 0.0))
    scale = arenas[layout.MOBILITY][free]
    system = matrix[np.ix_(free, free)] * np.outer(scale, scale) + damping * np.eye(free.size)
    expected = np.zeros(len(matrix))
    slope = arenas[layout.GRADIENT][free]
    expected[free] = scale * np.linalg.solve(system, -0.5 * scale * slope)
    np.testing.assert_allclose(arenas[layout.STEP], expected, atol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_weight_matrix_is_in_the_jacobian(weighted):
    """With W the product still is that of the matrix."""
    rng = np.random.default_rng(8)
    problem, angles = random_problem(snake(12), rng, 2)
    root = rng.normal(size=(problem.row_count,) * 2)
    matrix = root @ root.T + np.eye(problem.row_count) if weighted else None
    arenas = arenas_of(Problem(problem.figure, problem.goals, weight_matrix=matrix), angles)
    x, result = rng.normal(size=angles.size), np.empty(angles.size)
    expected = symmetric(arenas) @ x
    arenas.call(multiply_matrix_free, x, result)
    np.testing.assert_allclose(result, expected, atol=1e-11 * (1.0 + np.abs(expected).max()))
