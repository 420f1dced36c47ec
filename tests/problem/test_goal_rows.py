"""The rows of one goal on a figure: what a change keeps, and what is refused."""

import numpy as np
import pytest

import poise
from poise import GoalError
from poise.problem.goal_rows import GoalRows

HUMAN = poise.figures.human()


def hand(**options):
    return poise.Position("left_hand", (0.1, 1.2, 0.3), **options)


def test_a_change_makes_the_rows_of_a_new_goal():
    rows = GoalRows(HUMAN, hand(chain="left_arm"))
    for goal in (
        rows.goal.moved((1, 2, 3)),
        rows.goal.changed(weight=4.0),
        rows.goal.changed(chain="torso"),
        rows.goal.changed(chain=None, level=2),
    ):
        changed, new = rows.changed(HUMAN, goal), GoalRows(HUMAN, goal)
        assert changed.goal is goal
        for what in ("targets", "weights", "allowed", "segments", "groups", "row_counts"):
            np.testing.assert_array_equal(getattr(changed, what), getattr(new, what))
    assert rows.goal.chain == "left_arm"
    assert rows.allowed.sum() == 9  # all of the arm but the knuckles


BAD = {
    "an empty chain": (hand(chain=[]), "the chain of goal 'left_hand' is empty"),
    "a chain elsewhere": (
        hand(chain="left_leg"),
        r"no DOF of the chain 'left_leg' moves goal 'left_hand'; .*left_wrist_flexion",
    ),
    "a chain beyond the effector": (hand(chain="left_knuckles"), "no DOF of the chain"),
    "a chain that misses all members": (
        poise.AnyOf(hand(), poise.Plane("head", (0, 1, 0), (0, 1, 0)), chain="legs", name="any"),
        "no DOF of the chain 'legs' moves goal 'any'",
    ),
    "an empty chain of a posture": (poise.Posture(HUMAN.rest(), chain=()), "is empty"),
    "an empty chain of a function": (poise.Custom(lambda pose: (0.0, []), chain=()), "is empty"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_chain_that_cannot_serve_is_named_before_solving(case):
    goal, words = BAD[case]
    with pytest.raises(GoalError, match=words):
        GoalRows(HUMAN, goal)
    with pytest.raises(GoalError, match=words):
        poise.solve(HUMAN, [poise.Position("head", (0, 1, 0)), goal])


@pytest.mark.parametrize("chain", [5, 1.5, object()])
def test_what_is_no_chain_is_named(chain):
    with pytest.raises(GoalError, match="chain of the Position goal on 'left_hand' is"):
        hand(chain=chain)


def test_a_chain_may_come_from_an_iterator():
    goal = hand(chain=(name for name in ("left_elbow", "left_wrist")))
    assert goal.chain == ("left_elbow", "left_wrist")
    assert GoalRows(HUMAN, goal).allowed.sum() == 4
