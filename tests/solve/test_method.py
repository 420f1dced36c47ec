"""What every method promises, on every figure and goal kind; and the registry of methods."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solve.cases import (
    METHODS,
    MONOTONE,
    able,
    assert_inside_limits,
    effectors_of,
    figure_named,
    fullest,
    goals_at,
    matrix,
    pairs,
    same_bits,
    stage,
    trial,
)

import poise
from poise import Segment, joint
from poise.solve.capabilities import Feature
from poise.solve.method import Parameter, method_named

pytestmark = pytest.mark.filterwarnings("error")
each_method = pytest.mark.parametrize("method", METHODS)
each_case = pytest.mark.parametrize(("method", "figure_name", "kind"), matrix())
each_pair = pytest.mark.parametrize(("method", "figure_name"), pairs())

TOGETHER = [
    name
    for name in able(Feature.SLIDES, Feature.INNER_SLIDES)
    if not poise.methods()[name].capabilities.one_by_one
]
"""Those that move all DOFs of a step at once."""
SEEDS = st.integers(0, 2**32 - 1)
OUTSIDE = st.sampled_from((0.0, 0.3, 30.0))
STRETCH = st.sampled_from((0.0, 0.1, 1.0, 5.0))


def property_test(examples):
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None)


# -- the invariants -------------------------------------------------------------------------------


@each_case
@property_test(6)
@given(seed=SEEDS, outside=OUTSIDE, stretch=STRETCH)
def test_limits_hold_at_every_iterate(method, figure_name, kind, seed, outside, stretch):
    figure, goals, start = trial(figure_name, kind, seed, outside=outside, stretch=stretch)
    solution = poise.solve(figure, goals, start=start, method=method, max_iterations=60, trace=True)
    assert_inside_limits(figure, [point.angles for point in solution.trace])
    assert_inside_limits(figure, solution.angles)
    assert solution.pose.is_inside_limits
    assert solution.start_was_projected == (not start.is_inside_limits)


@pytest.mark.parametrize(("method", "figure_name", "kind"), matrix(MONOTONE))
@property_test(6)
@given(seed=SEEDS, outside=OUTSIDE, stretch=STRETCH)
def test_the_value_never_rises_within_an_attempt(method, figure_name, kind, seed, outside, stretch):
    figure, goals, start = trial(figure_name, kind, seed, outside=outside, stretch=stretch)
    solution = poise.solve(figure, goals, start=start, method=method, max_iterations=60, trace=True)
    for before, after in zip(solution.trace, solution.trace[1:], strict=False):
        assert after.attempt in (before.attempt, before.attempt + 1)
        assert after.evaluations == before.evaluations + 1
        if after.attempt == before.attempt:
            assert after.value <= before.value
    assert solution.value <= solution.trace[0].value
    assert solution.trace[-1].evaluations == solution.evaluations


@each_pair
@property_test(6)
@given(seed=SEEDS, stretch=STRETCH)
def test_the_answer_is_the_best_iterate(method, figure_name, seed, stretch):
    figure, goals, start = trial(figure_name, fullest(method), seed, stretch=stretch)
    solution = poise.solve(figure, goals, start=start, method=method, max_iterations=60, trace=True)
    assert any(same_bits(point.angles, solution.angles) for point in solution.trace)
    if not solution.reached:
        assert solution.value == min(point.value for point in solution.trace)
    problem = poise.Problem(figure, goals)
    assert solution.value == pytest.approx(problem.value(solution.pose), rel=1e-12, abs=1e-28)
    np.testing.assert_allclose(
        solution.gradient, problem.gradient(solution.pose), rtol=1e-10, atol=1e-12
    )
    for name, error in problem.errors(solution.pose).items():
        assert solution.errors[name] == pytest.approx(error, rel=1e-9, abs=1e-14)


@each_case
@property_test(4)
@given(seed=SEEDS)
def test_nothing_moves_when_started_at_the_goal(method, figure_name, kind, seed):
    figure, _, start = trial(figure_name, kind, seed)
    goals = goals_at(start, effectors_of(figure_name), kind)
    solution = poise.solve(figure, goals, start=start, method=method)
    assert solution.status is poise.Status.REACHED
    assert solution.iterations == 0 or kind in ("posture", "custom")  # which have an optimum
    assert same_bits(solution.angles, start.angles)
    assert not solution.start_was_projected


@each_pair
@property_test(4)
@given(seed=SEEDS, outside=OUTSIDE, stretch=STRETCH)
def test_the_same_input_gives_the_same_bits(method, figure_name, seed, outside, stretch):
    figure, goals, start = trial(
        figure_name, fullest(method), seed, outside=outside, stretch=stretch
    )
    options = {"method": method, "max_iterations": 60}
    solver = poise.Solver(figure, goals, start=start, **options)
    first, again = solver.solve(), solver.solve(start=start)
    for other in (
        again,
        poise.solve(figure, goals, start=start, **options),
        poise.solve(figure, goals, start=start, trace=True, **options),
    ):
        assert same_bits(first.angles, other.angles)
        assert same_bits(first.gradient, other.gradient)
        assert (first.value, first.status, first.residual) == (
            other.value,
            other.status,
            other.residual,
        )
        assert (first.iterations, first.evaluations, first.restarts) == (
            other.iterations,
            other.evaluations,
            other.restarts,
        )


_IN_ANOTHER_PROCESS = """
import hashlib
import poise
from solve.cases import fullest, pairs, trial

digest = hashlib.sha256()
for method, name in pairs():
    figure, goals, start = trial(name, fullest(method), 11, outside=0.2, stretch=0.2)
    solution = poise.solve(figure, goals, start=start, method=method, max_iterations=200)
    digest.update(solution.angles.tobytes() + repr(solution.value).encode())
print(digest.hexdigest())
"""


def test_the_same_input_gives_the_same_bits_in_every_process():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    runs = [
        subprocess.run(
            [sys.executable, "-c", _IN_ANOTHER_PROCESS],
            env={**environment, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        )
        for seed in (1, 2)
    ]
    assert len(runs[0].stdout.strip()) == 64
    assert runs[0].stdout == runs[1].stdout


# -- who may move, and how far --------------------------------------------------------------------


def whole_cones(figure, chosen):
    """The choice with both swings of a cone in it, or none."""
    for dof, _ in figure.cones:
        chosen[dof + 1] = chosen[dof]
    return chosen


@each_pair
@property_test(5)
@given(seed=SEEDS, stretch=STRETCH)
def test_dofs_outside_the_chain_keep_their_bits(method, figure_name, seed, stretch):
    figure, goals, start = trial(figure_name, "position", seed, stretch=stretch)
    rng = np.random.default_rng(seed)
    chosen = whole_cones(figure, rng.random(len(figure.dofs)) < 0.5)
    chosen[0] = True
    chain = [name for name, on in zip(figure.dof_names, chosen, strict=True) if on]
    goals = [poise.Position(g.effector, g.position, chain=chain) for g in goals]
    solution = poise.solve(figure, goals, start=start, method=method, max_iterations=60)
    assert same_bits(solution.angles[~chosen], start.angles[~chosen])
    assert_inside_limits(figure, solution.angles)


@pytest.mark.parametrize("method", able(Feature.RESTARTS))
@pytest.mark.parametrize("figure_name", ["human", "every_joint"])
@pytest.mark.parametrize("levels", [1, 2])
def test_restarts_and_levels_stay_inside_the_chain(method, figure_name, levels):
    restarts = 0
    for seed in range(8):
        figure, goals, start = trial(figure_name, "position", seed, stretch=0.05)
        rng = np.random.default_rng(seed)
        chosen = whole_cones(figure, rng.random(len(figure.dofs)) < 0.5)
        chosen[0] = True
        chain = [name for name, on in zip(figure.dof_names, chosen, strict=True) if on]
        goals = [goal.changed(chain=chain) for goal in goals]
        goals[-1] = goals[-1].changed(level=levels)
        options = {"method": method, "restarts": 3, "trace": True}
        solution = poise.solve(figure, goals, start=start, **options)
        for angles in [*(point.angles for point in solution.trace), solution.angles]:
            assert same_bits(angles[~chosen], start.angles[~chosen])
        restarts += solution.restarts
    assert restarts > 0


@each_pair
@property_test(5)
@given(seed=SEEDS, stretch=STRETCH)
def test_a_rigidity_of_one_freezes_exactly(method, figure_name, seed, stretch):
    figure, goals, start = trial(figure_name, fullest(method), seed, stretch=stretch)
    rng = np.random.default_rng(seed)
    frozen = whole_cones(figure, rng.random(len(figure.dofs)) < 0.5)
    rigidity = {name: 1.0 for name, on in zip(figure.dof_names, frozen, strict=True) if on}
    stiff = figure.with_rigidity(rigidity)
    solution = poise.solve(stiff, goals, start=start.angles, method=method, max_iterations=60)
    assert same_bits(solution.angles[frozen], start.angles[frozen])
    assert_inside_limits(figure, solution.angles)
    moved = solution.angles[~frozen] != start.angles[~frozen]
    tried = method in MONOTONE and solution.iterations > 0 and solution.residual > 0
    assert moved.any() or not tried


@pytest.mark.parametrize("method", able(Feature.CONES, Feature.INNER_SLIDES))
@property_test(20)
@given(seed=SEEDS, frozen=st.sampled_from(("boom_swing_x", "boom_swing_y")))
def test_one_swing_of_a_cone_can_be_frozen(method, seed, frozen):
    figure, goals, start = trial("every_joint", "position", seed, stretch=0.3)
    stiff = figure.with_rigidity({frozen: 1.0})
    solution = poise.solve(stiff, goals, start=start.angles, method=method, max_iterations=60)
    assert solution.pose[frozen] == start[frozen]
    assert_inside_limits(figure, solution.angles)


@pytest.mark.parametrize("method", TOGETHER)
@pytest.mark.parametrize("rigidity", [0.0, 0.3, 0.7])
def test_rigidity_shares_the_motion(method, rigidity):
    """Two slides in a row, one of them stiffer: steps of both scale with (1 - rigidity)²."""
    segments = [
        Segment("base", None),
        Segment("first", "base", joint.prismatic("X")),
        Segment("second", "first", joint.prismatic("X")),
    ]
    figure = poise.Figure("drawers", segments).with_rigidity({"first": rigidity})
    solution = poise.solve(
        figure, poise.Position("second", (1.0, 0.0, 0.0)), method=method, tolerance=1e-6
    )
    assert solution.reached
    ratio = solution.pose["first"] / solution.pose["second"]
    assert ratio == pytest.approx((1.0 - rigidity) ** 2, rel=1e-6)


@pytest.mark.parametrize("method", able(Feature.RIGIDITY))
def test_a_stiffer_joint_moves_less(method):
    figure = figure_named("arm")
    rest = figure.rest()
    goals = [poise.Position("hand", rest.position("hand") + np.array([0.05, 0.1, 0.05]))]
    moves = []
    for rigidity in (0.0, 0.5, 0.9):
        stiff = figure.with_rigidity({"elbow_flexion": rigidity})
        solution = poise.solve(stiff, goals, method=method, max_iterations=200_000).require()
        moves.append(abs(solution.pose["elbow_flexion"] - rest["elbow_flexion"]))
    assert moves[0] > moves[1] > moves[2]


@pytest.mark.parametrize("method", MONOTONE)
def test_rigidity_does_not_change_what_is_reached(method):
    """Nor how near a goal out of reach comes."""
    figure = figure_named("arm")
    for target, nearest in (((-0.1, 1.3, 0.4), 0.0), ((-0.3, 1.5, 1.0), None)):
        values = [
            poise.solve(
                figure.with_rigidity({"elbow": rigidity, "shoulder_elevation": 0.5 * rigidity}),
                poise.Position("hand", target),
                method=method,
                max_iterations=200_000,
            ).value
            for rigidity in (0.0, 0.5, 0.9)
        ]
        expected = values[0] if nearest is None else nearest
        assert values == pytest.approx([expected] * 3, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("method", able(Feature.WEIGHT_MATRIX, Feature.SLIDES))
def test_a_full_weight_matrix_moves_the_compromise(method):
    """Two goals pull one table apart: eᵀWe has its minimum where W says, in closed form."""
    figure = stage((-9, 9), (-9, 9), (-9, 9))
    one, other = np.array([1.0, 0.0, 0.5]), np.array([0.0, 2.0, -0.5])
    rng = np.random.default_rng(4)
    factor = rng.normal(size=(6, 6))
    W = factor @ factor.T + 0.5 * np.eye(6)
    goals = [poise.Position("table", one), poise.Position("table", other, name="other")]
    solution = poise.solve(
        figure, goals, method=method, weight_matrix=W, optimality=1e-9, max_iterations=100_000
    )
    J = np.vstack([np.eye(3), np.eye(3)])
    e0 = -np.concatenate([one, other])
    expected = np.linalg.solve(J.T @ W @ J, -J.T @ W @ e0)
    np.testing.assert_allclose(solution.angles, expected, atol=1e-6)
    e = J @ expected + e0
    assert solution.value == pytest.approx(e @ W @ e, rel=1e-9)
    plain = poise.solve(figure, goals, method=method)
    np.testing.assert_allclose(plain.angles, 0.5 * (one + other), atol=1e-4)
    assert np.abs(plain.angles - expected).max() > 0.1


@pytest.mark.parametrize("method", able(Feature.SLIDES, Feature.WEIGHTS))
def test_weights_of_goals_move_the_compromise(method):
    figure = stage((-9, 9), (-9, 9), (-9, 9))
    goals = [
        poise.Position("table", (1, 0, 0), weight=3.0),
        poise.Position("table", (0, 1, 0), weight=1.0, name="other"),
    ]
    solution = poise.solve(figure, goals, method=method)
    assert solution.status is poise.Status.OPTIMAL
    np.testing.assert_allclose(solution.angles, (0.75, 0.25, 0.0), atol=1e-5)


@pytest.mark.parametrize("method", able(Feature.POSE6D, Feature.CONES, Feature.SLIDES))
@property_test(20)
@given(seed=SEEDS, velocity=st.floats(0.05, 5.0), outside=st.sampled_from((0.0, 0.3)))
def test_no_dof_moves_faster_than_allowed(method, seed, velocity, outside):
    figure, goals, start = trial("every_joint", "pose6d", seed, outside=outside, stretch=1.0)
    dt = 1.0 / 60.0
    solver = poise.Solver(
        figure, goals, start=start, method=method, max_velocity=velocity, dt=dt, max_iterations=40
    )
    before = start.clamped().angles
    for _ in range(3):
        solution = solver.solve(trace=True)
        for point in solution.trace:
            assert_inside_limits(figure, point.angles)
            room = np.spacing(np.abs(before) + velocity * dt)
            assert (np.abs(point.angles - before) <= velocity * dt + room).all()
        before = solution.angles


@each_method
def test_velocities_can_be_given_by_pattern(method):
    figure = figure_named("human")
    start = figure.rest()
    goal = poise.Position("left_hand", start.position("left_hand") + np.array([0.3, 0.4, 0.3]))
    limits = {"*": 100.0, "left_elbow_*": 0.5, "root_*": 0.001}
    solver = poise.Solver(
        figure, goal, method=method, max_velocity=limits, dt=0.1, max_iterations=50
    )
    moved = np.abs(solver.solve().angles - start.angles)
    elbow, root = figure.match_dofs("left_elbow_*"), figure.match_dofs("root_*")
    assert moved[elbow].max() <= 0.05 + 1e-15
    assert moved[root].max() <= 0.0001 + 1e-15
    assert moved.max() > 0.05


@each_method
def test_a_far_turned_start_is_wrapped_only_where_it_may_move(method):
    figure = figure_named("human")
    goal = poise.Position("left_hand", (0.4, 1.2, 0.3), chain="left_*")
    start = figure.rest().with_angles({"root_rx": 5.0})
    held = poise.solve(figure, goal, start=start, method=method, max_iterations=5)
    assert held.pose["root_rx"] == 5.0
    limited = figure.with_limits({"root_rx": (3.5, 7.0)})
    goal = poise.Position("left_hand", start.position("left_hand"))
    solution = poise.solve(limited, goal, start=start.angles, method=method)
    assert_inside_limits(limited, solution.angles)


# -- the registry ---------------------------------------------------------------------------------


def test_every_method_says_what_it_is():
    assert "auto" in METHODS
    assert "projected-gradient" in METHODS
    for name, method in poise.methods().items():
        assert method.name == name
        assert method.summary
        assert method.source
        for parameter in method.parameters.values():
            assert parameter.least <= parameter.default <= parameter.most
            assert parameter.meaning


def test_the_methods_stand_in_the_order_of_the_papers():
    known = [
        "auto",
        "projected-gradient",
        "jacobian-transpose",
        "pseudo-inverse",
        "half-jacobian",
        "damped-least-squares",
        "selectively-damped",
        "ccd",
        "bfgs-rosen",
        "lbfgs-b",
        "trust-region",
        "semi-smooth-newton",
        "fabrik",
    ]
    assert [name for name in known if name in METHODS] == list(METHODS)


def test_only_the_method_in_use_is_loaded():
    """Compiling takes seconds: a kernel that is not used must not even be imported."""
    code = (
        "import sys, poise; arm = poise.figures.arm(); poise.methods();"
        "poise.solve(arm, poise.Position('hand', (0.1, 1.2, 0.4)));"
        "print(*[name for name in sys.modules if name.startswith('poise.kernels.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.rpartition(".")[2] for name in done.stdout.split()}
    assert "auto" in loaded
    assert not loaded & {name.replace("-", "_") for name in METHODS if name != "auto"}
    assert not loaded & {"turns", "chain_rows", "right_inverse", "row_rules"}


@pytest.mark.parametrize("name", ["auto", "lbfgs-b"])
def test_the_time_of_the_first_solve_is_for_solving(name):
    """Reading compiled code takes longer than many a `max_time`: it is no part of it."""
    code = (
        "import poise; arm = poise.figures.arm(); goal = poise.Position('hand', (0.1, 1.2, 0.4));"
        f"poise.solve(arm, goal, method={name!r}, max_time=0.1).require()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["Auto", "projected_gradient", None, 3, ["auto"]])
def test_an_unknown_method_names_the_valid_ones(name):
    with pytest.raises(poise.OptionError, match=r"auto|projected-gradient"):
        method_named(name)


@each_method
def test_an_unknown_parameter_names_the_valid_ones(method):
    known = poise.methods()[method]
    parameter = next(iter(known.parameters))
    with pytest.raises(poise.OptionError, match=parameter):
        known.checked({parameter + "x": 1.0})
    with pytest.raises(poise.OptionError, match="parameters"):
        known.checked([parameter])


@each_method
def test_parameters_are_checked(method):
    known = poise.methods()[method]
    for name, parameter in known.parameters.items():
        for bad in (np.nan, np.inf, -np.inf, parameter.least - 1.0, "1", None, 1j):
            with pytest.raises(poise.OptionError, match=name):
                known.checked({name: bad})
        for number in (np.float32, np.float64):
            checked = known.checked({name: number(parameter.default)})
            assert checked[name] == pytest.approx(parameter.default)
            assert type(checked[name]) is float
        assert known.checked({})[name] == parameter.default


def test_a_parameter_knows_its_range():
    parameter = Parameter(0.5, "a share", least=0.25, most=1.0)
    assert parameter.checked("share", 1) == 1.0
    assert parameter.checked("share", np.int64(1)) == 1.0
    with pytest.raises(poise.OptionError, match=r"share=0\.2 .* 0\.25 to 1: a share"):
        parameter.checked("share", 0.2)
