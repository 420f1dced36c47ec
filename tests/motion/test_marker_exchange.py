"""Exchanged names of markers are noticed, and a good fit is not doubted."""

import pytest
from motion.marker_trials import HUMAN, MANY, noisy, renamed

import poise

SIDES = tuple((name, "R" + name[1:]) for name in MANY if name[0] == "L")


def calibrated(trial):
    return poise.calibrate(trial, HUMAN)


def test_a_good_fit_is_not_doubted():
    found = calibrated(noisy(MANY, 1.0))
    assert found.exchanged == ()
    assert found.mapping.doubts == ()


@pytest.mark.parametrize(
    "pairs",
    [
        (("LKNE", "RKNE"),),
        (("LANK", "RANK"),),
        (("LELB", "RELB"),),
        (("LKNE", "RKNE"), ("LELB", "RELB")),
    ],
)
def test_exchanged_pairs_are_named(pairs):
    found = calibrated(renamed(noisy(MANY, 1.0), pairs))
    assert set(found.exchanged) == set(pairs)
    assert all(" and ".join(pair) in found.mapping.doubts[0] for pair in pairs)


@pytest.mark.parametrize("mirrored", [False, True])
def test_all_sides_exchanged_and_mirrored_data(mirrored):
    trial = noisy(MANY, 1.0)
    if mirrored:
        wrong = poise.Markers(MANY, trial.points * [-1.0, 1.0, 1.0], trial.frame_time)
    else:
        wrong = renamed(trial, SIDES)
    found = calibrated(wrong)
    assert set(found.exchanged) == set(SIDES)
    assert "left and right look exchanged" in found.mapping.doubts[0]


def test_a_bad_fit_that_no_exchange_explains_names_none():
    trial = noisy(MANY, 1.0, noise=0.03)
    found = calibrated(trial)
    assert max(found.errors.values()) > 0.012
    assert found.exchanged == ()
