"""Statuses: each says why a solve ended, and is true."""

import itertools

import numpy as np
import pytest
from solve.cases import (
    METHODS,
    MONOTONE,
    able,
    effectors_of,
    figure_named,
    takes_goals,
    trial,
    two_link,
)

import poise
from poise import Segment, Status
from poise.kernels import layout
from poise.solve.capabilities import Feature
from poise.solve.status import FROM_CODE

each_method = pytest.mark.parametrize("method", METHODS)


def far_goals(figure):
    rest = figure.rest()
    return [
        poise.Position(e, rest.position(e) + np.array([0.3, 0.2, 0.5]))
        for e in effectors_of("human")
    ]


def test_every_status_is_a_sentence():
    for status in Status:
        assert str(status) == status.value
        assert len(str(status).split()) > 4


def test_every_code_of_the_kernels_has_a_status():
    codes = (
        layout.RUNNING,
        layout.REACHED,
        layout.OPTIMAL,
        layout.STALLED,
        layout.OUT_OF_ITERATIONS,
    )
    assert set(FROM_CODE) == set(codes)
    assert set(FROM_CODE.values()) == set(Status)


@pytest.mark.parametrize("method", able(Feature.CONES, Feature.SLIDES, Feature.POSE6D))
def test_reached_means_that_every_goal_is_within_its_tolerance(method):
    tolerance = poise.Tolerance(position=2e-3, angle=5e-2)
    reached = 0
    for name, kind, seed in itertools.product(
        ("every_joint", "arm"), ("position", "pose6d"), range(5)
    ):
        if not takes_goals(method, name, kind):
            continue
        figure, goals, start = trial(name, kind, seed)
        solution = poise.solve(
            figure, goals, start=start, method=method, tolerance=tolerance, max_iterations=500
        )
        met = all(
            error.position <= tolerance.position and error.angle <= tolerance.angle
            for error in solution.errors.values()
        )
        assert (solution.status is Status.REACHED) == met == solution.reached
        reached += met
    assert reached >= 3


@pytest.mark.parametrize("method", MONOTONE)
def test_optimal_means_a_small_residual(method):
    solution = poise.solve(
        two_link(0.8, 2.5), poise.Position("tip", (0.0, 1.95, 0.0)), method=method
    )
    assert solution.status is Status.OPTIMAL
    assert solution.is_optimal
    assert 0 < solution.residual <= 1e-6 * solution.start_residual
    rough = poise.solve(
        two_link(0.8, 2.5), poise.Position("tip", (0.0, 1.95, 0.0)), method=method, optimality=0.5
    )
    assert rough.status is Status.OPTIMAL
    assert rough.residual <= 0.5 * rough.start_residual
    assert rough.iterations <= solution.iterations


@each_method
@pytest.mark.parametrize("budget", [1, 2, 5])
def test_the_iteration_budget_is_exact(method, budget):
    figure = figure_named("human")
    solution = poise.solve(
        figure,
        far_goals(figure),
        method=method,
        max_iterations=budget,
        tolerance=1e-14,
        optimality=0.0,
    )
    assert solution.status is Status.OUT_OF_ITERATIONS
    assert solution.iterations == budget


@each_method
def test_no_iterations_means_no_step(method):
    figure = figure_named("human")
    solution = poise.solve(figure, far_goals(figure), method=method, max_iterations=0)
    assert solution.status is Status.OUT_OF_ITERATIONS
    assert solution.iterations == 0
    np.testing.assert_array_equal(solution.angles, figure.rest().angles)


@each_method
def test_a_larger_budget_goes_on_where_a_smaller_one_ended(method):
    figure = figure_named("human")
    goals = far_goals(figure)
    values = [
        poise.solve(figure, goals, method=method, max_iterations=budget).value
        for budget in (1, 2, 3, 4, 6, 8)
    ]
    assert values == sorted(values, reverse=True)
    assert values[-1] < values[0]


@each_method
def test_out_of_time_is_said(method):
    figure = figure_named("human")
    solution = poise.solve(figure, far_goals(figure), method=method, max_time=1e-9)
    assert solution.status is Status.OUT_OF_TIME
    assert solution.value > 0


@each_method
def test_a_figure_that_cannot_move_is_optimal_or_there(method):
    rock = poise.Figure("rock", [Segment("a", None), Segment("b", "a", offset=(0.0, 1.0, 0.0))])
    there = poise.solve(rock, poise.Position("b", (0.0, 1.0, 0.0)), method=method)
    assert there.status is Status.REACHED
    away = poise.solve(rock, poise.Position("b", (0.0, 1.0, 1.0)), method=method)
    assert away.status is Status.OPTIMAL
    assert away.errors["b"].position == 1.0
    stiff = figure_named("arm").with_rigidity({"*": 1.0})
    held = poise.solve(stiff, poise.Position("hand", (0.0, 0.0, 0.0)), method=method)
    assert held.status is Status.OPTIMAL
    np.testing.assert_array_equal(held.angles, stiff.rest().angles)
