"""Manners: the bars of every walk hold, and each differs from it as it says."""

import math

import numpy as np
import pytest

import poise
from poise import OptionError
from poise.study.walking import Record, curves_of
from poise.walk.manner import MANNERS, Manner
from poise.walk.walker import Walker

SETTLED = 200


@pytest.fixture(scope="module")
def human():
    return poise.figures.human()


@pytest.fixture(scope="module")
def records(human):
    made = {}

    def record(manner):
        key = manner if isinstance(manner, str) or manner is None else id(manner)
        if key not in made:
            walker = Walker(human, manner=manner)
            walker.drive(speed=1.3)
            made[key] = Record.of(walker, 6.0, fps=60.0)
        return made[key]

    return record


def alone(record, side):
    """The share of time in which only that foot stands."""
    down = record.rockers[SETTLED:] != 0
    return (down[:, side] & ~down[:, 1 - side]).mean()


@pytest.mark.parametrize("name", MANNERS)
def test_the_bars_of_a_walk_hold(records, name):
    record = records(name)
    assert record.slip() < 1e-3
    assert record.penetration() < 5e-3
    assert record.broken_limits() == 0
    assert record.rate() < 15.0


def test_who_limps_hurries_off_the_leg_that_hurts(records):
    assert alone(records("limp"), 0) < 0.8 * alone(records("limp"), 1)
    assert alone(records(None), 0) == pytest.approx(alone(records(None), 1), abs=0.05)


def test_a_stiff_knee_hardly_bends_and_its_foot_swings_out(records):
    record = records("stiff-knee")
    knees = curves_of(record.clip, record.build).knee[SETTLED:].max(0)
    assert math.degrees(0.6) < knees[0]
    assert knees[1] < 40.5
    width = np.ptp(record.soles()[SETTLED:, :, 1, 0], axis=0)
    assert width[1] > width[0] + 0.04


def test_a_load_leans_and_the_old_take_short_quick_steps(records):
    usual, load, old = records(None), records("load"), records("old")

    def lean(record):
        points = record.clip.positions(["pelvis", "head"])[SETTLED:]
        return (points[:, 1, 2] - points[:, 0, 2]).mean()

    def strikes(record):
        return (np.diff((record.rockers[SETTLED:, 0] != 0).astype(int)) > 0).sum()

    assert lean(load) > lean(usual) + 0.1
    assert lean(old) > lean(usual) + 0.1
    way = [np.ptp(r.clip.positions(["pelvis"])[SETTLED:, 0, 2]) for r in (usual, old)]
    assert way[1] / strikes(old) < 0.75 * way[0] / strikes(usual)
    assert old.duty() > usual.duty() + 0.02


def test_mirrored(records):
    right = MANNERS["limp"].mirrored
    assert right.weights["right_leg"] == MANNERS["limp"].weights["left_leg"]
    assert right.weights["head"] == MANNERS["limp"].weights["head"]
    assert right.mirrored == MANNERS["limp"]
    assert alone(records(right), 1) < 0.8 * alone(records(right), 0)
    leaning = Manner("leaning", posture={"trunk_list": 0.1, "left_elbow": 0.2})
    assert leaning.mirrored.posture == {"trunk_list": -0.1, "right_elbow": 0.2}


def test_a_manner_of_nothing_is_the_usual_walk(human):
    usual, same = Walker(human), Walker(human, manner=Manner("usual"))
    for walker in (usual, same):
        walker.drive(speed=1.2)
    for _ in range(120):
        a, b = usual.step(1 / 60), same.step(1 / 60)
    np.testing.assert_allclose(a.pose.angles, b.pose.angles, atol=1e-9)


def test_on_stairs_and_for_another_figure():
    walker = Walker(poise.figures.jack(), poise.terrain.stairs(start=1.0, count=3), manner="old")
    walker.drive(speed=1.0)
    for _ in range(600):
        state = walker.step(1 / 60)
    assert state.stopped is None
    assert walker.gait.place.z > 2.5
    assert state.pose.is_inside_limits


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: Manner("x", weights={"tail": 0.5}), "tail"),
        (lambda: Manner("x", weights={"head": 2.0}), "weights"),
        (lambda: Manner("x", posture={"nose": 0.5}), "nose"),
        (lambda: Manner("x", knees=(0.0, 1.0)), "knees"),
        (lambda: Manner("x", hurry=(0.9, 0.0)), "hurry"),
        (lambda: Manner("x", speed=math.nan), "speed"),
        (lambda: Manner("x", habits={0: 1.0}), "habits"),
        (lambda: Walker(poise.figures.human(), manner="lame"), "lame"),
        (lambda: Walker(poise.figures.human(), stride="paper", manner="limp"), "natural"),
    ],
)
def test_bad_input_is_refused(make, match):
    with pytest.raises(OptionError, match=match):
        make()
