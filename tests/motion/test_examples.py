"""The motions that come with Poise: inside their limits, smooth, and on the ground."""

import numpy as np
import pytest

import poise

SOLES = [f"{side}_{part}" for side in ("left", "right") for part in ("heel", "ball", "toes")]
MOTIONS = {name: getattr(poise.motions, name)() for name in poise.motions.__all__}


@pytest.mark.parametrize("clip", MOTIONS.values(), ids=MOTIONS.keys())
def test_inside_the_limits_and_never_in_the_ground(clip):
    assert clip.is_inside_limits
    assert clip.positions(SOLES)[:, :, 1].min() > -0.01


@pytest.mark.parametrize("clip", MOTIONS.values(), ids=MOTIONS.keys())
def test_smooth(clip):
    step = np.abs(np.diff(clip.unwrapped().angles[:, 6:], axis=0)).max()
    assert step < np.deg2rad(20.0)  # 1200 degrees a second
    moved = np.linalg.norm(clip.velocities(["pelvis"])[:, 0], axis=1)
    assert moved.max() < 6.0
    # Nothing is stronger than a hard landing: 10 g.
    assert np.linalg.norm(np.diff(clip.velocities(["pelvis"])[:, 0], axis=0), axis=1).max() < 1.7


def test_standing_feet_hold_still():
    walk = MOTIONS["walk"]
    heights = walk.positions(["left_ball", "left_heel"])[:, :, 1]
    flat = (heights < 0.012).all(1)
    assert flat.mean() > 0.15
    speeds = np.linalg.norm(walk.velocities(["left_ball"])[:, 0], axis=1)
    assert np.median(speeds[flat]) < 0.05


def test_the_walk_goes_on():
    one, three = poise.motions.walk(1), poise.motions.walk(3)
    step = one.positions(["pelvis"])[-1, 0] - one.positions(["pelvis"])[0, 0]
    assert step[2] == pytest.approx(1.2, abs=0.15)  # of one cycle [m]
    assert three.duration == pytest.approx(3.3)
    again = three.angles_at([1.1 + 0.3], cyclic=False)[0, 6:]
    np.testing.assert_allclose(again, three.at(0.3).angles[6:], atol=0.02)


def test_the_routine_flies_twice_and_flips_once():
    clip = MOTIONS["gymnastics"]
    lowest = clip.positions(SOLES)[:, :, 1].min(1)
    flying = np.flatnonzero(np.diff((lowest > 0.05).astype(int)) == 1)
    assert len(flying) == 2
    upside_down = clip.rotations(["pelvis"])[:, 0, 1, 1] < -0.9
    assert upside_down.any()
    turned = clip.rotations(["pelvis"])[[0, -1], 0]
    np.testing.assert_allclose(turned[0], turned[1], atol=1e-9)


@pytest.mark.parametrize("clip", MOTIONS.values(), ids=MOTIONS.keys())
def test_they_can_be_saved(clip, tmp_path):
    poise.save(clip, tmp_path / "out.bvh")
    back = poise.load(tmp_path / "out.bvh", unit=0.01)
    for i in (0, len(clip) // 2, -1):
        np.testing.assert_allclose(back[i].frames[1], clip[i].frames[1], atol=1e-6)
