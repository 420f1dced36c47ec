"""Arrays in, arrays out: the bits of single solves, for any number of threads."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poise
from poise.solve import many

ARM = poise.figures.arm()
HUMAN = poise.figures.human()
HANDS = ("left_hand", "right_hand", "head")


def goals(*names):
    return [poise.Position(name, (0.0, 0.0, 0.0)) for name in names]


def reachable(rows, seed=0):
    """Poses of the human and where they have hands and head."""
    rng = np.random.default_rng(seed)
    lower, upper = np.maximum(HUMAN.lower, -0.4), np.minimum(HUMAN.upper, 0.4)
    angles = rng.uniform(np.minimum(lower, upper), np.maximum(lower, upper), (rows, len(lower)))
    clip = poise.Clip(HUMAN, [HUMAN.pose(row).clamped().angles for row in angles])
    return clip.angles, clip.positions(HANDS)


def test_every_row_has_the_bits_of_a_solve_of_its_own():
    starts, targets = reachable(6)
    targets = targets[::-1]
    answers = poise.solve_many(HUMAN, goals(*HANDS), targets, starts=starts, threads=2)
    for i, row in enumerate(targets):
        wanted = [poise.Position(n, p) for n, p in zip(HANDS, row, strict=True)]
        one = poise.solve(HUMAN, wanted, start=starts[i])
        np.testing.assert_array_equal(answers.angles[i], one.angles)
        np.testing.assert_array_equal(answers.errors[i], one.goal_errors)
        assert answers.reached[i] == (one.status is poise.Status.REACHED)
        assert answers.iterations[i] == one.iterations


@given(seed=st.integers(0, 1000), threads=st.integers(1, 5), rows=st.integers(0, 40))
@settings(max_examples=15, deadline=None)
def test_the_bits_depend_neither_on_threads_nor_on_the_order(seed, threads, rows):
    rng = np.random.default_rng(seed)
    targets = rng.uniform(-0.9, 0.9, (rows, 1, 3))  # some out of reach
    starts = rng.uniform(ARM.lower, ARM.upper, (rows, len(ARM.dofs)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many, "ROWS_PER_UNIT", 7)
        one = poise.solve_many(ARM, goals("hand"), targets, starts=starts, threads=threads)
    order = rng.permutation(rows)
    other = poise.solve_many(ARM, goals("hand"), targets[order], starts=starts[order], threads=1)
    for here, there in zip(one, other, strict=True):
        np.testing.assert_array_equal(here[order], there)
    assert (one.angles >= ARM.lower).all()
    assert (one.angles <= ARM.upper).all()


def test_frames_of_a_track_follow_each_other_and_tracks_do_not():
    clip = poise.motions.walk().resampled(10.0)[:6]
    tracks = np.stack([clip.positions(HANDS), clip.positions(HANDS)[::-1]])
    starts = np.stack([clip.angles[0], clip.angles[-1]])
    answers = poise.solve_many(HUMAN, goals(*HANDS), tracks, starts=starts, threads=2)
    assert answers.angles.shape == (2, 6, len(HUMAN.dofs))
    assert answers.errors.shape == (2, 6, 3, 2)
    for k in range(2):
        alone = poise.Solver(HUMAN, goals(*HANDS), start=starts[k]).solve_sequence(tracks[k])
        np.testing.assert_array_equal(answers.angles[k], alone.angles)
        np.testing.assert_array_equal(answers.residuals[k], alone.residuals)


def test_one_figure_a_row():
    narrow = ARM.with_limits({"*": (-0.2, 0.2)})
    figures = [ARM, narrow, ARM]
    targets = np.tile(ARM.pose(0.5 * ARM.upper).position("hand"), (3, 1, 1))
    answers = poise.solve_many(figures, goals("hand"), targets, threads=2)
    np.testing.assert_array_equal(answers.angles[0], answers.angles[2])
    for figure, angles in zip(figures, answers.angles, strict=True):
        assert figure.pose(angles).is_inside_limits
    one = poise.solve(narrow, [poise.Position("hand", targets[1, 0])])
    np.testing.assert_array_equal(answers.angles[1], one.angles)


def test_a_missing_target_is_off_and_weights_count():
    targets = np.full((2, 3, 3), np.nan)
    rest = HUMAN.rest()
    targets[:, 0] = rest.position("left_hand") + np.array([0.0, 0.1, 0.1])
    targets[1, 1] = rest.position("right_hand") + np.array([9.0, 0.0, 0.0])
    weights = np.ones((2, 3))
    weights[1, 1] = 0.0
    answers = poise.solve_many(HUMAN, goals(*HANDS), targets, weights=weights)
    assert answers.reached.all()
    np.testing.assert_array_equal(answers.angles[0], answers.angles[1])


def test_one_start_for_all_and_the_rest_pose_by_default():
    targets = np.tile(ARM.rest().position("hand"), (3, 1, 1))
    bent = ARM.pose(0.5 * ARM.upper)
    default = poise.solve_many(ARM, goals("hand"), targets)
    np.testing.assert_array_equal(default.angles, np.tile(ARM.rest().clamped().angles, (3, 1)))
    one = poise.solve_many(ARM, goals("hand"), targets, starts=bent)
    each = poise.solve_many(ARM, goals("hand"), targets, starts=np.tile(bent.angles, (3, 1)))
    np.testing.assert_array_equal(one.angles, each.angles)


def test_an_error_in_a_thread_ends_all_and_is_told():
    def fail(done, total):
        raise RuntimeError("told")

    targets = np.zeros((1000, 1, 3))
    before = threading.active_count()
    with pytest.raises(RuntimeError, match="told"):
        poise.solve_many(ARM, goals("hand"), targets, threads=3, report=fail)
    assert threading.active_count() == before


def test_progress_counts_rows():
    seen = []
    targets = np.zeros((200, 1, 3))
    poise.solve_many(
        ARM,
        goals("hand"),
        targets,
        threads=2,
        report=lambda done, total: seen.append((done, total)),
        max_iterations=2,
    )
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1] == (200, 200)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ({"targets": np.zeros((2, 3))}, "rows, goals, 3"),
        ({"targets": np.zeros((2, 4, 3))}, "give"),
        ({"targets": np.full((2, 1, 3), np.inf)}, "finite"),
        ({"starts": np.zeros((3, 2))}, "starts have shape"),
        ({"starts": np.full((2, 7), np.nan)}, "starts"),
        ({"weights": np.zeros((3, 1))}, "weights have shape"),
        ({"threads": 0}, "threads=0"),
        ({"threads": 1.5}, "threads=1.5"),
        ({"max_velocity": 1.0, "dt": 0.1}, "four axes"),
        ({"figure": [ARM]}, "1 figures for 2 rows"),
        ({"figure": [ARM, HUMAN]}, "other DOFs"),
        ({"max_tim": 1.0}, "max_time"),
        ({"max_time": 1.0}, "max_iterations"),
    ],
)
def test_bad_input_names_the_remedy(call, told):
    given_call = {"figure": ARM, "goals": goals("hand"), "targets": np.zeros((2, 1, 3))} | call
    with pytest.raises(poise.PoiseError, match=told):
        poise.solve_many(**given_call)
