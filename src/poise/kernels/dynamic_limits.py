"""Limits that follow the pose: the range of a DOF by the angle of another (HJ)."""

from poise.kernels.compiled import kernel
from poise.kernels.layout import (
    DYNAMIC_KNOT,
    DYNAMIC_LIMIT,
    LOWER,
    MOBILITY,
    UPPER,
    floats_at,
    ints_at,
)


@kernel
def range_at(knots, first, last, angle):
    """(lower, upper) at an angle: linear between the knots, constant beyond them."""
    if angle <= knots[3 * first]:
        return knots[3 * first + 1], knots[3 * first + 2]
    for i in range(first + 1, last):
        if angle <= knots[3 * i]:
            gap = knots[3 * i] - knots[3 * i - 3]
            share = (angle - knots[3 * i - 3]) / gap
            low = knots[3 * i - 2] + share * (knots[3 * i + 1] - knots[3 * i - 2])
            high = knots[3 * i - 1] + share * (knots[3 * i + 2] - knots[3 * i - 1])
            return low, high
    return knots[3 * last - 2], knots[3 * last - 1]


@kernel
def crop_dynamic(floats, ints, angles):
    """Crop `angles`, inside the figure's limits, to the dynamic ones, in the order given.

    The figure's own limits come first: where the two have nothing in common, the nearest of them.
    """
    table = ints_at(ints, DYNAMIC_LIMIT)
    knots = floats_at(floats, ints, DYNAMIC_KNOT)
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    mobility = floats_at(floats, ints, MOBILITY)
    for i in range(table.size // 4):
        d = table[4 * i]
        if mobility[d] > 0.0:
            other = angles[table[4 * i + 1]]
            low, high = range_at(knots, table[4 * i + 2], table[4 * i + 3], other)
            angles[d] = min(max(min(max(angles[d], low), high), lower[d]), upper[d])
