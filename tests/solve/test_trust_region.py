"""`trust-region`: its steps by hand, its radius, and what it refuses."""

import numpy as np
import pytest
from solve import planar
from solve.cases import assert_inside_limits, links, stage, trial, two_link
from solve.planar import LENGTHS

import poise
from poise import Status

METHOD = "trust-region"


def traced(figure, target, start=None, **options):
    goal = poise.Position(figure.segment_names[-1] if figure.name == "stage" else "tip", target)
    return poise.solve(figure, goal, start=start, method=METHOD, trace=True, **options)


def wide(**parameters):
    """A region that bounds nothing, and conjugate gradients to the end."""
    return {"Delta_0": 1e3, "xi": 1e-9, **parameters}


@pytest.mark.parametrize("lengths", [(0.6, 0.5), LENGTHS], ids=["two links", "three links"])
def test_near_an_optimum_the_step_is_newton_s(lengths):
    """Out of reach, so that the Hessian is that of a valley: H d = -g, straight from the plane."""
    target, near = 1.5 + 0.9j, np.full(len(lengths), 0.05)
    near[0] = 0.5
    solution = traced(
        links(*lengths), (target.real, target.imag, 0.0), near, parameters=wide(), max_iterations=1
    )
    H, g = planar.hessian(lengths, near, target), planar.slope(lengths, near, target)
    assert np.linalg.eigvalsh(H).min() > 0
    step = solution.trace[1].angles - near
    np.testing.assert_allclose(step, np.linalg.solve(H, -g), rtol=1e-6)


def test_the_other_model_is_gauss_newton_s():
    lengths, near, target = (0.6, 0.5), np.array([0.4, 0.6]), 0.75 + 0.55j
    solution = traced(
        links(*lengths),
        (target.real, target.imag, 0.0),
        near,
        parameters=wide(model="gauss-newton"),
        max_iterations=1,
        tolerance=1e-12,
    )
    H = planar.hessian(lengths, near, target, exact=False)
    step = solution.trace[1].angles - near
    np.testing.assert_allclose(step, np.linalg.solve(H, -planar.slope(lengths, near, target)))
    other = np.linalg.solve(
        planar.hessian(lengths, near, target), -planar.slope(lengths, near, target)
    )
    assert np.abs(step - other).max() > 1e-3


def test_a_bound_cuts_the_step_and_the_rest_is_solved_on_the_face():
    """Newton's elbow would stretch below its limit: the shoulder then solves alone."""
    near, target = np.array([1.15, 0.85]), 1.95j
    solution = traced(two_link(0.8, 2.5), (0.0, 1.95, 0.0), near, parameters=wide())
    H, g = planar.hessian((1, 1), near, target), planar.slope((1, 1), near, target)
    assert near[1] + np.linalg.solve(H, -g)[1] < 0.8
    shoulder = (-g[0] - H[0, 1] * (0.8 - near[1])) / H[0, 0]
    np.testing.assert_allclose(solution.trace[1].angles, (near[0] + shoulder, 0.8), rtol=1e-8)


def test_steps_are_as_long_as_the_region_which_grows_when_the_model_is_right():
    """A table's f is its own model: Δ, then 4Δ, 16Δ, and the rest."""
    figure = stage((-9, 9), (-9, 9), (-9, 9))
    solution = traced(figure, (6.0, 8.0 * 0.6, 8.0 * 0.8), parameters={"Delta_0": 0.1})
    moves = np.diff([point.angles for point in solution.trace], axis=0)
    lengths = np.linalg.norm(moves, axis=1)
    np.testing.assert_allclose(lengths, (0.1, 0.4, 1.6, 6.4, 1.5), rtol=1e-9)
    assert solution.status is Status.REACHED


def test_a_table_goes_to_the_nearest_point_of_its_box_in_one_step():
    figure = stage((-1, 1), (-2, 0.5), (-1, 1))
    solution = traced(figure, (5.0, 0.25, -3.0), parameters=wide())
    np.testing.assert_array_equal(solution.trace[1].angles, (1.0, 0.25, -1.0))
    assert (solution.status, solution.iterations) == (Status.OPTIMAL, 1)


def test_it_leaves_a_place_where_the_slope_alone_leads_nowhere_fast():
    """Folded nearly straight back from its goal: the curvature is negative there."""
    start, target = np.array([np.pi - 0.01, 0.02]), 1.5
    assert np.linalg.eigvalsh(planar.hessian((1, 1), start, target)).min() < 0
    solution = traced(links(1.0, 1.0), (1.5, 0.0, 0.0), start)
    assert solution.reached
    values = [point.value for point in solution.trace]
    assert values == sorted(values, reverse=True)


def test_figures_too_large_for_a_matrix_are_solved_without_one():
    snake = poise.figures.snake(650)
    rest = snake.rest()
    goal = poise.Position("head", rest.position("head") + np.array([-0.3, 0.2, 0.1]))
    assert poise.solve(snake, goal, method=METHOD, max_iterations=200).reached


@pytest.mark.parametrize("seed", range(8))
def test_goals_out_of_reach_of_the_human_end_at_a_proven_optimum(seed):
    figure, goals, start = trial("human", "pose6d", seed, stretch=0.5)
    solution = poise.solve(figure, goals, start=start, method=METHOD, trace=True)
    assert solution.status is Status.OPTIMAL
    assert_inside_limits(figure, [point.angles for point in solution.trace])
