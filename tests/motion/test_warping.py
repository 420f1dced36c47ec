"""The same motion at other times."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from motion.bodies import puppet, wandering

from poise import MotionError, joint

CLIP = wandering(puppet(root=joint.free()), 61, 0.3, frame_time=0.05)  # 3 s


def test_keys_are_met_and_what_is_not_keyed_keeps_its_speed():
    made = CLIP.warped({1.0: 1.5, 2.0: 2.0})
    for before, after in ((0.0, 0.0), (1.0, 1.5), (2.0, 2.0), (3.0, 3.0)):
        np.testing.assert_allclose(made.at(after).angles, CLIP.at(before).angles, atol=1e-9)
    assert made.frame_time == CLIP.frame_time
    later = CLIP.warped({0.0: 0.5, 3.0: 3.5})
    assert later.duration == pytest.approx(3.5)
    np.testing.assert_allclose(later.at(0.25).angles, CLIP[0].angles, atol=1e-12)


def test_times_as_they_are_change_nothing():
    np.testing.assert_allclose(CLIP.warped({1.0: 1.0}).angles, CLIP.angles, atol=1e-9)
    np.testing.assert_allclose(CLIP.paced({0.0: 1.0}).angles, CLIP.angles, atol=1e-9)
    assert len(CLIP[:0].warped({0.0: 0.0})) == len(CLIP[:0].paced({0.0: 1.0})) == 0


@given(
    st.lists(st.floats(0.05, 0.95), min_size=1, max_size=4, unique_by=lambda x: round(x, 2)),
    st.lists(st.floats(0.05, 2.0), min_size=4, max_size=4),
)
def test_time_never_runs_back(shares, steps):
    before = sorted(3.0 * share for share in shares)
    after = np.cumsum(steps)[: len(before)]
    straight = wandering(puppet(), 61, 0.0, frame_time=0.05)
    clock = straight._with(angles=straight.times[:, None] * np.ones(straight.angles.shape[1]))
    told = clock.warped(dict(zip(before, after, strict=True))).angles[:, 0]
    assert (np.diff(told) >= 0.0).all()
    assert told[0] == 0.0
    assert told[-1] <= 3.0


def test_half_the_speed_lasts_twice_as_long_and_changes_evenly():
    assert CLIP.paced({0.0: 0.5}).duration == pytest.approx(6.0)
    made = CLIP.paced({1.0: 1.0, 2.0: 3.0})
    # 1 s as it is, then ∫ dt / (1 + 2 t) = ln 3 / 2, then 1 s at three times the speed.
    expected = 1.0 + np.log(3.0) / 2.0 + 1.0 / 3.0
    assert made.duration == pytest.approx(expected, abs=CLIP.frame_time)
    np.testing.assert_allclose(
        made.at(1.0 + np.log(2.0) / 2.0).angles, CLIP.at(1.5).angles, atol=0.02
    )


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ({}, "no times"),
        ({1.0: 2.0, 2.0: 1.0}, "never runs back"),
        ({1.0: 0.0}, "never runs back"),
        ({0.0: -1.0}, "never runs back"),
        ({4.0: 1.0}, "lasts 3 s"),
        ({1.0: np.nan}, "finite"),
    ],
)
def test_bad_times_are_refused(times, message):
    with pytest.raises(MotionError, match=message):
        CLIP.warped(times)


def test_bad_speeds_are_refused():
    for speeds, message in (({}, "no speeds"), ({0.0: 0.0}, "above 0"), ({0.0: np.inf}, "finite")):
        with pytest.raises(MotionError, match=message):
            CLIP.paced(speeds)
