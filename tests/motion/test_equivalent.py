"""Unwrapping: the same poses, without jumps, and limited DOFs left alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from motion.bodies import puppet

from poise import Clip, joint
from poise.motion.equivalent import Unwrapping, nearest, unwrapped
from poise.motion.rotations import euler_matrices, vector_matrices

FREE = puppet(root=joint.free(), left="ZYZ", right="YXZ", spine=joint.rotation_vector())


def smooth(frames=200, seed=3):
    """A motion whose rotations go round several times."""
    rng = np.random.default_rng(seed)
    time = np.linspace(0, 1, frames)[:, None]
    n = len(FREE.dofs)
    return rng.normal(0, 2, n) + time * rng.normal(0, 8, n) + np.sin(7 * time * rng.normal(0, 1, n))


def scrambled(angles, rng):
    """The same poses in a jumpy choice of values."""
    result = angles.copy()
    for first, kind in ((3, "vector"), (6, "vector"), (9, "ZYZ"), (13, "YXZ")):
        block = result[:, first : first + 3]
        turns = rng.integers(-1, 2, len(block))[:, None] * 2 * np.pi
        if kind == "vector":
            length = np.linalg.norm(block, axis=1, keepdims=True)
            block += turns * block / length
            continue
        block += rng.integers(-1, 2, block.shape) * 2 * np.pi
        flip = rng.random(len(block)) < 0.4
        middle = -block[flip, 1] if kind == "ZYZ" else np.pi - block[flip, 1]
        block[flip] = np.column_stack([block[flip, 0] + np.pi, middle, block[flip, 2] - np.pi])
    return result


def test_full_turns_and_flips_come_out():
    angles = smooth()
    jumpy = scrambled(angles, np.random.default_rng(1))
    assert np.abs(np.diff(jumpy, axis=0)).max() > 3.0
    calm = unwrapped(FREE, jumpy)
    assert np.abs(np.diff(calm, axis=0)).max() < 1.0
    before, after = Clip(FREE, angles).rotations(), Clip(FREE, calm).rotations()
    np.testing.assert_allclose(after, before, atol=1e-9)


def one_by_one(figure, angles):
    """What `unwrapped` means: every frame nearest to the one before, as that came out."""
    result = angles.copy()
    for i in range(1, len(result)):
        result[i] = nearest(figure, result[i - 1 : i], result[i : i + 1])[0]
    return result


@pytest.mark.parametrize("seed", range(4))
def test_all_frames_at_once_are_as_one_after_the_other(seed):
    rng = np.random.default_rng(seed)
    wild = rng.normal(0.0, 3.0, (60, len(FREE.dofs)))
    wild[10:13, 3:6] = 0.0  # no rotation has no axis of its own
    wild[0, 6:9] = 0.0
    for angles in (wild, scrambled(smooth(), rng), wild[:1], wild[:0]):
        np.testing.assert_allclose(unwrapped(FREE, angles), one_by_one(FREE, angles), atol=1e-9)


@given(seed=st.integers(0, 99), size=st.integers(1, 40), calm=st.floats(0.0, 0.5))
@settings(max_examples=60, deadline=None)
def test_block_by_block_are_the_bits_of_one_piece(seed, size, calm):
    rng = np.random.default_rng(seed)
    angles = scrambled(smooth(), rng)
    angles[rng.random(200) < 0.1, 3:6] = 0.0
    first = int(calm * 200)
    angles[:first] *= 0.01  # blocks in which nothing jumps, before some in which all does
    blocks = Unwrapping(FREE)
    pieces = [blocks.next(angles[at : at + size]) for at in range(0, len(angles), size)]
    np.testing.assert_array_equal(np.concatenate(pieces), unwrapped(FREE, angles))


def test_a_calm_motion_stays_bit_for_bit():
    angles = 0.1 * smooth()
    np.testing.assert_array_equal(unwrapped(FREE, angles), angles)


def test_limited_rotations_stay_as_they_are():
    figure = puppet().with_limits({"LeftArm_rz": (-4.0, 4.0)})
    angles = np.zeros((2, len(figure.dofs)))
    at = figure.dof_index("LeftArm_rz")
    angles[:, at] = 3.0, -3.0
    angles[:, at + 1] = 3.0, -3.0
    calm = unwrapped(figure, angles)
    assert calm[1, at] == -3.0
    assert calm[1, at + 1] == pytest.approx(2 * np.pi - 3.0)


def test_nearest_means_the_same_pose():
    rng = np.random.default_rng(2)
    a, b = rng.normal(0, 3, (2, 40, len(FREE.dofs)))
    near = nearest(FREE, a, b)
    for first, order in ((9, "ZYZ"), (13, "YXZ")):
        at = slice(first, first + 3)
        np.testing.assert_allclose(
            euler_matrices(order, near[:, at]), euler_matrices(order, b[:, at]), atol=1e-12
        )
        assert np.abs(near[:, at] - a[:, at]).max() <= np.pi + 1e-9
    np.testing.assert_allclose(vector_matrices(near[:, 3:6]), vector_matrices(b[:, 3:6]), atol=1e-9)
    assert (
        np.linalg.norm(near[:, 3:6] - a[:, 3:6], axis=1)
        <= np.linalg.norm(b[:, 3:6] - a[:, 3:6], axis=1) + 1e-12
    ).all()


def test_no_rotation_takes_the_axis_of_its_neighbour():
    angles = np.zeros((2, len(FREE.dofs)))
    angles[0, 3:6] = (0.0, 6.2, 0.0)
    calm = unwrapped(FREE, angles)
    np.testing.assert_allclose(calm[1, 3:6], (0.0, 2 * np.pi, 0.0))
