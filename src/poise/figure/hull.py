"""The convex hull of points in a plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


def convex_hull(points: Points) -> NDArray[np.intp]:
    """Indices of the corners, counter-clockwise (Andrew's chain); fewer than 3 are in line."""
    order = np.lexsort((points[:, 1], points[:, 0]))

    def half(indices: NDArray[np.intp]) -> list[int]:
        chain: list[int] = []
        for i in indices:
            while len(chain) >= 2 and _turn(points[chain[-2]], points[chain[-1]], points[i]) <= 0:
                chain.pop()
            chain.append(int(i))
        return chain

    return np.array(half(order)[:-1] + half(order[::-1])[:-1], np.intp)


def _turn(a: Points, b: Points, c: Points) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
