"""Cyclic coordinate descent: sweeps by hand, the better end of a range, what moves most."""

import itertools

import numpy as np
import pytest
from solve.cases import (
    assert_inside_limits,
    figure_named,
    iterates,
    links,
    random_pose,
    stage,
    trial,
)

import poise
from poise import OptionError, Segment, Site, joint

METHOD = "ccd"
LENGTHS = (0.5, 0.4, 0.25)
START = np.array([0.3, 0.6, -0.4])


def sweeps(figure, goals, start, count=3, **parameters):
    return iterates(METHOD, figure, goals, start, count, **parameters)


def swept(angles, lengths, pulls, limits=(-np.inf, np.inf), ease=1.0):
    """A sweep of a planar arm in complex numbers: `pulls` are (target, weight) of the tip.

    Seen from a joint, the tip must turn by the angle of Σ w g conj(r).
    """
    angles = np.array(angles, float)
    for i in reversed(range(len(angles))):
        ends = np.cumsum(np.asarray(lengths) * np.exp(1j * np.cumsum(angles)))
        pivot = 0.0 if i == 0 else ends[i - 1]
        total = sum(w * (g - pivot) * np.conj(ends[-1] - pivot) for g, w in pulls)
        turn = np.angle(total)
        low, high = limits[0] - angles[i], limits[1] - angles[i]
        if not low <= turn <= high:
            turn = max((low, high), key=lambda end: (np.conj(total) * np.exp(1j * end)).real)
        angles[i] += ease * turn
    return angles


@pytest.mark.parametrize("lengths", [(0.6, 0.5), LENGTHS], ids=["two links", "three links"])
@pytest.mark.parametrize("limits", [(-np.inf, np.inf), (-0.45, 0.65)], ids=["free", "limited"])
def test_sweeps_by_hand(lengths, limits):
    start = START[: len(lengths)]
    made = sweeps(links(*lengths, limits=limits), tip(0.35 + 0.6j), start)
    assert len(made) >= 2
    assert (made[1:] == 0.65).any() == np.isfinite(limits[1])
    for before, after in itertools.pairwise(made):
        expected = swept(before, lengths, [(0.35 + 0.6j, 1.0)], limits)
        np.testing.assert_allclose(after, expected, rtol=1e-9, atol=1e-12)


def tip(target, **options):
    return poise.Position("tip", (target.real, target.imag, 0.0), **options)


def test_several_goals_are_weighed():
    goals = [tip(0.35 + 0.6j, weight=3.0), tip(0.7 - 0.1j, name="other")]
    made = sweeps(links(*LENGTHS), goals, START)
    for before, after in itertools.pairwise(made):
        expected = swept(before, LENGTHS, [(0.35 + 0.6j, 3.0), (0.7 - 0.1j, 1.0)])
        np.testing.assert_allclose(after, expected, rtol=1e-9, atol=1e-12)


def test_relaxation_takes_a_share_of_each_step():
    made = sweeps(links(*LENGTHS), tip(0.35 + 0.6j), START, relaxation=0.4)
    expected = swept(made[0], LENGTHS, [(0.35 + 0.6j, 1.0)], ease=0.4)
    np.testing.assert_allclose(made[1], expected, rtol=1e-9)


@pytest.mark.parametrize(("target", "end"), [(-2.8, -1.5), (2.9, 1.3)])
def test_the_better_end_of_the_range_is_taken_and_not_the_nearer(target, end):
    """A hinge at 1.2 in [-1.5, 1.3]: on the circle -2.8 is nearer to -1.5, which is far to go."""
    made = sweeps(links(1.0, limits=(-1.5, 1.3)), tip(np.exp(1j * target)), [1.2], 1)
    assert made[1, 0] == end


def test_a_turn_may_go_round_the_far_way_inside_a_wide_range():
    """From 2 rad to a target at -2.5: across π where the range allows it, else all the way back."""
    target = tip(np.exp(-2.5j))
    wide = sweeps(links(1.0, limits=(-3.0, 5.0)), target, [2.0], 1)
    np.testing.assert_allclose(wide[1, 0], 2.0 * np.pi - 2.5)
    narrow = sweeps(links(1.0, limits=(-3.0, 3.0)), target, [2.0], 1)
    np.testing.assert_allclose(narrow[1, 0], -2.5)


def test_slides_go_to_the_weighted_mean_in_one_sweep():
    goals = [
        poise.Position("table", (1, 0, 0), weight=3.0),
        poise.Position("table", (0, 1, 0), name="other"),
    ]
    made = sweeps(stage((-9, 9), (-9, 0.2), (-9, 9)), goals, (0, 0, 0.5), 1)
    np.testing.assert_allclose(made[1], (0.75, 0.2, 0.0), atol=1e-15)


def orientation_arm():
    """One hinge about an axis in general position."""
    turn = joint.revolute((0.3, -0.5, 0.8))
    segments = [Segment("base", None), Segment("vane", "base", turn)]
    return poise.Figure("vane", segments, [Site("mark", "vane", (0.4, 0.1, 0.2))])


@pytest.mark.parametrize("kind", ["orientation", "pose6d"])
@pytest.mark.parametrize("seed", range(3))
def test_directions_have_their_optimum_in_closed_form(kind, seed):
    """One hinge: one sweep ends at the least value of all angles."""
    figure, rng = orientation_arm(), np.random.default_rng(seed)
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    rotation *= np.sign(np.linalg.det(rotation))
    goal = (
        poise.Orientation("mark", rotation)
        if kind == "orientation"
        else poise.Pose6D("mark", rng.normal(size=3), rotation)
    )
    solution = poise.solve(figure, goal, method=METHOD, max_iterations=1)
    problem = poise.Problem(figure, goal)
    least = min(problem.value([angle]) for angle in np.linspace(-np.pi, np.pi, 721))
    assert solution.value <= least * (1 + 1e-12)
    assert solution.value == pytest.approx(least, rel=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_a_free_ball_turns_in_a_few_sweeps(seed):
    """A rotation vector is turned about three axes: any orientation is reached."""
    segments = [Segment("base", None), Segment("head", "base", joint.rotation_vector())]
    figure, rng = poise.Figure("head", segments), np.random.default_rng(seed)
    start = rng.uniform(-2.0, 2.0, 3)
    goal = poise.Orientation("head", figure.pose(rng.uniform(-2.0, 2.0, 3)).rotation("head"))
    solution = poise.solve(figure, goal, start=start, method=METHOD, tolerance=1e-9)
    assert solution.reached
    assert solution.iterations < 60
    assert np.linalg.norm(solution.angles) <= np.pi


@pytest.mark.parametrize("heading", [0.3, 1.7, 3.0, 5.5])
def test_swings_end_at_the_edge_of_their_cone(heading):
    """A goal outside the cone: as near as the method that follows limits gets."""
    segments = [Segment("base", None), Segment("boom", "base", joint.swing_twist(0.6, axis="Y"))]
    figure = poise.Figure("boom", segments, [Site("end", "boom", (0.05, 0.8, 0.02))])
    goal = poise.Position("end", (np.cos(heading), 0.3, np.sin(heading)))
    solution = poise.solve(figure, goal, method=METHOD, trace=True)
    assert_inside_limits(figure, [point.angles for point in solution.trace])
    best = poise.solve(figure, goal)
    assert solution.value == pytest.approx(best.value, rel=1e-5)
    assert np.hypot(*solution.angles[:2]) == pytest.approx(0.6)


def test_joints_next_to_the_effector_move_most():
    """What HJ says of it; a pseudo-inverse spreads the motion the other way round."""
    figure = links(*[0.2] * 6)
    rng, moved = np.random.default_rng(3), {METHOD: np.zeros(6), "pseudo-inverse": np.zeros(6)}
    for _ in range(40):
        start = rng.uniform(-0.6, 0.6, 6)
        end = figure.pose(start).position("tip")
        goal = poise.Position("tip", end + 0.15 * rng.normal(size=3) * (1, 1, 0))
        for method, sums in moved.items():
            solution = poise.solve(figure, goal, start=start, method=method)
            sums += np.abs(solution.angles - start)
    share = {method: sums / sums.sum() for method, sums in moved.items()}
    assert share[METHOD][-1] > 0.35
    assert share[METHOD][-1] > 3.0 * share[METHOD][0]
    assert share[METHOD][-2:].sum() > share["pseudo-inverse"][-2:].sum()


@pytest.mark.parametrize("name", ["human", "every_joint"])
def test_one_forward_kinematics_serves_a_sweep(name):
    """No DOF's axis depends on one that was moved before it: the sweep's own points are where
    forward kinematics then finds them, so that its value never rises, however many it moves."""
    for seed in range(5):
        figure, goals, start = trial(name, "pose6d", seed)
        solution = poise.solve(
            figure, goals, start=start, method=METHOD, max_iterations=30, trace=True
        )
        values = np.array([point.value for point in solution.trace])
        assert (np.diff(values) <= 0).all()
        assert solution.value < 0.5 * values[0]


def test_it_says_what_it_cannot_take():
    arm = figure_named("arm")
    pose = random_pose(arm, np.random.default_rng(1))
    for goal in (
        poise.Aim("hand", (0, 1, 3)),
        poise.Plane("hand", (0, 1, 0), (0, 1, 0)),
        poise.Posture(pose),
    ):
        with pytest.raises(OptionError, match=f"'ccd' cannot take {type(goal).__name__}"):
            poise.solve(arm, goal, method=METHOD)
