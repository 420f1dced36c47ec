"""The workspace: budgets are kept, memory is made once."""

import tracemalloc

import numpy as np
import pytest
from solve.cases import METHODS, effectors_of, figure_named, goals_at, same_bits

import poise
from poise.kernels import layout
from poise.kernels.state import conclude
from poise.solve.method import method_named
from poise.solve.workspace import Workspace, generator_state

each_method = pytest.mark.parametrize("method", METHODS)
LIMITS = {
    "optimality": 1e-6,
    "max_iterations": 40,
    "max_time": None,
    "restarts": 0,
    "seed": 0,
}


def workspace_of(method):
    figure = figure_named("human")
    known = method_named(method)
    problem = poise.Problem(figure, goals_at(figure.middle(), effectors_of("human")))
    return Workspace(problem, known, known.checked({}))


def endless(figure, **options):
    """A solve that would run for seconds."""
    rest = figure.rest()
    goals = [
        poise.Position(e, rest.position(e) + np.array([0.3, 0.2, 0.5]))
        for e in effectors_of("human")
    ]
    return poise.solve(
        figure,
        goals,
        method="projected-gradient",
        tolerance=1e-12,
        optimality=0.0,
        max_iterations=10**9,
        **options,
    )


@pytest.mark.parametrize("budget", [0.02, 0.05])
def test_a_time_budget_is_kept_within_a_fifth(budget):
    """The machine may be busy: one of five runs has to keep it, none may come back early."""
    figure = figure_named("human")
    endless(figure, max_time=budget)
    runs = [endless(figure, max_time=budget) for _ in range(5)]
    assert all(run.status is poise.Status.OUT_OF_TIME for run in runs)
    assert all(run.time >= budget for run in runs)
    assert min(run.time for run in runs) <= 1.2 * budget


def test_more_time_gives_more_iterations():
    figure = figure_named("human")
    short = max(endless(figure, max_time=0.002).iterations for _ in range(3))
    long = max(endless(figure, max_time=0.05).iterations for _ in range(3))
    assert long > 3 * short


@each_method
def test_a_budget_that_is_not_used_up_changes_nothing(method):
    """Pieces of a solve give the bits of the whole, with a trace and without."""
    workspace = workspace_of(method)
    start = workspace.problem.figure.rest().angles
    whole = workspace.run(start, **LIMITS)
    for change in ({"max_time": 60.0}, {"max_time": np.inf}, {"trace": True}):
        pieces = workspace.run(start, **{**LIMITS, **change})
        assert same_bits(pieces.angles, whole.angles)
        assert (pieces.status, pieces.evaluations) == (whole.status, whole.evaluations)


@each_method
def test_a_run_leaves_nothing_behind(method):
    """Whatever was solved before, a start gives the bits that a new workspace gives."""
    workspace = workspace_of(method)
    figure = workspace.problem.figure
    starts = [figure.rest().angles, figure.middle().angles, figure.lower.clip(-9, 9)]
    budgets = [{}, {"max_iterations": 3}, {"max_time": 1e-9}]
    for start in (*starts, starts[0]):
        for budget in budgets:
            used = workspace.run(start, **{**LIMITS, **budget})
            fresh = workspace_of(method).run(start, **{**LIMITS, **budget})
            assert same_bits(used.angles, fresh.angles)
            assert same_bits(used.gradient, fresh.gradient)
            assert (used.residual, used.status) == (fresh.residual, fresh.status)
            assert used.start_was_projected == fresh.start_was_projected


@each_method
def test_the_arenas_stay_where_they_are(method):
    workspace = workspace_of(method)
    addresses = workspace.floats.ctypes.data, workspace.ints.ctypes.data
    sizes = workspace.floats.size, workspace.ints.size
    start = workspace.problem.figure.rest().angles
    for _ in range(20):
        workspace.run(start, **LIMITS)
    assert addresses == (workspace.floats.ctypes.data, workspace.ints.ctypes.data)
    assert sizes == (workspace.floats.size, workspace.ints.size)


@each_method
def test_a_thousand_solves_leave_no_memory_behind(method):
    figure = figure_named("human")
    effectors = effectors_of("human")
    solver = poise.Solver(
        figure, goals_at(figure.rest(), effectors), method=method, max_iterations=20
    )
    rest = {effector: figure.rest().position(effector) for effector in effectors}
    moved = {effector: point + 0.03 for effector, point in rest.items()}

    def solve_often(count):
        for _ in range(count):
            solver.solve(moved)
            solver.solve(rest)

    tracemalloc.start()
    try:
        solve_often(20)
        before, _ = tracemalloc.get_traced_memory()
        solve_often(500)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 20_000


def test_seeds_give_states_that_a_generator_can_use():
    states = {generator_state(seed) for seed in range(-50, 50)}
    assert len(states) == 100
    assert 0 not in states
    assert all(-(2**63) <= state < 2**63 for state in states)


@each_method
@pytest.mark.parametrize("evaluations", range(1, 12))
def test_a_run_that_is_stopped_anywhere_tells_of_its_best_pose(method, evaluations):
    """Also right after a trial that was refused."""
    workspace = workspace_of(method)
    workspace.run(workspace.problem.figure.rest().angles, **LIMITS | {"max_iterations": 0})
    workspace._counters[:] = 0
    workspace._counters[layout.MAX_ITERATIONS] = 100
    workspace.advance(workspace.floats, workspace.ints, evaluations)
    conclude(workspace.floats, workspace.ints)
    problem, angles = workspace.problem, workspace._angles
    assert workspace._scalars[layout.VALUE] == pytest.approx(problem.value(angles), rel=1e-12)
    np.testing.assert_allclose(workspace._gradient, problem.gradient(angles), atol=1e-12)
    errors = problem.errors_by_name(workspace.section(layout.GOAL_ERRORS).reshape(-1, 2))
    for name, error in problem.errors(angles).items():
        assert errors[name] == pytest.approx(error, abs=1e-14)
