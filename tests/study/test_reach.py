"""The reach of ZB Figures 6 to 8, by its numbers."""

import numpy as np
import pytest

from poise.solve.explanation import Cause
from poise.study import reach


@pytest.fixture(scope="module")
def cases():
    return reach.three_reaches(repeats=1)


@pytest.fixture(scope="module")
def sweep():
    return reach.rigidity_sweep()


def test_the_chains_have_the_papers_dofs(cases):
    assert [case.dofs for case in cases] == [7, 22, 22]


def test_the_arm_alone_does_not_reach_and_says_why(cases):
    alone = cases[0].solution
    hand, _ = alone.explanation.goals
    assert not alone.reached
    assert alone.explanation.optimal
    assert hand.error.position > 0.25
    assert hand.causes == (Cause.STRETCHED,)


def test_the_arm_alone_moves_nothing_else(cases):
    solution = cases[0].solution
    figure = solution.pose.figure
    others = np.setdiff1d(np.arange(len(figure.dofs)), figure.match_dofs(reach.ARM))
    np.testing.assert_array_equal(solution.angles[others], figure.rest().angles[others])


@pytest.mark.parametrize("case", [1, 2])
def test_with_the_torso_it_reaches(cases, case):
    solution = cases[case].solution
    assert solution.reached
    assert solution.pose.is_inside_limits
    np.testing.assert_allclose(solution.pose.position("right_hand"), reach.TARGET, atol=1e-3)
    back_of_hand = solution.pose.rotation("right_hand")[:, 1]
    np.testing.assert_allclose(back_of_hand, reach.OUTWARD, atol=0.01)


def test_rigidity_moves_the_torso_less_sideways_and_the_rest_more(cases):
    _, free, stiff = cases
    for motion in ("lateral_bending", "axial_rotation"):
        pattern = f"spine_*_{motion}"
        assert stiff.moved(pattern).sum() < 0.75 * free.moved(pattern).sum()
    assert stiff.moved("spine_*_flexion").sum() > free.moved("spine_*_flexion").sum()
    assert stiff.moved(reach.ARM).sum() > free.moved(reach.ARM).sum()


def test_rigidity_changes_how_motion_is_shared_and_not_what_is_reached(sweep):
    assert all(case.solution.reached for case in sweep)
    sideways = [case.moved(reach.SIDEWAYS).sum() for case in sweep]
    assert (np.diff(sideways) < 0).all()
    assert sideways[-1] < 0.2 * sideways[0]


def test_the_tables_hold_the_cases(cases, sweep):
    outcome = reach.outcome_table(cases).records()
    assert [row["reached"] for row in outcome] == [False, True, True]
    assert outcome[0]["hand [cm]"] > 25.0
    assert outcome[0]["sideways [°]"] == 0.0
    joints = reach.joint_table(cases)
    assert len(joints.rows) == 22
    assert [row[0] for row in reach.sweep_table(sweep).rows] == list(reach.RIGIDITIES)
