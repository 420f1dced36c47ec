"""What is learned of the curvature of the user's own goals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.arenas import Arenas
from kernels.wrappers import add_custom_curvature, learn_curvature

from poise.kernels import layout
from poise.kernels.custom import CUSTOM_VECTORS

seeds = st.integers(0, 2**32 - 1)


def arenas_of(n, mobility=None, diagonal=False):
    custom = layout.CUSTOM_GRADIENT + n + 1
    return Arenas(
        {
            layout.COUNTERS: layout.COUNTER_COUNT,
            layout.MOBILITY: np.ones(n) if mobility is None else mobility,
            layout.ANGLES: n,
            layout.TRIAL: n,
            layout.CUSTOM: custom,
            layout.CUSTOM_TRIAL: custom,
            layout.CUSTOM_CURVATURE: n if diagonal else n * n,
            layout.VECTORS: CUSTOM_VECTORS * n,
        }
    )


def show_step(arenas, step, change):
    """Learn from a step over which the gradient changed by `change`."""
    n = step.size
    arenas[layout.TRIAL][:] = arenas[layout.ANGLES] + step
    gradient = slice(layout.CUSTOM_GRADIENT, layout.CUSTOM_GRADIENT + n)
    before = arenas[layout.CUSTOM][gradient]
    arenas[layout.CUSTOM_TRIAL][gradient] = before + change
    arenas.call(learn_curvature)


def half_hessian(arenas):
    """What is added to the Hessian of f / 2, both triangles."""
    n = arenas[layout.ANGLES].size
    matrix = np.zeros(n * n)
    arenas.call(add_custom_curvature, matrix)
    lower = matrix.reshape(n, n)
    return lower + np.tril(lower, -1).T


@given(seed=seeds, n=st.integers(1, 9), turns=st.integers(1, 20))
def test_a_step_along_which_it_curves_upwards_is_remembered_exactly(seed, n, turns):
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(n, n))
    true = factor @ factor.T + np.eye(n)
    arenas = arenas_of(n)
    arenas[layout.CUSTOM][:] = rng.uniform(0.1, 1.0, arenas[layout.CUSTOM].size)
    half_hessian(arenas)  # the first guess
    show_step(arenas, rng.normal(size=n), rng.normal(size=n))
    for _ in range(turns):
        step = rng.normal(size=n)
        expected = step @ (2.0 * half_hessian(arenas)) @ step
        show_step(arenas, step, true @ step)
        if step @ true @ step >= 0.2 * expected:
            np.testing.assert_allclose(2.0 * half_hessian(arenas) @ step, true @ step, rtol=1e-6)


@given(seed=seeds, n=st.integers(1, 9))
def test_it_stays_positive_definite_whatever_it_is_shown(seed, n):
    rng = np.random.default_rng(seed)
    arenas = arenas_of(n)
    arenas[layout.CUSTOM][:] = rng.uniform(0.1, 1.0, arenas[layout.CUSTOM].size)
    half_hessian(arenas)  # the first guess
    for _ in range(12):
        show_step(arenas, rng.normal(size=n), rng.normal(size=n))
        matrix = arenas[layout.CUSTOM_CURVATURE].reshape(n, n)
        np.testing.assert_array_equal(matrix, matrix.T)
        assert np.linalg.eigvalsh(matrix).min() > 0.0


@pytest.mark.parametrize("diagonal", [False, True])
def test_no_step_teaches_nothing(diagonal):
    arenas = arenas_of(3, diagonal=diagonal)
    show_step(arenas, np.array([1.0, 0.0, 0.0]), np.array([2.0, 0.0, 0.0]))
    before = arenas[layout.CUSTOM_CURVATURE].copy()
    show_step(arenas, np.zeros(3), np.zeros(3))
    np.testing.assert_array_equal(arenas[layout.CUSTOM_CURVATURE], before)


def test_the_first_guess_is_that_of_a_square():
    """For (a·θ)² it is right along the gradient."""
    arenas = arenas_of(3)
    a, angles = np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.2, 0.1])
    gradient = 2.0 * (a @ angles) * a
    arenas[layout.CUSTOM][layout.CUSTOM_SUM] = (a @ angles) ** 2
    arenas[layout.CUSTOM][layout.CUSTOM_GRADIENT : layout.CUSTOM_GRADIENT + 3] = gradient
    np.testing.assert_allclose(half_hessian(arenas) @ gradient, np.outer(a, a) @ gradient)


def test_frozen_dofs_have_no_curvature():
    arenas = arenas_of(3, np.array([1.0, 0.0, 0.5]))
    show_step(arenas, np.array([0.1, 0.0, 0.2]), np.array([0.4, 5.0, 0.3]))
    matrix = half_hessian(arenas)
    assert not matrix[1].any()
    assert not matrix[:, 1].any()


def test_a_large_figure_keeps_the_diagonal():
    """All of it is scaled so that it fits the last step."""
    arenas = arenas_of(4, np.array([1.0, 2.0, 0.5, 0.0]), diagonal=True)
    step, change = np.array([0.1, -0.2, 0.3, 0.0]), np.array([0.5, -0.1, 0.2, 9.0])
    show_step(arenas, step, change)
    scale = (1.0 * 0.5**2 + 4.0 * 0.1**2 + 0.25 * 0.2**2) / (step @ change)
    np.testing.assert_allclose(arenas[layout.CUSTOM_CURVATURE], [scale, scale / 4, scale * 4, 0.0])
