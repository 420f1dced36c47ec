"""Joint groups in the kernels: what is folded into a leader, and what follows it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.arenas import arenas_of, random_problem, symmetric
from kernels.wrappers import fold_derivatives, fold_vector, multiply_matrix_free, spread_vector

import poise
from poise.kernels import layout, limits

GROUPS = (
    poise.JointGroup("bend", {"spine_*_flexion": 1.0}),
    poise.JointGroup("lean", {"spine_1_*bending": 1.0, "spine_3_*bending": -0.7}),
    poise.JointGroup(
        "nod", {"neck_flexion": 2.0, "head_flexion": 0.5}, offsets={"head_flexion": 0.1}
    ),
    poise.JointGroup("elbows", {"left_elbow_flexion": 1.0, "right_elbow_flexion": 0.8}),
)


def grouped():
    return poise.figures.human().with_relations(*GROUPS)


def substitution(figure):
    """B of θ = B q + c, with q at the leaders and zero columns at the followers."""
    matrix = np.eye(len(figure.dofs))
    for follower in figure.relation_tables.followers:
        matrix[follower.dof, follower.dof] = 0.0
        matrix[follower.dof, follower.leader] = follower.ratio
    return matrix


@pytest.mark.parametrize("seed", range(3))
def test_derivatives_are_folded_as_by_the_substitution(seed):
    figure = grouped()
    problem, angles = random_problem(figure, np.random.default_rng(seed))
    arenas, matrix = arenas_of(problem, angles), substitution(figure)
    n = matrix.shape[0]
    hessian, slopes = symmetric(arenas), problem.jacobian(angles)
    gradient = arenas[layout.GRADIENT].copy()
    arenas.call(fold_derivatives, n, True)
    arenas.call(fold_vector, arenas[layout.GRADIENT])
    np.testing.assert_allclose(symmetric(arenas), matrix.T @ hessian @ matrix, atol=1e-12)
    np.testing.assert_allclose(arenas[layout.JACOBIAN].reshape(-1, n), slopes @ matrix, atol=1e-14)
    np.testing.assert_allclose(arenas[layout.GRADIENT], matrix.T @ gradient, atol=1e-13)


@pytest.mark.parametrize("seed", range(3))
def test_products_without_a_matrix_are_folded_too(seed):
    figure, rng = grouped(), np.random.default_rng(seed)
    problem, angles = random_problem(figure, rng)
    arenas, matrix = arenas_of(problem, angles), substitution(figure)
    expected = matrix.T @ symmetric(arenas) @ matrix
    arenas.call(fold_derivatives, matrix.shape[0], False)
    x = rng.normal(size=matrix.shape[0]) * (problem.mobility > 0)
    result = np.empty_like(x)
    arenas.call(multiply_matrix_free, x.copy(), result)
    np.testing.assert_allclose(result, expected @ x, atol=1e-11)


def test_spreading_moves_the_followers_and_back():
    figure = grouped()
    problem, angles = random_problem(figure, np.random.default_rng(0))
    arenas, matrix = arenas_of(problem, angles), substitution(figure)
    x = np.random.default_rng(1).normal(size=angles.size) * (problem.mobility > 0)
    moved = x.copy()
    arenas.call(spread_vector, moved, False)
    np.testing.assert_allclose(moved, matrix @ x, atol=1e-15)
    arenas.call(spread_vector, moved, True)
    np.testing.assert_array_equal(moved, x)


@given(seed=st.integers(0, 2**32 - 1))
def test_a_pose_is_brought_to_the_nearest_of_the_group_and_stays(seed):
    figure = grouped()
    rng = np.random.default_rng(seed)
    start = figure.rest().angles + rng.normal(size=len(figure.dofs))
    ints, floats = layout.pack(poise.Problem(figure, poise.Position("head", (0, 0, 0))).sections())
    once = start.copy()
    limits.bring_inside(floats, ints, once)
    twice = once.copy()
    assert limits.bring_inside(floats, ints, twice) == 0
    np.testing.assert_array_equal(twice, once)
    own = np.array([(dof.lower, dof.upper) for dof in figure.dofs])
    assert (once >= own[:, 0]).all()
    assert (once <= own[:, 1]).all()
    for follower in figure.relation_tables.followers:
        assert once[follower.dof] == follower.at(once[follower.leader])
    for leader, followers in figure.relation_tables.groups().items():
        if figure.lower[leader] < once[leader] < figure.upper[leader]:
            pull = once[leader] - start[leader]
            pull += sum(f.ratio * (once[f.dof] - start[f.dof]) for f in followers)
            assert abs(pull) < 1e-12
