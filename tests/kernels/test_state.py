"""What all methods share: wrapping rotation vectors, the best pose, the residual."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.arenas import arenas_of, random_problem
from kernels.wrappers import keep_best, projected_gradient_norm, wrap_rotation_vectors

from poise import joint
from poise.figure.builtin import human
from poise.figure.figure import Figure
from poise.figure.segment import Segment
from poise.goals import Position
from poise.kernels import layout
from poise.problem import Problem

seeds = st.integers(0, 2**32 - 1)


@given(seed=seeds, length=st.floats(0.0, 40.0))
def test_wrapping_shortens_rotation_vectors_and_turns_nothing(seed, length):
    body = human()
    rng = np.random.default_rng(seed)
    angles = rng.normal(size=71)
    angles[3:6] *= length / np.linalg.norm(angles[3:6])
    arenas = arenas_of(Problem(body, Position("head", (0, 1, 0))))
    wrapped = angles.copy()
    arenas.call(wrap_rotation_vectors, wrapped)
    assert np.linalg.norm(wrapped[3:6]) <= 1.25 * np.pi
    before, after = body.pose(angles), body.pose(wrapped)
    np.testing.assert_allclose(after.frames[0], before.frames[0], atol=1e-13)
    np.testing.assert_allclose(after.frames[1], before.frames[1], atol=1e-13)
    np.testing.assert_array_equal(np.delete(wrapped, [3, 4, 5]), np.delete(angles, [3, 4, 5]))
    if length <= 1.24 * np.pi:
        np.testing.assert_array_equal(wrapped, angles)


@given(seed=seeds)
def test_the_residual_is_what_a_unit_gradient_step_moves(seed):
    rng = np.random.default_rng(seed)
    problem, angles = random_problem(human(), rng, 3)
    problem = Problem(problem.figure.with_rigidity({"left_*": 1.0}), problem.goals)
    arenas = arenas_of(problem, angles)
    moved = angles - np.where(problem.mobility > 0.0, problem.gradient(angles), 0.0)
    expected = np.abs(problem.figure.pose(moved).clamped().angles - angles).max()
    np.testing.assert_allclose(arenas.call(projected_gradient_norm), expected, rtol=1e-14)


@pytest.mark.parametrize("slope", [0.1, 3.0, 100.0])
def test_pressed_straight_against_a_cone_the_residual_is_zero(slope):
    """However hard it presses: the projection keeps the direction."""
    figure = Figure("swing", [Segment("s", None, joint.swing_twist(1.0))])
    arenas = arenas_of(Problem(figure, Position("s", (0, 0, 0))))
    edge = figure.pose([5.0, 1.0, 0.0]).clamped().angles
    arenas[layout.ANGLES][:] = edge
    arenas[layout.GRADIENT][:] = -slope * edge
    assert arenas.call(projected_gradient_norm) < 1e-14


@pytest.mark.parametrize(
    ("value", "worst", "best_value", "best_worst", "kept"),
    [
        (1.0, 5.0, 2.0, 5.0, True),  # lower
        (2.0, 5.0, 1.0, 5.0, False),
        (2.0, 0.5, 1.0, 5.0, True),  # all goals met, though the value is higher
        (1.0, 5.0, 2.0, 0.5, False),
        (1.0, 0.9, 2.0, 0.5, True),  # both met
        (1.0, 5.0, 1.0, 5.0, False),  # equal: the first stays
        (1.0, 5.0, np.inf, np.inf, True),  # the first one ever
    ],
)
def test_the_best_pose_meets_the_goals_first_and_then_has_the_lower_value(
    value, worst, best_value, best_worst, kept
):
    arenas = arenas_of(Problem(human(), Position("head", (0, 1, 0))))
    scalars = arenas[layout.SCALARS]
    scalars[layout.VALUE], scalars[layout.WORST] = value, worst
    scalars[layout.BEST_VALUE], scalars[layout.BEST_WORST] = best_value, best_worst
    arenas[layout.ANGLES][:], arenas[layout.BEST_ANGLES][:] = 1.0, 2.0
    arenas[layout.COUNTERS][layout.BEST_STATUS] = layout.STALLED
    arenas.call(keep_best, layout.OPTIMAL)
    assert (arenas[layout.BEST_ANGLES] == (1.0 if kept else 2.0)).all()
    assert scalars[layout.BEST_VALUE] == (value if kept else best_value)
    status = arenas[layout.COUNTERS][layout.BEST_STATUS]
    assert status == (layout.OPTIMAL if kept else layout.STALLED)
