"""What is drawn of a pose, against the pose itself."""

import numpy as np
import pytest

from poise.figure.builtin import human
from poise.figure.figure import Figure
from poise.figure.joint import swing_twist
from poise.figure.rotation import to_quaternion
from poise.figure.segment import Segment
from poise.studio import frames as f
from poise.studio.opening import FIGURES, figure_named
from poise.studio.shown import center_of_mass, picture_of, placements


@pytest.mark.parametrize("name", FIGURES)
def test_placements_and_angles_are_those_of_the_pose(name):
    figure, random = figure_named(name), np.random.default_rng(2)
    for _ in range(20):
        pose = figure.pose(random.uniform(-3.0, 3.0, len(figure.dofs)))
        found = placements(pose)
        same = np.abs(np.sum(found[:, 3:] * to_quaternion(pose.frames[0]), 1))
        assert np.allclose(found[:, :3], pose.frames[1], atol=1e-6)
        assert np.abs(same - 1.0).max() < 1e-5
        assert np.allclose(picture_of(pose).numbers[-len(figure.dofs) :], pose.angles, rtol=1e-6)


def test_the_centre_of_mass_is_that_of_the_segments():
    figure = human()
    pose = figure.pose(np.random.default_rng(3).uniform(-1.0, 1.0, len(figure.dofs)))
    masses = np.array([segment.mass for segment in figure.segments])
    rotations, origins = pose.frames
    centers = np.array([segment.center for segment in figure.segments])
    wanted = masses @ (origins + np.einsum("sij,sj->si", rotations, centers)) / masses.sum()
    assert np.allclose(center_of_mass(pose), wanted, atol=1e-6)


def test_bits_say_which_limits_are_touched():
    figure = human()
    dof = figure.dof_index("left_elbow_flexion")
    for value, bit in ((figure.lower[dof], f.AT_LOWER), (figure.upper[dof], f.AT_UPPER), (0.7, 0)):
        pose = figure.rest().with_angles({"left_elbow_flexion": value})
        assert picture_of(pose).bits[dof] == bit


def test_bits_say_that_a_cone_is_touched():
    figure = Figure("ball", [Segment("ball", None, swing_twist(0.5))])
    for size, bit in ((0.5, f.AT_CONE), (0.45, 0)):
        pose = figure.pose([0.6 * size, 0.8 * size, 0.1])
        assert (picture_of(pose).bits[:2] & f.AT_CONE == bit).all()
