"""Acclaim skeletons and motions: what the files say, the dialects, and what is broken."""

import re

import numpy as np
import pytest
from formats.bvhs import written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mocap import FOLDER, files, needs_mocap, reference
from scipy.spatial.transform import Rotation

import poise
from poise.formats import read

ASF = """\
# a comment
:version 1.10
:name TEST
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
   anything : at all
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 0 0
   orientation 0 0 0
:bonedata
  begin
     id 1
     name spine
     direction 0 1 0
     length 5
     axis 10 20 30 XYZ
     dof rx ry rz
     limits (-160.0 20.0)
            (-inf inf)
            (-60.0 70.0)
  end
  begin
     id 2
     name arm   # the only one
     direction 0.6 0.8 0
     length 3
     axis 0 0 40 ZYX
     dof rx rz
     limits (5 90) (-10 inf)
  end
  begin
     id 3
     name hip
     direction 0 -1 0
     length 2
     axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root spine hip
    spine arm
  end
"""
AMC = """\
#!OML:ASF
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
spine 4 5 6
arm 7 8
2
root 1.5 2.5 3.5 11 21 31
spine 4.5 5.5 6.5
arm 7.5 8.5
"""
UNIT = 0.0254 / 0.45


def load(folder, amc=AMC, asf=ASF, **options):
    figure = written(folder, asf, "s.asf")
    return read(written(folder, amc, "s_01.amc"), figure=figure, **options)


def turn(order, degrees):
    """Acclaim's order: the first axis turns first."""
    return Rotation.from_euler(order.lower(), degrees, degrees=True).as_matrix()


def test_the_skeleton(tmp_path):
    figure = poise.load(written(tmp_path, ASF, "s.asf"))
    assert figure.segment_names == ("root", "spine", "arm", "hip")
    assert figure.dof_names[6:] == ("spine_rz", "spine_ry", "spine_rx", "arm_rz", "arm_rx")
    lower, upper = (np.rad2deg(side[6:]) for side in (figure.lower, figure.upper))
    np.testing.assert_allclose(lower, [-60, -np.inf, -160, -10, 5])
    np.testing.assert_allclose(upper, [70, np.inf, 20, np.inf, 90])
    assert figure.rest()["arm_rx"] == pytest.approx(np.deg2rad(5))
    np.testing.assert_allclose(figure.segments[2].offset, [0, 5 * UNIT, 0])
    assert (figure.name, figure.up) == ("s", "Y")


def test_positions_by_the_definition(tmp_path):
    clip = load(tmp_path).value
    assert (len(clip), clip.fps) == (2, pytest.approx(120.0))
    of_spine, of_arm = turn("XYZ", [10, 20, 30]), turn("ZYX", [0, 0, 40])
    spine = of_spine @ turn("XYZ", [4, 5, 6]) @ of_spine.T
    arm = of_arm @ turn("XZ", [7, 8]) @ of_arm.T
    root, at = turn("XYZ", [10, 20, 30]), np.array([1.0, 2.0, 3.0])
    knee = at + root @ spine @ [0, 5, 0]
    tip = knee + root @ spine @ arm @ (3 * np.array([0.6, 0.8, 0]))
    found = clip.positions(["spine", "arm", "arm_End", "hip_End"])[0] / UNIT
    np.testing.assert_allclose(found, [at, knee, tip, at + root @ [0, -2, 0]], atol=1e-12)


DIALECTS = {
    "CRLF": (AMC.replace("\n", "\r\n"), ASF.replace("\n", "\r\n")),
    "radians": (
        re.sub(
            r"(?m)^(root|spine|arm) (.*)$",
            lambda m: " ".join(
                [m[1]]
                + [
                    x if m[1] == "root" and i < 3 else repr(float(np.deg2rad(float(x))))
                    for i, x in enumerate(m[2].split())
                ]
            ),
            AMC,
        ).replace("DEGREES", "RADIANS"),
        ASF,
    ),
    "no keyword": (AMC.replace(":DEGREES\n", ""), ASF),
    "other bytes in a comment": (
        AMC.encode() + b"# \xff\xfe\x80\n",
        ASF.replace("a comment", "caf\xe9").encode("latin-1"),
    ),
    "comments and blank lines": (
        AMC.replace("2\nroot", "\n# next\n  2 # two\nroot"),
        ASF.replace(":root", "# here\n\n:root"),
    ),
}


@pytest.mark.parametrize(("amc", "asf"), DIALECTS.values(), ids=DIALECTS.keys())
def test_every_spelling_is_the_same_motion(tmp_path, amc, asf):
    expected, found = load(tmp_path).value, load(tmp_path, amc, asf).value
    np.testing.assert_allclose(found.angles, expected.angles, atol=1e-15)


def test_limits_in_radians(tmp_path):
    radians = ASF.replace("angle deg", "angle rad").replace("(-160.0 20.0)", "(-1.0 0.5)")
    figure = read(written(tmp_path, radians, "s.asf")).value
    at = figure.dof_index("spine_rx")
    assert (figure.lower[at], figure.upper[at]) == (-1.0, 0.5)


def test_a_clip_outside_its_limits_is_told_and_kept(tmp_path):
    clip = load(tmp_path, AMC.replace("arm 7 8", "arm 3 8")).value
    assert clip.angles[0, clip.figure.dof_index("arm_rx")] == np.deg2rad(3.0)
    assert clip.outside.sum() == 1
    assert not clip.is_inside_limits


def test_bones_that_the_skeleton_lacks_are_left_out_and_noted(tmp_path):
    extra = re.sub("(?m)^(spine.*)$", r"\1\ntail 1 2 3", AMC)
    loaded = load(tmp_path, extra)
    assert any("left out: tail" in note for note in loaded.source.notes)
    np.testing.assert_array_equal(loaded.value.angles, load(tmp_path).value.angles)


def test_bones_without_values_stay_at_zero_and_are_noted(tmp_path):
    loaded = load(tmp_path, re.sub("(?m)^arm.*\n", "", AMC))
    assert any("stay at zero: arm" in note for note in loaded.source.notes)
    with pytest.raises(poise.FileError, match="line 8: found 'frame 2 without bone arm'"):
        load(tmp_path, AMC.replace("arm 7.5 8.5\n", "") + "3\n" + AMC.split("2\n")[-1])


def test_three_values_for_every_bone(tmp_path):
    wide = AMC.replace("arm 7 8", "hip 1 2 3\narm 7 9 8").replace(
        "arm 7.5 8.5", "hip 4 5 6\narm 7.5 9.5 8.5"
    )
    loaded = load(tmp_path, wide)
    figure = loaded.value.figure
    assert any("three values" in note and "hip, arm" in note for note in loaded.source.notes)
    assert np.rad2deg(loaded.value.angles[0, figure.dof_index("arm_ry")]) == pytest.approx(9)
    assert np.rad2deg(loaded.value.angles[1, figure.dof_index("hip_rz")]) == pytest.approx(6)
    assert np.rad2deg(figure.lower[figure.dof_index("arm_rx")]) == pytest.approx(5)
    assert np.isinf(figure.lower[figure.dof_index("arm_ry")])


@pytest.mark.parametrize("cut", [10, 15, 30, 40, 45, 50])
def test_a_cut_last_frame_is_left_out_and_noted(tmp_path, cut):
    loaded = load(tmp_path, AMC[: AMC.index("\n2\n") + 3 + cut])
    assert len(loaded.value) == 1
    assert any("cut off in frame 2" in note for note in loaded.source.notes)
    np.testing.assert_array_equal(loaded.value.angles[0], load(tmp_path).value.angles[0])


def test_the_skeleton_beside_the_motion(tmp_path):
    written(tmp_path, ASF, "s.asf")
    path = written(tmp_path, AMC, "s_01.amc")
    with pytest.warns(poise.FileWarning) as said:
        clip = poise.load(path)
    assert len(clip) == 2
    assert {"frame rate", "s.asf"} == {
        word for word in ("frame rate", "s.asf") for w in said if word in str(w.message)
    }
    assert poise.load(path, figure=tmp_path / "s.asf", fps=60).frame_time == 1 / 60
    (tmp_path / "s.asf").rename(tmp_path / "other.asf")
    with pytest.raises(poise.OptionError, match="give figure="):
        poise.load(path)
    with pytest.raises(poise.FileError, match="no such file"):
        poise.load(path, figure=tmp_path / "none.asf")
    with pytest.raises(poise.OptionError, match="needs the name of its"):
        poise.load(path, figure=poise.figures.arm())


BROKEN_ASF = {
    "no bone in the hierarchy": (  # found by fuzzing
        ASF[: ASF.index(":hierarchy")] + ":hierarchy\n  begin\n  end\n",
        "no bone that hangs on the root"),
    "empty": ("", "expected a section :root"),
    "a section missing": (ASF.split(":hierarchy")[0], "expected a section :hierarchy"),
    "cut in a bone": (ASF[: ASF.index("limits (5")], "end of the bone that begins in line 27"),
    "cut in the hierarchy": (ASF[: ASF.rindex("  end")], "expected end of :hierarchy"),
    "a bone twice": (ASF.replace("name hip", "name arm"), "found 'arm', expected a name that no"),
    "a bone without a name": (ASF.replace("     name hip\n", ""), "a name of the bone"),
    "an unknown bone": (ASF.replace("spine arm", "spine leg"), "line 46: found 'leg'"),
    "a second parent": (ASF.replace("spine arm", "spine arm hip"), "one parent"),
    "its own ancestor": (ASF.replace("root spine hip", "root hip\n arm spine"), "tree"),
    "an unknown axis order": (ASF.replace("40 ZYX", "40 ZZX"), "line 32: found 'ZZX'"),
    "an unknown DOF": (ASF.replace("dof rx rz", "dof rx qz"), "line 33: found 'qz'"),
    "a DOF of length": (ASF.replace("dof rx rz", "dof rx l"), "found 'l'"),
    "limits that cross": (ASF.replace("(5 90)", "(90 5)"), r"line 34: found '\( 90 5 \)'"),
    "a limit too few": (ASF.replace("(5 90) ", ""), "found '1 limits', expected 2"),
    "half a limit": (ASF.replace("(5 90)", "(5)"), "two numbers"),
    "a word as length": (ASF.replace("length 3", "length long"), "line 31: found 'long'"),
    "NaN": (ASF.replace("0.6 0.8 0", "nan 0.8 0"), "line 30: found 'nan'"),
    "a direction short": (ASF.replace("0.6 0.8 0", "0.6 0.8"), "three numbers for the direction"),
    "a unit of zero": (ASF.replace("length 0.45", "length 0"), "line 6: found '0'"),
    "an unknown angle": (ASF.replace("angle deg", "angle grad"), "line 7: found 'grad'"),
    "an unknown line": (ASF.replace("     id 3", "     ix 3"), "found 'ix'"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BROKEN_ASF.values(), ids=BROKEN_ASF.keys())
def test_broken_skeletons_say_what_is_wrong_and_where(tmp_path, text, message):
    path = written(tmp_path, text, "s.asf")
    with pytest.raises(poise.FileError, match=message) as caught:
        read(path)
    assert str(path) in str(caught.value)


BROKEN_AMC = {
    "empty": ("", "expected a frame"),
    "no frame number": (AMC.replace("\n1\n", "\n"), "line 4: found 'root'"),
    "a word among the values": (AMC.replace("spine 4 5 6", "spine 4 x 6"), "line 6: found 'x'"),
    "NaN": (AMC.replace("spine 4 5 6", "spine 4 nan 6"), "line 6: found 'nan'"),
    "a value short": (AMC.replace("spine 4 5 6", "spine 4 5"), "line 6: found '2 values'"),
    "a bone twice": (AMC.replace("arm 7 8", "spine 7 8 9"), "line 7: found 'spine'"),
    "frames that fall": (AMC.replace("\n2\n", "\n1\n"), "line 8: found '1'"),
    "one frame, cut": (AMC[: AMC.index(" 6\narm")], "at least one whole frame"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BROKEN_AMC.values(), ids=BROKEN_AMC.keys())
def test_broken_motions_say_what_is_wrong_and_where(tmp_path, text, message):
    with pytest.raises(poise.FileError, match=message):
        load(tmp_path, text)


WORDS = ["(", ")", ":root", ":bonedata", "begin", "end", "nan", "-inf", "1e999", "", "\x00", "9"]


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 300), st.sampled_from(WORDS)), max_size=4),
    st.lists(st.tuples(st.integers(0, 100), st.sampled_from(WORDS)), max_size=3),
)
def test_changed_words_give_a_clip_or_an_error_of_ours(tmp_path, in_asf, in_amc):
    texts = []
    for text, changes in ((ASF, in_asf), (AMC, in_amc)):
        words = re.findall(r"\S+|\n", text)
        for place, word in changes:
            words[place % len(words)] = word
        texts.append(" ".join(words))
    try:
        loaded = load(tmp_path, texts[1], texts[0])
    except poise.FileError:
        return
    assert len(loaded.value) == 2 or loaded.source.notes


@needs_mocap
@pytest.mark.parametrize("name", files(".amc"))
def test_bones_of_real_clips_end_where_the_reference_has_them(name):
    clip = read(FOLDER / name).value
    for frame, places in reference()[name]["frames"].items():
        names = [bone if bone == "root" else f"{bone}_End" for bone in places]
        found = clip[int(frame) : int(frame) + 1].positions(names)[0] / clip.source.unit
        np.testing.assert_allclose(found, list(places.values()), atol=1e-6)
    assert not clip.is_inside_limits


@needs_mocap
def test_the_bvh_of_a_motion_has_the_same_legs():
    """The converted BVH has a T-pose first, and keeps the hips and legs (to its 5 decimals)."""
    amc = read(FOLDER / "asf-cmu" / "87_03.amc").value
    bvh = read(FOLDER / "bvh-cmu" / "87_03.bvh", unit=amc.source.unit).value[1:]
    assert len(amc) == len(bvh)
    here = amc.positions(["root", "lfemur", "ltibia", "lfoot", "rfoot"])
    there = bvh.positions(["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightFoot"])
    assert np.abs(here - there).max() / amc.source.unit < 1e-4
