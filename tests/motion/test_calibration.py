"""Calibration: the size of a subject and the places of markers come out as they were."""

import numpy as np
import pytest
from motion.marker_trials import HUMAN, MANY, NAMES, bare, noisy, walked

import poise
from poise.errors import MotionError
from poise.motion.calibration import start_pose
from poise.motion.marker_size import size_by_motion

JOINTS = ["left_knee", "right_knee", "left_hip", "right_hip", "left_elbow", "left_foot", "head"]


def test_a_subject_of_another_size_is_found_and_followed():
    clip, markers = walked(size=0.92)
    found = poise.calibrate(markers, HUMAN)
    assert found.mapping.scale == pytest.approx(0.92, abs=0.01)
    assert max(found.errors.values()) < 0.004
    tracked = poise.track(
        markers,
        figure=found.figure,
        effectors=found.mapping.effectors,
        weights=found.mapping.weights,
        start=start_pose(found.figure, found.mapping, markers),
    )
    assert tracked.report.mean_error < 0.001
    assert tracked.clip.is_inside_limits
    # Without calibration the same joints are several centimetres off.
    miss = np.linalg.norm(tracked.clip.positions(JOINTS) - 0.92 * clip.positions(JOINTS), axis=2)
    assert miss.mean() < 0.012


def test_a_static_pose_puts_every_marker_where_it_is_seen():
    _, markers = walked(size=1.0, frames=1)
    points = np.repeat(markers.points, 3, axis=0)
    points[0, 5] = np.nan
    still = poise.Markers(NAMES, points, 0.01)
    found = poise.calibrate(still, HUMAN, scale=False)
    assert found.mapping.scale == 1.0
    assert max(found.errors.values()) < 1e-3
    assert all(place.sure for place in found.mapping.places.values())


def test_a_calibrated_map_is_used_again(tmp_path):
    _, markers = walked()
    found = poise.calibrate(markers, HUMAN)
    found.mapping.save(tmp_path / "me.json")
    again = poise.MarkerMap.load(tmp_path / "me.json")
    assert again.scale == pytest.approx(found.mapping.scale, abs=1e-6)
    for name, place in found.mapping.places.items():
        assert again.places[name].on == place.on
        np.testing.assert_allclose(again.places[name].offset, place.offset, atol=1e-6)


@pytest.mark.parametrize("names", [MANY, MANY[::2]], ids=["28 markers", "14 markers"])
def test_a_size_that_nobody_can_know_is_not_made_up(names):
    """The trap: where no offset is known, a wrong size fits better than the first guess."""
    found = poise.calibrate(noisy(names, 1.0), HUMAN, bare(names))
    assert found.mapping.scale == 1.0
    assert found.figure.segments[3].offset == pytest.approx(HUMAN.segments[3].offset)
    assert "which may as well be 1.000: that is kept" in found.mapping.doubts[0]
    assert max(found.errors.values()) < 0.012


def test_motion_tells_another_size_without_any_offset_and_how_sure_that_is():
    trial = noisy(MANY, 0.9)
    known = bare(MANY)
    points = trial.points[:: len(trial) // 16]
    size = size_by_motion(HUMAN, known, points, poise.calibrate(trial, HUMAN).figure.rest_angles)
    found = poise.calibrate(trial, HUMAN, known)
    assert found.mapping.scale == pytest.approx(0.9, abs=0.03)
    assert "give or take" in found.mapping.doubts[0]
    assert "kept" not in found.mapping.doubts[0]
    # One pose tells less than motion does.
    still = size_by_motion(HUMAN, known, points[:1], HUMAN.rest_angles)
    assert still.error > 1.5 * size.error
    assert not still.is_sure


def test_a_marker_that_is_never_seen_is_left_out_and_said():
    _, markers = walked(frames=3)
    points = markers.points.copy()
    points[:, 0] = np.nan
    found = poise.calibrate(poise.Markers(NAMES, points, 0.01), HUMAN)
    assert set(found.errors) == set(NAMES[1:])
    assert found.mapping.doubts == ("missing in all frames of the calibration and left out: LFHD",)


def test_what_cannot_be_calibrated_is_refused():
    _, markers = walked(frames=3)
    with pytest.raises(MotionError, match="times as large as human; is their unit right"):
        poise.calibrate(poise.Markers(NAMES, 1000.0 * markers.points, 0.01), HUMAN)
    with pytest.raises(MotionError, match="write a map"):
        poise.calibrate(poise.Markers(["q", "w"], np.zeros((2, 2, 3)), 0.01), HUMAN)
    empty = poise.Markers(NAMES, np.full((2, len(NAMES), 3), np.nan), 0.01)
    with pytest.raises(MotionError, match="no frame has 4 markers"):
        poise.calibrate(empty, HUMAN)
