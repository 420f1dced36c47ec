"""The small inverses of the half Jacobian: three rows in closed form, six by LU."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.wrappers import halved, solve_lu, solve_three

seeds = st.integers(0, 2**32 - 1)


def system(n, seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, n + 4))
    return rows @ rows.T, rng.normal(size=n)


@given(seed=seeds)
def test_three_rows_by_cofactors(seed):
    matrix, right = system(3, seed)
    x = right.copy()
    solve_three(matrix.reshape(-1).copy(), x)
    np.testing.assert_allclose(matrix @ x, right, rtol=1e-8, atol=1e-10)


@given(n=st.integers(1, 6), seed=seeds)
def test_lu_of_any_size(n, seed):
    matrix, right = system(n, seed)
    x = right.copy()
    solve_lu(matrix.reshape(-1).copy(), n, x)
    np.testing.assert_allclose(matrix @ x, right, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(("error", "count"), [(0.5, 0), (1.0, 0), (1.01, 1), (9.0, 4), (1e9, 20)])
def test_errors_are_halved_until_they_are_allowed(error, count):
    assert halved(error, 1.0, 20.0) == 0.5**count


def test_an_error_that_is_no_number_is_not_halved():
    assert halved(math.nan, 1.0, 20.0) == 1.0
