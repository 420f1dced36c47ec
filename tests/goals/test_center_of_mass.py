"""CenterOfMass."""

import math

import numpy as np
import pytest
from derivatives import assert_derivatives
from goals.standing import arm, at, drone, human, random_pose, solve_standing

import poise
from poise import CenterOfMass, GoalError, Position, Problem, joint

NAME = "center of mass"
SQUARE = [(-1, 0, -1), (1, 0, -1), (1, 0, 1), (-1, 0, 1)]
MARGIN = 0.05
SOLES = ("left_heel", "left_toes", "right_heel", "right_toes")


def center_of(pose):
    """The mass-weighted mean of the segments' centres, from the definition."""
    rotations, origins = pose.frames
    segments = pose.figure.segments
    centers = [o + r @ s.center for r, o, s in zip(rotations, origins, segments, strict=True)]
    return np.average(centers, axis=0, weights=[segment.mass for segment in segments])


def shifted(corners, shift):
    return np.array(corners) + np.array(shift)


def support():
    rest = human().rest()
    return [rest.position(site) for site in SOLES]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "either at= or over="),
        ({"at": (0, 0, 0), "over": SQUARE}, "either at= or over="),
        ({"at": (0, 0)}, "at of the CenterOfMass goal needs three finite numbers"),
        ({"over": SQUARE[:2]}, "at least three finite corners"),
        ({"over": [(0, 0), (1, 0), (1, 1)]}, "at least three finite corners"),
        ({"over": [*SQUARE, (0, 0, math.nan)]}, "at least three finite corners"),
        ({"over": [(0, 0, 0), (1, 0, 0), (2, 0, 0)]}, "corners are in line"),
        ({"over": [(0, 0, 0), (0, 1, 0), (0, 2, 1)]}, "corners are in line"),
        ({"over": [(0, 0, 0)] * 4}, "no interior"),
        ({"over": SQUARE, "margin": 1.0}, "no interior with a margin of 1.0 m"),
        ({"over": SQUARE, "margin": -0.1}, "margin of the CenterOfMass goal"),
        ({"over": SQUARE, "up": (0, 0, 0)}, "a vector that is not zero"),
        ({"over": "here"}, "at least three finite corners"),
        ({"at": (0, 0, 0), "weight": 0}, "give a number above 0"),
    ],
)
def test_bad_input_is_named(options, words):
    with pytest.raises(GoalError, match=words):
        CenterOfMass(**options)


def test_a_figure_without_masses_is_named():
    figure = poise.Figure("ghost", [poise.Segment("s", None, joint.revolute("X"))])
    with pytest.raises(GoalError, match=r"'ghost' has one; give Segment\(mass=, center=\)"):
        Problem(figure, CenterOfMass((0, 0, 0)))


def test_moved():
    moved = CenterOfMass((0, 1, 2), weight=2.0, name="balance").moved((3, 4, 5))
    assert np.array_equal(moved.at, (3, 4, 5))
    assert (moved.weight, moved.name) == (2.0, "balance")
    over = CenterOfMass(over=SQUARE, margin=0.1).moved(shifted(SQUARE, (5, 0, 0)))
    assert np.array_equal(over.over, shifted(SQUARE, (5, 0, 0)))
    assert over.margin == 0.1
    with pytest.raises(GoalError, match="as many corners as before"):
        over.moved(SQUARE[:3])
    with pytest.raises(GoalError, match="at least three finite corners"):
        over.moved([(0, 0), (1,)])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("figure", [human, arm])
def test_it_is_the_mean_of_the_segments_centres(figure, seed):
    pose = figure().pose(random_pose(figure(), seed))
    target = np.array((0.1, 0.2, 0.3))
    problem = Problem(figure(), CenterOfMass(target, weight=3.0))
    off = center_of(pose) - target
    np.testing.assert_allclose(problem.residuals(pose), math.sqrt(3.0) * off, atol=1e-12)
    assert problem.value(pose) == pytest.approx(3.0 * off @ off)
    assert problem.errors(pose)[NAME].position == pytest.approx(np.linalg.norm(off))


def test_two_masses_by_hand():
    """3 kg at x and 1 kg at x + 4 balance at x + 1."""
    segments = [
        poise.Segment("ground", None),
        poise.Segment("big", "ground", joint.prismatic("X"), mass=3.0),
        poise.Segment("small", "big", joint.prismatic("Y"), (2, 0, 0), mass=1.0, center=(2, 0, 0)),
    ]
    problem = Problem(poise.Figure("two", segments), CenterOfMass((0, 0, 0)))
    assert problem.value([5.0, 0.0]) == pytest.approx(36.0)
    np.testing.assert_allclose(problem.gradient([5.0, 8.0]), (12.0, 1.0))


def test_over_a_square():
    problem = Problem(drone(), CenterOfMass(over=SQUARE, margin=0.25))
    for x, y, z, value in (
        (0, 0, 0, 0.0),
        (0.7, 30.0, -0.7, 0.0),
        (2.75, -9.0, 0, 4.0),
        (2.75, 0, -1.75, 5.0),
    ):
        pose = at(tx=x, ty=y, tz=z)
        assert problem.value(pose) == pytest.approx(value)
        worst = max(abs(x) - 0.75, abs(z) - 0.75, 0.0)
        assert problem.errors(pose)[NAME] == pytest.approx((worst, 0.0))


def test_corners_in_any_order_and_inside():
    """The hull counts: neither order nor corners inside it matter."""
    rng = np.random.default_rng(0)
    corners = [*SQUARE, (0, 5, 0), (0.5, 0, 0.5), (1, 0, 0)]
    poses = [at(tx=x, tz=z) for x, z in rng.uniform(-3, 3, size=(20, 2))]
    plain = Problem(drone(), CenterOfMass(over=SQUARE))
    for _ in range(5):
        problem = Problem(drone(), CenterOfMass(over=rng.permutation(corners)))
        for pose in poses:
            assert problem.value(pose) == pytest.approx(plain.value(pose))


def test_crowded_corners_leave_room_for_the_margin():
    """Many corners at one end do not make the polygon smaller."""
    crowd = [(-1 + 0.01 * i, 0, -1 + 0.01 * j) for i in range(5) for j in range(5)]
    crowded = Problem(drone(), CenterOfMass(over=[*SQUARE, *crowd], margin=0.9))
    plain = Problem(drone(), CenterOfMass(over=SQUARE, margin=0.9))
    for x in (-2.0, 0.0, 0.5, 3.0):
        assert crowded.value(at(tx=x)) == pytest.approx(plain.value(at(tx=x)))
    with pytest.raises(GoalError, match=r"no interior with a margin of 1\.1 m"):
        CenterOfMass(over=[*SQUARE, *crowd], margin=1.1)


def test_a_thin_triangle_has_less_room_than_its_edges_suggest():
    """Its inscribed circle has a radius of 2 - √2."""
    corners = [(0, 0, 0), (2, 0, 0), (0, 0, 2)]
    CenterOfMass(over=corners, margin=2.0 - math.sqrt(2.0) - 1e-3)
    with pytest.raises(GoalError, match="no interior"):
        CenterOfMass(over=corners, margin=2.0 - math.sqrt(2.0) + 1e-3)


def test_up_may_be_another_axis():
    corners = [(x, z, y) for x, y, z in SQUARE]
    problem = Problem(drone(), CenterOfMass(over=corners, up=(0, 0, 2)))
    assert problem.value(at(tz=9.0)) == 0.0
    assert problem.value(at(ty=3.0)) == pytest.approx(4.0)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("figure", [human, arm])
@pytest.mark.parametrize(
    "goal",
    [
        CenterOfMass((0.1, 0.2, 0.3), weight=2.0),
        CenterOfMass(over=shifted(SQUARE, (9, 0, 7)), weight=2.0),
    ],
    ids=["at", "over"],
)
def test_derivatives(goal, figure, seed):
    effector = "left_hand" if figure is human else "hand"
    goals = [goal, Position(effector, (0.2, 1.0, 0.1))]
    assert_derivatives(Problem(figure(), goals), random_pose(figure(), seed))


def test_standing_at_a_point():
    target = center_of(human().rest()) + np.array((0.03, -0.05, 0.02))
    solution = solve_standing(CenterOfMass(target))
    assert solution.reached
    assert np.linalg.norm(center_of(solution.pose) - target) <= 1e-3


def test_standing_over_the_feet_while_reaching_out():
    """Without the goal the centre of mass leaves the feet; with it, it stays over them."""
    hands = [
        Position("left_hand", (0.15, 0.6, 0.75)),
        Position("right_hand", (-0.15, 0.6, 0.75)),
    ]
    front = max(corner[2] for corner in support())
    goal = CenterOfMass(over=support(), margin=MARGIN)
    assert center_of(solve_standing(*hands).pose)[2] > front - MARGIN
    solution = solve_standing(*hands, goal)
    assert solution.errors[NAME].position <= 1e-3
    center = center_of(solution.pose)
    corners = np.array(support())
    low, high = corners.min(0) + MARGIN, corners.max(0) - MARGIN
    for axis in (0, 2):
        assert low[axis] - 1e-3 <= center[axis] <= high[axis] + 1e-3


def test_a_polygon_that_holds_changes_nothing():
    solution = solve_standing(CenterOfMass(over=support()))
    assert solution.reached
    assert np.array_equal(solution.angles, human().rest().angles)


def test_the_target_may_be_moved():
    solver = poise.Solver(drone(), CenterOfMass(over=SQUARE, name="balance"), start=at(tx=3.0))
    assert solver.solve().angles[0] == pytest.approx(1.0, abs=1e-3)
    moved = solver.solve({"balance": shifted(SQUARE, (5, 0, 0))})
    assert moved.angles[0] == pytest.approx(4.0, abs=1e-3)


def test_a_moved_polygon_may_have_another_hull():
    """From three corners and one inside to four, with another goal behind it in the tables."""
    corners = [(-1, 0, -1), (1, 0, -1), (0, 0, 1), (0, 0, 0)]
    goals = [CenterOfMass(over=corners, name="balance"), Position("body", (0, 3, 0))]
    solver = poise.Solver(drone(), goals)
    solution = solver.solve({"balance": shifted(SQUARE, (5, 0, 0)), "body": (5.5, 3, 0.9)})
    assert solution.reached
    np.testing.assert_allclose(solution.angles[:3], (5.5, 3.0, 0.9), atol=1e-3)
    assert not solver.solve({"balance": shifted(corners, (5, 0, 0))}).reached


def test_a_full_weight_matrix_is_refused_over_a_polygon():
    with pytest.raises(GoalError, match="weight_matrix cannot be mixed with the CenterOfMass"):
        poise.solve(drone(), CenterOfMass(over=SQUARE), weight_matrix=np.eye(4))
