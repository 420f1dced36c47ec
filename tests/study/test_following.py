"""Following a motion in a time slot, by its numbers."""

import numpy as np
import pytest
from mocap import FOLDER, needs_mocap

import poise
from poise.study import following
from poise.study.following import GOALS, TOLERANCE, UNIT, WHOLE_SLOT, Setting

LONG = 5.0  # a slot [s] that no solve needs: what comes out does not depend on the machine


@pytest.fixture(scope="module")
def reference():
    return following.reference_of(poise.motions.gymnastics()[:200])


@pytest.fixture(scope="module")
def followed(reference):
    passes = following.passes_of(reference, 0.7)
    return following.follow(passes, Setting(0.7, LONG, WHOLE_SLOT), "auto")


def test_the_paper_s_lengths():
    assert pytest.approx(1.80) == 9 * UNIT
    assert pytest.approx(0.01) == TOLERANCE
    assert len(GOALS) == 6
    assert len(poise.figures.human().dofs) == 71


def test_a_reference_is_on_the_human_and_inside_its_limits(reference):
    assert reference.figure.name == "human"
    assert reference.is_inside_limits


@needs_mocap
@pytest.mark.filterwarnings("ignore::poise.FileWarning")
def test_another_skeleton_is_retargeted():
    reference = following.reference_of(poise.load(FOLDER / "bvh-cmu" / "49_08.bvh"))
    assert reference.figure.name == "human"
    assert reference.is_inside_limits


def test_angles_outside_are_brought_inside():
    clip = poise.motions.gymnastics()[:200]
    angles = clip.angles.copy()
    angles[:, clip.figure.dof_index("left_knee_flexion")] = -0.2
    outside = poise.Clip(clip.figure, angles, clip.frame_time)
    assert not outside.is_inside_limits
    assert following.reference_of(outside).is_inside_limits


def test_a_clip_that_is_too_short_is_refused():
    with pytest.raises(poise.MotionError, match="at least 3 s"):
        following.reference_of(poise.motions.gymnastics()[:60])


def test_passes_begin_a_part_of_the_interval_later(reference):
    passes = following.passes_of(reference, 0.7)
    assert len(passes) == following.MOST_PASSES
    for k, clip in enumerate(passes):
        np.testing.assert_allclose(clip[0].angles, reference.at(0.07 * k).angles)
        assert clip.frame_time == 0.7
    assert len(following.passes_of(poise.motions.gymnastics(), 0.05)) == 1


def test_ours_meets_every_goal_inside_the_limits(followed, reference):
    passes = following.passes_of(reference, 0.7)
    assert len(followed.values) == sum(len(clip) - 1 for clip in passes)
    assert followed.met == 1.0
    assert followed.frames_off == 0
    assert followed.limits_broken == 0


def test_errors_are_those_of_the_poses(followed):
    answer = np.concatenate([clip.positions(GOALS) for clip in followed.passes])
    wanted = np.concatenate([clip.positions(GOALS) for clip in followed.references])
    apart = np.linalg.norm(answer - wanted, axis=-1)
    np.testing.assert_allclose(followed.errors, apart, atol=1e-12)
    np.testing.assert_allclose(followed.values, (apart**2).sum(1) / UNIT**2, atol=1e-15)


def test_the_reference_is_as_smooth_as_itself_and_at_no_distance(followed):
    same = following.Followed(
        followed.setting, "itself", followed.references, followed.references,
        np.zeros_like(followed.errors), followed.times,
    )  # fmt: skip
    assert same.jitter == pytest.approx(1.0)
    assert same.distance == 0.0
    assert followed.distance > 0.0


def test_the_paper_s_stop_is_nearer_than_a_centimetre(reference):
    passes = following.passes_of(reference, 1.0)[:2]
    one = following.follow(passes, Setting(1.0, LONG, TOLERANCE), "semi-smooth-newton")
    assert (one.errors.max(1) <= TOLERANCE).mean() == one.met
    assert one.values.max() > 1e-9  # it stops there
