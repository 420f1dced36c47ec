"""The paper's stride: where it goes, what it keeps to, and where it stops."""

import itertools
import math

import numpy as np
import pytest

import poise
from poise.walk.frame import Rocker
from poise.walk.terrain import flat, hills, profile, stairs
from poise.walk.walker import Walker

DT = 1.0 / 60.0


@pytest.fixture(scope="module")
def human():
    return poise.figures.human()


def gait_of(human, terrain=None):
    """A gait alone; poses are not asked for."""
    return Walker(human, terrain, stride="paper").gait


def driven(gait, seconds, **command):
    """Copies of the frames of a drive."""
    from poise.walk.gait import Command

    frames = []
    for _ in range(round(seconds / DT)):
        gait.advance(Command(**command), DT)
        frames.append(gait.frame.values.copy())
    return np.array(frames)


def views(values):
    from poise.walk.frame import GaitFrame

    frame = GaitFrame()
    frame.values[:] = values
    return frame


def test_it_stands_until_it_is_driven_and_stands_again(human):
    gait = gait_of(human)
    still = driven(gait, 0.5)
    assert np.ptp(still, axis=0).max() < 1e-9
    assert not gait.moving
    driven(gait, 3.0, speed=1.2)
    assert gait.moving
    driven(gait, 4.0)
    assert not gait.moving
    assert all(foot.in_contact for foot in gait.frame.feet)


@pytest.mark.parametrize("speed", [0.5, 1.3])
def test_it_goes_as_fast_and_strides_as_long_as_it_is_told(human, speed):
    gait = gait_of(human)
    driven(gait, 3.0, speed=speed, stride=1.1)
    before = gait.place.z
    frames = [views(row) for row in driven(gait, 6.0, speed=speed, stride=1.1)]
    assert gait.place.z - before == pytest.approx(6.0 * speed, rel=0.02)
    down = np.array([frame.feet[0].in_contact for frame in frames])
    lands = np.flatnonzero(down[1:] & ~down[:-1]) + 1
    lengths = np.diff([frames[i].feet[0].heel[2] for i in lands])
    rate = max(speed / 1.1, 0.7)
    np.testing.assert_allclose(lengths, speed / rate, rtol=0.1)
    assert down.mean() == pytest.approx(2.0 / 3.0, abs=0.05)  # from π to 3π of 3π


def test_feet_stand_still_while_they_stand(human):
    """The heel from the landing on, then the ball; on hills too."""
    for terrain in (flat(), hills(3)):
        gait = gait_of(human, terrain)
        frames = [views(row) for row in driven(gait, 6.0, speed=1.2)]
        slips = []
        for one, two in itertools.pairwise(frames):
            for a, b in zip(one.feet, two.feet, strict=True):
                if a.rocker is b.rocker is Rocker.HEEL:
                    slips.append(np.linalg.norm(a.heel - b.heel))
                elif a.rocker is b.rocker is Rocker.BALL:
                    slips.append(np.linalg.norm(a.ball - b.ball))
        assert len(slips) > 200
        assert max(slips) < 1e-3


def test_feet_and_hips_never_jump(human):
    for terrain in (flat(), hills(3), stairs()):
        gait = gait_of(human, terrain)
        rows = driven(gait, 10.0, speed=1.1)
        frames = [views(row) for row in rows]
        for part in ("heel", "ball"):
            for side in range(2):
                way = np.array([getattr(frame.feet[side], part) for frame in frames])
                assert np.linalg.norm(np.diff(way, axis=0), axis=1).max() < 0.12  # 7 m/s
        hips = np.array([frame.pelvis for frame in frames])
        assert np.abs(np.diff(hips, axis=0)).max() < 0.05


def test_it_climbs_stairs_and_comes_down_again(human):
    ground = stairs()
    gait = gait_of(human, ground)
    heights = [views(row).pelvis[1] for row in driven(gait, 25.0, speed=1.2)]
    assert gait.stopped is None
    assert max(heights) > 8 * 0.17 + 0.8
    assert gait.place.z > 12.0
    assert heights[-1] < 1.0


@pytest.mark.parametrize(("height", "way"), [(1.0, "up"), (-1.0, "down")])
def test_it_stops_before_a_cliff_says_so_and_goes_on_elsewhere(human, height, way):
    gait = gait_of(human, profile([(3.0, 0.0), (3.0, height)]))
    driven(gait, 10.0, speed=1.2)
    assert gait.stopped is not None
    assert way in gait.stopped
    assert 2.0 < gait.place.z < 3.0
    assert not gait.moving
    driven(gait, 2.0, turn=2.0)
    driven(gait, 6.0, speed=1.2, heading=math.pi)
    assert gait.stopped is None
    assert gait.place.z < 0.0


def test_it_turns_on_the_spot_by_stepping(human):
    gait = gait_of(human)
    driven(gait, 3.0, heading=1.5)
    driven(gait, 3.0)
    assert gait.place.heading == pytest.approx(1.5, abs=1e-6)
    assert not gait.moving
    assert math.hypot(gait.place.x, gait.place.z) < 1e-9
    for foot in gait.frame.feet:
        assert math.atan2(foot.turn[0, 2], foot.turn[2, 2]) == pytest.approx(1.5, abs=0.1)


def test_legs_are_never_stretched_further_than_they_may(human):
    walker = Walker(human, hills(5), stride="paper")
    build = walker.build
    for values in driven(walker.gait, 8.0, speed=1.5):
        frame = views(values)
        for i, foot in enumerate(frame.feet):
            ankle = foot.heel - foot.turn @ build.feet[i].heel
            hip = frame.pelvis + frame.pelvis_turn @ build.hips[i]
            assert np.linalg.norm(hip - ankle) < 0.995 * (build.thigh + build.shank)
