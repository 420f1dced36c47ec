"""What holds for goals of every kind."""

from dataclasses import FrozenInstanceError, dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from derivatives import GOALS

import poise
from poise.errors import GoalError
from poise.figure.builtin import arm
from poise.goals import Orientation, Pose6D, Position, Posture
from poise.goals.goal import SiteGoal, padded
from poise.kernels import potentials
from poise.kernels.layout import TARGET_SIZE
from poise.solve.capabilities import Feature

MAKERS = {kind: lambda kind=kind: make(kind) for kind in GOALS} | {
    "posture": lambda: Posture(np.zeros(3))
}


def make(kind):
    return GOALS[kind]("hand", arm().rest(), np.random.default_rng(0))


@pytest.mark.parametrize("kind", [kind for kind in MAKERS if kind != "alternatives"])
@pytest.mark.parametrize("weight", [0.0, -1.0, np.nan, np.inf, -np.inf, "2", None, (1, 2)])
def test_a_weight_is_a_number_above_zero(kind, weight):
    with pytest.raises(GoalError, match=r"weight of .* is .*; give a number above 0"):
        replace(MAKERS[kind](), weight=weight)


@pytest.mark.parametrize("kind", MAKERS)
def test_goals_are_frozen(kind):
    goal = MAKERS[kind]()
    with pytest.raises(FrozenInstanceError):
        goal.weight = 2.0


@pytest.mark.parametrize("kind", MAKERS)
def test_arrays_of_a_goal_are_read_only(kind):
    goal = MAKERS[kind]()
    arrays = [value for value in vars(goal).values() if isinstance(value, np.ndarray)]
    assert arrays or kind in ("alternatives", "custom")
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0


@pytest.mark.parametrize("kind", MAKERS)
def test_atoms_fill_the_rows_of_the_tables(kind):
    for atom in MAKERS[kind]().atoms():
        assert atom.target.shape == (TARGET_SIZE,)
        assert atom.weights.shape == (4,)
        assert atom.row_count >= 1
        assert (atom.weights >= 0.0).all()


@pytest.mark.parametrize("kind", MAKERS)
def test_weights_enter_as_square_roots(kind):
    goal = MAKERS[kind]()
    if kind == "alternatives":
        heavier = type(goal)(*goal.goals, weight=4.0 * goal.weight)
    else:
        heavier = replace(goal, weight=4.0 * goal.weight)
    for one, other in zip(goal.atoms(), heavier.atoms(), strict=True):
        np.testing.assert_allclose(other.weights, 2.0 * one.weights, rtol=1e-15)
        np.testing.assert_array_equal(other.target, one.target)


SITE_GOALS = {
    "position": lambda **options: Position("hand", (1, 2, 3), **options),
    "orientation": lambda **options: Orientation("hand", x=(1, 0, 0), **options),
    "pose": lambda **options: Pose6D("hand", (1, 2, 3), np.eye(3), **options),
}


@pytest.mark.parametrize("kind", SITE_GOALS)
def test_a_goal_is_called_after_its_effector_unless_named(kind):
    assert SITE_GOALS[kind]().name == "hand"
    assert SITE_GOALS[kind](name="grip").name == "grip"


@pytest.mark.parametrize("kind", SITE_GOALS)
@pytest.mark.parametrize("offset", [(0, 1), (0, 0, np.nan), (np.inf, 0, 0), "abc", None, np.eye(3)])
def test_a_bad_offset_names_the_goal(kind, offset):
    with pytest.raises(GoalError, match=r"offset of the .* goal on 'hand' needs three finite"):
        SITE_GOALS[kind](offset=offset)


@pytest.mark.parametrize("effector", [None, 3, ("hand",)])
def test_an_effector_is_a_name(effector):
    for goal in (Position, Orientation, Pose6D):
        with pytest.raises(GoalError, match="give the name of a site or segment"):
            goal(effector, (0, 0, 0))


@pytest.mark.parametrize("kind", SITE_GOALS)
def test_moving_keeps_everything_but_the_target(kind):
    goal = SITE_GOALS[kind](weight=2.0, offset=(1, 2, 3), chain="arm_*", name="grip")
    target = np.eye(3) if kind == "orientation" else (7, 8, 9)
    moved = goal.moved(target)
    assert type(moved) is type(goal)
    assert (moved.effector, moved.weight, moved.chain, moved.name) == ("hand", 2.0, "arm_*", "grip")
    np.testing.assert_array_equal(moved.offset, goal.offset)
    np.testing.assert_array_equal(moved.weight_row(), goal.weight_row())


def test_padding_fills_a_row_with_zeros():
    np.testing.assert_array_equal(padded(1.0, (2, 3), size=5), [1, 2, 3, 0, 0])
    assert padded((1, 2)).shape == (TARGET_SIZE,)


@pytest.mark.parametrize("kind", MAKERS)
def test_a_changed_goal_is_the_same_with_other_settings(kind):
    goal = MAKERS[kind]()
    changed = goal.changed(weight=4.0 * goal.weight, level=3, chain=["elbow"], name="other")
    assert (changed.level, changed.chain, changed.name) == (3, ("elbow",), "other")
    assert (goal.level, goal.chain) == (1, None)
    for one, other in zip(goal.atoms(), changed.atoms(), strict=True):
        assert (one.kind, one.effector, one.row_count) == (
            other.kind,
            other.effector,
            other.row_count,
        )
        np.testing.assert_array_equal(one.target, other.target)
        np.testing.assert_allclose(2.0 * one.weights, other.weights)
    for bad in ({"weight": 0}, {"level": 0}, {"chain": 3}, {"name": None}, {"target": (0, 0, 0)}):
        with pytest.raises(GoalError):
            goal.changed(**bad)


@dataclass(frozen=True, eq=False)
class Above(SiteGoal):
    """A kind that nobody but this test knows: at least so high above the ground."""

    kind: ClassVar[int] = potentials.HALF_SPACE
    row_count: ClassVar[int] = 1
    height: float

    def target_row(self):
        return padded((0.0, self.height, 0.0), (0.0, 1.0, 0.0))

    def moved(self, target):
        return replace(self, height=target)


def test_a_kind_of_atoms_that_exist_needs_no_file_but_its_own():
    constraints = poise.ConstraintSet(arm(), [Above("hand", 1.3, chain="elbow", name="up")])
    assert constraints.solve().reached
    assert not constraints.solve({"up": 5.0}).reached
    constraints.change("up", chain=None)
    solution = constraints.solve()
    (reason,) = solution.explanation.goals
    assert reason.name == "up"
    assert not reason.met
    assert reason.causes
    for name, method in poise.methods().items():
        if method.takes(Feature.OTHER_ROWS):
            assert poise.solve(arm(), Above("hand", 1.4), method=name).reached
    constraints.add(Position("elbow", (0, 1, 0)), name="below")
    constraints.change("below", level=2)
    assert list(constraints.solve().errors) == ["up", "below"]
