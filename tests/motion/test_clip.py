"""The Clip itself: its contract, and where it says everything is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joints import JOINTS, random_figure
from motion.bodies import puppet, wandering

import poise
from poise import Clip, MotionError
from poise.motion import Source

ARM = poise.figures.arm()


def clip(frames=6):
    return wandering(ARM, frames)


def test_a_clip_is_a_value():
    given_angles = np.zeros((3, len(ARM.dofs)))
    made = Clip(ARM, given_angles, 0.1, "still", Source("a.bvh"))
    given_angles[0, 0] = 9.0
    assert made.angles[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        made.angles[0, 0] = 1.0
    assert (made.name, made.source.path, made.frame_time) == ("still", "a.bvh", 0.1)
    assert len(Clip(ARM, [])) == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"angles": np.zeros((3, 1))}, "shape"),
        ({"angles": np.zeros(3)}, "shape"),
        ({"angles": [["x"]]}, "shape"),
        ({"angles": "none"}, "shape"),
        ({"angles": np.full((2, len(ARM.dofs)), np.nan)}, "frame 0 of the clip is not finite"),
        ({"frame_time": 0.0}, "frame time"),
        ({"frame_time": np.nan}, "frame time"),
        ({"frame_time": -1.0}, "frame time"),
    ],
)
def test_what_is_no_clip_is_refused(change, message):
    with pytest.raises(MotionError, match=message):
        Clip(**{"figure": ARM, "angles": np.zeros((2, len(ARM.dofs)))} | change)


def test_frames_slices_and_times():
    made = clip(7)
    assert made[-1] == made[6]
    np.testing.assert_array_equal(made[2].angles, made.angles[2])
    np.testing.assert_array_equal(made[1:6:2].angles, made.angles[1:6:2])
    assert made[1:6:2].frame_time == 2 * made.frame_time
    assert [pose.angles[0] for pose in made] == made.angles[:, 0].tolist()
    np.testing.assert_array_equal(made.reversed()[0].angles, made[-1].angles)
    assert made.fps == pytest.approx(20.0)
    assert made.duration == pytest.approx(0.3)
    assert made.times[-1] == made.duration
    assert len(made[9:]) == 0
    assert Clip(ARM, []).duration == 0.0
    with pytest.raises(IndexError, match="frame 7 of a clip of 7"):
        made[7]
    with pytest.raises(MotionError, match="backwards"):
        made[::-1]


@settings(max_examples=30)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_all_frames_at_once_are_where_each_pose_is(data, seed):
    cases = data.draw(st.lists(st.sampled_from(JOINTS), min_size=1, max_size=4))
    parents = [None] + [data.draw(st.integers(0, i - 1)) for i in range(1, len(cases))]
    rng = np.random.default_rng(seed)
    figure = random_figure(cases, parents, rng)
    made = Clip(figure, rng.normal(size=(3, len(figure.dofs))))
    positions, rotations = made.positions(), made.rotations()
    for i, pose in enumerate(made):
        for k, name in enumerate(figure.effector_names):
            np.testing.assert_allclose(positions[i, k], pose.position(name), atol=1e-14)
            np.testing.assert_allclose(rotations[i, k], pose.rotation(name), atol=1e-14)


def test_positions_of_chosen_names_in_their_order():
    made = wandering(puppet())
    some = made.positions(["Top", "hips"])
    everything = made.positions()
    names = made.figure.effector_names
    np.testing.assert_array_equal(some[:, 0], everything[:, names.index("Top")])
    np.testing.assert_array_equal(some[:, 1], everything[:, names.index("hips")])
    np.testing.assert_array_equal(made.position("Top"), some[:, 0])
    np.testing.assert_array_equal(made.positions("Top"), some[:, :1])
    with pytest.raises(poise.FigureError, match="did you mean 'Top'"):
        made.positions(["top"])


def test_velocities_are_the_slopes_of_positions():
    figure = puppet()
    time = np.arange(50) * 0.01
    angles = np.zeros((50, len(figure.dofs)))
    angles[:, 0] = 2.0 * time
    angles[:, figure.dof_index("LeftArm_rz")] = 1.5 * time
    made = Clip(figure, angles, 0.01)
    np.testing.assert_allclose(made.velocities(["hips"])[:, 0], [[2.0, 0.0, 0.0]] * 50, atol=1e-9)
    speed = np.linalg.norm(made.velocities(["LeftHand"])[1:-1, 0] - [2.0, 0.0, 0.0], axis=1)
    reach = np.hypot(0.3, 0.05)
    np.testing.assert_allclose(speed, 1.5 * reach, rtol=1e-3)
    np.testing.assert_allclose(made.dof_velocities()[:, 0], 2.0, atol=1e-9)
    assert not made[:1].velocities().any()


def test_limits_are_told_not_forced():
    limited = ARM.with_limits({ARM.dof_names[0]: (-0.1, 0.1)})
    angles = np.zeros((4, len(ARM.dofs)))
    angles[2, 0] = 0.5
    made = Clip(limited, angles)
    assert made.angles[2, 0] == 0.5
    assert not made.is_inside_limits
    assert np.argwhere(made.outside).tolist() == [[2, 0]]
    assert made.clamped().is_inside_limits
    assert made.clamped().angles[2, 0] == 0.1
    assert made.on(ARM).figure is ARM
    with pytest.raises(MotionError, match="other DOFs"):
        made.on(puppet())
