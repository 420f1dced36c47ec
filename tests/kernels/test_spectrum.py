"""Eigenvalues and eigenvectors of small symmetric matrices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import wrappers


def decomposed(matrix):
    n = len(matrix)
    values, vectors = np.empty(n), np.empty((n, n))
    wrappers.eigen(np.tril(matrix).reshape(-1), n, vectors.reshape(-1), values, np.empty(n))
    return values, vectors


def assert_decomposes(matrix):
    values, vectors = decomposed(matrix)
    size = max(np.abs(matrix).max(initial=0.0), 1e-300)
    n = len(matrix)
    np.testing.assert_allclose(vectors @ vectors.T, np.eye(n), atol=1e-13 * max(n, 1))
    rebuilt = vectors.T @ np.diag(values) @ vectors
    np.testing.assert_allclose(rebuilt, matrix, rtol=0, atol=1e-13 * max(n, 1) * size)
    if n:
        expected = np.linalg.eigvalsh(matrix)
        np.testing.assert_allclose(np.sort(values), expected, rtol=0, atol=1e-13 * n * size)


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(0, 40),
    rank=st.integers(0, 40),
    scale=st.sampled_from((1e-12, 1.0, 1e9)),
    seed=st.integers(0, 2**32 - 1),
)
def test_random_matrices_of_any_rank(n, rank, scale, seed):
    factor = np.random.default_rng(seed).normal(size=(n, rank))
    assert_decomposes(scale * factor @ factor.T)


@pytest.mark.parametrize(
    "matrix",
    [
        np.zeros((4, 4)),
        np.eye(5),
        np.diag([3.0, -1.0, 0.0, 3.0]),
        np.ones((6, 6)),
        np.array([[0.0, 1.0], [1.0, 0.0]]),
        np.array([[2.0]]),
        np.diag(np.arange(6.0)) + np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1),
        np.diag([1.0, 1e-9, 1e-18]),
    ],
    ids=["zero", "identity", "diagonal", "ones", "swap", "one", "three diagonals", "graded"],
)
def test_matrices_that_are_special(matrix):
    assert_decomposes(matrix)


def test_it_ends_on_what_is_not_a_number():
    values, _ = decomposed(np.full((3, 3), np.nan))
    assert np.isnan(values).any()
