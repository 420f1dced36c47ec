"""MuJoCo's models as figures, checked against MuJoCo's own forward kinematics."""

import contextlib
import csv
import sys
import warnings

import mujoco
import numpy as np
import pytest
from formats.bvhs import written
from formats.mjcfs import ARM, BALLS, HUMANOID
from formats.urdfs import ARM as URDF
from hypothesis import given, settings
from hypothesis import strategies as st

import poise
from poise.cli import DONE, main
from poise.errors import OptionError
from poise.figure.rotation import from_vector, to_quaternion
from poise.formats import read

FREE, BALL, SLIDE, HINGE = range(4)


class Both:
    """A model as we read it, and as MuJoCo does."""

    def __init__(self, folder, text):
        self.path = written(folder, text, "model.xml")
        self.figure = read(self.path).value
        self.model = mujoco.MjModel.from_xml_path(str(self.path))
        self.data = mujoco.MjData(self.model)

    def put(self, angles):
        """The same pose in MuJoCo, joint after joint: DOFs are in its order."""
        values, qpos = list(angles), []
        for kind in self.model.jnt_type:
            if kind in (SLIDE, HINGE):
                qpos.append(values.pop(0))
                continue
            if kind == FREE:
                qpos += [values.pop(0) for _ in range(3)]
            name = self.figure.dof_names[len(angles) - len(values)]
            x, y, z = (values.pop(0) for _ in range(3))
            if name.endswith("swing_x"):
                turn = from_vector([x, y, 0]) @ from_vector([0, 0, z])
            else:
                turn = from_vector([x, y, z])
            qpos += to_quaternion(turn).tolist()
        assert not values
        self.data.qpos[:] = qpos
        mujoco.mj_kinematics(self.model, self.data)

    def check(self, angles):
        """All bodies and sites that both have are at the same places."""
        self.put(angles)
        return self.compare(angles)

    def compare(self, angles):
        pose, found = self.figure.pose(angles), set()
        for count, things, places, turns in (
            (self.model.nbody, self.model.body, self.data.xpos, self.data.xmat),
            (self.model.nsite, self.model.site, self.data.site_xpos, self.data.site_xmat),
        ):
            for i in range(count):
                name = things(i).name or ("site" if things == self.model.site else f"body{i}")
                if name in self.figure.effector_names:
                    np.testing.assert_allclose(pose.position(name), places[i], atol=1e-9)
                    np.testing.assert_allclose(
                        pose.rotation(name), turns[i].reshape(3, 3), atol=1e-9
                    )
                    found.add(name)
        return found


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    return {
        name: Both(tmp_path_factory.mktemp(name), text)
        for name, text in (("humanoid", HUMANOID), ("arm", ARM), ("balls", BALLS))
    }


@pytest.mark.parametrize("name", ["humanoid", "arm", "balls"])
@settings(max_examples=30)
@given(data=st.data())
def test_bodies_and_sites_are_where_mujoco_has_them(name, data, both):
    one = both[name]
    numbers = st.floats(-3.0, 3.0)
    angles = [data.draw(numbers) for _ in one.figure.dofs]
    links = {n for n in one.figure.effector_names if n.endswith("_link")}
    assert one.check(angles) == set(one.figure.effector_names) - links


@pytest.mark.parametrize("name", ["humanoid", "balls"])
def test_the_rest_pose_is_that_of_the_file(name, both):
    one = both[name]
    inside = one.model.qpos0.copy()
    if name == "humanoid":
        knee = one.model.joint("knee_l")
        inside[knee.qposadr[0]] = knee.range[1]
    one.put(one.figure.rest_angles)
    np.testing.assert_allclose(one.data.qpos, inside, atol=1e-12)


def test_a_humanoid_has_its_limits_and_a_free_root(both):
    figure = both["humanoid"].figure
    assert (figure.name, figure.up) == ("small humanoid", "Z")
    assert figure.segments[0].name == "pelvis"
    assert figure.segments[0].joint.kind == "free"
    assert figure.dof_names[:7] == ("root_tx", "root_ty", "root_tz", "root_rx", "root_ry",
                                    "root_rz", "hip_x")  # fmt: skip
    assert figure.dof_names[7:] == ("hip_z", "hip_y", "knee_l", "chest")
    i = figure.dof_index("knee_l")
    np.testing.assert_allclose([figure.lower[i], figure.upper[i]], np.radians([-160, -2]))
    assert figure.upper[figure.dof_index("chest")] == np.inf
    assert [site.name for site in figure.sites] == ["imu", "sole_l", "knob"]
    masses = [segment.mass for segment in figure.segments]
    np.testing.assert_allclose(masses[0], both["humanoid"].model.body("pelvis").mass[0])
    (note,) = read(both["humanoid"].path).source.notes
    assert note == "not read: 2 actuators, 6 geoms"


@pytest.mark.parametrize(
    ("gravity", "up"), [("0 0 -9.81", "Z"), ("0 -9.81 0", "Y"), ("0 0 0", "Z")]
)
def test_up_is_where_things_do_not_fall(gravity, up, tmp_path):
    text = HUMANOID.replace('gravity="0 0 -9.81"', f'gravity="{gravity}"')
    assert read(written(tmp_path, text, "model.xml")).value.up == up


def test_the_mass_is_where_mujoco_has_it(both):
    one = both["humanoid"]
    one.put(one.figure.middle_angles)
    mujoco.mj_comPos(one.model, one.data)
    solved = poise.solve(
        one.figure, poise.CenterOfMass(one.data.subtree_com[0]), start=one.figure.middle()
    )
    np.testing.assert_allclose(solved.angles, one.figure.middle_angles, atol=1e-9)


def test_equalities_become_groups_or_notes(both):
    figure, notes = both["arm"].figure, "\n".join(read(both["arm"].path).source.notes)
    (group,) = figure.relations
    assert group.shares == {"left": 1.0, "right": 2.0, "nail": -20.0}
    pose = figure.pose({"left": 0.03}).clamped()
    value = dict(zip(figure.dof_names, pose.angles, strict=True))
    assert value["right"] == pytest.approx(0.005 + 2 * (value["left"] - 0.01))
    assert value["nail"] == pytest.approx(0.1 - 10 * value["right"])
    assert value["stuck"] == 0.7
    assert "equality joint 'curve' is left out: its polynomial is not a line" in notes
    assert "equality weld '' is left out: only those of joints are read" in notes
    assert "mocap body 'target' is left out" in notes
    assert "site 'goal' on 'target' is left out" in notes
    assert "1 tendon" in notes
    assert figure.segments[0].name == "world"
    solved = poise.solve(figure, poise.Position("pad", (0.6, 0.2, 0.6)))
    assert solved.pose.is_inside_limits


@pytest.mark.parametrize(
    ("equality", "message"),
    [
        ('joint1="left" joint2="left"', "itself|left"),
        ('joint1="right" joint2="nail"', "joint 'right' follows one already"),
        ('joint1="left" joint2="nail"', "joint 'left' would follow itself"),
        ('joint1="elbow" joint2="pan" active="false"', "not active"),
    ],
)
def test_equalities_that_cannot_hold_are_told(equality, message, tmp_path):
    text = ARM.replace("<weld", f"<joint {equality}/><weld")
    path = written(tmp_path, text, "arm.xml")
    try:
        told = "\n".join(read(path).source.notes)
    except poise.FileError as error:
        told = str(error)
    assert any(part in told for part in message.split("|"))


def test_what_follows_a_held_joint_is_held(tmp_path):
    more = '<joint joint1="left" polycoef="0.02 0 0 0 0"/><weld'
    figure = read(written(tmp_path, ARM.replace("<weld", more), "arm.xml")).value
    assert not figure.relations
    bounds = {n: (figure.lower[i], figure.upper[i]) for i, n in enumerate(figure.dof_names)}
    assert bounds["left"] == pytest.approx((0.03, 0.03))
    assert bounds["right"] == pytest.approx((0.045, 0.045))
    assert bounds["nail"] == pytest.approx((-0.35, -0.35))


def test_a_ball_with_a_range_gets_a_cone_around_it(both):
    figure = both["balls"].figure
    i = figure.dof_index("b_swing_x")
    assert figure.cones == ((i, pytest.approx(np.radians(50))),)
    np.testing.assert_allclose(figure.upper[i + 2], np.radians(50))
    notes = read(both["balls"].path).source.notes
    assert any("swing and twist are limited to that each" in note for note in notes)
    assert figure.segment_names[:3] == ("world", "body1", "turn_link")
    assert figure.name == "model"


def test_sites_called_as_bodies_get_another_name(tmp_path):
    text = HUMANOID.replace('name="knob"', 'name="chest"')
    loaded = read(written(tmp_path, text, "model.xml"))
    assert loaded.figure.effector("chest2").segment == "head"
    assert "sites that are called as bodies got other names: chest2" in loaded.source.notes


def test_what_has_no_name_takes_none_from_others(tmp_path):
    text = BALLS.replace('name="last"', 'name="body1"')
    figure = read(written(tmp_path, text, "model.xml")).value
    assert figure.segment_names[1] == "body12"
    assert figure.segments[figure.segment_index("body1_joint1_link")].parent == "body2"


@pytest.mark.parametrize("name", ["humanoid", "arm", "balls"])
def test_a_motion_goes_out_as_qpos(name, both, tmp_path):
    known = both[name]
    wild = np.random.default_rng(2).normal(0, 0.6, (4, len(known.figure.dofs)))
    clip = poise.Clip(known.figure, wild, 0.1).clamped()
    poise.save(clip, tmp_path / "qpos.csv", robot=known.path)
    names, *rows = csv.reader((tmp_path / "qpos.csv").read_text().splitlines())
    assert len(names) == 1 + known.model.nq
    for row, angles in zip(rows, clip.angles, strict=True):
        known.data.qpos[:] = [float(number) for number in row[1:]]
        mujoco.mj_kinematics(known.model, known.data)
        assert len(known.compare(angles)) > 3
    assert all(float(row[names.index(n)]) >= 0.0 for row in rows for n in names if n[-3:] == "_qw")
    with pytest.raises(OptionError, match="is no DOF of"):
        poise.save(poise.figures.arm(), tmp_path / "qpos.csv", robot=known.path)


KEY = "<keyframe><key name='bent' qpos='{}'/></keyframe></mujoco>"


@pytest.mark.parametrize(
    ("text", "keyframe", "qpos"),
    [
        (HUMANOID, "squat", None),
        (BALLS, "bent", "1 2 -3 1  0.4  1 0.1 -0.2 0.15  0.2  2 1 0 0  0.1 -1 2 1 1 0 3"),
    ],
)
def test_the_rest_pose_may_be_a_keyframe(text, keyframe, qpos, tmp_path):
    if qpos is not None:
        text = text.replace("</mujoco>", KEY.format(qpos))
    known = Both(tmp_path, text)
    figure = read(known.path, keyframe=keyframe).value
    mujoco.mj_resetDataKeyframe(known.model, known.data, 0)
    mujoco.mj_kinematics(known.model, known.data)
    known.figure = figure
    assert len(known.compare(figure.rest_angles)) > 3
    with pytest.raises(OptionError, match="did you mean"):
        read(known.path, keyframe=keyframe[:-1])
    with pytest.raises(OptionError, match="has no keyframes"):
        read(written(tmp_path, ARM, "arm.xml"), keyframe="home")


def test_files_that_are_included_are_read_beside_it(tmp_path):
    head, worldbody = HUMANOID.split("  <worldbody>")
    parts = worldbody.split("</worldbody>")
    written(tmp_path, f"<mujocoinclude>{parts[0]}</mujocoinclude>", "body.xml")
    text = head + '<worldbody><include file="body.xml"/></worldbody>' + parts[1]
    figure = read(written(tmp_path, text, "model.mjcf")).value
    assert "knee_l" in figure.dof_names
    (tmp_path / "body.xml").unlink()
    with pytest.raises(poise.FileError, match=r"model.mjcf: .*body.xml"):
        read(tmp_path / "model.mjcf")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</worldbody>", "", "[Ll]ine"),
        ('type="slide"', 'type="sliding"', r"invalid keyword: 'sliding', Element 'joint', line 7"),
        ('axis="0 0 1"', 'axis="0 0 0"', "axis"),
        ('axis="0 0 1"', 'axis="0 nan 1"', "nan|finite|axis"),
        ('pos="0.3 0 0.1"', 'pos="0.3 0"', "line 5"),
        ('pos="0.3 0 0.1"', 'pos="0.3 0 1e30"', "finite numbers"),
        ('range="-2 2.5"', 'limited="true" range="3 2.5"', "range"),
        ('name="upper"', 'name="base"', "repeated name"),
        ('joint2="left"', 'joint2="thumb"', "thumb"),
        ('range="-1 1"', 'range="0.7 1"', "right"),
        ("<geom", "<site", "mass and inertia"),
        ('<mujoco model="arm">', '<html model="arm">', "Line number=1"),
    ],
)
def test_broken_models_are_refused(old, new, message, tmp_path):
    assert old in ARM
    count = -1 if old == "<geom" else 1
    path = written(tmp_path, ARM.replace(old, new, count), "arm.xml")
    with pytest.raises(poise.FileError, match=message) as caught:
        read(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_xml_is_refused(tmp_path):
    for text, message in (
        (URDF, r"call it \.urdf"),
        ("<html/>", "'html'"),
        ("", "expected a MuJoCo model"),
        ("\0\1", "expected a MuJoCo model"),
        ("<mujoco/>", "no <body>"),
    ):
        with pytest.raises(poise.FileError, match=message):
            read(written(tmp_path, text, "a.xml"))
    with pytest.raises(poise.FileError, match="no such file"):
        read(tmp_path / "none.xml")


@settings(max_examples=5)
@given(data=st.data())
def test_any_bytes_are_read_or_refused(data, tmp_path_factory):
    content = bytearray(ARM.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = written(tmp_path_factory.mktemp("mjcf"), bytes(content), "a.xml")
    with contextlib.suppress(poise.FileError):
        assert isinstance(read(path).value, poise.Figure)


def test_without_mujoco_the_message_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(poise.OptionError, match=r"pip install 'poise\[mjcf\]'"):
        read(written(tmp_path, ARM, "arm.xml"))


def test_it_is_shown_and_its_documents_keep_it(tmp_path, capsys):
    path = written(tmp_path, HUMANOID, "human.xml")
    assert main(["info", str(path)]) == DONE
    shown = capsys.readouterr().out
    assert "small humanoid: 11 DOFs" in shown
    assert "not read: 2 actuators" in shown
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", poise.FileWarning)
        figure = poise.load(path)
    poise.save(figure, tmp_path / "human.poise")
    again = poise.load(tmp_path / "human.poise").figure
    angles = np.linspace(-1, 1, len(figure.dofs))
    assert again.pose(angles).position("sole_l") == pytest.approx(
        figure.pose(angles).position("sole_l"), abs=1e-12
    )
