import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.wrappers import cholesky, solve_cholesky

sizes = st.integers(1, 40)
seeds = st.integers(0, 2**32 - 1)


def positive(n, seed, smallest=0.1):
    """A random symmetric matrix whose eigenvalues lie in [smallest, 10]."""
    rng = np.random.default_rng(seed)
    vectors = np.linalg.qr(rng.normal(size=(n, n)))[0]
    return (vectors * rng.uniform(smallest, 10.0, n)) @ vectors.T, rng


@given(n=sizes, seed=seeds)
def test_factor_and_solve(n, seed):
    matrix, rng = positive(n, seed)
    flat = np.tril(matrix).reshape(-1).copy()  # what lies above the diagonal does not count
    assert cholesky(flat, n)
    factor = np.tril(flat.reshape(n, n))
    np.fill_diagonal(factor, 1.0 / np.diag(factor))
    np.testing.assert_allclose(factor, np.linalg.cholesky(matrix), atol=1e-12)
    right = rng.normal(size=n)
    x = right.copy()
    solve_cholesky(flat, n, x)
    np.testing.assert_allclose(matrix @ x, right, atol=1e-11)


@given(n=sizes, seed=seeds)
def test_the_upper_triangle_is_left_alone(n, seed):
    matrix, _ = positive(n, seed)
    flat = matrix.reshape(-1).copy()
    flat.reshape(n, n)[np.triu_indices(n, 1)] = 77.0
    cholesky(flat, n)
    assert (flat.reshape(n, n)[np.triu_indices(n, 1)] == 77.0).all()


@given(n=sizes, seed=seeds)
def test_a_matrix_that_is_not_positive_definite_is_refused(n, seed):
    matrix, rng = positive(n, seed)
    vector = rng.normal(size=n)
    vector /= np.linalg.norm(vector)
    bent = matrix - (vector @ matrix @ vector + 0.1) * np.outer(vector, vector)
    assert not cholesky(bent.reshape(-1).copy(), n)


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan])
def test_bad_pivots_are_refused(bad):
    for k in range(3):
        matrix = np.eye(3)
        matrix[k, k] = bad
        assert not cholesky(matrix.reshape(-1), 3)
