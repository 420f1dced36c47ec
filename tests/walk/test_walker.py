"""The walker: what holds on every ground, how it starts, turns and stops, and who can walk."""

import math
import warnings

import numpy as np
import pytest
from mocap import FOLDER, needs_mocap

import poise
from poise import OptionError
from poise.study.walking import Record, curves_of, normal_of
from poise.walk.build import Build
from poise.walk.gait import Place
from poise.walk.walker import Walker

GROUNDS = {
    "flat": (poise.terrain.flat(), 1.3, 6.0),
    "hills": (poise.terrain.hills(3), 1.2, 9.0),
    "stairs": (poise.terrain.stairs(count=4, top=2.0), 1.0, 13.0),
    "ramp up": (poise.terrain.ramp(), 1.2, 6.0),
    "ramp down": (poise.terrain.ramp(angle=-0.14), 1.2, 6.0),
    "run": (poise.terrain.flat(), 3.0, 5.0),
}
RATE = 20.0
"""No joint turns faster [rad/s]."""


@pytest.fixture(scope="module")
def human():
    return poise.figures.human()


@pytest.fixture(scope="module")
def records(human):
    made = {}

    def record(name):
        if name not in made:
            ground, speed, seconds = GROUNDS[name]
            walker = Walker(human, ground, max_velocity=RATE)
            walker.drive(speed=speed)
            made[name] = Record.of(walker, seconds)
        return made[name]

    return record


@pytest.mark.parametrize("ground", GROUNDS)
def test_feet_neither_slip_nor_sink(records, ground):
    record = records(ground)
    assert record.slip() < 1e-3
    assert record.penetration() < 5e-3


@pytest.mark.parametrize("ground", GROUNDS)
def test_limits_and_rates_hold(records, ground):
    record = records(ground)
    assert record.broken_limits() == 0
    assert record.rate() <= RATE * (1.0 + 1e-9)


def test_a_walk_on_the_flat_is_normal(records):
    normal = normal_of(records("flat"))
    assert 0.58 <= normal.duty <= 0.65
    assert 10.0 <= normal.knee_stance <= 25.0
    assert 55.0 <= normal.knee_swing <= 70.0
    assert 35.0 <= normal.hip_range <= 50.0
    assert 20.0 <= normal.ankle_range <= 35.0
    assert 0.025 <= normal.rise <= 0.06
    assert records("flat").jump() < 4.0


def test_the_knee_is_nearly_straight_until_the_push_off(records):
    record = records("flat")
    down = record.rockers[:, 0] != 0
    start, end = (np.flatnonzero(down[1:] & ~down[:-1]) + 1)[-2:]
    knee = curves_of(record.clip, record.build).knee[start:end, 0]
    late = knee[round(0.25 * len(knee)) : round(0.42 * len(knee))]
    assert late.min() < 13.0
    assert late.max() < 17.0


@pytest.mark.parametrize("ground", ["hills", "ramp up", "ramp down"])
def test_joints_do_not_jump_at_phase_changes(records, ground):
    assert records(ground).jump() < 7.0


def test_a_run_flies(human):
    walker = Walker(human)
    walker.drive(speed=3.0)
    record = Record.of(walker, 6.0)
    in_air = (record.rockers[360:] == 0).all(1)
    assert 0.1 < in_air.mean() < 0.5
    assert walker.gait.place.z > 12.0
    assert record.broken_limits() == 0


def test_it_stands_starts_and_stops(human):
    walker = Walker(human)
    still = Record.of(walker, 0.5)
    assert np.ptp(still.clip.angles, axis=0).max() < 1e-3
    walker.drive(speed=1.2)
    Record.of(walker, 3.0)
    assert walker.gait.moving
    walker.drive(speed=0.0)
    Record.of(walker, 3.0)
    assert not walker.gait.moving
    left, right = (foot.target for foot in walker.step(1 / 60).feet)
    assert abs(left[2] - right[2]) < 0.12


def test_it_turns_on_the_spot(human):
    walker = Walker(human)
    walker.drive(heading=math.pi / 2)
    record = Record.of(walker, 6.0)
    place = walker.gait.place
    assert abs(place.heading - math.pi / 2) < 0.1
    assert math.hypot(place.x, place.z) < 0.2
    assert not walker.gait.moving
    assert record.slip() < 1e-3


@pytest.mark.parametrize(
    ("knots", "words"),
    [
        ([(2.0, 0.0), (2.0, 0.9)], "rises too high"),
        ([(2.0, 0.0), (2.0, -0.9)], "falls away too deep"),
        ([(2.0, 0.0), (4.0, 3.0)], "too steep"),
    ],
)
def test_it_stops_before_what_it_cannot_climb_and_says_so(human, knots, words):
    walker = Walker(human, poise.terrain.profile(knots))
    walker.drive(speed=1.3)
    record = Record.of(walker, 6.0)
    assert words in record.stopped
    assert not walker.gait.moving
    assert 1.0 < walker.gait.place.z < 1.9
    walker.drive(heading=math.pi)
    for _ in range(240):
        state = walker.step(1 / 60)
    assert state.stopped is None
    assert walker.gait.place.z < 1.0


def test_ten_minutes_of_random_driving_break_nothing(human):
    rng = np.random.default_rng(1)

    def drive(walker, time):
        if rng.random() < 0.01:
            walker.drive(speed=rng.uniform(0.0, 1.8), turn=rng.uniform(-1.5, 1.5))

    walker = Walker(human, poise.terrain.hills(1), max_velocity=RATE)
    record = Record.of(walker, 600.0, fps=60.0, drive=drive)
    assert record.slip() < 1e-3
    assert record.penetration() < 5e-3
    assert record.broken_limits() == 0
    assert record.rate() <= RATE * (1.0 + 1e-9)


def test_the_same_drive_gives_the_same_bits(human):
    def walked():
        walker = Walker(human, poise.terrain.hills(2))
        walker.drive(speed=1.1, turn=0.3)
        return np.array([walker.step(1 / 60).pose.angles for _ in range(120)])

    np.testing.assert_array_equal(walked(), walked())


def _walks(figure):
    walker = Walker(figure)
    walker.drive(speed=1.2)
    record = Record.of(walker, 4.0, fps=60.0)
    assert walker.gait.place.z > 2.5
    assert record.slip() < 1e-3
    assert record.broken_limits() == 0


def test_jack_walks():
    _walks(poise.figures.jack())


@needs_mocap
@pytest.mark.parametrize("name", ["bvh-cmu/02_01.bvh", "asf-cmu/49.asf"])
def test_captured_figures_walk(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", poise.FileWarning)
        loaded = poise.load(FOLDER / name)
    _walks(getattr(loaded, "figure", loaded))


def test_size_does_not_matter(human):
    assert math.isclose(Build.of(human).scale, 1.0, rel_tol=1e-6)


def test_it_begins_where_it_is_told(human):
    walker = Walker(human, start=Place(1.0, -2.0, 0.5))
    assert np.allclose(walker.step(1 / 60).pose.position("pelvis")[[0, 2]], [1.0, -2.0], atol=0.02)


@pytest.mark.parametrize("wrong", [{"stride": "moon"}, {"jacobian": "quarter"}])
def test_unknown_names_are_refused(human, wrong):
    with pytest.raises(OptionError, match=r"valid names|did you mean"):
        Walker(human, **wrong)


def test_numbers_must_be_finite(human):
    walker = Walker(human)
    with pytest.raises(OptionError, match="speed"):
        walker.drive(speed=math.nan)
    with pytest.raises(OptionError, match="dt"):
        walker.step(0.0)


def test_a_figure_without_legs_is_refused():
    with pytest.raises(poise.FigureError, match="legs="):
        Walker(poise.figures.arm())


def test_a_ground_that_is_none_is_refused():
    with pytest.raises(OptionError, match=r"poise\.terrain\.stairs"):
        poise.Walker(poise.figures.human(), "stairs")
