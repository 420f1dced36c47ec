"""Projection onto linear relations and boxes, against a reference that enumerates active sets."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.kernels import layout, limits
from poise.kernels.relations import EQUALITY_SLACK, MARGIN

seeds = st.integers(0, 2**32 - 1)


def sections(lower, upper, matrix, low, high, mobility=()):
    """One part of relations over all DOFs, as the figure's tables have it."""
    matrix = np.atleast_2d(matrix)
    count, n = matrix.shape
    scale = np.abs(matrix).sum(1)
    for side in (low, high):
        scale = np.maximum(scale, np.where(np.isfinite(side), np.abs(side), 0.0))
    return {
        layout.LOWER: np.array(lower, float),
        layout.UPPER: np.array(upper, float),
        layout.RELATION_FIRST: np.arange(count + 1) * n,
        layout.RELATION_DOF: np.tile(np.arange(n), count),
        layout.RELATION_FACTOR: matrix,
        layout.RELATION_LOW: np.array(low, float),
        layout.RELATION_HIGH: np.array(high, float),
        layout.RELATION_SCALE: scale,
        layout.PART_RELATION: np.array([0, count]),
        layout.PART_FIRST: np.array([0, n]),
        layout.PART_DOF: np.arange(n),
        layout.PROJECTION_ACTIVE: n,
        layout.PROJECTION: 5 * n + 2 * n * n,
        layout.MOBILITY: np.array(mobility, float),
    }


def projected(angles, *relations, **options):
    ints, floats = layout.pack(sections(*relations, **options))
    result = np.array(angles, float)
    limits.bring_inside(floats, ints, result)
    return result


def random_part(rng, n, count, equalities=0):
    """Boxes and relations that all hold at some point, and a start well outside."""
    inside = rng.normal(size=n)
    lower, upper = inside - rng.exponential(0.6, n), inside + rng.exponential(0.6, n)
    matrix = rng.normal(size=(count, n)) * (rng.random((count, n)) < 0.7)
    matrix[np.abs(matrix).sum(1) == 0, 0] = 1.0
    at = matrix @ inside
    low = np.where(rng.random(count) < 0.5, at - rng.exponential(0.4, count), -np.inf)
    high = np.where(rng.random(count) < 0.7, at + rng.exponential(0.4, count), np.inf)
    low[:equalities] = high[:equalities] = at[:equalities]
    return inside + 3.0 * rng.normal(size=n), (lower, upper, matrix, low, high)


def nearest(start, lower, upper, matrix, low, high):
    """The nearest point: the best of the KKT points of all sets of active sides."""
    n = start.size
    normals = np.vstack([np.eye(n), -np.eye(n), matrix, -matrix])
    sides = np.concatenate([lower, -upper, low, -high])
    kept = np.isfinite(sides)
    normals, sides = normals[kept], sides[kept]
    best, least = None, np.inf
    for size in range(n + 1):
        for active in combinations(range(len(sides)), size):
            rows = normals[list(active)]
            if size and np.linalg.matrix_rank(rows, tol=1e-9) < size:
                continue
            point = start.copy()
            if size:
                gap = sides[list(active)] - rows @ start
                point = start + rows.T @ np.linalg.solve(rows @ rows.T, gap)
            away = float(np.sum((point - start) ** 2))
            if away < least and (normals @ point >= sides - 1e-9).all():
                best, least = point, away
    return best


@given(seed=seeds, n=st.integers(1, 3), count=st.integers(1, 4), equal=st.integers(0, 1))
def test_gives_the_nearest_point(seed, n, count, equal):
    start, relations = random_part(np.random.default_rng(seed), n, count, min(equal, n - 1))
    np.testing.assert_allclose(projected(start, *relations), nearest(start, *relations), atol=1e-8)


@given(seed=seeds, n=st.integers(1, 12), count=st.integers(1, 16), equal=st.integers(0, 3))
def test_holds_everything_as_stored_and_stays(seed, n, count, equal):
    equal = min(equal, n - 1, count)
    start, relations = random_part(np.random.default_rng(seed), n, count, equal)
    lower, upper, matrix, low, high = relations
    result = projected(start, *relations)
    assert (lower <= result).all()
    assert (result <= upper).all()
    value = matrix @ result
    scale = np.maximum(np.abs(matrix).sum(1), np.where(low == high, np.abs(low), 0.0))
    slack = np.where(low == high, EQUALITY_SLACK * scale, 1e-15 * scale)
    assert (value >= low - slack).all()
    assert (value <= high + slack).all()
    np.testing.assert_array_equal(projected(result, *relations), result)


@given(seed=seeds)
def test_a_point_inside_stays_to_the_bit(seed):
    rng = np.random.default_rng(seed)
    _, relations = random_part(rng, 4, 5)
    inside = projected(rng.normal(size=4), *relations)
    np.testing.assert_array_equal(projected(inside, *relations), inside)


def test_a_corner_of_a_square():
    """x + y <= 1 and x - y <= 1 from far outside meet in (1, 0)."""
    matrix = [[1.0, 1.0], [1.0, -1.0]]
    result = projected([5.0, 0.3], [-9, -9], [9, 9], matrix, [-np.inf] * 2, [1.0, 1.0])
    np.testing.assert_allclose(result, [1.0, 0.0], atol=1e-11)
    assert (matrix @ result <= 1.0).all()
    assert (matrix @ result >= 1.0 - 10 * MARGIN).all()


@pytest.mark.parametrize("share", [1.0, 1e-3, 1e3])
def test_the_scale_of_a_row_changes_nothing(share):
    start, (lower, upper, matrix, low, high) = random_part(np.random.default_rng(4), 3, 3)
    expected = projected(start, lower, upper, matrix, low, high)
    result = projected(start, lower, upper, share * matrix, share * low, share * high)
    np.testing.assert_allclose(result, expected, atol=1e-10)


def test_a_repeated_row_does_no_harm():
    start, (lower, upper, matrix, low, high) = random_part(np.random.default_rng(8), 3, 2, 1)
    twice = np.vstack([matrix, matrix]), np.tile(low, 2), np.tile(high, 2)
    expected = projected(start, lower, upper, matrix, low, high)
    np.testing.assert_allclose(projected(start, lower, upper, *twice), expected, atol=1e-9)
