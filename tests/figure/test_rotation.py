import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from poise.errors import PoiseError
from poise.figure import rotation
from poise.figure.rotation import EULER_ORDERS

seeds = st.integers(0, 2**32 - 1)
angles = st.floats(-20.0, 20.0)
close = {"rtol": 0.0, "atol": 1e-14}


def wxyz(matrix):
    """SciPy's answer in our convention."""
    x, y, z, w = Rotation.from_matrix(matrix).as_quat()
    return np.array([w, x, y, z]) * (-1.0 if w < 0 else 1.0)


def random_matrix(seed):
    return Rotation.random(rng=np.random.default_rng(seed)).as_matrix()


def test_euler_orders_are_the_twelve_without_a_repeated_neighbour():
    expected = {
        "".join(axes)
        for axes in itertools.product("XYZ", repeat=3)
        if axes[0] != axes[1] and axes[1] != axes[2]
    }
    assert len(EULER_ORDERS) == 12
    assert set(EULER_ORDERS) == expected


@pytest.mark.parametrize("axis", "XYZ")
@given(angle=angles)
def test_about_is_a_right_handed_turn(axis, angle):
    expected = Rotation.from_euler(axis, angle).as_matrix()
    np.testing.assert_allclose(rotation.about(axis, angle), expected, **close)


@pytest.mark.parametrize("order", [*EULER_ORDERS, "X", "YZ", "ZYXZ"])
@given(values=st.lists(angles, min_size=4, max_size=4))
def test_from_euler_multiplies_in_the_order_written(order, values):
    values = values[: len(order)]
    expected = np.eye(3)
    for axis, value in zip(order, values, strict=True):
        expected = expected @ Rotation.from_euler(axis, value).as_matrix()
    np.testing.assert_allclose(rotation.from_euler(order, values), expected, **close)
    if order in EULER_ORDERS:  # SciPy's upper case is intrinsic too
        whole = Rotation.from_euler(order, values).as_matrix()
        np.testing.assert_allclose(rotation.from_euler(order, values), whole, **close)


@given(seed=seeds, scale=st.floats(1e-6, 1e6))
def test_from_quaternion_normalises(seed, scale):
    q = np.random.default_rng(seed).normal(size=4)
    expected = Rotation.from_quat(np.roll(q, -1)).as_matrix()
    np.testing.assert_allclose(rotation.from_quaternion(q * scale), expected, **close)


@given(seed=seeds)
def test_to_quaternion_has_unit_length_and_w_at_least_zero(seed):
    matrix = random_matrix(seed)
    q = rotation.to_quaternion(matrix)
    assert q[0] >= 0.0
    np.testing.assert_allclose(q, wxyz(matrix), **close)
    np.testing.assert_allclose(rotation.from_quaternion(q), matrix, **close)


@pytest.mark.parametrize("axis", [*np.eye(3), *-np.eye(3), np.array([0.6, 0.0, 0.8])])
@pytest.mark.parametrize("gap", [0.0, 1e-15, 1e-9, 1e-4])
def test_to_quaternion_near_half_a_turn(axis, gap):
    matrix = Rotation.from_rotvec(axis * (np.pi - gap)).as_matrix()
    q = rotation.to_quaternion(matrix)
    assert q[0] >= 0.0
    np.testing.assert_allclose(rotation.from_quaternion(q), matrix, **close)
    np.testing.assert_allclose(np.abs(q[1:]), np.abs(axis), atol=1e-4)


def test_to_quaternion_of_a_stack():
    matrices = Rotation.random(12, rng=np.random.default_rng(3)).as_matrix().reshape(3, 4, 3, 3)
    stack = rotation.to_quaternion(matrices)
    assert stack.shape == (3, 4, 4)
    for index in np.ndindex(3, 4):
        np.testing.assert_array_equal(stack[index], rotation.to_quaternion(matrices[index]))


@given(seed=seeds, length=st.one_of(st.floats(0.0, 12.0), st.floats(0.0, 1e-7)))
def test_from_vector(seed, length):
    direction = np.random.default_rng(seed).normal(size=3)
    vector = length * direction / np.linalg.norm(direction)
    expected = Rotation.from_rotvec(vector).as_matrix()
    np.testing.assert_allclose(rotation.from_vector(vector), expected, **close)


@given(seed=seeds, length=st.one_of(st.floats(0.0, np.pi - 1e-3), st.floats(0.0, 1e-7)))
def test_to_vector_is_the_inverse_of_from_vector_up_to_half_a_turn(seed, length):
    direction = np.random.default_rng(seed).normal(size=3)
    vector = length * direction / np.linalg.norm(direction)
    back = rotation.to_vector(rotation.from_vector(vector))
    np.testing.assert_allclose(back, vector, rtol=1e-12, atol=1e-15)


@given(seed=seeds)
def test_to_vector_is_at_most_half_a_turn_long(seed):
    matrix = random_matrix(seed)
    vector = rotation.to_vector(matrix)
    assert np.linalg.norm(vector) <= np.pi * (1.0 + 1e-15)
    np.testing.assert_allclose(rotation.from_vector(vector), matrix, **close)


@given(seed=seeds)
def test_between_is_the_shortest_turn_from_one_onto_the_other(seed):
    start, end = np.random.default_rng(seed).normal(size=(2, 3))
    start, end = start / np.linalg.norm(start), end / np.linalg.norm(end)
    made = rotation.between(start, end)
    np.testing.assert_allclose(made @ start, end, atol=1e-13)
    turned = np.linalg.norm(rotation.to_vector(made))
    np.testing.assert_allclose(turned, np.arccos(np.clip(start @ end, -1, 1)), atol=1e-7)


@pytest.mark.parametrize("start", [*np.eye(3), np.array([0.48, -0.6, 0.64])])
def test_between_equal_and_opposite_vectors(start):
    np.testing.assert_array_equal(rotation.between(start, start), np.eye(3))
    half = rotation.between(start, -start)
    np.testing.assert_allclose(half @ start, -start, **close)
    np.testing.assert_allclose(half @ half.T, np.eye(3), **close)
    assert np.linalg.det(half) > 0


@given(seed=seeds)
def test_all_forms_of_one_rotation_agree(seed):
    matrix = random_matrix(seed)
    x, y, z, w = Rotation.from_matrix(matrix).as_quat()
    euler = Rotation.from_matrix(matrix).as_euler("ZXY")
    forms = [
        rotation.rotation_from(matrix),
        rotation.rotation_from(quat_wxyz=(w, x, y, z)),
        rotation.rotation_from(quat_xyzw=(x, y, z, w)),
        rotation.rotation_from(quat_xyzw=(-x, -y, -z, -w)),
        rotation.rotation_from(euler=("ZXY", euler)),
    ]
    for form in forms:
        np.testing.assert_allclose(form, matrix, atol=1e-13)


def test_no_rotation_is_none():
    assert rotation.rotation_from() is None


def test_two_forms_at_once_are_an_error():
    with pytest.raises(PoiseError, match="in one form only"):
        rotation.rotation_from(np.eye(3), quat_wxyz=(1, 0, 0, 0), what="rotation of the hand")


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("quat_wxyz", (0, 0, 0, 0)),
        ("quat_wxyz", (1, 0, 0)),
        ("quat_wxyz", (np.nan, 0, 0, 1)),
        ("quat_wxyz", (np.inf, 0, 0, 1)),
        ("quat_wxyz", "turn"),
        ("quat_xyzw", (0, 0, 0, 0)),
        ("quat_xyzw", (1, 2)),
        ("quat_xyzw", np.eye(4)),
        ("euler", ("zxy", (0, 0, 0))),
        ("euler", ("ZXW", (0, 0, 0))),
        ("euler", ("ZXY", (0, 0))),
        ("euler", ("ZXY", (0, np.nan, 0))),
        ("euler", ("ZXY", (0, np.inf, 0))),
        ("euler", ("ZXY", ("a", "b", "c"))),
        ("euler", (0.1, 0.2, 0.3)),
        ("rotation", np.eye(4)),
        ("rotation", np.zeros((3, 3))),
        ("rotation", np.diag([1.0, 1.0, -1.0])),
        ("rotation", 1.001 * np.eye(3)),
        ("rotation", np.full((3, 3), np.nan)),
        ("rotation", "turn"),
    ],
)
def test_bad_input_is_our_own_error(form, value):
    with pytest.raises(PoiseError):
        rotation.rotation_from(**{form: value})


def test_a_checked_rotation_is_a_read_only_copy():
    given = np.eye(3)
    kept = rotation.checked_rotation(given, "rotation")
    given[0, 0] = 5.0
    np.testing.assert_array_equal(kept, np.eye(3))
    assert not kept.flags.writeable


def test_the_error_of_a_mirror_names_the_other_forms():
    with pytest.raises(PoiseError, match=r"rotation of the foot needs a rotation.*quat_wxyz"):
        rotation.checked_rotation(np.diag([1.0, 1.0, -1.0]), "rotation of the foot")


@pytest.mark.filterwarnings("error")
def test_a_matrix_of_huge_numbers_is_refused_without_a_warning():
    with pytest.raises(PoiseError, match="orthonormal"):
        rotation.checked_rotation(1e300 * np.eye(3), "it")  # found by fuzzing
