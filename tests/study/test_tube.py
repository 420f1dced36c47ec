"""The tube of ZB Figures 3 to 5, by its numbers."""

import numpy as np
import pytest

from poise.goals import Aim, Line, Orientation, Plane, Position
from poise.study import tube


@pytest.fixture(scope="module")
def found():
    return [one for one in tube.tubes(repeats=1) if one.method == "auto"]


def test_the_task_is_that_of_the_paper():
    goals = tube.goals()
    kinds = [type(goal) for goal in goals]
    assert kinds == [Position, Orientation, Plane] * 2 + [Line, Aim]
    for goal in goals:
        if isinstance(goal, Orientation):  # the direction of the fingers is free
            assert goal.x is None
            assert goal.y is not None


def test_22_dofs_grouped_and_70_independent(found):
    assert [(one.setting.name, one.dofs) for one in found] == [("grouped", 22), ("independent", 70)]
    assert all(one.dofs == one.setting.dofs for one in found)


@pytest.mark.parametrize("which", [0, 1])
def test_all_goals_are_met_inside_limits_and_groups(found, which):
    solution = found[which].solution
    assert solution.reached
    assert solution.pose.is_inside_limits
    pose = solution.pose
    gaze = tube.BOTTOM - pose.position("eyes")
    ahead = pose.rotation("eyes")[:, 2]
    assert ahead @ gaze > 0.999 * np.linalg.norm(gaze)
    palms = [pose.position(f"{side}_hand") for side in ("left", "right")]
    for palm, goal in zip(palms, (tube.goals()[0], tube.goals()[3]), strict=True):
        np.testing.assert_allclose(palm, goal.position, atol=1e-3)


@pytest.mark.parametrize("which", [0, 1])
def test_nothing_below_the_hips_moves(found, which):
    solution = found[which].solution
    figure = solution.pose.figure
    still = np.setdiff1d(np.arange(len(figure.dofs)), figure.match_dofs(tube.CHAIN))
    np.testing.assert_array_equal(solution.angles[still], figure.rest().angles[still])


@pytest.mark.parametrize("motion", tube.MOTIONS)
def test_groups_make_the_spine_regular(found, motion):
    grouped, independent = found
    assert grouped.unevenness(motion) == pytest.approx(0.0, abs=1e-9)
    assert independent.unevenness(motion) > 2.0
    signs = np.sign(grouped.spine(motion))
    assert (signs == signs[0]).all()


def test_independent_vertebrae_are_irregular_by_every_measure(found):
    """What the paper says in comparing its Figures 4 and 5."""
    grouped, independent = found
    for motion in tube.MOTIONS:
        assert grouped.against(motion) == 0
        assert grouped.turns(motion) == 0
    assert sum(map(independent.against, tube.MOTIONS)) > 0
    assert sum(map(independent.turns, tube.MOTIONS)) > 0
    assert sum(map(independent.at_limits, tube.MOTIONS)) > 0


def test_measures_of_regularity_by_hand(found, monkeypatch):
    monkeypatch.setattr(tube, "VERTEBRAE", tube.VERTEBRAE[:6])
    shares = np.array([2.0, 4.0, 0.1, -3.0, -3.2, 5.0])
    monkeypatch.setattr(tube.Tube, "shares", lambda self, motion: shares)
    monkeypatch.setattr(tube.Tube, "spine", lambda self, motion: shares)
    assert found[0].against("flexion") == 2
    assert found[0].turns("flexion") == 2
    assert found[0].unevenness("flexion") == pytest.approx(np.mean([2.0, 3.9, 3.1, 0.2, 8.2]))


def test_every_registered_method_of_the_paper_is_tried(monkeypatch):
    monkeypatch.setattr(tube, "METHODS", ("auto", "projected-gradient", "no such method"))
    monkeypatch.setattr(tube, "SETTINGS", tube.SETTINGS[:1])
    assert [one.method for one in tube.tubes(repeats=1)] == ["auto", "projected-gradient"]


def test_the_tables_hold_the_solves(found):
    rows = tube.outcome_table(found).records()
    assert [row["paper [s]"] for row in rows] == [5.0, 15.0]
    assert all(row["reached"] and row["limits held"] for row in rows)
    errors = tube.goal_table(found)
    assert [row[0] for row in errors.rows] == list(found[0].solution.errors)
    regular = tube.regularity_table(found).records()
    assert len(regular) == len(tube.MOTIONS) * len(found)
    assert [row["turns of the curve"] for row in regular if row["spine"] == "grouped"] == [0, 0, 0]
    spine = tube.spine_table(found)
    assert [row[0] for row in spine.rows] == [name.upper() for name in tube.VERTEBRAE]
    assert len(spine.columns) == 1 + 2 * 3
