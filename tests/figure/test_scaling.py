"""A scaled figure is the same in all but its lengths."""

import numpy as np
import pytest

import poise
from poise.errors import FigureError
from poise.figure.scaling import scaled


@pytest.mark.parametrize("make", [poise.figures.human, poise.figures.jack, poise.figures.spider])
def test_all_positions_scale_about_the_origin(make):
    figure = make()
    small = scaled(figure, 0.5)
    slides = np.array([dof.kind == "translation" for dof in figure.dofs])
    angles = figure.middle().angles
    pose, other = figure.pose(angles), small.pose(np.where(slides, 0.5 * angles, angles))
    for name in figure.effector_names:
        np.testing.assert_allclose(other.position(name), 0.5 * pose.position(name), atol=1e-12)
    turns = ~slides
    np.testing.assert_array_equal(small.lower[turns], figure.lower[turns])
    np.testing.assert_array_equal(small.upper[slides], 0.5 * figure.upper[slides])


def test_what_cannot_be_scaled():
    with pytest.raises(FigureError, match="above 0"):
        scaled(poise.figures.arm(), 0.0)
    human = poise.figures.human()
    tied = human.with_relations(poise.LinearLimit("tie", {"root_tx": 1.0}, upper=1.0))
    with pytest.raises(FigureError, match="'tie' of human ties a translation, root_tx"):
        scaled(tied, 2.0)
