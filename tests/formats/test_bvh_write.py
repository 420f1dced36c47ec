"""Writing BVH: any figure, positions to the precision of the file, and limits kept."""

import numpy as np
import pytest
from formats.bvhs import PLAIN, written
from hypothesis import given, settings
from hypothesis import strategies as st
from joints import JOINTS, random_figure
from mocap import FOLDER, files, needs_mocap
from motion.bodies import puppet, wandering

import poise
from poise import Clip, Figure, Segment, Site, joint
from poise.formats import read


def reloaded(clip, folder, **options):
    path = folder / "out.bvh"
    poise.save(clip, path, **options)
    return poise.load(path, unit=0.01, up=clip.figure.up)


@pytest.mark.parametrize("name", ["human", "jack", "arm", "spider"])
def test_built_in_figures_round_trip(name, tmp_path):
    figure = getattr(poise.figures, name)()
    rng = np.random.default_rng(1)
    rest = figure.rest_angles
    angles = [figure.pose(rest + rng.normal(0, 0.3, rest.size)).clamped().angles for _ in range(4)]
    clip = Clip(figure, angles)
    back = reloaded(clip, tmp_path)
    assert back.figure.segment_names == figure.segment_names
    for there, here in zip(back, clip, strict=True):
        np.testing.assert_allclose(there.frames[1], here.frames[1], atol=1e-7)
    assert back.frame_time == clip.frame_time


@settings(max_examples=40)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_every_kind_of_joint_round_trips(data, seed, tmp_path_factory):
    cases = data.draw(st.lists(st.sampled_from(JOINTS), min_size=1, max_size=4))
    parents = [None] + [data.draw(st.integers(0, i - 1)) for i in range(1, len(cases))]
    rng = np.random.default_rng(seed)
    figure = random_figure(cases, parents, rng)
    if not figure.dofs:
        return
    clip = Clip(figure, rng.uniform(-1.2, 1.2, (3, len(figure.dofs))))
    back = reloaded(clip, tmp_path_factory.mktemp("bvh"), decimals=9)
    leaves = [i for i in range(len(figure.segments)) if i not in figure.parents]
    expected = clip.positions([f"site{figure.segment_names[i][1:]}" for i in leaves])
    found = back.positions([f"{figure.segment_names[i]}_End" for i in leaves])
    np.testing.assert_allclose(found, expected, atol=1e-8)


def test_euler_angles_are_written_without_jumps(tmp_path):
    figure = puppet(root=joint.free(), spine=joint.rotation_vector())
    time = np.linspace(0, 4 * np.pi, 200)
    angles = np.zeros((200, len(figure.dofs)))
    angles[:, 4] = time
    angles[:, 7] = 0.5 * np.sin(time)
    angles[:, 8] = time
    back = reloaded(Clip(figure, angles), tmp_path)
    assert np.abs(np.diff(back.angles, axis=0)).max() < 0.3
    assert np.ptp(back.angles, axis=0).max() > 3.9 * np.pi


@given(
    limit=st.floats(-3, 3),
    decimals=st.integers(3, 8),
    turned=st.booleans(),
    unit=st.sampled_from([1.0, 0.01, 0.0254 / 0.45]),
)
def test_a_pose_on_a_limit_reloads_inside(limit, decimals, turned, unit, tmp_path_factory):
    axis = "-X" if turned else "X"
    figure = Figure(
        "hinged",
        [
            Segment("base", None, joint.translation()),
            Segment("up", "base", joint.revolute(axis, name="r"), (0, 1, 0)),
            Segment("down", "up", joint.revolute(axis, name="r"), (0, 1, 0)),
        ],
    ).with_limits(
        {"base_*": (limit, limit + 1), "up_r": (limit, limit + 0.5), "down_r": (limit - 0.5, limit)}
    )
    at_limits = Clip(figure, [figure.lower, figure.upper])
    path = tmp_path_factory.mktemp("bvh") / "a.bvh"
    poise.save(at_limits, path, decimals=decimals, unit=unit)
    back = poise.load(path, unit=unit, up="Y")
    hinges = [back.figure.dof_index(f"{name}_rx") for name in ("up", "down")]
    still = [i for i in range(3, len(back.figure.dofs)) if i not in hinges]
    assert not back.angles[:, still].any()  # there for Blender's sake
    values = back.angles[:, [0, 1, 2, *hinges]] * [
        1,
        1,
        1,
        *([-1, -1] if turned else [1, 1]),
    ]  # BVH turns about +X only
    assert (values >= figure.lower).all()
    assert (values <= figure.upper).all()
    fineness = 10.0**-decimals * max(unit, np.pi / 180)
    np.testing.assert_allclose(values, at_limits.angles, atol=2.1 * fineness)


def test_what_was_outside_is_not_pulled_in(tmp_path):
    clip = poise.load(written(tmp_path, PLAIN), unit=0.01)
    limited = clip.on(clip.figure.with_limits({"Chest_r*": (-0.1, 0.1)}))
    back = reloaded(limited, tmp_path)
    np.testing.assert_allclose(back.angles, clip.angles, atol=1e-8)


def test_the_file_comes_back_as_it_came(tmp_path):
    mixed = PLAIN.replace(
        "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation",
        "6 Zrotation Zposition Xrotation Yrotation Xposition Yposition",
    )
    clip = poise.load(written(tmp_path, mixed), unit=0.0254)
    poise.save(clip[:1], tmp_path / "out.bvh")
    text = (tmp_path / "out.bvh").read_text()
    assert "CHANNELS 6 Zrotation Zposition Xrotation Yrotation Xposition Yposition" in text
    assert "Frame Time: .0083333\n" in text
    assert text.splitlines()[-1].split()[:3] == ["1.000000", "90.000000", "3.000000"]
    # What is resampled has another frame time.
    poise.save(clip.resampled(30), tmp_path / "out.bvh")
    assert f"Frame Time: {1 / 30!r}" in (tmp_path / "out.bvh").read_text()


def test_poses_figures_and_sites(tmp_path):
    human = poise.figures.human()
    pose = human.rest().with_angles({"left_elbow_flexion": 1.0})
    poise.save(pose, tmp_path / "pose.bvh")
    back = poise.load(tmp_path / "pose.bvh", unit=0.01)
    assert len(back) == 1
    np.testing.assert_allclose(back[0].frames[1], pose.frames[1], atol=1e-7)
    poise.save(human, tmp_path / "figure.bvh")
    assert len(poise.load(tmp_path / "figure.bvh", unit=0.01)) == 1
    with pytest.raises(poise.OptionError, match="cannot be saved"):
        poise.save("text", tmp_path / "a.bvh")
    with pytest.raises(poise.OptionError, match="decimals"):
        poise.save(pose, tmp_path / "a.bvh", decimals=99)


def test_joints_have_three_rotations_or_none_as_blender_wants(tmp_path):
    figure = puppet(left="ZYZ", right="YZ")
    back = reloaded(wandering(figure), tmp_path)
    for line in (tmp_path / "out.bvh").read_text().splitlines():
        if "CHANNELS" in line:
            turns = [word for word in line.split() if word.endswith("rotation")]
            assert len(turns) == len(set(turns)) == 3
    np.testing.assert_allclose(
        back.positions(["LeftHand_End", "RightHand_End"]),
        wandering(figure).positions(["LeftTip", "RightTip"]),
        atol=1e-7,
    )


def test_names_that_a_bvh_file_cannot_hold(tmp_path):
    figure = Figure(
        "odd", [Segment("a{b}\nc", None, joint.free())], [Site("s", "a{b}\nc", (1, 0, 0))]
    )
    back = reloaded(wandering(figure, 2), tmp_path)
    assert back.figure.segment_names == ("a(b) c",)


@needs_mocap
@pytest.mark.parametrize("name", files(".bvh")[::4])
def test_real_clips_come_back(name, tmp_path):
    clip = read(FOLDER / name).value
    poise.save(clip, tmp_path / "out.bvh")
    back = read(tmp_path / "out.bvh").value
    assert back.source.unit == clip.source.unit
    assert back.frame_time == clip.frame_time
    np.testing.assert_array_equal(back.angles, clip.angles)
    np.testing.assert_array_equal(back.positions(), clip.positions())
