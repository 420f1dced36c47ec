"""Too long steps of the Jacobian transpose, by their numbers."""

import pytest

import poise
from poise.study import flip
from poise.study.following import reference_of


@pytest.fixture(scope="module")
def found():
    return flip.descents(reference_of(poise.motions.gymnastics()[:200]))


def test_the_paper_s_step_converges_and_longer_ones_do_not(found):
    assert [one.step for one in found] == [0.005, 0.01, 0.02, 0.05]
    assert found[0].left < 1e-2
    assert all(one.values[-1] > 100.0 * found[0].values[-1] for one in found[1:])


def test_one_goes_to_and_fro_between_two_poses(found):
    clearest = flip.clearest_flip(found)
    assert clearest.jump(1) > 0.1
    assert clearest.jump(2) < 0.1 * clearest.jump(1)


def test_the_table_has_all_steps(found):
    rows = flip.flip_table(found).records()
    assert [row["step length"] for row in rows] == list(flip.STEPS)
    assert rows[0]["start [units²]"] > rows[0]["end [units²]"]
