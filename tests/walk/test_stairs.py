"""Stairs of every size, up and down: whole soles on the treads, and no foot higher than it must."""

import numpy as np
import pytest

import poise
from poise.study.walking import Record, curves_of
from poise.walk.frame import Rocker
from poise.walk.terrain import mesh
from poise.walk.walker import Walker

SIZES = {
    "usual": (0.17, 0.29),
    "low": (0.12, 0.34),
    "deep": (0.15, 0.45),
    "steep": (0.20, 0.26),
    "short": (0.17, 0.24),
}


@pytest.fixture(scope="module")
def records():
    human, made = poise.figures.human(), {}

    def record(size, speed):
        if (size, speed) not in made:
            rise, run = SIZES[size]
            walker = Walker(human, poise.terrain.stairs(rise=rise, run=run, count=4, top=1.5))
            walker.drive(speed=speed)
            made[size, speed] = Record.of(walker, 7.0 + 4.0 / speed)
        return made[size, speed]

    return record


@pytest.mark.parametrize(
    ("size", "speed"), [*((size, 1.3) for size in SIZES), ("usual", 0.6), ("usual", 1.0)]
)
def test_feet_neither_slip_nor_hit_a_step(records, size, speed):
    record = records(size, speed)
    assert record.stopped is None
    assert record.slip() < 1e-3
    assert record.penetration() < 5e-3
    assert record.broken_limits() == 0
    # Down on the other side.
    assert record.soles()[-1, ..., 1].min() < 0.1 < record.soles()[..., 1].max()


@pytest.mark.parametrize("size", SIZES)
def test_the_knee_bends_no_more_than_that_of_people(records, size):
    knee = curves_of(records(size, 1.3).clip, records(size, 1.3).build).knee
    assert knee.max() < 105.0


@pytest.mark.parametrize("size", ["usual", "low", "deep"])
def test_whole_soles_stand_on_the_treads(records, size):
    record = records(size, 1.3)
    soles = record.soles()[record.rockers == Rocker.SOLE]
    below = record.terrain.height(soles[..., 0], soles[..., 2])
    np.testing.assert_allclose(soles[..., 1], below, atol=5e-3)


def test_a_curb_is_stepped_over():
    walker = Walker(
        poise.figures.human(),
        poise.terrain.profile([(2.0, 0.0), (2.0, 0.15), (3.5, 0.15), (3.5, 0.0)]),
    )
    walker.drive(speed=1.2)
    record = Record.of(walker, 6.0)
    assert walker.gait.place.z > 4.5
    assert record.slip() < 1e-3
    assert record.penetration() < 5e-3


@pytest.mark.parametrize("seed", [4, 5])
def test_stones_of_a_mesh_are_stepped_on_and_over(seed):
    rng = np.random.default_rng(seed)
    points, faces = [(-9, 0, -9), (-9, 0, 9), (9, 0, 9), (9, 0, -9)], [(0, 1, 2), (0, 2, 3)]
    for x, z in rng.uniform((-0.8, 1.5), (0.8, 7.0), (25, 2)):
        wide, long, high = rng.uniform((0.1, 0.1, 0.03), (0.4, 0.4, 0.15))
        first = len(points)
        points += [
            (x, high, z),
            (x, high, z + long),
            (x + wide, high, z + long),
            (x + wide, high, z),
        ]
        faces += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    walker = Walker(poise.figures.human(), mesh(points, faces))
    walker.drive(speed=1.0)
    record = Record.of(walker, 9.0)
    assert walker.gait.place.z > 4.0
    assert record.broken_limits() == 0
    assert record.slip() < 1e-3
    assert record.penetration() < 5e-3
