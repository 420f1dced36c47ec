"""Cubic curves that never leave the range of the two values they run between."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def monotone_cubic(times: Array, values: Array, at: Array, cyclic: bool = False) -> Array:
    """(len(at), n) a curve through `values` (k, n) at rising `times` (k,), which hold it outside.

    Its slopes are smooth, and 0 at an extremum: between two values it stays between them, so that
    it keeps every box that they keep. A `cyclic` curve ends with the slope with which it begins.
    """
    if len(times) == 1:
        return np.repeat(values, len(at), 0)
    slopes = _slopes(np.diff(times)[:, None], np.diff(values, axis=0), cyclic)
    inside = np.clip(at, times[0], times[-1])
    before = np.clip(np.searchsorted(times, inside, "right") - 1, 0, len(times) - 2)
    length = np.diff(times)[before][:, None]
    t = (inside - times[before])[:, None] / length
    a, b = values[before], values[before + 1]
    rise = t * t * (3.0 - 2.0 * t)
    bend = slopes[before] * t * (1.0 - t) ** 2 - slopes[before + 1] * t * t * (1.0 - t)
    result = (1.0 - rise) * a + rise * b + length * bend
    return between(result, a, b)


def between(values: Array, a: Array, b: Array) -> Array:
    """`values` without what rounding puts past `a` or `b`, which may be a limit."""
    return np.clip(values, np.minimum(a, b), np.maximum(a, b))


def _slopes(lengths: Array, steps: Array, cyclic: bool) -> Array:
    """(k, n) the weighted harmonic mean of the slopes on either side (Fritsch & Butland 1984)."""
    rates = steps / lengths
    first, last = (-1, 0) if cyclic else (0, -1)
    left = np.concatenate([rates[first][None], rates])
    right = np.concatenate([rates, rates[last][None]])
    left_length = np.concatenate([lengths[first][None], lengths])
    right_length = np.concatenate([lengths, lengths[last][None]])
    near, far = left_length + 2.0 * right_length, 2.0 * left_length + right_length
    same = left * right > 0.0
    weighted = near * right + far * left
    return np.divide((near + far) * left * right, weighted, out=np.zeros_like(left), where=same)
