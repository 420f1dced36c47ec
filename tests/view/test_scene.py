"""Scenes: ghosts, rods and the camera on them."""

import numpy as np
import pytest

import poise
from poise.view.scene import Rod, Scene

SEEN = [[-0.6, 0.0, -0.6], [0.6, 1.9, 0.6]]


@pytest.fixture(scope="module")
def human():
    return poise.figures.human()


def image(scene):
    return scene.image(scene.camera(0.0, 150, points=SEEN))


def test_a_rod_is_drawn_in_its_colour_where_it_is(human):
    rod = Rod((-0.4, 1.0, 0.5), (0.4, 1.0, 0.5), 0.04, (1.0, 0.0, 0.0))
    scene = Scene(human.rest(), rods=[rod])
    camera = scene.camera(0.0, 150, points=SEEN)
    x, y, _ = camera.project(np.array([0.3, 1.0, 0.5]))
    red, green, _ = scene.image(camera)[int(y), int(x)]
    assert red > green + 0.3


def test_a_rod_behind_the_body_is_hidden(human):
    behind = Rod((0.0, 1.2, -0.5), (0.0, 1.2, -0.5), 0.04, (1.0, 0.0, 0.0))
    np.testing.assert_array_equal(
        image(Scene(human.rest()))[40:70, 60:90],
        image(Scene(human.rest(), rods=[behind]))[40:70, 60:90],
    )


def test_a_ghost_is_fainter_than_a_body_and_does_not_hide_it(human):
    empty, away = human.pose({"root_tx": 40.0}), human.rest()
    blank, ghost, body = (image(s) for s in (Scene(empty), Scene(empty, [away]), Scene(away)))
    faint, full = np.abs(ghost - blank).sum(), np.abs(body - blank).sum()
    assert 0.0 < faint < 0.5 * full
    # ... and right behind the body it changes nothing but its smoothed outline.
    np.testing.assert_allclose(image(Scene(away, [away])), body, atol=0.25)


def test_the_camera_sees_everything_in_the_scene(human):
    rod = Rod((2.0, 1.0, 0.0), (2.0, 1.0, 0.0), 0.05)
    scene = Scene(human.rest(), [human.pose({"root_tx": -2.0})], [rod], also=[(0.0, 3.0, 0.0)])
    camera = scene.camera(0.3, 200)
    rows, columns = camera.shape
    for point in [(2.0, 1.0, 0.0), (-2.2, 1.0, 0.0), (0.0, 3.0, 0.0)]:
        x, y, _ = camera.project(np.array(point))
        assert 0 < x < columns
        assert 0 < y < rows
