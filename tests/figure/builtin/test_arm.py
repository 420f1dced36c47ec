import numpy as np
import pytest
from figure.builtin.checks import movement, smallest_singular_value

from poise.figure.builtin import arm, human


@pytest.fixture(scope="module")
def figure():
    return arm()


def test_has_seven_dofs_on_a_fixed_base(figure):
    assert figure.dof_names == (
        "shoulder_elevation",
        "shoulder_horizontal_flexion",
        "shoulder_internal_rotation",
        "elbow_flexion",
        "wrist_pronation",
        "wrist_ulnar_deviation",
        "wrist_flexion",
    )
    rng = np.random.default_rng(0)
    pose = figure.pose(rng.uniform(figure.lower, figure.upper))
    np.testing.assert_array_equal(pose.position("base"), np.zeros(3))


def test_sites(figure):
    assert [site.name for site in figure.sites] == ["hand", "elbow"]


def test_is_the_right_arm_of_the_human(figure):
    body = human()
    rng = np.random.default_rng(1)
    angles = rng.uniform(figure.lower, figure.upper)
    names = {f"right_{name}": value for name, value in zip(figure.dof_names, angles, strict=True)}
    whole = body.pose(names | {"right_collar_elevation": 0.0})
    alone = figure.pose(angles)
    np.testing.assert_allclose(
        alone.position("hand") - alone.position("upper_arm"),
        whole.position("right_hand") - whole.position("right_shoulder"),
        atol=1e-12,
    )
    np.testing.assert_allclose(alone.rotation("hand"), whole.rotation("right_hand"), atol=1e-12)


def test_elbow_flexion_brings_the_hand_forward(figure):
    assert movement(figure, "elbow_flexion", "hand")[2] > 0.8


def test_rest_is_not_singular(figure):
    assert smallest_singular_value(figure, "hand", "*") > 0.05
