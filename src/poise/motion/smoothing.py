"""Smoothing over time: second differences, and the least of them near a given motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def jitter(values: Array) -> float:
    """The root mean square of second differences over time (frames first), of those that are
    there: NaN is missing."""
    told = Jitter()
    told.add(values)
    return told.value


class Jitter:
    """`jitter` of values that come block by block."""

    def __init__(self) -> None:
        self._last: Array | None = None
        self._squares, self._count = 0.0, 0

    def add(self, values: Array) -> None:
        """The frames after those that came before."""
        rows = values if self._last is None else np.concatenate([self._last, values])
        self._last = rows[-2:].copy()
        if len(rows) < 3:
            return
        squares = np.square(np.diff(rows, 2, axis=0))
        sum_ = float(squares.sum())
        if not np.isfinite(sum_):
            squares = squares[np.isfinite(squares)]
            sum_ = float(squares.sum())
        self._squares += sum_
        self._count += squares.size

    @property
    def value(self) -> float:
        return float(np.sqrt(self._squares / self._count)) if self._count else 0.0


def strength_of(cutoff: float, frame_time: float) -> float:
    """The λ of `smoothed` that halves what swings at `cutoff` [Hz], and leaves what is slower."""
    return float((2.0 * np.pi * cutoff * frame_time) ** -4)


def smoothed(values: Array, strength: float) -> Array:
    """(frames, columns) the x that minimises ‖x - values‖² + λ Σ (second differences of x)².

    The system I + λ D₂ᵀD₂ has two bands below its diagonal, the same for all columns: one pass down
    and one up the whole clip.
    """
    count = len(values)
    if count < 3 or strength <= 0.0:
        return np.array(values)
    diagonal, first, second = _bands(count, strength)
    # L D Lᵀ with unit L: l1 and l2 are its bands.
    d, l1, l2 = np.empty(count), np.zeros(count), np.zeros(count)
    x = np.array(values)
    for i in range(count):
        if i >= 2:
            l2[i] = second[i - 2] / d[i - 2]
            x[i] -= l2[i] * x[i - 2]
        if i >= 1:
            coupled = first[i - 1] - (l2[i] * d[i - 2] * l1[i - 1] if i >= 2 else 0.0)
            l1[i] = coupled / d[i - 1]
            x[i] -= l1[i] * x[i - 1]
        d[i] = diagonal[i]
        if i >= 1:
            d[i] -= l1[i] ** 2 * d[i - 1]
        if i >= 2:
            d[i] -= l2[i] ** 2 * d[i - 2]
    x /= d[:, None]
    for i in range(count - 2, -1, -1):
        x[i] -= l1[i + 1] * x[i + 1]
        if i + 2 < count:
            x[i] -= l2[i + 2] * x[i + 2]
    return x


def _bands(count: int, strength: float) -> tuple[Array, Array, Array]:
    """The diagonal of I + λ D₂ᵀD₂, and its first and second bands."""
    diagonal, first, second = np.ones(count), np.zeros(count - 1), np.zeros(count - 2)
    for shift, weight in enumerate((1.0, 4.0, 1.0)):
        diagonal[shift : shift + count - 2] += strength * weight
    for shift in (0, 1):
        first[shift : shift + count - 2] -= 2.0 * strength
    second += strength
    return diagonal, first, second
