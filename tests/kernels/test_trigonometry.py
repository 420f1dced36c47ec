from fractions import Fraction
from math import factorial, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.wrappers import rotation_coefficients, sines_cosines


def both(angles):
    angles = np.asarray(angles, float)
    sines, cosines = np.empty_like(angles), np.empty_like(angles)
    sines_cosines(angles, sines, cosines)
    return sines, cosines


def assert_accurate(angles):
    sines, cosines = both(angles)
    assert np.abs(sines - np.sin(angles)).max() <= 3e-16
    assert np.abs(cosines - np.cos(angles)).max() <= 3e-16


@pytest.mark.parametrize("scale", [1e-9, 1.0, 10.0, 1e3, 1e5])
def test_sine_and_cosine_of_many_angles(scale):
    assert_accurate(np.random.default_rng(0).uniform(-scale, scale, 200_000))


def test_sine_and_cosine_next_to_multiples_of_a_quarter_turn():
    quarters = np.arange(-63_661, 63_662) * (0.5 * np.pi)
    assert_accurate(quarters)
    assert_accurate(np.nextafter(quarters, np.inf))
    assert_accurate(np.nextafter(quarters, -np.inf))
    assert_accurate(quarters + 0.25 * np.pi)  # where the reduction changes its quarter


@given(st.lists(st.floats(-1e5, 1e5), min_size=1, max_size=17))
def test_sine_and_cosine_of_any_angles(angles):
    assert_accurate(np.array(angles))


def test_an_angle_has_the_same_bits_wherever_it_stands():
    angles = np.random.default_rng(1).uniform(-1e3, 1e3, 37)
    sines, cosines = both(angles)
    for i, angle in enumerate(angles):
        sine, cosine = both([angle])
        assert (sine[0], cosine[0]) == (sines[i], cosines[i])


def test_zero_is_exact_and_nan_stays_nan():
    sines, cosines = both([0.0, np.nan])
    assert (sines[0], cosines[0]) == (0.0, 1.0)
    assert isnan(sines[1])
    assert isnan(cosines[1])


def series(angle_squared):
    """a, b, c and the slopes 2 db/dz, 2 dc/dz (z = φ²) by exact rational power series."""
    z, terms = Fraction(angle_squared), 45

    def total(first, slope):
        result = Fraction(0)
        for k in range(slope, terms):
            factor = Fraction((-1) ** k, factorial(2 * k + first))
            result += 2 * k * factor * z ** (k - 1) if slope else factor * z**k
        return float(result)

    return total(1, 0), total(2, 0), total(3, 0), total(2, 1), total(3, 1)


@given(
    st.one_of(
        st.floats(0.0, 2e-3), st.floats(0.0, 60.0), st.sampled_from([1e-3, np.nextafter(1e-3, 0)])
    )
)
def test_coefficients_of_a_rotation_vector(angle_squared):
    made, expected = rotation_coefficients(angle_squared), series(angle_squared)
    # The formulas lose digits towards φ² = 1e-3, where they are multiplied by φ, φ² and φ³.
    for value, exact, atol in zip(made, expected, (1e-15, 2e-13, 3e-13, 4e-10, 1e-9), strict=True):
        assert abs(value - exact) <= atol
