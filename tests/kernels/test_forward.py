"""The axes that forward kinematics gives; where frames are, tests/figure/test_pose.py checks."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from joints import JOINTS, random_figure, transforms
from kernels.arenas import Arenas
from scipy.spatial.transform import Rotation

from poise.figure.builtin import human
from poise.figure.tables import figure_sections
from poise.kernels import layout
from poise.kernels.forward import forward

WRITTEN = (layout.SINES, layout.COSINES, layout.FRAMES, layout.AXES, layout.CHARTS)
STEP = 1e-6


def evaluated(figure, angles):
    arenas = Arenas(figure_sections(figure))
    arenas.call(forward, np.array(angles, float))
    return arenas


def frames(figure, angles):
    table = evaluated(figure, angles)[layout.FRAMES].reshape(-1, 12)
    return table[:, :9].reshape(-1, 3, 3), table[:, 9:]


@settings(max_examples=60)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_axes_are_the_velocities_of_all_they_move(data, seed):
    cases = data.draw(st.lists(st.sampled_from(JOINTS), min_size=1, max_size=5))
    parents = [None] + [data.draw(st.integers(0, i - 1)) for i in range(1, len(cases))]
    rng = np.random.default_rng(seed)
    figure = random_figure(cases, parents, rng)
    n = len(figure.dofs)
    angles = rng.uniform(-1.2, 1.2, n)
    axes = evaluated(figure, angles)[layout.AXES].reshape(6, n)
    _, origins = frames(figure, angles)
    owners = [s for s, segment in enumerate(figure.segments) for _ in segment.joint.dofs]

    def moves(d, s):
        while s >= 0 and s != owners[d]:
            s = figure.parents[s]
        return s >= 0

    for d in range(n):
        ahead, behind = angles.copy(), angles.copy()
        ahead[d] += STEP
        behind[d] -= STEP
        (turned, shifted), (back, behind_at) = frames(figure, ahead), frames(figure, behind)
        velocity, spin = axes[:3, d], axes[3:, d]
        for s in range(len(figure.segments)):
            change = Rotation.from_matrix(turned[s] @ back[s].T).as_rotvec() / (2.0 * STEP)
            expected_spin = spin if moves(d, s) else np.zeros(3)
            np.testing.assert_allclose(change, expected_spin, atol=1e-8)
            flow = (shifted[s] - behind_at[s]) / (2.0 * STEP)
            expected = velocity + np.cross(spin, origins[s]) if moves(d, s) else np.zeros(3)
            np.testing.assert_allclose(flow, expected, atol=1e-7)


@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_frames_are_a_product_of_matrices(data, seed):
    cases = data.draw(st.lists(st.sampled_from(JOINTS), min_size=1, max_size=8))
    parents = [None] + [data.draw(st.integers(0, i - 1)) for i in range(1, len(cases))]
    rng = np.random.default_rng(seed)
    figure = random_figure(cases, parents, rng)
    angles = rng.uniform(-1.2, 1.2, len(figure.dofs))
    world = transforms(figure, cases, angles)
    rotations, origins = frames(figure, angles)
    for s, name in enumerate(figure.segment_names):
        np.testing.assert_allclose(rotations[s], world[name][:3, :3], atol=1e-13)
        np.testing.assert_allclose(origins[s], world[name][:3, 3], atol=1e-12)


def test_writes_only_where_it_should_and_nothing_twice_differently():
    figure = human()
    angles = np.random.default_rng(0).uniform(-1.0, 1.0, 71)
    arenas = evaluated(figure, angles)
    tables = figure_sections(figure)
    for section, content in tables.items():
        if section not in WRITTEN:
            np.testing.assert_array_equal(arenas[section], np.asarray(content).reshape(-1))
    before = arenas.floats.copy()
    arenas.call(forward, np.zeros(71))
    assert not np.array_equal(arenas.floats, before)
    arenas.call(forward, angles)
    np.testing.assert_array_equal(arenas.floats, before)


def test_rotations_stay_orthonormal_far_from_zero():
    figure = human()
    angles = np.random.default_rng(1).uniform(-50.0, 50.0, 71)
    rotations, _ = frames(figure, angles)
    products = rotations @ rotations.transpose(0, 2, 1)
    np.testing.assert_allclose(products, np.broadcast_to(np.eye(3), products.shape), atol=1e-13)
