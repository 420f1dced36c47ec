"""Clips between their frames."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from motion.bodies import puppet, wandering
from scipy.interpolate import PchipInterpolator
from scipy.spatial.transform import Rotation, Slerp

import poise
from poise import Clip, MotionError, joint

PUPPET = puppet()
CONED = puppet(joint.swing_twist(0.6), "ZXY", root=joint.free())


@pytest.mark.parametrize("method", ["linear", "cubic"])
def test_frames_come_out_as_they_are(method):
    made = wandering(puppet(root=joint.free()), 30)
    np.testing.assert_array_equal(made.angles_at(made.times, method=method), made.angles)
    again = made.resampled(made.fps, method)
    np.testing.assert_array_equal(again.angles, made.angles)
    assert made.at(0.1, method=method) == made[2]


def test_linear_and_cubic_between_frames():
    made = wandering(PUPPET, 20)
    times = np.linspace(0, made.duration, 333)
    expected = [np.interp(times, made.times, column) for column in made.angles.T]
    np.testing.assert_allclose(made.angles_at(times), np.transpose(expected), atol=1e-12)
    inner = (times > made.times[1]) & (times < made.times[-2])
    # SciPy's slopes at the two ends are others; on an even grid those inside are the same.
    monotone = PchipInterpolator(made.times, made.angles)(times)
    cubic = made.angles_at(times, method="cubic")
    np.testing.assert_allclose(cubic[inner], monotone[inner], atol=1e-12)


def test_free_roots_turn_by_slerp():
    made = wandering(puppet(root=joint.free()), 5, size=1.5)
    times = np.linspace(0, made.duration, 41)
    turns = Slerp(made.times, Rotation.from_rotvec(made.angles[:, 3:6].copy()))(times)
    sampled = Rotation.from_rotvec(made.angles_at(times)[:, 3:6])
    assert (turns.inv() * sampled).magnitude().max() < 1e-9


@given(st.sampled_from(["linear", "cubic"]), st.integers(0, 100))
def test_between_frames_boxes_hold_and_linear_keeps_cones(method, seed):
    figure = CONED.with_limits({"RightArm_r*": (-0.3, 0.2)})
    made = wandering(figure, 8, 2.0, seed).clamped()
    fine = Clip(figure, made.angles_at(np.linspace(0, made.duration, 97), method=method))
    assert not fine.outside.any()
    if method == "linear":
        assert fine.is_inside_limits


def test_a_wrap_in_the_file_is_no_jump():
    angles = np.zeros((2, len(PUPPET.dofs)))
    at = PUPPET.dof_index("LeftArm_rz")
    angles[:, at] = np.deg2rad([179.0, -179.0])
    half = Clip(PUPPET, angles, 1.0).at(0.5)
    assert np.cos(half.angles[at]) == pytest.approx(-1.0)


def test_time_stands_still_outside():
    made = wandering(PUPPET)
    assert made.at(-3.0) == made[0]
    assert made.at(99.0) == made[-1]
    single = made[:1]
    assert single.at(0.3) == made[0]


def test_resampling_keeps_the_duration():
    made = wandering(PUPPET, 121, frame_time=1 / 120)
    slow = made.resampled(30)
    assert len(slow) == 31
    np.testing.assert_array_equal(slow.angles, made.angles[::4])
    assert made.resampled(60.0, "cubic").duration == pytest.approx(made.duration)
    assert len(Clip(PUPPET, []).resampled(10)) == 0


@pytest.mark.parametrize("root", [joint.free(), joint.channels("ZYX", "XYZ")])
def test_cycles_carry_the_root_on(root):
    figure = puppet(root=root)
    angles = np.zeros((11, len(figure.dofs)))
    angles[:, 0] = np.linspace(1.0, 3.0, 11)
    angles[:, 1] = np.abs(np.linspace(-0.1, 0.1, 11))
    swing = figure.dof_index("spine_rz")
    angles[:, swing] = np.sin(np.linspace(0, 2 * np.pi, 11))
    made = Clip(figure, angles, 0.1)
    later = made.at(2.25, cyclic=True)
    same = made.at(0.25)
    assert later.angles[swing] == pytest.approx(same.angles[swing])
    np.testing.assert_allclose(
        later.position("hips") - same.position("hips"), [4.0, 0.0, 0.0], atol=1e-12
    )
    before = made.at(-0.75, cyclic=True)
    np.testing.assert_allclose(
        before.position("hips") - same.position("hips"), [-2.0, 0.0, 0.0], atol=1e-12
    )


def test_cycles_that_turn_walk_round_a_circle():
    figure = puppet(root=joint.free())
    angles = np.zeros((2, len(figure.dofs)))
    angles[0, 2], angles[1, 0] = 1.0, 1.0  # a quarter of a circle, from +Z to +X
    angles[1, 4] = np.pi / 2
    made = Clip(figure, angles, 1.0)
    places = [made.at(float(k), cyclic=True).position("hips") for k in range(5)]
    np.testing.assert_allclose(
        places, [[0, 0, 1], [1, 0, 0], [0, 0, -1], [-1, 0, 0], [0, 0, 1]], atol=1e-9
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: c.angles_at([0.0], method="cubik"), "did you mean 'cubic'"),
        (lambda c: c.at(np.nan), "finite"),
        (lambda c: c.resampled(0.0), "fps"),
        (lambda c: c[:1].at(0.0, cyclic=True), "two frames"),
        (lambda c: c[:0].at(0.0), "without frames"),
        (
            lambda c: Clip(
                poise.figures.arm(), np.zeros((3, len(poise.figures.arm().dofs)))
            ).in_place(),
            "does not move freely",
        ),
    ],
)
def test_bad_calls_say_so(call, message):
    with pytest.raises(MotionError, match=message):
        call(wandering(PUPPET))
