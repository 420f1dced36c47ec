"""Tracking: clips, markers and functions of time; limits, gaps, contacts, smoothing, the report."""

import numpy as np
import pytest
from mocap import FOLDER, needs_mocap
from motion.bodies import puppet, wandering

import poise
from poise import Markers, MotionError
from poise.motion.rest_frame import without_rest_frame

HUMAN = poise.figures.human()


def walk():
    return poise.motions.walk().resampled(15.0)


@pytest.mark.parametrize("interval", [None, 0.1, 0.7])
def test_a_clip_is_followed_on_its_own_skeleton(interval):
    clip = poise.motions.jump().resampled(20.0)
    figure = HUMAN.with_limits_from(clip, np.radians(10.0))
    tracked = poise.track(clip, figure=figure, interval=interval)
    report = tracked.report
    assert report.frames_off == 0
    assert report.worst_error <= 1e-3
    assert tracked.clip.is_inside_limits
    assert tracked.clip.frame_time == (interval or clip.frame_time)
    assert report.frames == len(tracked) == len(tracked.clip)
    assert report.jitter_ratio < 1.1
    again = poise.track(clip, figure=figure, interval=interval)
    np.testing.assert_array_equal(again.clip.angles, tracked.clip.angles)


def test_every_frame_has_a_solution():
    clip = walk()[:6]
    tracked = poise.track(clip, effectors=["left_hand", "right_foot"])
    solution = tracked[-1]
    np.testing.assert_array_equal(solution.angles, tracked.answers.angles[-1])
    assert solution.reached
    assert solution.iterations == tracked.answers.iterations[-1]
    assert set(solution.errors) == {"left_hand", "right_foot"}
    assert solution.errors["left_hand"].position == pytest.approx(tracked.errors[-1, 0])
    with pytest.raises(IndexError):
        tracked[6]


def test_markers_with_gaps_weights_and_offsets():
    clip = walk()
    offset = np.array([0.01, 0.02, 0.05])
    names = ["left_hand", "right_hand", "head", "pelvis", "left_foot", "right_foot"]
    points = clip.positions(names)
    points[:, 0] += clip.rotations(["left_hand"])[:, 0] @ offset
    points[3:8, 0] = np.nan
    points[5, 1:] = np.nan
    markers = Markers(["LWRA", *names[1:]], points, clip.frame_time)
    places = {"LWRA": ("left_hand", offset)} | {name: name for name in names[1:]}
    tracked = poise.track(markers, figure=HUMAN, effectors=places, start=clip[0])
    assert tracked.report.worst_error <= 1e-3
    assert tracked.report.missing == 10
    assert np.isnan(tracked.errors[3:8, 0]).all()
    assert set(tracked[4].errors) == set(names[1:])
    with pytest.raises(MotionError, match="no goal is on in frame 5"):
        tracked[5]
    assert tracked.report.slip_before is None


def test_a_marker_that_comes_back_is_followed_again():
    """A gap must not pull towards the origin, nor anywhere else."""
    clip = walk()[:8]
    points = clip.positions(["head"])
    points[2:6] = np.nan
    tracked = poise.track(Markers(["head"], points, clip.frame_time), figure=HUMAN, start=clip[0])
    inside = tracked.clip.position("head")[2:6]
    np.testing.assert_allclose(inside, np.repeat(tracked.clip.position("head")[1:2], 4, 0))


def test_functions_of_time():
    markers = Markers.of_functions(
        {
            "left_hand": lambda t: (0.3, 1.1 + 0.2 * np.sin(t), 0.3),
            "head": lambda t: (0, 1.6, 0),
        },
        duration=1.0,
        fps=10.0,
    )
    tracked = poise.track(markers, figure=HUMAN)
    assert tracked.report.frames_off == 0
    assert len(tracked) == 11


def test_another_figure_follows_by_other_names():
    clip = wandering(puppet(), 10, 0.3)
    other = puppet(spine="XYZ")
    tracked = poise.track(clip, figure=other, effectors={"LeftTip": "LeftTip", "Top": "Top"})
    assert tracked.report.worst_error <= 1e-3


def test_feet_are_locked_where_they_stand():
    clip = poise.motions.walk().resampled(60.0)
    report = poise.track(clip, contacts=True).report
    assert report.slip_before.count == report.slip_after.count > 4
    assert report.slip_after.slip < 0.005
    assert report.slip_after.slip < report.slip_before.slip
    assert report.frames_off == 0


def test_refinement_takes_jitter_out_and_keeps_goals_and_limits():
    clip = poise.motions.walk().resampled(60.0)
    shaken = clip.angles + np.random.default_rng(3).normal(0.0, 0.02, clip.angles.shape)
    shaky = poise.Clip(HUMAN, shaken, clip.frame_time)
    rough = poise.track(clip, reference=shaky)
    fine = poise.track(clip, reference=shaky, cutoff=6.0)
    assert rough.report.jitter_ratio > 2.0
    assert fine.report.angle_jitter < 0.3 * rough.report.angle_jitter
    assert fine.report.frames_off == 0
    assert fine.clip.is_inside_limits
    with pytest.raises(MotionError, match="cutoff"):
        poise.track(clip[:3], cutoff=0.0)


def test_a_reference_chooses_among_poses():
    clip = walk()
    free = poise.track(clip, effectors=["left_hand"], start=HUMAN.rest())
    led = poise.track(clip, effectors=["left_hand"], reference=clip)
    np.testing.assert_allclose(led.clip.angles, clip.angles, atol=1e-9)
    assert np.abs(free.clip.angles - clip.angles).max() > 0.1


def test_speeds_are_kept():
    clip = walk()
    tracked = poise.track(clip, max_velocity=1.0, restarts=0)
    fastest = np.abs(np.diff(tracked.answers.angles, axis=0)).max() / clip.frame_time
    assert fastest <= 1.0 + 1e-9
    assert tracked.report.frames_off > 0
    assert "off by more than 1 cm" in str(tracked.report)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"source": None}, MotionError),
        ({"effectors": ["left_hnd"]}, poise.FigureError),
        ({"effectors": []}, MotionError),
        ({"weights": {"nose": 1.0}}, MotionError),
        ({"weights": {"left_hand": -1.0}}, MotionError),
        ({"interval": 0.0}, MotionError),
        ({"acceptable": -1.0}, MotionError),
        ({"reference": poise.Clip(poise.figures.arm(), [])}, MotionError),
        ({"source": poise.Clip(HUMAN, [])}, MotionError),
        ({"method": "magic"}, poise.OptionError),
        ({"source": Markers(["head"], np.zeros((2, 1, 3))), "effectors": None}, MotionError),
    ],
)
def test_bad_calls_are_refused(arguments, error):
    given = {"source": walk()[:3], "effectors": ["left_hand"]} | arguments
    with pytest.raises(error):
        poise.track(**given)


def test_contacts_need_a_clip_with_feet():
    clip = wandering(puppet(), 10, 0.3)
    with pytest.raises(MotionError, match="no feet"):
        poise.track(clip, effectors=["Top"], contacts=True)
    markers = Markers(["head"], np.zeros((2, 1, 3)))
    with pytest.raises(MotionError, match="markers have none"):
        poise.track(markers, figure=HUMAN, contacts=True)


@needs_mocap
@pytest.mark.parametrize("name", ["49_08", "85_14", "87_03"])
@pytest.mark.filterwarnings("ignore::poise.errors.FileWarning")
def test_captured_clips_are_followed_to_a_centimetre(name):
    clip = without_rest_frame(poise.load(FOLDER / "bvh-cmu" / f"{name}.bvh"))
    figure = clip.figure.with_limits_from(clip.unwrapped(), np.radians(10.0))
    for interval in (0.05, 1.0):
        tracked = poise.track(clip, figure=figure, interval=interval)
        assert tracked.report.frames_off == 0
        assert tracked.clip.is_inside_limits
        assert interval > 0.05 or tracked.report.jitter_ratio <= 1.1
