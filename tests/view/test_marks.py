"""What is drawn over pictures: at the projection of the points that it means."""

import numpy as np
import pytest
from matplotlib.figure import Figure as Page

from poise.view import marks
from poise.view.render import camera_on

POINT = (0.3, 0.4, 0.5)


@pytest.fixture
def drawn():
    camera = camera_on(np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]), 1, 0.4, 0.2, 0.1, 200)
    return Page().add_subplot(), camera, camera.project(np.array(POINT))[:2]


def test_a_ring_and_a_line_are_where_their_points_are(drawn):
    axes, camera, at = drawn
    marks.ring(axes, camera, POINT, marks.REACHED)
    marks.line(axes, camera, [POINT, POINT], "black", linestyle=":")
    assert len(axes.lines) == 4
    for line in axes.lines:
        np.testing.assert_allclose(line.get_xydata()[-1], at)


def test_a_patch_has_its_corners(drawn):
    axes, camera, at = drawn
    marks.patch(axes, camera, [POINT, (0, 0, 0), (0, 1, 0)], "blue", linestyle="--")
    assert [len(one.get_xy()) for one in axes.patches] == [4, 4]
    np.testing.assert_allclose(axes.patches[0].get_xy()[0], at)


def test_arrows_and_words_are_where_their_points_are(drawn):
    axes, camera, at = drawn
    marks.arrow(axes, camera, (0, 0, 0), POINT, "black")
    marks.label(axes, camera, POINT, "here", "black", at=(1, 2))
    *arrows, words = axes.texts
    assert words.get_text() == "here"
    for text in (*arrows, words):
        np.testing.assert_allclose(text.xy, at)
