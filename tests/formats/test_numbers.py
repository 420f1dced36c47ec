"""Rows of numbers in text: the same whether they are plain or not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from poise.formats import numbers
from poise.formats.numbers import lines_of, numbers_of

ANY = arrays(np.float64, st.tuples(st.integers(0, 9), st.integers(0, 5)), elements=st.floats())


@given(values=st.lists(st.floats(), max_size=9), expected=st.integers(0, 20))
def test_all_numbers_are_read_as_python_reads_them(values, expected):
    text = " ".join(map(repr, values))
    np.testing.assert_array_equal(numbers_of(text, expected), values)


@pytest.mark.parametrize("text", ["1 x 3", "1 ü 3", "1 2\x853 4e"])
def test_what_is_no_number_is_nan(text):
    found = numbers_of(text, 3)
    assert len(found) == len(text.split())
    assert found[0] == 1.0
    assert np.isnan(found).any()


def test_letters_of_other_alphabets_may_separate():
    np.testing.assert_array_equal(numbers_of("1\u20032\xa03", 3), [1.0, 2.0, 3.0])


@given(rows=ANY, decimals=st.integers(0, 15))
def test_lines_are_those_of_python(rows, decimals):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "LINES_AT_ONCE", 4)
        found = b"".join(lines_of(rows, decimals)).decode()
    wanted = [" ".join(f"{value + 0.0:.{decimals}f}" for value in row) + "\n" for row in rows]
    for here, there in zip(found.split(), "".join(wanted).split(), strict=True):
        assert here == there or (float(here) == 0.0 and there == "-" + here)
    assert found.count("\n") == len(rows)
