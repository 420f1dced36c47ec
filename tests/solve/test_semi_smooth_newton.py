"""`semi-smooth-newton`: its steps by hand, its order of convergence, complementarity at its end."""

import itertools

import numpy as np
import pytest
from solve import planar
from solve.cases import links, stage, trial, two_link
from solve.planar import LENGTHS

import poise
from poise import Status

METHOD = "semi-smooth-newton"
PURE = {"mu": 0.0}
"""Newton's method without regularisation."""


def traced(figure, target, start=None, **options):
    goal = poise.Position("tip", (target.real, target.imag, 0.0))
    return poise.solve(figure, goal, start=start, method=METHOD, trace=True, **options)


@pytest.mark.parametrize("lengths", [(0.6, 0.5), LENGTHS], ids=["two links", "three links"])
def test_where_no_limit_is_near_the_step_is_newton_s(lengths):
    target, near = 1.5 + 0.9j, np.full(len(lengths), 0.05)
    near[0] = 0.5
    solution = traced(links(*lengths), target, near, parameters=PURE, max_iterations=1)
    H, g = planar.hessian(lengths, near, target), planar.slope(lengths, near, target)
    step = solution.trace[1].angles - near
    np.testing.assert_allclose(step, np.linalg.solve(H, -g), rtol=1e-9)


def test_a_dof_that_the_slope_drives_out_goes_to_its_bound_and_the_others_know():
    """θ - c∇f of the elbow is below its limit: that row of the generalised Jacobian is a unit's."""
    near, target = np.array([1.25, 0.803]), 1.95j
    solution = traced(two_link(0.8, 2.5), target, near, parameters=PURE, max_iterations=1)
    H, g = planar.hessian((1, 1), near, target), planar.slope((1, 1), near, target)
    assert near[1] - g[1] / H.diagonal().max() < 0.8
    shoulder = (-g[0] - H[0, 1] * (0.8 - near[1])) / H[0, 0]
    np.testing.assert_allclose(solution.trace[1].angles, (near[0] + shoulder, 0.8), rtol=1e-9)


def natural_residual(figure, problem, angles):
    slope = problem.gradient(angles)
    return np.abs(angles - np.clip(angles - slope, figure.lower, figure.upper)).max()


@pytest.mark.parametrize("target", [1.2 + 0.9j, 0.9 - 1.1j, -0.4 + 1.3j])
def test_it_converges_quadratically_onto_its_limits(target):
    figure = links(*LENGTHS, limits=(-0.9, 0.9))
    solution = traced(figure, target, [0.1, 0.2, 0.3], optimality=0.0, max_iterations=30)
    problem = solution.problem
    residuals = [natural_residual(figure, problem, point.angles) for point in solution.trace]
    residuals = [r for r in dict.fromkeys(residuals) if r > 0]
    small = next(k for k, r in enumerate(residuals) if r < 1e-2)
    tail = [r for r in residuals[small:] if r > 1e-12]
    for before, after in itertools.pairwise(tail):
        assert after <= 10.0 * before**1.8
    assert residuals[-1] < 1e-10


@pytest.mark.parametrize("seed", range(8))
def test_limits_and_slopes_are_complementary_at_the_end(seed):
    """Every DOF of the human is at rest inside its range, or pressed against its limit."""
    figure, goals, start = trial("human", "pose6d", seed, stretch=0.5)
    solution = poise.solve(figure, goals, start=start, method=METHOD)
    assert solution.status is Status.OPTIMAL
    slope, small = solution.gradient, 1e-5 * np.abs(solution.gradient).max()
    below, above = solution.angles <= figure.lower, solution.angles >= figure.upper
    assert (np.abs(slope[~below & ~above]) <= max(small, 2 * solution.residual)).all()
    assert (slope[below] >= -2 * solution.residual).all()
    assert (slope[above] <= 2 * solution.residual).all()
    assert (below | above).any()


def test_a_table_goes_to_the_nearest_point_of_its_box_in_one_step():
    goal = poise.Position("table", (5.0, 0.25, -3.0))
    figure = stage((-1, 1), (-2, 0.5), (-1, 1))
    solution = poise.solve(figure, goal, method=METHOD, parameters=PURE)
    np.testing.assert_allclose(solution.angles, (1.0, 0.25, -1.0), rtol=1e-15)
    assert (solution.status, solution.iterations) == (Status.OPTIMAL, 1)


def test_where_newton_does_not_descend_the_slope_does():
    """Folded nearly straight back from its goal, where ∇²f is negative definite."""
    start = np.array([np.pi - 0.01, 0.02])
    assert np.linalg.eigvalsh(planar.hessian((1, 1), start, 1.5)).max() < 0
    solution = traced(links(1.0, 1.0), 1.5 + 0j, start)
    assert solution.reached
    values = [point.value for point in solution.trace]
    assert values == sorted(values, reverse=True)
