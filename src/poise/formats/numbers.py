"""Long rows of numbers in text files: what makes most of a motion file."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from poise.kernels.decimals import WIDEST, read_numbers, write_numbers

Array = NDArray[np.float64]

LINES_AT_ONCE = 4096


def numbers_of(text: str, expected: int) -> Array:
    """All numbers of a text, as `float` reads each; NaN in the place of a word that is none.

    expected: how many there probably are; a wrong one costs time only.
    """
    if not text.isascii():
        return _slowly(text.split(), np.full(len(text.split()), np.nan))
    # A private, writable copy: a read-only array would compile the kernel a second time.
    content = np.frombuffer(bytearray(text, "ascii"), np.uint8)
    values = np.empty(min(expected, len(content) // 2 + 1))
    count = read_numbers(content, values)
    if count > len(values):
        values = np.empty(count)
        read_numbers(content, values)
    values = values[:count]
    return _slowly(text.split(), values) if np.isnan(values).any() else values


def _slowly(words: list[str], values: Array) -> Array:
    """The values with those that are NaN read by Python."""
    for i in np.flatnonzero(np.isnan(values)):
        try:
            values[i] = float(words[i])
        except ValueError:
            return values
    return values


def lines_of(rows: Array, decimals: int) -> Iterator[bytes]:
    """Rows (lines, columns) as text, with so many decimals: parts, each of whole lines."""
    plain = np.ascontiguousarray(rows, np.float64)
    row = " ".join([f"%.{decimals}f"] * plain.shape[1]) + "\n"
    text = np.empty(min(len(plain), LINES_AT_ONCE) * (plain.shape[1] * WIDEST + 1), np.uint8)
    for first in range(0, len(plain), LINES_AT_ONCE):
        part = plain[first : first + LINES_AT_ONCE]
        used = write_numbers(part, decimals, text)
        if used >= 0:
            yield text[:used].tobytes()
        else:
            # Exact at any length, but slow. Adding 0 makes -0 a 0.
            yield "".join([row % tuple(values) for values in (part + 0.0).tolist()]).encode()
