"""Many rotations at once, against SciPy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from poise.figure.rotation import EULER_ORDERS, quaternion_matrices
from poise.motion.rotations import (
    euler_angles,
    euler_matrices,
    headings,
    matrix_vectors,
    slerp,
    swing_twist_angles,
    vector_matrices,
    vector_quaternions,
)

RNG = np.random.default_rng(5)
RANDOM = Rotation.random(200, rng=RNG)


@pytest.mark.parametrize("order", EULER_ORDERS)
def test_euler_angles_are_those_of_scipy(order):
    angles = euler_angles(order, RANDOM.as_matrix())
    np.testing.assert_allclose(angles, RANDOM.as_euler(order), atol=1e-12)
    np.testing.assert_allclose(euler_matrices(order, angles), RANDOM.as_matrix(), atol=1e-14)


@pytest.mark.parametrize("order", EULER_ORDERS)
@pytest.mark.parametrize("offset", [0.0, 1e-13, -1e-13, 1e-9, 3e-7])
def test_locked_angles_still_give_the_rotation(order, offset):
    middle = np.array([0.0, np.pi] if order[0] == order[2] else [np.pi / 2, -np.pi / 2]) + offset
    given = np.column_stack([RNG.uniform(-3, 3, 2), middle, RNG.uniform(-3, 3, 2)])
    matrices = euler_matrices(order, given)
    back = euler_matrices(order, euler_angles(order, matrices))
    np.testing.assert_allclose(back, matrices, atol=1e-12)


def test_rotation_vectors_of_any_length():
    vectors = RNG.normal(0, 4, (200, 3))
    vectors[0] = 0.0
    vectors[1] = (1e-12, 0.0, 0.0)
    expected = Rotation.from_rotvec(vectors)
    np.testing.assert_allclose(vector_matrices(vectors), expected.as_matrix(), atol=1e-14)
    back = matrix_vectors(expected.as_matrix())
    assert np.linalg.norm(back, axis=1).max() <= np.pi + 1e-12
    np.testing.assert_allclose(vector_matrices(back), expected.as_matrix(), atol=1e-14)


def test_slerp_is_that_of_scipy():
    a, b = RANDOM[:100], RANDOM[100:]
    share = RNG.uniform(0, 1, 100)
    made = slerp(vector_quaternions(a.as_rotvec()), vector_quaternions(b.as_rotvec()), share)
    expected = [
        Slerp([0, 1], Rotation.concatenate([a[i], b[i]]))(share[i]).as_matrix() for i in range(100)
    ]
    np.testing.assert_allclose(quaternion_matrices(made), expected, atol=1e-12)


def test_swing_and_twist_put_together_give_the_rotation():
    x, y, t = swing_twist_angles(RANDOM.as_matrix()).T
    zero = np.zeros_like(x)
    swing = vector_matrices(np.stack([x, y, zero], -1))
    back = swing @ euler_matrices("Z", t[:, None])
    np.testing.assert_allclose(back, RANDOM.as_matrix(), atol=1e-12)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_heading_adds_up_with_turns_about_the_axis(axis):
    tilt = Rotation.from_rotvec(RNG.uniform(-0.5, 0.5, (50, 3)))
    turn = RNG.uniform(-np.pi, np.pi, 50)
    turned = Rotation.from_rotvec(turn[:, None] * np.eye(3)[axis]) * tilt
    change = headings(axis, turned.as_matrix()) - headings(axis, tilt.as_matrix())
    np.testing.assert_allclose(np.exp(1j * change), np.exp(1j * turn), atol=1e-12)
