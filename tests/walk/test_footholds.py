"""Footholds: soles lie on the ground, whole, and step over what is between."""

import numpy as np
import pytest

import poise
from poise.walk.build import Build
from poise.walk.footholds import clearing_rise, foothold_near, pitched
from poise.walk.gait import Place
from poise.walk.terrain import flat, profile, ramp, stairs


@pytest.fixture(scope="module")
def build():
    return Build.of(poise.figures.human())


@pytest.mark.parametrize("heading", [0.0, 1.1, -2.5])
def test_on_the_flat_a_foot_stands_under_its_hip(build, heading):
    for side in range(2):
        hold = foothold_near(flat(), build, side, Place(2.0, -1.0, heading))
        foot = build.feet[side]
        for point in (foot.heel, foot.ball):
            assert (hold.at + hold.turn @ point)[1] == pytest.approx(0.0, abs=0.01)
        forward = np.array([np.sin(heading), 0.0, np.cos(heading)])
        np.testing.assert_allclose(hold.turn[:, 2], forward, atol=1e-9)
        np.testing.assert_allclose(hold.turn.T @ hold.turn, np.eye(3), atol=1e-9)
        aside = (hold.at - [2.0, 0.0, -1.0]) @ hold.turn[:, 0]
        assert aside == pytest.approx(build.hips[side][0], abs=1e-9)


def test_on_a_slope_the_sole_lies_along_it(build):
    hold = foothold_near(ramp(angle=0.2), build, 0, Place(0.0, 4.0, 0.0))
    assert hold.turn[1, 2] == pytest.approx(np.sin(0.2), abs=1e-6)


def test_on_stairs_the_sole_avoids_the_edge(build):
    ground = stairs()
    for z in np.linspace(2.4, 3.6, 13):
        hold = foothold_near(ground, build, 0, Place(0.0, float(z), 0.0))
        foot = build.feet[0]
        ends = [hold.at + hold.turn @ point for point in (foot.heel, foot.ball)]
        heights = [ground.at(end[0], end[2])[0] for end in ends]
        assert heights[0] == heights[1]
        assert ends[0][1] == pytest.approx(heights[0], abs=0.01)


def test_a_step_over_a_hurdle_is_higher(build):
    foot = build.feet[0]
    start, end = np.array([0.0, 0.07, 0.0]), np.array([0.0, 0.07, 1.0])
    low = clearing_rise(flat(), foot, start, end, 0.06)
    hurdle = profile([(0.45, 0.0), (0.45, 0.2), (0.55, 0.2), (0.55, 0.0)])
    assert low == pytest.approx(0.06)
    assert clearing_rise(hurdle, foot, start, end, 0.06) > 0.2


def test_pitching_raises_the_heel():
    assert (pitched(np.eye(3), 0.3) @ [0.0, 0.0, -1.0])[1] == pytest.approx(np.sin(0.3))
