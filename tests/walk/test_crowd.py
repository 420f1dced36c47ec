"""A crowd: the bits of single walkers, for any number of threads."""

import numpy as np
import pytest

import poise
from poise import FigureError, OptionError
from poise.walk.gait import Place
from poise.walk.walker import Walker

HILLS = poise.terrain.hills(3)


@pytest.fixture(scope="module")
def human():
    return poise.figures.human()


def places(count, apart=2.0):
    return [Place(apart * (i % 7), apart * (i // 7), 0.3 * i) for i in range(count)]


@pytest.mark.parametrize("threads", [1, 2])
def test_every_walker_has_the_bits_of_one_that_walks_alone(human, threads):
    # More than a thread takes at a time, so that walkers share workspaces.
    starts = places(70)
    crowd = poise.Crowd(human, starts, terrain=HILLS, threads=threads)
    speeds = np.linspace(0.4, 2.0, len(starts))
    crowd.drive(speed=speeds, heading=0.5)
    told = {0: {}, 40: {"turn": -0.6}, 70: {"speed": 0.0, "stride": 1.1}}
    looked_at = (0, 13, 37, 69)
    walkers = [Walker(human, HILLS, start=starts[i]) for i in looked_at]
    for walker, i in zip(walkers, looked_at, strict=True):
        walker.drive(speed=speeds[i], heading=0.5)
        np.testing.assert_array_equal(crowd.angles[i], walker._rider.pose.angles)
    for frame in range(110):
        change = told.get(frame, {})
        crowd.drive(**change)
        crowd.step(1 / 60)
        for walker, i in zip(walkers, looked_at, strict=True):
            walker.drive(**change)
            state = walker.step(1 / 60)
            np.testing.assert_array_equal(crowd.angles[i], state.pose.angles)
    for walker, i in zip(walkers, looked_at, strict=True):
        place = walker.gait.place
        assert crowd.places[i].tolist() == [place.x, place.z, place.heading]
        assert crowd.contacts[i].tolist() == [foot.in_contact for foot in walker.gait.frame.feet]
        assert crowd.speeds[i] == walker.gait.speed
    assert crowd.time == walkers[0].time


def test_other_figures_and_long_steps_too():
    jack, stairs = poise.figures.jack(), poise.terrain.stairs(start=0.8)
    crowd = poise.Crowd(jack, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.1)], terrain=stairs, max_velocity=9.0)
    walker = Walker(jack, stairs, start=Place(1.0, 0.0, 0.1), max_velocity=9.0)
    crowd.drive(speed=1.0)
    walker.drive(speed=1.0)
    for dt in (1 / 60, 1 / 24, 0.1) * 20:
        crowd.step(dt)
        np.testing.assert_array_equal(crowd.angles[1], walker.step(dt).pose.angles)


def test_all_are_inside_their_limits_and_say_what_stops_them(human):
    cliff = poise.terrain.profile([(3.0, 0.0), (3.0, -2.0)])
    crowd = poise.Crowd(human, [(0.0, 0.0, 0.0), (2.0, 0.0, np.pi)], terrain=cliff)
    assert len(crowd) == 2
    crowd.drive(speed=1.3)
    for _ in range(240):
        crowd.step(1 / 60)
    assert crowd.pose(0).is_inside_limits
    assert crowd.pose(1).is_inside_limits
    assert "falls away" in str(crowd.stopped[0])
    assert crowd.stopped[1] is None
    assert crowd.places[0, 1] < 3.0
    assert crowd.places[1, 1] < -3.0


def test_what_it_gives_is_a_copy(human):
    crowd = poise.Crowd(human, places(2))
    before = crowd.angles
    for given in (crowd.angles, crowd.places, crowd.speeds, crowd.contacts):
        given[...] = 1
    np.testing.assert_array_equal(crowd.angles, before)
    assert crowd.places[0].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda human: poise.Crowd(human, []), "starts of a crowd"),
        (lambda human: poise.Crowd(human, [(0.0, 0.0)]), "starts of a crowd"),
        (lambda human: poise.Crowd(human, [(0.0, np.nan, 0.0)]), "starts of a crowd"),
        (lambda human: poise.Crowd(human, 1000), "starts of a crowd"),
        (lambda human: poise.Crowd(human, places(2), threads=0), "threads"),
        (lambda human: poise.Crowd(human, places(2), max_velocity=-1.0), "max_velocity"),
        (lambda human: poise.Crowd(human, places(2)).drive(speed=[1.0]), "2 of them"),
        (lambda human: poise.Crowd(human, places(2)).drive(heading=np.inf), "heading"),
        (lambda human: poise.Crowd(human, places(2)).step(0.0), "dt"),
        (lambda human: poise.Crowd(human, places(2)).step(np.nan), "dt"),
    ],
)
def test_bad_input_is_refused(human, call, match):
    with pytest.raises(OptionError, match=match):
        call(human)


def test_a_figure_without_legs_is_refused():
    with pytest.raises(FigureError, match="left_thigh"):
        poise.Crowd(poise.figures.arm(), places(2))


def test_a_drive_that_is_refused_changes_nothing(human):
    crowd = poise.Crowd(human, places(2))
    with pytest.raises(OptionError):
        crowd.drive(speed=1.0, turn=np.nan)
    crowd.step(1 / 60)
    assert not crowd.speeds.any()
