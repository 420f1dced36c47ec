"""The goals as rows of tables."""

import numpy as np
import pytest

from poise.errors import GoalError
from poise.figure.builtin import arm, human
from poise.goals import AnyOf, CenterOfMass, Distance, Orientation, Plane, Pose6D, Position, Posture
from poise.kernels import layout, potentials
from poise.problem.goal_rows import GoalRows
from poise.problem.goal_table import GoalTable

UP = (0.0, 1.0, 0.0)


@pytest.fixture(scope="module")
def body():
    return human()


def table_of(figure, goals):
    return GoalTable(figure, [GoalRows(figure, goal) for goal in goals])


def place(effector, **options):
    return Position(effector, (0.1, 0.2, 0.3), **options)


def test_one_row_an_atom_in_the_order_of_the_goals(body):
    goals = [
        place("head"),
        AnyOf(Plane("left_hand", (0, 1, 0), UP), place("left_hand")),
        Posture(body.rest()),
        Orientation("right_hand", y=UP),
    ]
    table = table_of(body, goals)
    assert [r.stop - r.start for r in table.ranges] == [1, 2, 0, 1]
    assert table.row_count == 3 + (1 + 3) + 6
    sections = table.sections(False)
    kinds = [potentials.POSITION, potentials.PLANE, potentials.POSITION, potentials.ORIENTATION]
    np.testing.assert_array_equal(sections[layout.GOAL_KIND], kinds)
    np.testing.assert_array_equal(sections[layout.GOAL_ROW], [0, 3, 4, 7, 13])
    np.testing.assert_array_equal(sections[layout.GOAL_GROUP], [-1, 0, 0, -1])
    names = ("head", "left_hand", "left_hand", "right_hand")
    segments = [body.segment_index(body.effector(name).segment) for name in names]
    np.testing.assert_array_equal(sections[layout.GOAL_SEGMENT], segments)


def test_the_effector_is_a_point_and_a_rotation_in_its_segment(body):
    goal = Pose6D("left_hand", (0, 1, 0), np.eye(3), offset=(0.01, 0.02, 0.03))
    row = table_of(body, [goal]).sections(False)[layout.GOAL_EFFECTOR][0]
    site = body.effector("left_hand")
    np.testing.assert_array_equal(row[:9].reshape(3, 3), site.rotation)
    np.testing.assert_allclose(row[9:], site.offset + site.rotation @ goal.offset, atol=1e-16)


def test_what_no_goal_needs_takes_no_room(body):
    sections = table_of(body, [place("head")]).sections(False)
    empty = (
        *(layout.GOAL_GROUP, layout.GOAL_OTHER_EFFECTOR, layout.OTHER_WRENCHES),
        *(layout.CENTERS, layout.SWEEPS),
    )
    assert all(sections[section] == 0 for section in empty)
    assert layout.POSTURE_WEIGHT not in sections


def test_goals_of_several_segments_couple_everything(body):
    for goal in (Distance("left_hand", "right_hand", exactly=0.3), CenterOfMass((0, 1, 0))):
        sections = table_of(body, [goal]).sections(False)
        assert (sections[layout.GOAL_REACH] == 71).all()
        assert sections[layout.SWEEPS] == 6 * len(body.segments)
        last = sections[layout.ABOVE_RUNS][-1]
        np.testing.assert_array_equal(last, [0, 71 - len(body.segments[-1].joint.dofs)])
    assert (table_of(body, [place("head")]).sections(True)[layout.GOAL_REACH] == 71).all()


def test_postures_are_one(body):
    rng = np.random.default_rng(0)
    one, other = rng.normal(size=(2, 71))
    goals = [Posture(one, weight=1.0), Posture(other, weight=3.0, name="second")]
    sections = table_of(body, goals).sections(False)
    np.testing.assert_array_equal(sections[layout.POSTURE_WEIGHT], np.full(71, 4.0))
    expected = 0.25 * one + 0.75 * other
    np.testing.assert_allclose(sections[layout.POSTURE_TARGET], expected, atol=1e-15)


def test_a_posture_of_another_figure_is_refused(body):
    with pytest.raises(GoalError, match="has 7 angles; human has 71"):
        table_of(body, [Posture(arm().rest())]).sections(False)
