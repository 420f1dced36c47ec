"""Swings turned to (radial, tangential) coordinates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.arenas import arenas_of, symmetric
from kernels.wrappers import bound_discs, project_disc, turn_disc_derivatives, turn_discs

from poise import joint
from poise.figure.figure import Figure
from poise.figure.segment import Segment
from poise.goals import Pose6D, Position
from poise.kernels import layout
from poise.problem import Problem

seeds = st.integers(0, 2**32 - 1)
RADII = {2: 0.8, 6: 1.1}
"""Of the cones, by their first DOF."""


def figure():
    return Figure(
        "swings",
        [
            Segment("base", None, joint.universal("XZ"), (0.1, 0.2, 0.3)),
            Segment("first", "base", joint.swing_twist(RADII[2], axis=(1, 2, 3)), (0.5, 0.0, 0.2)),
            Segment("bend", "first", joint.revolute("X"), (0.0, 0.6, 0.1)),
            Segment("second", "bend", joint.swing_twist(RADII[6]), (0.0, 0.1, 0.7)),
            Segment("side", "base", joint.revolute("Y"), (0.0, -0.4, 0.1)),
        ],
    )


def problem(rng):
    turned = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return Problem(
        figure(),
        [
            Pose6D(
                "second", rng.normal(size=3), turned * np.linalg.det(turned), offset=(0.2, 0.3, 0.4)
            ),
            Position("side", rng.normal(size=3), offset=(0.1, 0.5, 0.2)),
        ],
    )


def turning(angles):
    """The matrix that takes a DOF vector to (radial, tangential) coordinates."""
    matrix = np.eye(angles.size)
    for d in RADII:
        cosine, sine = angles[d : d + 2] / np.hypot(*angles[d : d + 2])
        matrix[d : d + 2, d : d + 2] = [[cosine, sine], [-sine, cosine]]
    return matrix


def random_angles(rng, share=0.5):
    """A pose whose swings are at `share` of their cones."""
    angles = rng.uniform(-0.6, 0.6, 10)
    for d, radius in RADII.items():
        angles[d : d + 2] *= share * radius / np.hypot(*angles[d : d + 2])
    return angles


@given(seeds)
def test_vectors_turn_there_and_back(seed):
    rng = np.random.default_rng(seed)
    angles = random_angles(rng)
    arenas = arenas_of(problem(rng), angles)
    vector = rng.normal(size=10)
    turned = vector.copy()
    arenas.call(turn_discs, turned, False)
    np.testing.assert_allclose(turned, turning(angles) @ vector, atol=1e-15)
    arenas.call(turn_discs, turned, True)
    np.testing.assert_allclose(turned, vector, atol=1e-15)


@given(seeds)
def test_derivatives_inside_the_cones(seed):
    rng = np.random.default_rng(seed)
    angles = random_angles(rng)
    arenas = arenas_of(problem(rng), angles)
    turn = turning(angles)
    jacobian = arenas[layout.JACOBIAN].reshape(-1, 10) @ turn.T
    hessian = turn @ symmetric(arenas) @ turn.T
    arenas.call(turn_disc_derivatives, True)
    np.testing.assert_allclose(arenas[layout.JACOBIAN].reshape(-1, 10), jacobian, atol=1e-13)
    np.testing.assert_allclose(symmetric(arenas), hessian, atol=1e-12)


@given(seeds)
def test_without_the_hessian_only_the_jacobian_turns(seed):
    rng = np.random.default_rng(seed)
    angles = random_angles(rng)
    arenas = arenas_of(problem(rng), angles)
    hessian = symmetric(arenas)
    arenas.call(turn_disc_derivatives, False)
    np.testing.assert_array_equal(symmetric(arenas), hessian)


@given(seeds)
def test_a_pose_pressing_against_a_cone_feels_it_bend(seed):
    """Along the edge θ(t) = radius (cos t, sin t), half of d²f/ds² with s = radius t."""
    rng = np.random.default_rng(seed)
    angles = random_angles(rng, share=1.0)
    made = problem(rng)
    arenas = arenas_of(made, angles)
    radial = turning(angles) @ arenas[layout.GRADIENT]
    arenas.call(turn_disc_derivatives, True)
    for d, radius in RADII.items():
        start = np.arctan2(angles[d + 1], angles[d])

        def along(s, d=d, radius=radius, start=start):
            moved = angles.copy()
            moved[d : d + 2] = radius * np.array(
                [np.cos(start + s / radius), np.sin(start + s / radius)]
            )
            return made.value(moved)

        step = 1e-4
        bend = 0.5 * (along(step) - 2.0 * along(0.0) + along(-step)) / step**2
        curvature = symmetric(arenas)[d + 1, d + 1]
        if radial[d] < 0.0:  # the value falls outwards
            np.testing.assert_allclose(curvature, bend, atol=1e-5)
        else:
            np.testing.assert_allclose(curvature, bend + 0.5 * radial[d] / radius, atol=1e-5)


@given(seeds, st.sampled_from([0.0, 0.3, 1.0]))
def test_bounds_of_a_step(seed, share):
    rng = np.random.default_rng(seed)
    angles = random_angles(rng, share)
    arenas = arenas_of(problem(rng), angles)
    arenas.call(bound_discs)
    low, high = arenas[layout.LOW], arenas[layout.HIGH]
    for d, radius in RADII.items():
        np.testing.assert_allclose(high[d], (1.0 - share) * radius, atol=1e-15)
        np.testing.assert_allclose(low[d], -(1.0 + share) * radius, atol=1e-15)
        np.testing.assert_array_equal((low[d + 1], high[d + 1]), (-radius, radius))
        assert high[d] >= 0.0


@given(seeds)
def test_a_pose_on_the_edge_has_no_room_at_all(seed):
    """Projecting may end a little inside the disc, which must not make the radial DOF free."""
    rng = np.random.default_rng(seed)
    angles = random_angles(rng)
    for d, radius in RADII.items():
        angles[d : d + 2] = project_disc(*(3.0 * angles[d : d + 2]), radius)
    arenas = arenas_of(problem(rng), angles)
    arenas.call(bound_discs)
    assert [arenas[layout.HIGH][d] for d in RADII] == [0.0, 0.0]


@pytest.mark.parametrize("inverse", [False, True])
def test_at_the_centre_nothing_turns(inverse):
    arenas = arenas_of(problem(np.random.default_rng(0)), np.zeros(10))
    vector = np.arange(10.0)
    arenas.call(turn_discs, vector, inverse)
    np.testing.assert_array_equal(vector, np.arange(10.0))
