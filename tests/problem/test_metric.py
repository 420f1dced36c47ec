"""Mobility: which DOFs may move, and how readily."""

import numpy as np
import pytest

from poise import joint
from poise.figure.builtin import arm, human
from poise.figure.figure import Figure
from poise.figure.segment import Segment
from poise.goals import Aim, CenterOfMass, Distance, Orientation, Position, Posture
from poise.problem.goal_rows import GoalRows
from poise.problem.metric import characteristic_length
from poise.problem.metric import mobility as mobility_of_rows


@pytest.fixture(scope="module")
def body():
    return human()


def mobility(figure, goals):
    return mobility_of_rows(figure, [GoalRows(figure, goal) for goal in goals])


def named(figure, values):
    """The names of the DOFs that may move."""
    return {name for name, value in zip(figure.dof_names, values, strict=True) if value > 0.0}


def above(figure, segment):
    """The names of the DOFs between the root and a segment, by walking up."""
    found, at = set(), figure.segment_index(segment)
    while at >= 0:
        found.update(figure.segments[at].dof_names)
        at = figure.parents[at]
    return found


def place(effector="left_hand", **options):
    return Position(effector, (0, 1, 0), **options)


@pytest.mark.parametrize("effector", ["left_hand", "head", "right_foot", "pelvis"])
def test_only_dofs_above_the_effector_move(body, effector):
    segment = body.effector(effector).segment
    assert named(body, mobility(body, [place(effector)])) == above(body, segment)


def test_goals_add_up(body):
    both = mobility(body, [place("left_hand"), place("right_foot")])
    expected = above(body, body.effector("left_hand").segment)
    expected |= above(body, body.effector("right_foot").segment)
    assert named(body, both) == expected


def test_a_chain_keeps_the_others_out(body):
    goal = place(chain=["left_shoulder_*", "left_elbow_*"])
    moving = named(body, mobility(body, [goal]))
    assert moving == {n for n in body.dof_names if n.startswith(("left_shoulder_", "left_elbow_"))}


def test_a_chain_does_not_reach_beyond_the_path(body):
    moving = named(body, mobility(body, [place(chain=["*_elbow_flexion", "*_knee_*"])]))
    assert moving == {"left_elbow_flexion"}


def test_chains_are_united(body):
    goals = [
        place("left_hand", chain="left_elbow_*"),
        Orientation("left_hand", y=(0, 1, 0), chain="left_wrist_*"),
        place("right_hand", chain="spine_*"),
    ]
    prefixes = ("left_elbow_", "left_wrist_", "spine_")
    expected = {n for n in body.dof_names if n.startswith(prefixes)}
    assert named(body, mobility(body, goals)) == expected


def test_a_goal_without_a_chain_frees_its_whole_path(body):
    goals = [place("left_hand", chain="left_elbow_*"), place("head")]
    expected = above(body, body.effector("head").segment) | {"left_elbow_flexion"}
    assert named(body, mobility(body, goals)) == expected


def test_rigidity_slows_and_freezes(body):
    stiff = body.with_rigidity({"spine_*": 0.75, "left_elbow_*": 1.0})
    loose, slow = mobility(body, [place()]), mobility(stiff, [place()])
    spine, elbow = body.match_dofs("spine_*"), body.match_dofs("left_elbow_*")
    np.testing.assert_allclose(slow[spine], 0.25 * loose[spine])
    assert not slow[elbow].any()
    rest = np.setdiff1d(np.arange(71), [*spine, *elbow])
    np.testing.assert_array_equal(slow[rest], loose[rest])


def test_a_metre_counts_as_a_radian_at_the_figures_size(body):
    values = mobility(body, [place()])
    turns, slides = body.match_dofs("root_r*"), body.match_dofs("root_t*")
    np.testing.assert_array_equal(values[turns], 1.0)
    np.testing.assert_array_equal(values[slides], characteristic_length(body))


def test_the_size_is_the_mean_distance_of_segments_from_the_root():
    figure = Figure(
        "L",
        [
            Segment("a", None, joint.revolute("X"), (5, 5, 5)),
            Segment("b", "a", joint.revolute("X"), (3, 0, 0)),
            Segment("c", "b", joint.revolute("X"), (0, 4, 0)),
        ],
    )
    assert characteristic_length(figure) == pytest.approx((0.0 + 3.0 + 5.0) / 3.0)


def test_a_figure_of_one_segment_has_size_one():
    assert characteristic_length(Figure("f", [Segment("a", None, joint.free())])) == 1.0


def test_the_size_does_not_depend_on_where_the_root_stands(body):
    moved = body.rerooted("pelvis", body.rest().with_angles({"root_tx": 9.0}))
    assert characteristic_length(moved) == pytest.approx(characteristic_length(body))
    assert 0.3 < characteristic_length(arm()) < 1.5


def test_goals_of_two_effectors_and_of_the_whole_figure(body):
    two = mobility(body, [Distance("left_hand", "right_foot", exactly=1.0)])
    expected = above(body, body.effector("left_hand").segment)
    assert named(body, two) == expected | above(body, body.effector("right_foot").segment)
    assert (mobility(body, [CenterOfMass((0, 1, 0))]) > 0.0).all()


def test_a_posture_frees_nothing_of_its_own(body):
    head = Aim("head", (0, 1, 5))
    with_posture = mobility(body, [head, Posture(body.rest())])
    np.testing.assert_array_equal(with_posture, mobility(body, [head]))
    assert (mobility(body, [Posture(body.rest())]) > 0.0).all()
