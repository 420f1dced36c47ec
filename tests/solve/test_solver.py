"""The Solver: warm starts, moving targets, options, threads; and `solve`, the same in one call."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solve.cases import (
    METHODS,
    able,
    effectors_of,
    figure_named,
    goals_at,
    random_pose,
    same_bits,
    stage,
    trial,
)

import poise
from poise.solve.capabilities import Feature

each_method = pytest.mark.parametrize("method", METHODS)


@pytest.fixture
def arm():
    return figure_named("arm")


def hand(figure, *shift):
    """Where the hand rests, moved a little [m]."""
    return figure.rest().position("hand") + (shift or 0.0)


def path_of(figure, effectors, frames, seed=0):
    """Targets by name along a random motion."""
    rng = np.random.default_rng(seed)
    one, other = (random_pose(figure, rng, inside=0.6).angles for _ in range(2))
    for share in np.linspace(0.0, 1.0, frames):
        pose = figure.pose(one + share * (other - one)).clamped()
        yield {effector: pose.position(effector) for effector in effectors}


# -- solving again and again ----------------------------------------------------------------------


@each_method
def test_each_solve_starts_from_the_last_answer(arm, method):
    options = {"method": method, "max_iterations": 3}
    solver = poise.Solver(arm, poise.Position("hand", hand(arm, 0.1, 0.1, 0.1)), **options)
    first = solver.solve()
    assert solver.pose == first.pose
    second = solver.solve({"hand": hand(arm, 0.2, 0.1, 0.0)})
    goal = poise.Position("hand", hand(arm, 0.2, 0.1, 0.0))
    expected = poise.solve(arm, goal, start=first.angles, **options)
    assert same_bits(second.angles, expected.angles)
    assert second.iterations == expected.iterations


@each_method
def test_targets_stay_where_they_were_moved(arm, method):
    solver = poise.Solver(arm, poise.Position("hand", hand(arm)), method=method)
    target = hand(arm, 0.05, 0.05, 0.05)
    moved = solver.solve({"hand": target})
    assert np.linalg.norm(moved.pose.position("hand") - target) <= 1e-3
    again = solver.solve()
    assert again.iterations == 0
    assert same_bits(again.angles, moved.angles)
    solver.solve({})
    np.testing.assert_array_equal(solver.solve(None).targets[0, :3], target)


def test_goals_move_by_their_own_names(arm):
    solver = poise.Solver(
        arm,
        [
            poise.Position("hand", hand(arm), name="palm"),
            poise.Orientation("hand", arm.rest().rotation("hand"), weight=0.01),
        ],
    )
    solution = solver.solve({"palm": hand(arm, 0.02, 0.0, 0.0)})
    assert set(solution.errors) == {"palm", "hand"}
    with pytest.raises(poise.GoalError, match="palm"):
        solver.solve({"pam": hand(arm)})


def test_every_goal_kind_can_be_moved(arm):
    pose = random_pose(arm, np.random.default_rng(1), inside=0.4)
    point, rotation = pose.position("hand"), pose.rotation("hand")
    rest = arm.rest()
    goals = {
        "orientation": (poise.Orientation("hand", rest.rotation("hand")), rotation),
        "pose6d": (
            poise.Pose6D("hand", rest.position("hand"), rest.rotation("hand")),
            (point, rotation),
        ),
        "line": (poise.Line("hand", rest.position("hand"), (1, 0, 0)), point),
        "plane": (poise.Plane("hand", rest.position("hand"), (0, 1, 0)), point),
        "aim": (poise.Aim("hand", hand(arm, 0, 0, 1)), point + rotation[:, 2]),
    }
    for goal, target in goals.values():
        moved = poise.Solver(arm, goal).solve({"hand": target}).require()
        direct = poise.solve(arm, goal.moved(target))
        assert same_bits(moved.angles, direct.angles)


def test_a_moved_pose_keeps_its_rotation(arm):
    rest = arm.rest()
    solver = poise.Solver(arm, poise.Pose6D("hand", rest.position("hand"), rest.rotation("hand")))
    solution = solver.solve({"hand": hand(arm, 0.02, 0.01, 0.0)}).require()
    angle = np.arccos((np.trace(solution.pose.rotation("hand").T @ rest.rotation("hand")) - 1) / 2)
    assert angle <= 1e-2


def test_a_pose_moves_alike_in_every_form(arm):
    pose = random_pose(arm, np.random.default_rng(1), inside=0.4)
    point, rotation = pose.position("hand"), pose.rotation("hand")
    rest = arm.rest()
    goal = poise.Pose6D("hand", rest.position("hand"), rest.rotation("hand"))
    expected = poise.solve(arm, goal.moved((point, rotation)))
    for target in ((point, np.array(rotation)), [point, rotation.tolist()], (point, rotation.T.T)):
        solver = poise.Solver(arm, goal)
        solution = solver.solve({"hand": target})
        assert same_bits(solution.angles, expected.angles)
        assert same_bits(solution.targets, expected.targets)
        assert same_bits(solver.goal("hand").position, point)
        assert same_bits(solver.goal("hand").rotation, rotation)
    solver.set_weight("hand", 2.0)
    assert same_bits(solver.goal("hand").rotation, rotation)
    solver.move({"hand": point + 0.01})  # the rotation is the one moved to, not the first
    assert same_bits(solver.goal("hand").rotation, rotation)


@pytest.mark.parametrize("entry", range(9))
@pytest.mark.parametrize("value", [np.nan, np.inf, 0.5])
def test_a_pose_that_is_none_changes_nothing(arm, entry, value):
    rest = arm.rest()
    solver = poise.Solver(arm, poise.Pose6D("hand", rest.position("hand"), rest.rotation("hand")))
    before = solver.goal("hand")
    wrong = np.array(rest.rotation("hand"))
    wrong.flat[entry] = value
    with pytest.raises(poise.PoiseError, match="rotation"):
        solver.move({"hand": (rest.position("hand"), wrong)})
    with pytest.raises(poise.PoiseError, match="finite numbers"):
        solver.move({"hand": ((np.nan, 0.0, 0.0), np.array(rest.rotation("hand")))})
    assert same_bits(solver.goal("hand").rotation, before.rotation)


@each_method
def test_a_start_overrides_the_last_answer(arm, method):
    goal = poise.Position("hand", hand(arm, 0.1, 0.1, 0.1))
    solver = poise.Solver(arm, goal, method=method)
    first = solver.solve()
    solver.solve({"hand": hand(arm, -0.1, 0.1, 0.0)})
    start = arm.rest()
    by_name = dict(zip(arm.dof_names, start.angles, strict=True))
    for form in (start, start.angles, list(start.angles), by_name):
        again = solver.solve({"hand": goal.position}, start=form)
        assert same_bits(again.angles, first.angles)


@pytest.mark.parametrize("method", able(Feature.CONES, Feature.SLIDES, Feature.POSE6D))
def test_solve_is_a_solver_used_once(method):
    figure, goals, start = trial("arm", "position", 5, outside=0.2)
    one = poise.solve(figure, goals, start=start, method=method, max_iterations=50)
    other = poise.Solver(figure, goals, start=start, method=method, max_iterations=50).solve()
    assert same_bits(one.angles, other.angles)


def test_a_solution_is_not_touched_by_the_next(arm):
    solver = poise.Solver(arm, poise.Position("hand", hand(arm, 0.1, 0.0, 0.0)))
    first = solver.solve(trace=True)
    kept = [first.angles, first.gradient, first.goal_errors, first.targets, first.trace[0].angles]
    copies = [array.copy() for array in kept]
    solver.solve({"hand": hand(arm, -0.1, 0.1, 0.2)})
    for array, copy in zip(kept, copies, strict=True):
        assert same_bits(array, copy)
    with pytest.raises(ValueError, match="read-only"):
        first.angles[0] = 1.0


def test_the_figure_and_the_goals_are_not_changed(arm):
    goal = poise.Position("hand", [1, 0, 0])
    before = (arm.lower.copy(), arm.upper.copy(), goal.position.copy())
    solver = poise.Solver(arm, goal, max_velocity=1.0, dt=0.01)
    solver.solve({"hand": (0.0, 1.0, 0.0)})
    for array, copy in zip((arm.lower, arm.upper, goal.position), before, strict=True):
        assert same_bits(array, copy)


def test_one_goal_needs_no_list(arm):
    goal = poise.Position("hand", hand(arm, 0.1, 0.0, 0.0))
    one, many = poise.solve(arm, goal), poise.solve(arm, (g for g in [goal]))
    assert same_bits(one.angles, many.angles)


# -- bad input changes nothing --------------------------------------------------------------------

BAD_TARGETS = [
    {"hnad": (0.0, 0.0, 0.0)},
    {"hand": (np.nan, 0.0, 0.0)},
    {"hand": (0.0, np.inf, 0.0)},
    {"hand": (0.0, 0.0)},
    {"hand": (0.0, 0.0, 0.0, 0.0)},
    {"hand": "abc"},
    {"hand": None},
    {"hand": 1.0},
    {"hand": (10**400, 0, 0)},
    {"hand": (1j, 0, 0)},
    {"hand": (0.3, 0.9, 0.1), "elbow": (np.nan, 0.0, 0.0)},
    {"hand": (0.3, 0.9, 0.1), "wrist": (0.0, 0.0, 0.0)},
    {"elbow": np.full((3, 3), np.nan)},
    {"elbow": np.eye(4)},
    {"elbow": -np.eye(3)},
    {"elbow": 3.0},
    [(0.0, 0.0, 0.0)],
    "hand",
    np.zeros(3),
]


@pytest.mark.parametrize("targets", BAD_TARGETS, ids=repr)
def test_a_bad_target_changes_nothing(arm, targets):
    rest = arm.rest()
    goals = [
        poise.Position("hand", hand(arm, 0.05, 0.1, 0.0)),
        poise.Orientation("elbow", rest.rotation("elbow")),
    ]
    solver, untouched = (poise.Solver(arm, goals, max_iterations=4) for _ in range(2))
    assert same_bits(solver.solve().angles, untouched.solve().angles)
    with pytest.raises(poise.PoiseError):
        solver.solve(targets)
    assert solver.pose.angles.tobytes() == untouched.pose.angles.tobytes()
    after, expected = solver.solve(), untouched.solve()
    assert same_bits(after.angles, expected.angles)
    assert same_bits(after.targets, expected.targets)
    move = {"hand": hand(arm, 0.0, 0.1, 0.0), "elbow": np.eye(3)}
    assert same_bits(solver.solve(move).angles, untouched.solve(move).angles)


@pytest.mark.parametrize(
    "start",
    [[0.0] * 6, [np.nan] * 7, [None] * 7, "abc", {"elbo": 1.0}, {"elbow_flexion": "x"}, 3.0],
    ids=repr,
)
def test_a_bad_start_changes_nothing(arm, start):
    goal = poise.Position("hand", hand(arm, 0.05, 0.1, 0.0))
    solver, untouched = (poise.Solver(arm, goal, max_iterations=2) for _ in range(2))
    with pytest.raises(poise.PoiseError):
        solver.solve({"hand": hand(arm, 0.2, 0.2, 0.2)}, start=start)
    assert same_bits(solver.solve().angles, untouched.solve().angles)
    with pytest.raises(poise.PoiseError):
        poise.solve(arm, goal, start=start)


def test_a_bad_target_does_not_take_the_start(arm):
    solver, untouched = (
        poise.Solver(arm, poise.Position("hand", hand(arm, 0.05, 0.1, 0.0))) for _ in range(2)
    )
    with pytest.raises(poise.GoalError):
        solver.solve({"hand": (0.0, 0.0)}, start=arm.middle())
    assert solver.pose == arm.rest()
    assert same_bits(solver.solve().angles, untouched.solve().angles)


def test_a_start_must_be_a_pose_of_the_figure(arm):
    with pytest.raises(poise.OptionError, match="'human', not of 'arm'"):
        poise.solve(arm, poise.Position("hand", hand(arm)), start=figure_named("human").rest())


def test_names_in_errors_are_near(arm):
    with pytest.raises(poise.GoalError, match="did you mean 'hand'"):
        poise.Solver(arm, poise.Position("hand", hand(arm))).solve({"hnd": (0, 0, 0)})
    with pytest.raises(poise.PoiseError, match="did you mean 'hand'"):
        poise.solve(arm, poise.Position("hnd", (0, 0, 0)))


# -- options --------------------------------------------------------------------------------------

BAD_OPTIONS = [
    ("colour", 1, "valid names are: method"),
    ("max_iteration", 5, "did you mean 'max_iterations'"),
    ("method", "Auto", "did you mean 'auto'"),
    ("method", "projected_gradient", "did you mean 'projected-gradient'"),
    ("method", None, "auto"),
    ("method", ["auto"], "auto"),
    ("parameters", {"pul": 0.1}, "did you mean 'pull'"),
    ("parameters", {"pull": -0.1}, "from 0 to 1"),
    ("parameters", {"pull": "a"}, "from 0 to 1"),
    ("parameters", [0.1], "names and numbers"),
    ("max_time", 0.0, "above 0"),
    ("max_time", -1.0, "above 0"),
    ("max_time", np.nan, "above 0"),
    ("max_time", "1", "above 0"),
    ("max_iterations", -1, "whole number"),
    ("max_iterations", 1.5, "whole number"),
    ("max_iterations", np.nan, "whole number"),
    ("max_iterations", np.inf, "whole number"),
    ("max_iterations", 10**30, "whole number"),
    ("max_iterations", "5", "whole number"),
    ("max_iterations", None, "whole number"),
    ("restarts", -1, "whole number"),
    ("restarts", 0.5, "whole number"),
    ("restarts", 10**30, "whole number"),
    ("seed", 0.5, "whole number"),
    ("seed", None, "whole number"),
    ("seed", 10**30, "whole number"),
    ("optimality", -1e-9, "from 0 to 1"),
    ("optimality", 1.1, "from 0 to 1"),
    ("optimality", np.nan, "from 0 to 1"),
    ("optimality", None, "from 0 to 1"),
    ("tolerance", 0.0, "above 0"),
    ("tolerance", -1.0, "above 0"),
    ("tolerance", np.nan, "above 0"),
    ("tolerance", np.inf, "above 0"),
    ("tolerance", "1 mm", "neither a number"),
    ("tolerance", None, "neither a number"),
    ("max_velocity", 1.0, "needs dt"),
]


@pytest.mark.parametrize(("name", "value", "message"), BAD_OPTIONS, ids=repr)
def test_a_bad_option_is_an_error(arm, name, value, message):
    goal = poise.Position("hand", hand(arm))
    for make in (poise.solve, poise.Solver):
        with pytest.raises(poise.OptionError, match=message):
            make(arm, goal, **{name: value})


@pytest.mark.parametrize(
    ("velocity", "dt", "message"),
    [
        (1.0, 0.0, "needs dt"),
        (1.0, np.inf, "needs dt"),
        (1.0, "1", "needs dt"),
        (0.0, 0.1, "above 0"),
        (-1.0, 0.1, "above 0"),
        (np.nan, 0.1, "above 0"),
        ("fast", 0.1, "above 0"),
        ([1.0] * 7, 0.1, "above 0"),
        ({"elbow_flexion": -1.0}, 0.1, "elbow_flexion"),
        ({"elbo_flexion": 1.0}, 0.1, "did you mean 'elbow_flexion'"),
    ],
    ids=repr,
)
def test_a_bad_velocity_is_an_error(arm, velocity, dt, message):
    with pytest.raises(poise.PoiseError, match=message):
        poise.Solver(arm, poise.Position("hand", hand(arm)), max_velocity=velocity, dt=dt)


@pytest.mark.parametrize(
    "options",
    [
        {"seed": np.int64(3)},
        {"seed": np.uint8(3)},
        {"seed": 3.0},
        {"seed": -(2**40)},
        {"max_iterations": np.int32(50)},
        {"max_iterations": 50.0},
        {"restarts": np.int64(2)},
        {"restarts": None},
        {"max_time": np.inf},
        {"max_time": np.float32(5.0)},
        {"max_time": 5},
        {"max_time": Fraction(5)},
        {"max_time": None},
        {"optimality": np.float32(1e-6)},
        {"optimality": 0},
        {"tolerance": np.float64(1e-3)},
        {"tolerance": poise.Tolerance(1e-3, 1e-2)},
        {"parameters": {"pull": np.float32(0.2)}},
        {"parameters": None},
        {"max_velocity": np.int64(100), "dt": np.float64(1.0)},
        {"max_velocity": np.inf, "dt": 0.01},
        {"max_velocity": None, "dt": 0.01},
        {"weight_matrix": np.eye(3).tolist()},
        {"weight_matrix": np.eye(3, dtype=int)},
    ],
    ids=repr,
)
def test_numbers_of_any_type_are_taken(arm, options):
    solution = poise.solve(arm, poise.Position("hand", hand(arm, 0.05, 0.05, 0.0)), **options)
    assert solution.reached


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(
    value=st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=3),
        st.lists(st.floats(), max_size=3),
        st.dictionaries(st.text(max_size=3), st.floats(), max_size=2),
    ),
    name=st.sampled_from(
        (
            *("method", "parameters", "tolerance", "optimality", "max_time", "max_iterations"),
            *("restarts", "seed", "max_velocity", "dt"),
        )
    ),
)
def test_any_option_value_solves_or_is_our_error(value, name):
    """Whatever is given: an answer, or an error of the one family."""
    figure = stage((-1.0, 1.0))
    try:
        solution = poise.solve(figure, poise.Position("table", (0.5, 0.0, 0.0)), **{name: value})
    except poise.PoiseError:
        return
    assert isinstance(solution, poise.Solution)


# -- threads --------------------------------------------------------------------------------------


@each_method
def test_solvers_in_threads_give_what_they_give_alone(method):
    figure, effectors = figure_named("human"), effectors_of("human")

    def run(seed):
        solver = poise.Solver(
            figure, goals_at(figure.rest(), effectors), method=method, max_iterations=40
        )
        steps = [solver.solve(targets) for targets in path_of(figure, effectors, 40, seed)]
        return np.array([solution.angles for solution in steps])

    alone = [run(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(run, range(4)))
    for one, other in zip(alone, together, strict=True):
        assert same_bits(one, other)


def test_velocities_hold_along_a_motion():
    """The last answer, not the first start, is what a solve may leave by v dt."""
    figure, effectors = figure_named("human"), effectors_of("human")
    speed, dt = 2.0, 1.0 / 30.0
    solver = poise.Solver(
        figure, goals_at(figure.rest(), effectors), max_velocity=speed, dt=dt, restarts=0
    )
    before, travelled = figure.rest().angles, 0.0
    for targets in path_of(figure, effectors, 30, seed=2):
        after = solver.solve(targets).angles
        assert np.abs(after - before).max() <= speed * dt * (1 + 1e-12)
        travelled = np.abs(after - figure.rest().angles).max()
        before = after
    assert travelled > 3 * speed * dt
