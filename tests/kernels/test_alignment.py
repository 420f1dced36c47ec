"""The root of a figure that goes anywhere, brought to where its goals are."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels.arenas import Arenas, scratch
from kernels.wrappers import align_root
from scipy.spatial.transform import Rotation

import poise
from poise import Segment, Site, joint
from poise.kernels import layout, rows

LIMB = joint.ball("XYZ", limits=3 * [(-1.0, 1.0)])
ROOTS = {
    "ball": joint.free(),
    "hinges": joint.channels("Z-YX", "ZXY"),
    "hinges reversed": joint.channels("YZ-X", "X-YZ"),
}
SITES = ("middle", "left_tip", "right_tip", "top_tip")


def figure_with(root):
    """A body with three limbs, whose root is turned and shifted against its joint."""
    turned = Rotation.from_euler("xyz", (0.3, -0.8, 0.5)).as_matrix()
    body = Segment(
        "body", None, root, (0.1, 0.2, 0.3), turned, after_rotation=turned.T @ turned.T,
        after_offset=(0.2, -0.1, 0.4),
    )  # fmt: skip
    limbs = [
        Segment(name, "body", LIMB, offset, joint_name=name)
        for name, offset in (("left", (0.5, 0, 0)), ("right", (-0.4, 0.1, 0)), ("top", (0, 0.6, 0)))
    ]
    sites = [Site("middle", "body", (0.0, 0.1, 0.0))]
    sites += [Site(f"{limb.name}_tip", limb.name, (0.1, 0.3, 0.2)) for limb in limbs]
    return poise.Figure("kite", [body, *limbs], sites)


def aligned(figure, angles, targets, weights):
    """The angles after an alignment, or None where there is no free root."""
    goals = [
        poise.Position(name, target, weight=weight)
        for name, target, weight in zip(SITES, targets, weights, strict=True)
    ]
    problem = poise.Problem(figure, goals)
    sections = scratch(len(figure.dofs), problem.row_count, len(figure.segments))
    arenas = Arenas(problem.sections() | sections)
    trial = arenas[layout.TRIAL]
    trial[:] = angles
    arenas.call(rows.evaluate, trial, arenas[layout.TRIAL_ROWS])
    return trial.copy() if arenas.call(align_root) else None


def points_of(figure, angles):
    pose = figure.pose(angles)
    return np.array([pose.position(name) for name in SITES])


class Case:
    """A figure somewhere, aligned with points that noise has moved away from a rigid motion."""

    def __init__(self, root, seed):
        figure, draw = figure_with(ROOTS[root]), np.random.default_rng(seed)
        self.angles = draw.uniform(-1.0, 1.0, len(figure.dofs))
        self.angles[:6] *= 4.0
        other = figure.pose(draw.uniform(-3.0, 3.0, len(figure.dofs))).clamped()
        targets = points_of(figure, other.angles) + draw.normal(size=(4, 3), scale=0.1)
        weights = draw.uniform(0.2, 3.0, 4)
        self.found = aligned(figure, self.angles, targets, weights)
        before, after = points_of(figure, self.angles), points_of(figure, self.found)
        centre, goal = weights @ before / weights.sum(), weights @ targets / weights.sum()
        best, _ = Rotation.align_vectors(targets - goal, before - centre, weights)
        wanted = goal + best.apply(before - centre)
        self.at_first = weights @ np.square(before - targets).sum(1)
        self.least = weights @ np.square(wanted - targets).sum(1)
        self.reached = weights @ np.square(after - targets).sum(1)
        self.size = weights @ np.square(before - centre).sum(1)


@pytest.mark.parametrize("root", ROOTS)
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1))
def test_points_come_nearer_and_the_limbs_stay(root, seed):
    case = Case(root, seed)
    np.testing.assert_array_equal(case.found[6:], case.angles[6:])
    assert case.least * (1.0 - 1e-9) <= case.reached <= case.at_first * (1.0 + 1e-9)


@pytest.mark.parametrize("root", ROOTS)
def test_no_rigid_motion_brings_the_points_much_nearer(root):
    """Nor does one for nearly all others: turns about one axis after the other are slow where two
    rotations are nearly as good, about once in some thousand cases."""
    for seed in range(300):
        case = Case(root, seed)
        assert case.reached <= case.least + 0.02 * case.size, seed


def test_hinges_turn_the_short_way_on():
    figure = figure_with(ROOTS["hinges"])
    angles = np.zeros(len(figure.dofs))
    angles[3:6] = 40.0, 0.3, -25.0
    found = aligned(figure, angles, points_of(figure, angles + 0.01), np.ones(4))
    assert np.abs(found[3:6] - angles[3:6]).max() < 0.1


@pytest.mark.parametrize(
    "root",
    [
        joint.fixed(),
        joint.channels("ZY", "XYZ"),
        joint.channels("ZYZ", "XYZ", names=[*"abcdef"]),
        joint.channels("ZYX", "XYZ", translation_first=False),
        joint.channels("ZYX", "XYZ", limits=[(-np.inf, np.inf)] * 5 + [(-2.0, 2.0)]),
    ],
)
def test_a_root_that_cannot_go_anywhere_stays(root):
    figure = figure_with(root)
    assert aligned(figure, figure.rest().angles, np.eye(4, 3), np.ones(4)) is None


def test_a_figure_turned_over_is_brought_back():
    """From rest to goals of poses whose root is turned anyhow: few restarts are enough."""
    figure, draw = poise.figures.human(), np.random.default_rng(3)
    names = ("left_hand", "right_hand", "left_foot", "right_foot", "pelvis", "head")
    solver = poise.Solver(figure, [poise.Position(name, (0.0, 0.0, 0.0)) for name in names])
    restarts = []
    for turn in Rotation.random(200, rng=draw):
        angles = draw.uniform(-0.3, 0.3, len(figure.dofs))
        angles[3:6] = turn.as_rotvec()
        pose = figure.pose(angles).clamped()
        targets = {name: pose.position(name) for name in names}
        solution = solver.solve(targets, start=figure.rest(), trace=True)
        assert solution.reached
        for before, after in itertools.pairwise(solution.trace):
            assert after.value <= before.value or after.attempt > before.attempt
        restarts.append(solution.restarts)
    begun_again = sum(count > 0 for count in restarts)
    assert 0 < sum(restarts) <= 1.5 * begun_again
