"""Distance and Relative."""

import math

import numpy as np
import pytest
from derivatives import assert_derivatives
from goals.standing import arm, human, random_pose, solve_standing
from solve.cases import MONOTONE, able

import poise
from poise import Distance, GoalError, Position, Problem, Relative, joint
from poise.figure.rotation import from_vector
from poise.solve.capabilities import Feature

TURN = from_vector((0.3, -0.5, 0.2))


def pair():
    """Two bodies that slide and turn on their own."""
    moves = [joint.channels("ZYX", "XYZ") for _ in range(2)]
    segments = [
        poise.Segment("ground", None),
        poise.Segment("a", "ground", moves[0]),
        poise.Segment("b", "ground", moves[1]),
    ]
    return poise.Figure("pair", segments)


PAIR = pair()


def at(**angles):
    return PAIR.pose(angles)


# -- Distance ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "needs either exactly= or at_least= and/or at_most="),
        ({"exactly": 1, "at_most": 2}, "needs either exactly="),
        ({"at_least": 2, "at_most": 1}, "is 2.0, above at_most 1.0"),
        ({"exactly": -1}, "give a number >= 0"),
        ({"at_least": math.nan}, "give a number >= 0"),
        ({"exactly": "far"}, "give a number >= 0"),
        ({"exactly": 1, "weight": 0}, "give a number above 0"),
        ({"exactly": 1, "other_offset": (1, 2)}, "other_offset of the Distance goal"),
    ],
)
def test_bad_distances_are_named(options, words):
    with pytest.raises(GoalError, match=words):
        Distance("a", "b", **options)


@pytest.mark.parametrize("kind", [Distance, Relative])
def test_the_other_needs_a_name(kind):
    options = {"exactly": 1.0} if kind is Distance else {}
    with pytest.raises(GoalError, match=f"other of a {kind.__name__} goal is 3; give a name"):
        kind("a", 3, **options)
    with pytest.raises(poise.FigureError, match="nowhere"):
        Problem(PAIR, kind("a", "nowhere", **options))
    assert kind("a", "b", **options).name == "a to b"


def test_moved_distances():
    moved = Distance("a", "b", exactly=1.0, weight=2.0, offset=(1, 0, 0)).moved(3.0)
    assert (moved.exactly, moved.weight, moved.name) == (3.0, 2.0, "a to b")
    assert np.array_equal(moved.offset, (1, 0, 0))
    with pytest.raises(GoalError, match="has bounds; make a new goal"):
        Distance("a", "b", at_most=1.0).moved(2.0)


@pytest.mark.parametrize(
    ("options", "off"),
    [
        ({"exactly": 5.0}, 0.0),
        ({"exactly": 3.0}, 2.0),
        ({"exactly": 6.0}, -1.0),
        ({"at_least": 4.0}, 0.0),
        ({"at_least": 7.0}, -2.0),
        ({"at_most": 7.0}, 0.0),
        ({"at_most": 4.0}, 1.0),
        ({"at_least": 1.0, "at_most": 2.0}, 3.0),
        ({"at_least": 1.0, "at_most": 9.0}, 0.0),
    ],
)
def test_value_is_how_far_it_is_outside(options, off):
    pose = at(a_tx=1.0, b_tx=4.0, b_ty=4.0)
    problem = Problem(PAIR, Distance("a", "b", weight=2.0, **options))
    assert problem.value(pose) == pytest.approx(2.0 * off**2)
    assert problem.errors(pose)["a to b"] == pytest.approx((abs(off), 0.0))
    slope = 4.0 * off * np.array((0.6, 0.8, 0.0))  # from a to b, a unit vector
    np.testing.assert_allclose(problem.gradient(pose)[6:9], slope, atol=1e-12)
    np.testing.assert_allclose(problem.gradient(pose)[:3], -slope, atol=1e-12)


def test_offsets_of_both_count():
    goal = Distance("a", "b", exactly=0.0, offset=(0, 2, 0), other_offset=(0, 0, 1))
    pose = at(a_rz=math.pi / 2)  # a's point is at (-2, 0, 0)
    assert Problem(PAIR, goal).errors(pose)["a to b"].position == pytest.approx(math.sqrt(5.0))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", [{"exactly": 0.1}, {"at_least": 3.0}, {"at_most": 0.05}])
def test_derivatives_of_distances(options, seed):
    offsets = {"offset": (0.1, 0.2, -0.1), "other_offset": (0.3, -0.1, 0.2)}
    goals = [
        Distance("left_hand", "right_hand", weight=2.0, **offsets, **options),
        Distance("head", "left_hand", **options),  # one holds what is above the other
        Distance("left_forearm", "left_hand", **options),
    ]
    assert_derivatives(Problem(human(), goals), random_pose(human(), seed))
    angles = random_pose(arm(), seed)
    assert_derivatives(Problem(arm(), Distance("hand", "base", **offsets, **options)), angles)


@pytest.mark.parametrize("method", able(Feature.DISTANCE, Feature.SLIDES, methods=MONOTONE))
@pytest.mark.parametrize("options", [{"exactly": 0.5}, {"at_least": 0.5}])
def test_points_that_coincide_are_driven_apart(options, method):
    goal = Distance("a", "b", **options)
    problem = Problem(PAIR, goal)
    assert problem.errors(PAIR.rest())["a to b"].position == 0.5
    for derivative in (problem.gradient, problem.jacobian, problem.hessian):
        assert np.isfinite(derivative(PAIR.rest())).all()
    solution = poise.solve(PAIR, goal, method=method)
    assert solution.reached
    apart = np.linalg.norm(solution.pose.position("a") - solution.pose.position("b"))
    assert apart >= 0.5 - 1e-3
    if "exactly" in options:
        assert apart <= 0.5 + 1e-3


def test_points_that_should_coincide_do():
    solution = poise.solve(PAIR, Distance("a", "b", exactly=0.0), start=at(a_tx=1.0, b_ty=2.0))
    assert solution.reached
    assert poise.solve(PAIR, Distance("a", "b", at_most=1.0)).iterations == 0


@pytest.mark.parametrize(
    "options",
    [{"exactly": 0.3}, {"at_most": 0.2}, {"at_least": 0.9}, {"at_least": 1, "at_most": 1.1}],
)
def test_standing_hands_apart(options):
    goal = Distance("left_hand", "right_hand", **options)
    solution = solve_standing(goal)
    assert solution.reached
    pose = solution.pose
    apart = np.linalg.norm(pose.position("left_hand") - pose.position("right_hand"))
    assert goal._bounds()[0] - 1e-3 <= apart <= goal._bounds()[1] + 1e-3


# -- Relative ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"position": (0, 1)}, "position of the Relative goal on 'a' needs three finite numbers"),
        ({"rotation": np.ones((3, 3))}, "rotation of the Relative goal on 'a'"),
        ({"rotation": np.eye(3), "quat_wxyz": (1, 0, 0, 0)}, "rotation of the Relative goal"),
        ({"degrees_per_metre": -1}, "matter as much as one metre"),
    ],
)
def test_bad_relatives_are_named(options, words):
    with pytest.raises(poise.PoiseError, match=words):
        Relative("a", "b", **options)


def test_moved_relatives():
    goal = Relative("a", "b", (1, 2, 3), TURN, weight=2.0)
    moved = goal.moved((4, 5, 6))
    assert np.array_equal(moved.position, (4, 5, 6))
    np.testing.assert_allclose(moved.rotation, TURN)
    both = goal.moved(((4, 5, 6), np.eye(3)))
    assert np.array_equal(both.rotation, np.eye(3))
    assert both.weight == 2.0


def test_value_of_a_relative():
    """b is turned by a quarter about Z: its (2, 0, 0) is at (1, 2, 0) in the world."""
    pose = at(b_tx=1.0, b_rz=math.pi / 2, a_tx=1.0, a_ty=5.0)
    goal = Relative("a", "b", (2, 0, 0), weight=2.0)
    problem = Problem(PAIR, goal)
    assert problem.value(pose) == pytest.approx(2.0 * 9.0)
    assert problem.errors(pose)["a to b"] == pytest.approx((3.0, 0.0))
    turned = Problem(
        PAIR, Relative("a", "b", (2, 0, 0), np.eye(3), degrees_per_metre=180 / math.pi)
    )
    assert turned.errors(pose)["a to b"] == pytest.approx((3.0, math.pi / 2))
    assert turned.value(pose) == pytest.approx(9.0 + (2.0 * math.sin(math.pi / 4)) ** 2)


def test_offsets_of_a_relative():
    goal = Relative("a", "b", (0, 0, 0), offset=(1, 0, 0), other_offset=(0, 1, 0))
    assert Problem(PAIR, goal).value(at(a_tx=-1.0, a_ty=1.0)) == pytest.approx(0.0)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rotation", [None, TURN], ids=["point", "point and rotation"])
def test_derivatives_of_relatives(rotation, seed):
    options = {
        "offset": (0.1, 0.2, -0.1),
        "other_offset": (0.3, -0.1, 0.2),
        "degrees_per_metre": 60,
    }
    place = (0.2, -0.3, 0.4)
    goals = [
        Relative("left_hand", "right_hand", place, rotation, weight=2.0, **options),
        Relative("head", "left_hand", place, rotation, **options),
        Relative("left_forearm", "left_hand", place, rotation, **options),
    ]
    assert_derivatives(Problem(human(), goals), random_pose(human(), seed))
    goal = Relative("hand", "base", place, rotation, **options)
    assert_derivatives(Problem(arm(), goal), random_pose(arm(), seed))


def test_half_a_turn_apart_is_turned_back():
    solution = poise.solve(PAIR, Relative("a", "b", (1, 0, 0), np.eye(3)), start=at(a_ry=math.pi))
    assert solution.reached
    np.testing.assert_allclose(solution.pose.rotation("a"), solution.pose.rotation("b"), atol=2e-2)


def test_standing_with_a_bar_in_both_hands():
    goal = Relative("left_hand", "right_hand", (0.0, 0.0, 0.5), from_vector((0.0, math.pi, 0.0)))
    hand = Position("right_hand", (-0.2, 1.2, 0.4))
    solution = solve_standing(hand, goal)
    assert solution.reached, solution.explain()
    pose = solution.pose
    between = pose.rotation("right_hand").T @ (
        pose.position("left_hand") - pose.position("right_hand")
    )
    assert np.linalg.norm(between - (0.0, 0.0, 0.5)) <= 1e-3
    turned = pose.rotation("right_hand").T @ pose.rotation("left_hand")
    cosine = 0.5 * (np.trace(turned.T @ np.asarray(goal.rotation)) - 1.0)
    assert math.acos(min(1.0, cosine)) <= 1e-2 + 1e-6


def test_the_bar_may_be_moved():
    solver = poise.Solver(human(), Relative("left_hand", "right_hand", (0, 0, 0.5), name="bar"))
    for place in ((0, 0, 0.3), (0.1, 0.1, 0.3)):
        pose = solver.solve({"bar": place}).require().pose
        offset = pose.position("left_hand") - pose.position("right_hand")
        assert np.linalg.norm(pose.rotation("right_hand").T @ offset - place) <= 1e-3


@pytest.mark.parametrize("goal", [Distance("hand", "base", exactly=1.0), Relative("hand", "base")])
def test_a_full_weight_matrix_is_refused(goal):
    rows = sum(atom.row_count for atom in goal.atoms())
    with pytest.raises(GoalError, match="weight_matrix cannot be mixed"):
        poise.solve(arm(), goal, weight_matrix=np.eye(rows))
