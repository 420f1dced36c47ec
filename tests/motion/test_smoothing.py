"""Smoothing over a whole clip: the banded solve against a dense one, and what it keeps."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from poise.motion.smoothing import jitter, smoothed, strength_of


@given(count=st.integers(3, 40), strength=st.floats(1e-3, 1e4), seed=st.integers(0, 99))
def test_the_banded_solve_is_the_dense_one(count, strength, seed):
    values = np.random.default_rng(seed).normal(size=(count, 2))
    second = np.diff(np.eye(count), 2, axis=0)
    dense = np.linalg.solve(np.eye(count) + strength * second.T @ second, values)
    np.testing.assert_allclose(smoothed(values, strength), dense, atol=1e-8)


def test_lines_stay_and_short_clips_too():
    line = np.linspace(0.0, 3.0, 20)[:, None] * [1.0, -2.0]
    np.testing.assert_allclose(smoothed(line, 1e3), line, atol=1e-9)
    np.testing.assert_array_equal(smoothed(line[:2], 1e3), line[:2])
    assert jitter(line) < 1e-12
    assert jitter(line[:2]) == 0.0


def test_the_cutoff_halves_a_swing():
    time = np.arange(2000) / 100.0
    swing = np.sin(2.0 * np.pi * 5.0 * time)[:, None]
    middle = slice(500, 1500)
    left = np.abs(smoothed(swing, strength_of(5.0, 0.01))[middle]).max()
    assert abs(left - 0.5) < 0.02
