"""Forces of relations: multipliers predict the fall of the value, and the pressing DOF is named."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import nnls
from solve.cases import figure_named

import poise
from poise import JointGroup, LinearLimit
from poise.solve.relation_forces import nonnegative_least_squares


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 8), columns=st.integers(1, 8))
def test_least_squares_are_those_of_scipy(seed, rows, columns):
    rng = np.random.default_rng(seed)
    matrix, target = rng.normal(size=(rows, columns)), rng.normal(size=rows)
    x = nonnegative_least_squares(matrix, target)
    assert (x >= 0).all()
    best = nnls(matrix, target)[1]
    assert np.linalg.norm(matrix @ x - target) == pytest.approx(best, abs=1e-9)


REACH = [
    poise.Position("left_hand", (0.5, 2.2, 0.6)),
    poise.Position("left_foot", (0.1, 0.1, 0.0)),
    poise.Position("right_foot", (-0.1, 0.1, 0.0)),
]


def summed(room):
    limit = LinearLimit(
        "raise", {"left_shoulder_elevation": 1.0, "left_collar_elevation": 2.0}, upper=1.2 + room
    )
    return figure_named("human").with_relations(limit)


@pytest.mark.parametrize("room", [1e-4, 2e-4])
def test_the_multiplier_of_a_relation_predicts_the_fall(room):
    keep = [*REACH, poise.Posture(figure_named("human").rest(), weight=1e-2)]
    tight = poise.solve(summed(0.0), keep, optimality=1e-9, restarts=0)
    wide = poise.solve(summed(room), keep, start=tight.angles, optimality=1e-9, restarts=0)
    pressing = {limit.dof: limit for limit in tight.active_limits}
    assert pressing["raise"].side == "upper"
    fall = tight.value - wide.value
    assert fall == pytest.approx(pressing["raise"].multiplier * room, rel=0.01)


def test_the_member_of_a_group_that_binds_is_named():
    human = figure_named("human").with_limits({"spine_3_flexion": (-0.05, 0.05)})
    figure = human.with_relations(JointGroup("bend", {"spine_*_flexion": 1.0}))
    low = poise.Position("left_hand", (0.0, 0.1, 1.2), chain=["spine*", "left*"])
    solution = poise.solve(figure, low, restarts=0)
    names = [limit.dof for limit in solution.active_limits]
    assert "spine_3_flexion" in names
    assert "spine_1_flexion" not in names
    assert solution.pose["spine_1_flexion"] == 0.05


def test_explanations_speak_of_relations():
    solution = poise.solve(summed(0.0), REACH, restarts=0)
    assert not solution.reached
    assert "raise" in solution.explain()
