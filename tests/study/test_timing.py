"""Times of repeated solves."""

from types import SimpleNamespace

import pytest

from poise.study import timing


def test_the_first_solve_is_the_answer_and_is_not_counted():
    times = iter([9.0, 0.1, 0.3, 0.2])
    solution, seconds = timing.timed(lambda: SimpleNamespace(time=next(times)), repeats=3)
    assert solution.time == 9.0
    assert seconds == pytest.approx(0.2)


def test_slow_solves_are_repeated_less_often():
    times = iter([0.0, 1.5, 1.5])
    assert timing.timed(lambda: SimpleNamespace(time=next(times)), repeats=50)[1] == 1.5
