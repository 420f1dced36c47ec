"""The leg in its extreme positions, by its numbers."""

import numpy as np
import pytest

from poise.study import leg


@pytest.fixture(scope="module")
def found():
    return {one.name: one for one in leg.legs()}


def test_without_limits_every_goal_is_reached(found):
    assert all(one.free.reached for one in found.values())


def test_the_third_is_reachable_only_without_limits(found):
    behind = list(found.values())[2].limited
    assert not behind.reached
    assert behind.active_limits[0].dof == "right_hip_flexion"
    assert behind.active_limits[0].side == "lower"


def test_the_fourth_and_fifth_differ_without_limits(found):
    assert all(one.apart > 5.0 for one in list(found.values())[3:])


def test_only_the_leg_moves_and_stays_inside(found):
    for one in found.values():
        figure = one.limited.pose.figure
        others = np.setdiff1d(np.arange(len(figure.dofs)), figure.match_dofs(leg.LEG))
        np.testing.assert_array_equal(one.limited.angles[others], figure.rest().angles[others])
        assert one.limited.pose.is_inside_limits


def test_the_table_names_what_holds_the_foot(found):
    rows = leg.leg_table(list(found.values())).records()
    assert rows[2]["held by"] == "hip flexion lower"
    assert rows[0]["held by"] == "–"
