import numpy as np
import pytest
from figure.builtin.checks import (
    MIRROR,
    mirrored_name,
    movement,
    random_pose,
    smallest_singular_value,
)

from poise.figure.builtin import spider

LEGS = [(side, number) for side in ("left", "right") for number in range(1, 5)]


@pytest.fixture(scope="module")
def figure():
    return spider()


def test_each_leg_has_five_dofs(figure):
    assert len(figure.dofs) == 6 + 8 * 5
    for side, number in LEGS:
        counts = [
            len(figure.match_dofs(f"{side}_{name}_{number}_*")) for name in ("hip", "knee", "ankle")
        ]
        assert counts == [3, 1, 1]


def test_sites(figure):
    feet = [f"{side}_foot_{number}" for side, number in LEGS]
    assert [site.name for site in figure.sites] == ["body", *feet]


def test_rest_stands_on_eight_feet_around_the_body(figure):
    rest = figure.rest()
    feet = np.array([rest.position(f"{side}_foot_{number}") for side, number in LEGS])
    np.testing.assert_allclose(feet[:, 1], 0.0, atol=1e-12)
    assert np.all(np.diff(feet[:4, 2]) < -0.1)  # numbered from the front to the back
    assert np.all(feet[:4, 0] > 0.2)
    assert rest.position("body")[1] > 0.1


def test_feet_are_level_at_rest_and_face_outwards(figure):
    rest = figure.rest()
    for side, number in LEGS:
        frame = rest.rotation(f"{side}_foot_{number}")
        np.testing.assert_allclose(frame[:, 1], [0.0, 1.0, 0.0], atol=1e-12)
        assert frame[:, 2] @ rest.position(f"{side}_foot_{number}") > 0.2


@pytest.mark.parametrize(("side", "number"), LEGS)
def test_dofs_move_as_their_names_say(figure, side, number):
    foot, knee = f"{side}_foot_{number}", f"{side}_tibia_{number}"
    outwards = figure.rest().rotation(foot)[:, 2]
    assert movement(figure, f"{side}_hip_{number}_protraction", knee)[2] > 0.4
    assert movement(figure, f"{side}_hip_{number}_elevation", knee)[1] > 0.7
    assert movement(figure, f"{side}_knee_{number}_flexion", foot) @ outwards < -0.7
    assert movement(figure, f"{side}_ankle_{number}_flexion", foot) @ outwards < -0.7


def test_the_same_angles_give_the_mirror_image(figure):
    rng = np.random.default_rng(2)
    pose = random_pose(figure, rng)
    names = zip(figure.dof_names, pose.angles, strict=True)
    image = figure.pose({mirrored_name(name): value for name, value in names})
    for site in figure.sites:
        expected = MIRROR @ pose.position(site.name)
        np.testing.assert_allclose(image.position(mirrored_name(site.name)), expected, atol=1e-12)


@pytest.mark.parametrize(("side", "number"), LEGS)
def test_rest_is_not_singular(figure, side, number):
    leg = [f"{side}_{name}_{number}_*" for name in ("hip", "knee", "ankle")]
    assert smallest_singular_value(figure, f"{side}_foot_{number}", leg) > 0.1
