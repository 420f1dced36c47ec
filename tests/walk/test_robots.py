"""Robots walk: their legs are chains of links with one axis each, found by name or given."""

import numpy as np
import pytest
from formats.humanoid import humanoid

import poise
from poise import FigureError
from poise.study.walking import Record, curves_of
from poise.walk.build import Build
from poise.walk.riding import joint_axes
from poise.walk.walker import Walker


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("robots") / "humanoid.urdf"
    path.write_text(humanoid())
    return path


@pytest.fixture(scope="module")
def robot(file):
    return poise.load(file, base="free")


@pytest.fixture(scope="module")
def record(robot):
    walker = Walker(robot)
    walker.drive(speed=1.0)
    return Record.of(walker, 6.0, fps=60.0)


def test_all_links_of_a_joint_turn_its_segment(robot):
    build = Build.of(robot)
    for part, turns in (("thigh", 3), ("shank", 1), ("foot", 2)):
        axes = joint_axes(build, build.body.roles[f"left_{part}"])
        assert len(axes) == turns
        names = [robot.dof_names[dof] for dof in axes]
        pitch = next(dof for dof, name in zip(axes, names, strict=True) if "pitch" in name)
        assert abs(axes[pitch] @ build.axes[:, 0]) > 0.999


def test_legs_are_measured_where_they_bend(robot):
    # The hip bends 0.08 m below the pelvis, the knee 0.32 m below that.
    build = Build.of(robot)
    assert build.thigh == pytest.approx(0.32)
    assert build.shank == pytest.approx(0.32)
    np.testing.assert_allclose(build.hips, [[0.09, 0.0, 0.0], [-0.09, 0.0, 0.0]], atol=1e-12)


def test_the_bars_of_a_walk_hold(record):
    assert record.slip() < 1e-3
    assert record.penetration() < 5e-3
    assert record.broken_limits() == 0
    assert record.rate() <= 20.0 * (1.0 + 1e-9)
    pelvis = record.clip.positions(["pelvis"])[:, 0]
    assert pelvis[-1, 0] > 4.0  # it faces +x


def test_it_bends_its_knees_and_swings_its_arms(record):
    knee = curves_of(record.clip, record.build).knee[120:]
    assert 40.0 < knee.max() < 75.0
    figure = record.clip.figure
    shoulders = [figure.dof_index(f"{side}_shoulder_pitch_joint") for side in ("left", "right")]
    left, right = record.clip.angles[120:, shoulders].T
    assert np.ptp(left) > 0.2
    assert np.corrcoef(left, right)[0, 1] < -0.5


def test_legs_may_be_given(robot):
    named = {
        side: [f"{side}_{joint}_link" for joint in ("hip_yaw", "knee_pitch", "ankle_roll")]
        for side in ("left", "right")
    }
    found, given = Walker(robot), Walker(robot, legs=named)
    for walker in (found, given):
        walker.drive(speed=0.8)
    for _ in range(60):
        poses = [walker.step(1 / 60).pose.angles for walker in (found, given)]
    np.testing.assert_array_equal(*poses)


def test_stairs_and_crowds_are_for_robots_too(robot):
    stairs = poise.terrain.stairs(rise=0.1, count=3, start=1.0)
    crowd = poise.Crowd(robot, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)], terrain=stairs)
    crowd.drive(speed=0.7)
    for _ in range(480):
        crowd.step(1 / 60)
    assert crowd.stopped == [None, None]
    assert crowd.places[:, 1].min() > 1.8
    assert crowd.pose(0).is_inside_limits


def test_a_robot_that_is_fixed_is_refused(file):
    with pytest.raises(FigureError, match="free"):
        Walker(poise.load(file))
