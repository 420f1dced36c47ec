"""The best turn of one joint inside its range."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from kernels.wrappers import best_turn

numbers = st.floats(-10.0, 10.0)
ranges = st.tuples(st.floats(-7.0, 0.0), st.floats(0.0, 7.0))


@given(a=numbers, b=numbers, ends=ranges)
def test_no_turn_of_the_range_is_better(a, b, ends):
    low, high = ends
    turn = best_turn(a, b, 20.0, low, high)
    assert low <= turn <= high
    others = np.append(np.linspace(low, high, 200), ends)
    best = (a * np.cos(others) + b * np.sin(others)).max()
    slack = 1e-12 * 20.0  # what counts as no lever
    assert a * math.cos(turn) + b * math.sin(turn) >= best - 2.0 * slack


@given(a=numbers, b=numbers)
def test_without_limits_it_is_the_shortest_way(a, b):
    turn = best_turn(a, b, 20.0, -math.inf, math.inf)
    assert -math.pi <= turn <= math.pi


def test_without_a_lever_nothing_turns():
    assert best_turn(1e-16, -1e-16, 1.0, -1.0, 1.0) == 0.0
