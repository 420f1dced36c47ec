"""Many frames in one call: the same as one at a time, missing targets, limits, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poise
from poise.solve import sequence

ARM = poise.figures.arm()
HUMAN = poise.figures.human()
SIX = ("left_hand", "right_hand", "left_foot", "right_foot", "head", "pelvis")


def paths(clip, names=SIX):
    return clip.positions(names)


def goals(names):
    return [poise.Position(name, (0.0, 0.0, 0.0)) for name in names]


def walk():
    return poise.motions.walk().resampled(10.0)


@pytest.mark.parametrize("method", ["auto", "projected-gradient", "damped-least-squares"])
def test_the_same_bits_as_one_frame_at_a_time(method):
    clip = walk()[:5]
    targets = paths(clip)
    options = {"start": clip[0], "method": method, "max_iterations": 60}
    one = poise.Solver(HUMAN, goals(SIX), **options)
    expected = [one.solve(dict(zip(SIX, row, strict=True))) for row in targets]
    answers = poise.Solver(HUMAN, goals(SIX), **options).solve_sequence(targets)
    for i, solution in enumerate(expected):
        np.testing.assert_array_equal(answers.angles[i], solution.angles)
        np.testing.assert_array_equal(answers.errors[i], solution.goal_errors)
        assert answers.iterations[i] == solution.iterations
        assert answers.values[i] == solution.value
        assert answers.residuals[i] == solution.residual


def test_pieces_of_any_length_give_the_same_bits(monkeypatch):
    clip = walk()
    whole = poise.Solver(HUMAN, goals(SIX), start=clip[0]).solve_sequence(paths(clip), lead=0.5)
    monkeypatch.setattr(sequence, "ROWS_PER_CALL", 4)
    done = []
    again = poise.Solver(HUMAN, goals(SIX), start=clip[0]).solve_sequence(
        paths(clip), lead=0.5, report=lambda i, n: done.append((i, n))
    )
    np.testing.assert_array_equal(whole.angles, again.angles)
    assert done[0] == (4, len(clip))
    assert done[-1] == (len(clip), len(clip))


@given(seed=st.integers(0, 10_000))
@settings(max_examples=10)
def test_a_missing_target_is_off_and_never_a_zero(seed):
    rng = np.random.default_rng(seed)
    clip = walk()[:4]
    targets = paths(clip)
    missing = rng.random(targets.shape[:2]) < 0.4
    targets[missing, rng.integers(3)] = np.nan
    answers = poise.Solver(HUMAN, goals(SIX), start=clip[0]).solve_sequence(targets)
    assert np.where(missing, 0.0, answers.errors[:, :, 0]).max() <= 1e-3
    # With the goal left out altogether the answer is the same.
    kept = [k for k in range(len(SIX)) if not missing[0, k]]
    if kept:
        names = [SIX[k] for k in kept]
        alone = poise.Solver(HUMAN, goals(names), start=clip[0])
        alone.solve_sequence(targets[:1, kept])
        np.testing.assert_allclose(alone.pose.angles, answers.angles[0], atol=1e-6)
    # Where a goal that is off would be otherwise, here 9 m away, makes no difference.
    elsewhere = [poise.Position(name, (9.0, 9.0, 9.0)) for name in SIX]
    again = poise.Solver(HUMAN, elsewhere, start=clip[0]).solve_sequence(targets)
    np.testing.assert_array_equal(again.angles, answers.angles)


def test_all_targets_missing_leave_the_figure_where_it_is():
    clip = walk()[:2]
    answers = poise.Solver(HUMAN, goals(SIX), start=clip[0]).solve_sequence(
        np.full((2, len(SIX), 3), np.nan)
    )
    np.testing.assert_array_equal(answers.angles, np.repeat(clip.angles[:1], 2, 0))


def test_weights_of_a_frame_decide_between_goals_that_contradict():
    both = [poise.Position("hand", (0, 0, 0)), poise.Position("hand", (0, 0, 0), name="other")]
    reach = ARM.rest().position("hand")
    targets = np.array([[reach, reach + np.array([0.0, 0.1, 0.0])]] * 2)
    answers = poise.Solver(ARM, both, restarts=0).solve_sequence(targets, [[1.0, 0.0], [0.0, 1.0]])
    assert answers.errors[0, 0, 0] <= 1e-3
    assert answers.errors[1, 1, 0] <= 1e-3


def test_limits_and_speeds_hold_in_every_frame():
    clip = poise.motions.gymnastics().resampled(8.0)
    solver = poise.Solver(HUMAN, goals(SIX), start=clip[0], max_velocity=2.0, dt=0.125, restarts=0)
    answers = solver.solve_sequence(paths(clip))
    assert poise.Clip(HUMAN, answers.angles).is_inside_limits
    assert np.abs(np.diff(answers.angles, axis=0)).max() <= 2.0 * 0.125 * (1 + 1e-12)


def test_a_start_for_every_frame_is_kept_where_it_meets_the_goals():
    clip = walk()
    answers = poise.Solver(HUMAN, goals(SIX)).solve_sequence(paths(clip), starts=clip.angles)
    np.testing.assert_allclose(answers.angles, clip.angles, atol=1e-12)
    assert answers.iterations.max() == 0


def test_restarts_wait_until_a_miss_is_not_acceptable():
    far = np.array([[[0.0, 5.0, 0.0]], [[0.0, 5.0, 0.0]], [ARM.rest().position("hand")]])
    solver = poise.Solver(ARM, goals(["hand"]))
    assert solver.solve_sequence(far, acceptable=1e9).restarts.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"targets": np.zeros((2, 3))}, "targets have shape"),
        ({"targets": np.zeros((2, 2, 3))}, "targets have shape"),
        ({"targets": np.full((2, 1, 3), np.inf)}, "finite"),
        ({"targets": np.zeros((2, 1, 3)), "weights": np.ones((1, 1))}, "weights have shape"),
        ({"targets": np.zeros((2, 1, 3)), "weights": -np.ones((2, 1))}, "weights"),
        ({"targets": np.zeros((2, 1, 3)), "starts": np.zeros((2, 2))}, "starts have shape"),
        ({"targets": [["x"]]}, "targets have shape"),
    ],
)
def test_bad_tables_are_refused_and_nothing_moves(arguments, message):
    solver = poise.Solver(ARM, goals(["hand"]))
    before = solver.pose
    with pytest.raises(poise.GoalError, match=message):
        solver.solve_sequence(**arguments)
    assert solver.pose == before


def test_what_needs_python_in_every_frame_is_refused():
    for more in (poise.Position("hand", (0, 0, 0), level=2, name="low"),):
        solver = poise.Solver(ARM, [*goals(["hand"]), more])
        with pytest.raises(poise.OptionError, match="one frame at a time"):
            solver.solve_sequence(np.zeros((1, 1, 3)))
    with pytest.raises(poise.OptionError, match="max_iterations"):
        poise.Solver(ARM, goals(["hand"]), max_time=1.0).solve_sequence(np.zeros((1, 1, 3)))
