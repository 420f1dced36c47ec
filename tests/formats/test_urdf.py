"""URDF: robots as figures, checked against yourdfpy's own forward kinematics."""

import contextlib
import csv
import io
import sys

import numpy as np
import pytest
from formats.bvhs import written
from formats.urdfs import ARM, HUMANOID, joint, limit, link, robot
from hypothesis import given
from hypothesis import strategies as st

import poise
from poise.formats import read


def their_frames(text, values):
    """{link: 4x4 matrix in the base} by yourdfpy, for values by joint name."""
    from yourdfpy import URDF

    # It takes a joint that mimics one that mimics as standing still: so that chain is told in one.
    text = text.replace(
        '"other_finger" multiplier="-10"', '"finger" multiplier="-10" offset="-0.05"'
    )
    model = URDF.load(io.BytesIO(text.encode()), load_meshes=False)
    model.update_cfg({name: values[name] for name in model.actuated_joint_names})
    return {name: model.get_transform(name) for name in model.link_map}


@pytest.mark.parametrize("text", [ARM, HUMANOID])
def test_links_are_where_yourdfpy_has_them(text, tmp_path):
    figure = poise.load(written(tmp_path, text, "robot.urdf"))
    assert figure.up == "Z"
    rng = np.random.default_rng(4)
    for _ in range(3):
        pose = figure.pose(rng.normal(0, 0.5, len(figure.dofs))).clamped()
        values = dict(zip(figure.dof_names, pose.angles, strict=True))
        for name, expected in their_frames(text, values).items():
            np.testing.assert_allclose(pose.position(name), expected[:3, 3], atol=1e-9)
            np.testing.assert_allclose(pose.rotation(name), expected[:3, :3], atol=1e-9)


def test_limits_mimics_and_tool_frames(tmp_path):
    figure = poise.load(written(tmp_path, ARM, "arm.urdf"))
    index = figure.dof_index
    assert (figure.lower[index("pan")], figure.upper[index("pan")]) == (-np.inf, np.inf)
    assert (figure.lower[index("elbow")], figure.upper[index("elbow")]) == (-2.0, 2.5)
    assert [site.name for site in figure.sites] == ["flange", "tool0"]
    assert figure.effector("tool0").segment == "palm"
    assert figure.segments[0].mass == 1.0
    pose = figure.pose({"finger": 0.03}).clamped()
    other = pose.angles[index("other_finger")]
    assert other == pytest.approx(pose.angles[index("finger")] + 0.005)
    assert pose.angles[index("nail")] == pytest.approx(-10 * other)
    solution = poise.solve(figure, [poise.Position("tool0", (0.5, 0.2, 0.6))])
    assert solution.reached
    assert solution.pose.is_inside_limits


def test_a_free_base(tmp_path):
    path = written(tmp_path, HUMANOID, "walker.urdf")
    assert len(poise.load(path, base="free").dofs) == len(poise.load(path).dofs) + 6
    with pytest.raises(poise.OptionError, match="'fixed' or 'free'"):
        poise.load(path, base="wheels")


def test_which_axis_is_up(tmp_path):
    path = written(tmp_path, HUMANOID, "walker.urdf")
    assert poise.load(path, up="Y").up == "Y"
    lying = poise.load(path).rest()
    standing = poise.load(path, up="Y").rest()
    np.testing.assert_array_equal(
        standing.position("head_frame"), lying.position("head_frame")
    )  # as it is
    with pytest.raises(poise.OptionError, match="'Y' or 'Z'"):
        poise.load(path, up="X")


def test_angles_go_out_in_the_order_of_the_file(tmp_path):
    path = written(tmp_path, ARM, "arm.urdf")
    figure = poise.load(path)
    clip = poise.Clip(figure, [figure.pose({"elbow": 0.1 * i}).clamped().angles for i in range(3)])
    poise.save(clip, tmp_path / "a.csv", robot=path)
    rows = list(csv.reader((tmp_path / "a.csv").read_text().splitlines()))
    assert rows[0] == ["time", "elbow", "pan", "lift", "reach", "finger", "other_finger", "nail"]
    np.testing.assert_array_equal(
        [float(row[1]) for row in rows[1:]], clip.angles[:, figure.dof_index("elbow")]
    )
    poise.save(clip, tmp_path / "a.csv", degrees=True)
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    assert float(rows[2]["elbow"]) == pytest.approx(np.degrees(0.2))
    assert float(rows[2]["reach"]) == clip.angles[2, figure.dof_index("reach")]
    with pytest.raises(poise.OptionError, match="no DOF of human"):
        poise.save(poise.figures.human(), tmp_path / "a.csv", robot=path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</robot>", "", "line"),
        ('type="prismatic"', 'type="sliding"', r"line 16: found 'type sliding', expected one of"),
        ('link="turret"', 'link="turet"', "did you mean 'turret'"),
        ('xyz="0 0 0.4"', 'xyz="0 0"', "3 finite numbers for origin xyz"),
        ('xyz="0 0 0.4"', 'xyz="0 0 nan"', "3 finite numbers"),
        ('lower="-2" upper="2.5"', 'lower="3" upper="2.5"', "lower <= upper"),
        ('<axis xyz="1 1 0"/>', '<axis xyz="0 0 0"/>', "axis of joint 'lift' is zero"),
        ('mimic joint="finger"', 'mimic joint="nail"', "mimics itself"),
        ('mimic joint="finger"', 'mimic joint="thumb"', "joint that 'other_finger' mimics"),
        ('<child link="tool0"/>', '<child link="left"/>', "two parents"),
        ('<child link="turret"/>', "", "without a child"),
        ('<robot name="arm">', "<robot>", "xacro"),
        ('<robot name="arm">', '<!DOCTYPE r [<!ENTITY a "b">]><robot name="arm">', "DOCTYPE"),
        ('name="turret"', 'name="base"', "twice|unknown"),
        ('<link name="tool0">', '<link name="island"/><link name="tool0">', "one root"),
    ],
)
def test_broken_robots_are_refused(old, new, message, tmp_path):
    assert old in ARM
    path = written(tmp_path, ARM.replace(old, new, 1), "arm.urdf")
    with pytest.raises(poise.FileError, match=message):
        poise.load(path)


def test_a_joint_that_mimics_nothing_much_is_fixed_where_it_is(tmp_path):
    text = ARM.replace('multiplier="-10"', 'multiplier="0" offset="0.3"')
    figure = poise.load(written(tmp_path, text, "arm.urdf"))
    i = figure.dof_index("nail")
    assert figure.lower[i] == figure.upper[i] == 0.3


def test_open_limits_are_told(tmp_path):
    text = robot("r", [link("a"), link("b")], [joint("j", "revolute", "a", "b")])
    path = written(tmp_path, text, "r.urdf")
    assert "has no limits" in read(path).source.notes[0]
    planar = text.replace("revolute", "planar")
    assert len(poise.load(written(tmp_path, planar, "r.urdf")).dofs) == 3
    floating = text.replace('"revolute"', '"floating"').replace("<axis", limit(0, 1) + "<axis")
    assert len(poise.load(written(tmp_path, floating, "r.urdf")).dofs) == 6


def test_without_yourdfpy_the_message_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "yourdfpy", None)
    with pytest.raises(poise.OptionError, match=r"pip install 'poise\[urdf\]'"):
        poise.load(written(tmp_path, ARM, "arm.urdf"))


@given(data=st.data())
def test_any_bytes_are_read_or_refused(data, tmp_path_factory):
    content = bytearray(ARM.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = written(tmp_path_factory.mktemp("urdf"), bytes(content), "a.urdf")
    with contextlib.suppress(poise.FileError):
        assert isinstance(read(path).value, poise.Figure)
