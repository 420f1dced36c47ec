import numpy as np
import pytest

from poise.figure.builtin.proportions import point
from poise.figure.builtin.ranges import RANGES
from poise.figure.builtin.vertebrae import (
    SPINE_GROUPS,
    VERTEBRAE,
    grouped_joints,
    vertebral_joints,
    vertebral_ranges,
)


def test_groups_take_every_vertebra_once_and_in_order():
    members = [name for group in SPINE_GROUPS.values() for name in group]
    assert members == [vertebra.name for vertebra in VERTEBRAE]


def test_five_joints_bend_as_far_as_seventeen():
    def total(ranges, k):
        return sum(rows[k].upper for rows in ranges), sum(rows[k].lower for rows in ranges)

    fine = [vertebral_ranges(vertebra) for vertebra in VERTEBRAE]
    coarse = [RANGES[name] for name in SPINE_GROUPS]
    for k in range(3):
        assert [row[k].motion for row in coarse] == [coarse[0][k].motion] * 5
        assert total(coarse, k) == pytest.approx(total(fine, k))


def test_joints_climb_evenly_from_the_sacrum_to_the_neck():
    heights = [centre[1] for centre in vertebral_joints().values()]
    assert heights[0] == pytest.approx(point("sacrum")[1])
    steps = np.diff([*heights, point("neck")[1]])
    assert np.all(steps > 0.015)
    assert np.all(steps < 0.04)
    coarse = [centre[1] for centre in grouped_joints().values()]
    assert np.all(np.diff(coarse) > 0.05)
