"""Acclaim files written: what comes back is what was there, inside its limits."""

import numpy as np
import pytest
from formats.test_asf_amc import AMC, ASF
from mocap import FOLDER, needs_mocap
from motion.bodies import puppet, wandering

import poise
from poise import FileError, OptionError, joint
from poise.motion.world import segment_frames

ANGLE = 1e-6 * np.pi / 180.0  # rounding to 6 decimals, towards the inside


@pytest.fixture
def own(tmp_path):
    (tmp_path / "own.asf").write_text(ASF)
    (tmp_path / "own.amc").write_text(AMC)
    return tmp_path / "own.amc"


def places(clip, names):
    """(frames, segments, 3) [m] where segments are, even if sites have their names."""
    at = [clip.figure.segment_index(name) for name in names]
    return segment_frames(clip.figure, clip.angles)[1][:, at]


@pytest.mark.filterwarnings("ignore::poise.errors.FileWarning")
def test_skeleton_and_motion_come_back(own, tmp_path):
    clip = poise.load(own)
    poise.save(clip, tmp_path / "again.amc")
    back = poise.load(tmp_path / "again.amc")
    assert back.figure.dof_names == clip.figure.dof_names
    np.testing.assert_array_equal(back.figure.lower, clip.figure.lower)
    np.testing.assert_array_equal(back.figure.upper, clip.figure.upper)
    np.testing.assert_allclose(back.angles, clip.angles, atol=ANGLE)
    assert back.figure.effector_names == clip.figure.effector_names
    np.testing.assert_allclose(back.positions(), clip.positions(), atol=1e-6)
    assert back.source.unit == pytest.approx(clip.source.unit)


@pytest.mark.filterwarnings("ignore::poise.errors.FileWarning")
def test_on_the_skeleton_that_is_there_nothing_else_is_written(own, tmp_path):
    clip = poise.load(own)
    poise.save(clip, tmp_path / "new.amc", figure=tmp_path / "own.asf")
    assert not (tmp_path / "new.asf").exists()
    back = poise.load(tmp_path / "new.amc", figure=tmp_path / "own.asf")
    np.testing.assert_allclose(back.angles, clip.angles, atol=ANGLE)
    poise.save(clip.figure, tmp_path / "alone.asf")
    assert poise.load(tmp_path / "alone.asf").dof_names == clip.figure.dof_names


@pytest.mark.filterwarnings("ignore::poise.errors.FileWarning")
@pytest.mark.parametrize(
    "figure",
    [
        puppet(root=joint.free(), left="YXZ", right="XZY"),
        puppet(left=joint.rotation_vector(), right=joint.swing_twist(cone=1.5), up="Z"),
        puppet(left="ZYZ", spine="-XYZ"),
    ],
)
def test_any_joint_turns_as_it_did(figure, tmp_path):
    clip = wandering(figure, 12, 0.4)
    poise.save(clip, tmp_path / "a.amc", decimals=12)
    back = poise.load(tmp_path / "a.amc", fps=clip.fps)
    names = figure.segment_names[1:]
    np.testing.assert_allclose(places(back, names), places(clip, names), atol=1e-9)


@pytest.mark.filterwarnings("ignore::poise.errors.FileWarning")
def test_what_is_on_a_limit_stays_inside(tmp_path):
    figure = puppet().with_limits({"LeftArm_*": (-0.123456789, 0.987654321)})
    on = np.clip(np.full((2, len(figure.dofs)), [[-9.0], [9.0]]), figure.lower, figure.upper)
    clip = poise.Clip(figure, np.where(np.abs(on) > 5.0, 0.0, on))
    for decimals in (2, 6):
        poise.save(clip, tmp_path / "a.amc", decimals=decimals)
        back = poise.load(tmp_path / "a.amc")
        assert not back.outside.any()
        np.testing.assert_allclose(back.angles, clip.angles, atol=0.02 * 10.0**-decimals)


@pytest.mark.filterwarnings("ignore::poise.errors.FileWarning")
def test_what_does_not_fit_is_refused_and_nothing_written(own, tmp_path):
    clip = wandering(puppet(), 3)
    before = set(tmp_path.iterdir())
    with pytest.raises(OptionError, match="has not"):
        poise.save(clip, tmp_path / "a.amc", figure=tmp_path / "own.asf")
    with pytest.raises(FileError, match="no such file"):
        poise.save(clip, tmp_path / "a.amc", figure=tmp_path / "none.asf")
    with pytest.raises(OptionError, match="decimals"):
        poise.save(clip, tmp_path / "a.amc", decimals=99)
    late = joint.channels("X", "Y", translation_first=False)
    with pytest.raises(FileError, match="slides after it turns"):
        poise.save(wandering(puppet(left=late, right=late), 3), tmp_path / "a.amc")
    assert set(tmp_path.iterdir()) == before


@needs_mocap
@pytest.mark.filterwarnings("ignore::poise.errors.FileWarning")
@pytest.mark.parametrize("name", ["87_03", "49_18"])
def test_captured_motions_come_back_to_rounding(name, tmp_path):
    asf = FOLDER / "asf-cmu" / f"{name[:2]}.asf"
    clip = poise.load(FOLDER / "asf-cmu" / f"{name}.amc", figure=asf)
    poise.save(clip, tmp_path / "a.amc")
    back = poise.load(tmp_path / "a.amc")
    np.testing.assert_array_equal(back.figure.lower, clip.figure.lower)
    np.testing.assert_array_equal(back.figure.upper, clip.figure.upper)
    np.testing.assert_allclose(back.angles, clip.angles, atol=2.0 * ANGLE)
