"""Numbers read and written as Python does, digit for digit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.kernels.decimals import WIDEST, read_numbers, write_numbers


def read(text):
    values = np.empty(len(text) // 2 + 1)
    count = read_numbers(np.frombuffer(bytearray(text, "ascii"), np.uint8), values)
    return values[:count].tolist()


def written(rows, decimals):
    rows = np.array(rows, float)
    text = np.empty(len(rows) * (rows.shape[1] * WIDEST + 1), np.uint8)
    used = write_numbers(rows, decimals, text)
    return None if used < 0 else text[:used].tobytes().decode()


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(values=st.lists(finite, max_size=6), style=st.sampled_from(["%.6f", "%g", "%r", "%.17g"]))
def test_a_number_is_read_as_python_reads_it_or_not_at_all(values, style):
    text = " \t\n".join(style % value for value in values)
    wanted = [float(word) for word in text.split()]
    found = read(text)
    assert len(found) == len(wanted)
    for here, there in zip(found, wanted, strict=True):
        assert np.isnan(here) or (here == there and np.signbit(here) == np.signbit(there))


@given(value=st.floats(-1e6, 1e6), decimals=st.integers(0, 9))
def test_what_files_are_made_of_is_read(value, decimals):
    text = f"{value:.{decimals}f}"
    assert read(text) == [float(text)]


@pytest.mark.parametrize("word", ["1.", ".5", "+2", "-0", "1e5", "1E-3", "00012.50", "0e999"])
def test_every_spelling(word):
    assert read(f"7 {word} 7") == [7.0, float(word), 7.0]


@pytest.mark.parametrize(
    "word",
    ["nan", "inf", ".", "-", "+", "e5", "1e", "1e+", "--1", "1.2.3", "1_0", "0x1", "1,5", "1e2.5"],
)
def test_what_is_no_plain_number_is_not_taken_for_one(word):
    first, middle, last = read(f"7 {word} 7")
    assert (first, last) == (7.0, 7.0)
    assert np.isnan(middle)


def test_words_are_split_as_python_splits_them():
    text = "".join(f"1{chr(byte)}" for byte in range(128) if not chr(byte).isprintable())
    assert len(read(text)) == len(text.split())


def test_more_words_than_room_are_counted():
    values = np.empty(2)
    assert read_numbers(np.frombuffer(bytearray(b"1 2 3 4"), np.uint8), values) == 4
    assert values.tolist() == [1.0, 2.0]


@given(value=st.floats(-1e9, 1e9), decimals=st.integers(0, 15))
def test_a_number_is_written_as_python_writes_it_or_not_at_all(value, decimals):
    text = written([[value, 0.25]], decimals)
    plain = f"{value:.{decimals}f}"
    if text is not None:
        first, second = text.removesuffix("\n").split(" ")
        assert first == (plain if float(plain) else plain.removeprefix("-"))
        assert second == f"{0.25:.{decimals}f}"


@given(whole=st.integers(-(10**9), 10**9), decimals=st.integers(0, 6))
def test_rounded_numbers_are_written(whole, decimals):
    value = whole / 10**decimals
    assert written([[value]], decimals) == f"{value:.{decimals}f}\n"


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300, 2.0**53])
def test_what_cannot_be_written_is_not(value):
    assert written([[1.0, value]], 6) is None


def test_lines_without_columns():
    assert written(np.zeros((3, 0)), 6) == "\n\n\n"
