"""Following paths: points, functions of time, and what is refused."""

import math

import numpy as np
import pytest

import poise
from poise import OptionError
from poise.walk.following import Route, follow
from poise.walk.gait import Place
from poise.walk.walker import Walker


def test_a_route_leads_along_its_points():
    route = Route([(0, 0), (0, 4), (0, 4), (3, 4)])
    assert route.length == 7.0
    assert route.start == Place(0.0, 0.0, 0.0)
    heading, left = route.aim(Place(0.0, 0.5), 0.7)
    assert abs(heading) < 1e-9
    assert left == pytest.approx(6.5, abs=0.05)


def test_a_walk_ends_where_the_path_does():
    clip = poise.walk(poise.figures.human(), [(0, 0), (0, 3), (2, 5)], fps=60.0)
    end = clip[len(clip) - 1].position("pelvis")
    assert math.hypot(end[0] - 2.0, end[2] - 5.0) < 0.35
    assert clip.fps == pytest.approx(60.0)


def test_a_function_of_time_is_chased():
    clip = poise.walk(poise.figures.human(), lambda t: (0.0, 0.8 * t), seconds=4.0, fps=30.0)
    assert len(clip) == 120
    assert clip[119].position("pelvis")[2] == pytest.approx(3.2, abs=0.6)


@pytest.mark.parametrize("path", [[(0, 0)], [(0, 0, 0), (1, 1, 1)], [(0, 0), (math.nan, 1)]])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(OptionError, match="path"):
        Route(path)


def test_a_function_needs_an_end():
    walker = Walker(poise.figures.human())
    with pytest.raises(OptionError, match="seconds"):
        next(follow(walker, lambda t: (0.0, t)))
    with pytest.raises(OptionError, match="speed"):
        next(follow(walker, np.array([(0, 0), (0, 1)]), speed=-1.0))
