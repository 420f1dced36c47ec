import numpy as np
import pytest

from poise.figure.builtin.proportions import (
    MASS,
    PARTS,
    POINTS,
    STATURE,
    center_of,
    mass_of,
    point,
)

PAIRED = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")


def test_parts_make_up_the_whole_body():
    total = sum(mass_of(part) * (2 if part in PAIRED else 1) for part in PARTS)
    assert total == pytest.approx(MASS) == pytest.approx(75.0)


def test_lengths_are_those_of_drillis_and_contini():
    def length(start, end):
        return np.linalg.norm(point(start) - point(end)) / STATURE

    assert length("shoulder", "elbow") == pytest.approx(0.186)
    assert length("elbow", "wrist") == pytest.approx(0.146)
    assert length("wrist", "fingertip") == pytest.approx(0.108)
    assert length("hip", "knee") == pytest.approx(0.245)
    assert length("knee", "ankle") == pytest.approx(0.246)
    assert length("heel", "toe_tip") == pytest.approx(0.152)
    assert point("crown")[1] == pytest.approx(1.80)


def test_right_side_mirrors_the_left():
    for name in POINTS:
        np.testing.assert_array_equal(point(name, "right"), point(name) * [-1.0, 1.0, 1.0])


def test_centres_of_mass_lie_inside_their_parts():
    for name, part in PARTS.items():
        low, high = sorted((point(part.start)[1], point(part.end)[1]))
        assert low <= center_of(name)[1] <= high
    assert mass_of("fingers") == 0.0
