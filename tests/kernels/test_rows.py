"""Values, errors and weights over all goals of a problem."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from kernels.arenas import Arenas, arenas_of, random_problem

from poise.figure.builtin import human
from poise.goals import AnyOf, Position, Posture
from poise.kernels import layout, rows
from poise.problem import Problem, Tolerance

seeds = st.integers(0, 2**32 - 1)


def worst(problem, angles):
    arenas = Arenas(problem.sections())
    return arenas.call(rows.evaluate, angles.copy(), arenas[layout.ROWS])


@given(seed=seeds)
def test_the_worst_error_is_measured_in_tolerances(seed):
    rng = np.random.default_rng(seed)
    problem, angles = random_problem(human(), rng, 4)
    tolerance = Tolerance(rng.uniform(1e-3, 1.0), rng.uniform(1e-3, 1.0))
    problem = Problem(problem.figure, problem.goals, tolerance=tolerance)
    value, ratio = worst(problem, angles)
    errors = problem.errors(angles).values()
    expected = max(max(e.position / tolerance.position, e.angle / tolerance.angle) for e in errors)
    assert ratio == expected
    assert value == problem.value(angles)


@given(seed=seeds)
def test_a_weight_matrix_weighs_the_rows(seed):
    rng = np.random.default_rng(seed)
    plain, angles = random_problem(human(), rng, 3)
    e = plain.residuals(angles)
    root = rng.normal(size=(e.size, e.size))
    matrix = root @ root.T + np.eye(e.size)
    weighted = Problem(plain.figure, plain.goals, weight_matrix=matrix)
    np.testing.assert_allclose(weighted.value(angles), e @ matrix @ e, rtol=1e-12)
    expected = 2.0 * plain.jacobian(angles).T @ matrix @ e
    scale = np.abs(expected).max()
    np.testing.assert_allclose(weighted.gradient(angles), expected, atol=1e-12 * scale)
    assert weighted.errors(angles) == plain.errors(angles)  # in m and rad, whatever the weights


def test_only_the_nearest_alternative_counts():
    body = human()
    hand = body.rest().position("left_hand")
    near, far = (
        Position("left_hand", hand + np.array([0.1, 0, 0])),
        Position("left_hand", hand + np.array([0, 2, 0])),
    )
    for members in ((near, far), (far, near)):
        problem = Problem(body, AnyOf(*members, name="either"))
        np.testing.assert_allclose(problem.value(body.rest()), 0.01)
        np.testing.assert_allclose(problem.errors(body.rest())["either"].position, 0.1)
        np.testing.assert_allclose(
            problem.gradient(body.rest()), Problem(body, near).gradient(body.rest()), atol=1e-14
        )


def test_a_posture_adds_a_square_for_each_dof():
    body = human()
    rng = np.random.default_rng(1)
    wanted, angles = rng.normal(size=(2, 71))
    goal = Position("left_hand", (0, 1, 0))
    posture = Posture(wanted, weight=0.5, weights={"root_*": 2.0})
    weights = np.where(np.arange(71) < 6, 2.0, 0.5)
    both, alone = Problem(body, [goal, posture]), Problem(body, goal)
    expected = alone.value(angles) + weights @ (angles - wanted) ** 2
    np.testing.assert_allclose(both.value(angles), expected, rtol=1e-13)
    expected = alone.gradient(angles) + 2.0 * weights * (angles - wanted)
    np.testing.assert_allclose(both.gradient(angles), expected, atol=1e-11)


def test_evaluating_again_gives_the_same_bits():
    problem, angles = random_problem(human(), np.random.default_rng(2), 6)
    arenas = arenas_of(problem, angles)
    first = arenas[layout.ROWS].copy()
    value, ratio = arenas.call(rows.evaluate, angles.copy(), arenas[layout.ROWS])
    arenas.call(rows.evaluate, np.zeros(71), arenas[layout.ROWS])
    again = arenas.call(rows.evaluate, angles.copy(), arenas[layout.ROWS])
    assert again == (value, ratio)
    np.testing.assert_array_equal(arenas[layout.ROWS], first)
